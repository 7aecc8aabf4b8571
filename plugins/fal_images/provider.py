"""The fal images provider itself."""

import asyncio
import re
from contextlib import suppress
from typing import Any, Final

import httpx
import msgspec

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckSteps,
    ContentRefused,
    Effect,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    NotFound,
    OutboundTransport,
    Phase,
    PictureDownloads,
    ProviderContext,
    ProviderError,
    QueuedImages,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    Usage,
    UsageLine,
    base_address,
    decode_answer,
    header_secret,
    json_object,
    made_picture,
    read_picture,
    reference_url,
)
from plugins.fal_images.errors import judge
from plugins.fal_images.models import (
    MODELS,
    OUTPUT_MEGAPIXEL,
    REFERENCE_MEGAPIXEL,
    billed_megapixels,
    model_data,
)
from plugins.fal_images.queue import IN_PROGRESS, IN_QUEUE, Queue, State
from plugins.fal_images.settings import FalSettings

LARGEST_ANSWER_BYTES: Final = 67_108_864 * 4 // 3 + 1_048_576
"""An answer may hold the picture in base64."""

PLATFORM_URL: Final = "https://api.fal.ai/v1"
CHECK_LIMIT_S: Final = 12.0
GRACE_S: Final = 5.0
POLL_S: Final = 0.5
PHASES: Final = {IN_QUEUE: "queued", IN_PROGRESS: "generating"}


class ModelPrice(msgspec.Struct, frozen=True):
    """What a unit of a model costs this account."""

    unit_price: float
    unit: str
    currency: str


class PriceList(msgspec.Struct, frozen=True):
    """Answer to the question for prices."""

    prices: list[ModelPrice]


def build(settings: FalSettings, context: ProviderContext) -> "FalImages":
    """Return the provider; opens nothing. Raises SettingsInvalid."""
    url = base_address(settings.base_url, example="https://queue.fal.run")
    extra = json_object(settings.extra_input, field="extra_input")
    header_secret(settings.api_key, field="api_key")
    return FalImages(settings, context, url, extra)


