"""Covers from Lantern, a service that queues: an order is placed, asked about until it has ended, and fetched."""

import re
from typing import Annotated, Final

import httpx
import msgspec
from coverwright_spi import (
    AuthFailed,
    CheckReport,
    CheckSteps,
    Comparison,
    ContentRefused,
    Effect,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    NotFound,
    OutboundTransport,
    Phase,
    PictureDownloads,
    Price,
    ProviderContext,
    ProviderError,
    ProviderSpec,
    QueuedImages,
    RateLimited,
    Secret,
    Settings,
    Size,
    Unavailable,
    Usage,
    UsageLine,
    base_address,
    decode_answer,
    error_detail,
    header_secret,
    hookimpl,
    made_picture,
    problem_of,
    status_error,
)
from msgspec import Meta

MODEL: Final = "lantern-2"
POLL_S: Final = 1.0
CALL_LIMIT_S: Final = 30.0
LARGEST_ANSWER_BYTES: Final = 1_048_576
GRACE_S: Final = 5.0
"""The kernel's limit is a little longer than ours, so that we end the order ourselves."""

PHASES: Final = {"waiting": "queued", "painting": "generating"}
"""Lantern's words for an order that goes on, and the words that people are shown."""


class LanternSettings(Settings, frozen=True, kw_only=True):
    """What administrators set."""

    api_key: Annotated[
        Secret,
        Meta(
            title="API key",
            description="From the page of your Lantern account.",
            extra_json_schema={"x-help-url": "https://lantern.example/keys", "x-env": "LANTERN_API_KEY"},
        ),
    ]
    timeout_seconds: Annotated[
        int,
        Meta(
            title="Time limit",
            description="Seconds until an order is given up.",
            ge=10,
            le=600,
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = 120
    base_url: Annotated[
        str,
        Meta(
            title="Address",
            description="Where the service is reached.",
            extra_json_schema={"x-destination": True, "x-group": "advanced"},
        ),
    ] = "https://api.lantern.example"


class Order(msgspec.Struct, frozen=True):
    """What Lantern says of an order. `place` counts from 1; `share` is the part that is painted, in 0..1."""

    id: str
    state: str
    place: int | None = None
    share: float | None = None
    picture: str | None = None
    reason: str = ""


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error that an answer means, or None: first what Lantern says itself, then what the status means."""
    status = answer.status_code
    if status < 300:
        return None
    problem = problem_of(answer.content)
    text = str(problem.get("message", ""))
    if problem.get("code") == "refused":
        return ContentRefused(error_detail(status, text), upstream_status=status)
    if status == 404 and "/orders/" in answer.request.url.path:
        return NotFound("Lantern does not know the order", upstream_status=status)
    return status_error(answer, text)


def build(settings: LanternSettings, context: ProviderContext) -> "LanternImages":
    """Return the provider; opens nothing. Raises SettingsInvalid."""
    url = base_address(settings.base_url, example="https://api.lantern.example")
    key = header_secret(settings.api_key, field="api_key")
    return LanternImages(settings, context, url, key)


class LanternImages(QueuedImages[Order]):
    """Makes pictures through Lantern's queue."""

    order_id = re.compile(r"[a-z0-9-]{4,64}")

    def __init__(self, settings: LanternSettings, context: ProviderContext, url: httpx.URL, key: str) -> None:
        super().__init__(limit_s=settings.timeout_seconds, pause_s=POLL_S)
        self._limit_s = settings.timeout_seconds
        self._orders = f"{str(url).rstrip('/')}/v1/orders"
        self._account = f"{str(url).rstrip('/')}/v1/account"
        self._http = httpx.AsyncClient(
            transport=OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=judge),
            headers={"authorization": f"Bearer {key}"},
            timeout=CALL_LIMIT_S,
            trust_env=False,
        )
        self._downloads = PictureDownloads(context.http, origin=url, timeout_s=CALL_LIMIT_S)

    def capabilities(self) -> ImageCapabilities:
        """Return what Lantern can do."""
        return ImageCapabilities(
            models=(MODEL,),
            sizes=(Size(1024, 1536), Size(1024, 1024)),
            seed=True,
            resumable=True,
            expected_seconds=min(20.0, self._limit_s),
            deadline_seconds=self._limit_s + GRACE_S,
            prices=(Price(per="image", micros=30_000, asof="2026-11-01"),),
        )

    async def place(self, request: ImageRequest) -> Order:
        """Place an order. One request, sent once: a lost answer may have placed it."""
        wish: dict[str, object] = {
            "prompt": request.prompt,
            "width": request.size.width,
            "height": request.size.height,
        }
        if request.seed is not None:
            wish["seed"] = request.seed
        order = decode_answer((await self._http.post(self._orders, json=wish)).content, Order)
        if not self.order_id.fullmatch(order.id):
            raise Unavailable("the order has no usable id", effect=Effect.UNKNOWN)
        return order

    async def ask(self, order_id: str) -> Order:
        """Read the state of an order. Raises NotFound."""
        return decode_answer((await self._http.get(f"{self._orders}/{order_id}")).content, Order)

    async def stop(self, order_id: str) -> None:
        """Take an order out of the queue; one that Lantern does not know (any more) needs no end."""
        try:
            await self._http.delete(f"{self._orders}/{order_id}")
        except NotFound:
            return

    def phase_of(self, order: Order) -> Phase | None:
        """Return what is going on; None when the order has ended."""
        word = PHASES.get(order.state)
        return None if word is None else Phase(word, fraction=order.share, position=order.place)

    def failure_of(self, order: Order) -> ProviderError | None:
        """Return why there is no picture; None for a success."""
        if order.state == "done":
            return None
        if order.state == "refused":
            return ContentRefused(order.reason[:200])
        return Unavailable(f"the order ended as {order.state[:40]}", effect=Effect.UNKNOWN)

    async def fetch(self, order: Order, request: ImageRequest | None) -> ImageResult:
        """Fetch the picture. `request` is None where another worker placed the order. Raises NotFound."""
        if order.picture is None:
            raise NotFound("the order ended without a picture")
        data = await self._downloads.fetch(order.picture, pause_s=POLL_S)
        picture = made_picture(data, seed=request.seed if request else None)
        usage = Usage(lines=(UsageLine(unit="image", quantity=1),))
        return ImageResult(images=(picture,), model=MODEL, usage=usage)

    async def check(self) -> CheckReport:
        """Ask who the key belongs to, which orders nothing and costs nothing."""
        steps = CheckSteps()
        try:
            await self._http.get(self._account)
        except (AuthFailed, RateLimited) as error:
            steps.add("reach", "ok")
            steps.add("key", "warn" if isinstance(error, RateLimited) else "fail", error.detail, field="api_key")
        except ProviderError as error:
            steps.add("reach", "fail", error.detail, field="base_url")
        else:
            steps.add("reach", "ok")
            steps.add("key", "ok")
        return steps.report()

    async def aclose(self) -> None:
        """Close our clients; the kernel's stays open."""
        await self._http.aclose()
        await self._downloads.aclose()


LANTERN: Final[ProviderSpec[LanternSettings, LanternImages]] = ProviderSpec(
    kind="image",
    id="lantern",
    label="Lantern",
    summary="Makes covers with Lantern's models.",
    contract=(1, 0),
    settings=LanternSettings,
    build=build,
    comparison=Comparison(purposes=("best_pictures",), cost="paid", reach="vendor", vendor="Lantern", seconds=20.0),
)


@hookimpl
def register_image_providers() -> list[ProviderSpec[LanternSettings, LanternImages]]:
    """Return the one provider of this plugin."""
    return [LANTERN]
