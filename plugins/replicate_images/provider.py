"""The Replicate images provider itself."""

import asyncio
from typing import Any, Final

import httpx
import msgspec

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckSteps,
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
    RateLimited,
    Usage,
    UsageLine,
    base_address,
    header_secret,
    json_object,
    made_picture,
    read_picture,
)
from plugins.replicate_images.errors import ended, judge
from plugins.replicate_images.models import MODELS, REFERENCE_MEGAPIXEL, model_data
from plugins.replicate_images.predictions import PREDICTION_ID, Predictions, State
from plugins.replicate_images.settings import ReplicateSettings

PROMPT_CHARS: Final = 4000
LARGEST_ANSWER_BYTES: Final = 67_108_864 * 4 // 3 + 1_048_576
"""An answer may hold the picture in base64."""

CHECK_LIMIT_S: Final = 12.0
GRACE_S: Final = 5.0
POLL_S: Final = 0.5
PIXELS_PER_MEGAPIXEL: Final = 1_000_000
PHASES: Final = {"starting": "queued", "processing": "generating"}


def build(settings: ReplicateSettings, context: ProviderContext) -> "ReplicateImages":
    """Return the provider; opens nothing. Raises SettingsInvalid."""
    url = base_address(settings.base_url, example="https://api.replicate.com")
    extra = json_object(settings.extra_input, field="extra_input")
    header_secret(settings.api_token, field="api_token", noun="token")
    return ReplicateImages(settings, context, url, extra)


class ReplicateImages(QueuedImages[State]):
    """Makes pictures through predictions: started once, polled until they end, canceled when they take too long."""

    order_id = PREDICTION_ID

    def __init__(
        self, settings: ReplicateSettings, context: ProviderContext, url: httpx.URL, extra: dict[str, Any]
    ) -> None:
        super().__init__(limit_s=settings.timeout_seconds, pause_s=POLL_S)
        self._settings = settings
        self._model = model_data(settings.model)
        self._extra = extra
        transport = OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=judge)
        self._predictions = Predictions(settings, transport)
        self._downloads = PictureDownloads(context.http, origin=url, timeout_s=settings.timeout_seconds)

    async def prepare(self) -> None:
        """Import the library before the first picture is requested."""
        await self._predictions.open()

    def capabilities(self) -> ImageCapabilities:
        """Return the model's capabilities."""
        model = self._model
        return ImageCapabilities(
            models=(self._settings.model,),
            sizes=tuple(model.sizes.values()),
            formats=tuple(model.formats) or ("png",),
            reference_images=model.references,
            edits=model.references > 0,
            seed=model.seed,
            resumable=True,
            max_prompt_chars=PROMPT_CHARS,
            concurrency=8,
            expected_seconds=min(model.expected_s, float(self._settings.timeout_seconds)),
            deadline_seconds=self._settings.timeout_seconds + GRACE_S,
            prices=tuple(msgspec.structs.replace(price, model=self._settings.model) for price in model.prices),
            typical_usage=model.typical,
        )

    async def place(self, request: ImageRequest) -> State:
        """Start a prediction."""
        return await self._predictions.create(await self._input(request))

    async def ask(self, order_id: str) -> State:
        """Read the state of a prediction."""
        return await self._predictions.get(order_id)

    async def stop(self, order_id: str) -> None:
        """Cancel a prediction, which costs the time it has run."""
        await self._predictions.cancel(order_id)

    def phase_of(self, order: State) -> Phase | None:
        """Return what a prediction is doing; the fraction comes from its logs."""
        return Phase(PHASES[order.status], order.fraction) if order.status in PHASES else None

    def failure_of(self, order: State) -> ProviderError | None:
        """Return why a prediction ended without success."""
        return None if order.status == "succeeded" else ended(order.status, order.error)

    async def fetch(self, order: State, request: ImageRequest | None) -> ImageResult:
        """Fetch the picture at once: it is deleted after an hour. Raises NotFound when there is none."""
        if not order.output:
            raise NotFound("the prediction succeeded without a picture")
        data = await self._downloads.fetch(order.output[0], pause_s=POLL_S)
        picture = made_picture(data, seed=request.seed if request and self._model.seed else None)
        lines = [UsageLine(unit="image", quantity=1.0)]
        if order.seconds is not None:
            lines.append(UsageLine(unit="second", quantity=order.seconds))
        if request is not None:
            megapixels = sum(_megapixels(data) for data in request.references)
            lines.append(UsageLine(unit=REFERENCE_MEGAPIXEL, quantity=megapixels))
        elif not order.input.get(self._model.reference_field):  # else their size is not known here
            lines.append(UsageLine(unit=REFERENCE_MEGAPIXEL, quantity=0.0))
        return ImageResult(images=(picture,), model=self._settings.model, usage=Usage(lines=tuple(lines)))

    async def check(self) -> CheckReport:
        """Read the account and the model; both cost nothing."""
        steps = CheckSteps()
        try:
            async with asyncio.timeout(CHECK_LIMIT_S):
                await self._check(steps)
        except TimeoutError:
            steps.add("reach", "fail", f"no answer within {CHECK_LIMIT_S:g} s", field="base_url")
        return steps.report({"model": tuple(MODELS)})

    async def aclose(self) -> None:
        """Close the client for downloads; the kernel's stays open."""
        await self._downloads.aclose()

    async def _check(self, steps: CheckSteps) -> None:
        try:
            await self._predictions.account()
        except (AuthFailed, RateLimited) as error:
            steps.add("reach", "ok")
            steps.add("token", "warn" if isinstance(error, RateLimited) else "fail", error.detail, field="api_token")
            return
        except ProviderError as error:
            steps.add("reach", "fail", error.detail, field="base_url")
            return
        steps.add("reach", "ok")
        steps.add("token", "ok")
        try:
            await self._predictions.model()
        except ProviderError as error:
            steps.add("model", "fail", error.detail, field="model")
            return
        steps.add("model", "ok", self._settings.model)

    async def _input(self, request: ImageRequest) -> dict[str, Any]:
        model = self._model
        filled: dict[str, Any] = {"prompt": request.prompt, **model.size_input(request.size), **model.fixed}
        if model.formats:
            filled["output_format"] = model.formats[request.format]
        if model.seed and request.seed is not None:
            filled["seed"] = request.seed
        if request.references:
            filled[model.reference_field] = [await self._predictions.refer(data) for data in request.references]
        return self._extra | filled


def _megapixels(data: bytes) -> float:
    size = read_picture(data).size
    return size.width * size.height / PIXELS_PER_MEGAPIXEL