class FalImages(QueuedImages[State]):
    """Makes pictures through fal's queue."""

    order_id = re.compile(r"[A-Za-z0-9_-]{8,64}")

    def __init__(self, settings: FalSettings, context: ProviderContext, url: httpx.URL, extra: dict[str, Any]) -> None:
        super().__init__(limit_s=settings.timeout_seconds, pause_s=POLL_S)
        self._settings = settings
        self._model = model_data(settings.model)
        self._extra = extra
        self._at_fal = f".{url.host}".endswith(".fal.run")
        transport = OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=judge)
        self._queue = Queue(settings, transport)
        self._downloads = PictureDownloads(context.http, origin=url, timeout_s=settings.timeout_seconds)

    def capabilities(self) -> ImageCapabilities:
        """Return the model's capabilities. Prices are fal's own, and only its own servers charge them."""
        model = self._model
        return ImageCapabilities(
            models=(self._settings.model,),
            sizes=model.sizes,
            formats=model.formats or ("png",),
            reference_images=model.references,
            edits=model.edits,
            seed=model.seed,
            resumable=True,
            max_prompt_chars=model.prompt_chars,
            concurrency=8,
            expected_seconds=min(model.expected_s, float(self._settings.timeout_seconds)),
            deadline_seconds=self._settings.timeout_seconds + GRACE_S,
            prices=model.prices_with(self._settings.model, self._extra) if self._at_fal else (),
            typical_usage=model.typical,
        )

    async def place(self, request: ImageRequest) -> State:
        """Order a picture, from the model's endpoint for references if there are some."""
        endpoint = self._settings.model + (self._model.references_to if request.references else "")
        order = await self._queue.place(endpoint, self._input(request))
        if not self.order_id.fullmatch(order.id):
            raise Unavailable("the order has no usable id", effect=Effect.UNKNOWN)
        return order

    async def ask(self, order_id: str) -> State:
        """Read the state of an order."""
        return await self._queue.ask(order_id)

    async def stop(self, order_id: str) -> None:
        """Cancel an order: what has not begun costs nothing."""
        await self._queue.cancel(order_id)

    def phase_of(self, order: State) -> Phase | None:
        """Return where the order waits, or that it is worked on; fal tells no fraction."""
        return Phase(PHASES[order.status], position=order.position) if order.status in PHASES else None

    def failure_of(self, order: State) -> ProviderError | None:
        """Return why there is no picture. A safety checker answers with a black one."""
        if order.failure is not None:
            return order.failure
        if order.output is not None and any(order.output.has_nsfw_concepts or ()):
            return ContentRefused("the model's safety checker blackened the picture")
        return None

    async def fetch(self, order: State, request: ImageRequest | None) -> ImageResult:
        """Fetch the picture. Raises NotFound when there is none."""
        output = order.output
        found = (output.images[0] if output.images else output.image) if output else None
        if output is None or found is None:
            raise NotFound("the order succeeded without a picture")
        data = await self._downloads.fetch(found.url, pause_s=POLL_S)
        picture = made_picture(data, seed=request.seed if request and self._model.seed else None)
        lines = [UsageLine(unit=OUTPUT_MEGAPIXEL, quantity=billed_megapixels(picture.size))]
        if order.seconds is not None and order.seconds >= 0:
            lines.append(UsageLine(unit="second", quantity=order.seconds))
        if request is not None:  # an order of another process: nothing is known of its references
            sizes = [read_picture(reference).size for reference in request.references]
            lines.append(UsageLine(unit=REFERENCE_MEGAPIXEL, quantity=sum(map(billed_megapixels, sizes))))
        return ImageResult(images=(picture,), model=self._settings.model, usage=Usage(lines=tuple(lines)))

    async def check(self) -> CheckReport:
        """Read what the model costs, which costs nothing and proves the key; at a gateway, ask about no order."""
        steps = CheckSteps()
        try:
            async with asyncio.timeout(CHECK_LIMIT_S):
                await (self._check_at_fal(steps) if self._at_fal else self._check_gateway(steps))
        except TimeoutError:
            steps.add("reach", "fail", f"no answer within {CHECK_LIMIT_S:g} s", field="base_url")
        except (AuthFailed, QuotaExhausted, RateLimited) as error:
            steps.add("reach", "ok")
            steps.add("key", "warn" if isinstance(error, RateLimited) else "fail", error.detail, field="api_key")
        except ProviderError as error:
            steps.add("reach", "fail", error.detail, field="base_url")
        return steps.report({"model": tuple(MODELS)})

    async def aclose(self) -> None:
        """Close the clients; the kernel's stays open."""
        await self._queue.aclose()
        await self._downloads.aclose()

    async def _check_at_fal(self, steps: CheckSteps) -> None:
        try:
            prices = decode_answer(await self._queue.price(PLATFORM_URL), PriceList).prices
        except SettingsInvalid as error:
            steps.add("reach", "ok")
            steps.add("key", "ok")
            steps.add("model", "fail", error.detail, field="model")
            return
        steps.add("reach", "ok")
        steps.add("key", "ok")
        if not prices:
            steps.add("model", "warn", f"fal names no price of {self._settings.model}", field="model")
            return
        told = f"{prices[0].unit_price:g} {prices[0].currency} per {prices[0].unit}"
        steps.add("model", "ok", f"{self._settings.model}: {told}"[:200])

    async def _check_gateway(self, steps: CheckSteps) -> None:
        with suppress(NotFound):
            await self._queue.probe()
        steps.add("reach", "ok")
        steps.add("key", "ok")

    def _input(self, request: ImageRequest) -> dict[str, Any]:
        model = self._model
        size = {"width": request.size.width, "height": request.size.height}
        filled: dict[str, Any] = {"prompt": request.prompt, "image_size": size}
        if model.formats:
            filled["output_format"] = request.format
        if model.seed and request.seed is not None:
            filled["seed"] = request.seed
        if request.references:
            filled["image_urls"] = [reference_url(data) for data in request.references]
        return model.fixed | self._extra | filled
