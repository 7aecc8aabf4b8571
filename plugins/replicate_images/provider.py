"""The Replicate images provider itself."""

import asyncio
import base64
from contextlib import suppress
from typing import Any, Final

import httpx
import msgspec

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckSteps,
    ContentRefused,
    DeadlineExceeded,
    Effect,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    InvalidRequest,
    JobControl,
    NotFound,
    OutboundTransport,
    ProviderContext,
    ProviderError,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    Unsupported,
    Usage,
    UsageLine,
    read_picture,
    web_address,
)
from plugins.replicate_images.errors import ended, judge, judge_download
from plugins.replicate_images.models import MODELS, REFERENCE_MEGAPIXEL, model_data
from plugins.replicate_images.predictions import PREDICTION_ID, Predictions, State
from plugins.replicate_images.settings import ReplicateSettings

PROMPT_CHARS: Final = 4000
LARGEST_PICTURE_BYTES: Final = 67_108_864
LARGEST_ANSWER_BYTES: Final = LARGEST_PICTURE_BYTES * 4 // 3 + 1_048_576
"""An answer may hold the picture in base64."""

CHECK_LIMIT_S: Final = 12.0
CANCEL_LIMIT_S: Final = 4.0
"""A call that took too long does not take longer than this for its prediction's cancellation."""

GRACE_S: Final = 5.0
POLL_S: Final = 0.5
LOST_POLLS: Final = 5
"""Maximum number of unanswered requests in a row; the prediction continues meanwhile."""

DOWNLOADS: Final = 3
PIXELS_PER_MEGAPIXEL: Final = 1_000_000
PHASES: Final = {"starting": "queued", "processing": "generating"}


def build(settings: ReplicateSettings, context: ProviderContext) -> "ReplicateImages":
    """Return the provider; opens nothing. Raises SettingsInvalid."""
    url = web_address(settings.base_url)
    if url is None or url.userinfo or url.query:
        raise SettingsInvalid("An address looks like https://api.replicate.com.", field="base_url")
    try:
        extra = msgspec.json.decode(settings.extra_input or "{}", type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise SettingsInvalid("This must be a JSON object, or empty.", field="extra_input") from error
    token = settings.api_token.reveal()
    if not (token.isascii() and token.isprintable()):
        raise SettingsInvalid("A token has no line ends or special characters.", field="api_token")
    return ReplicateImages(settings, context, url, extra)


class ReplicateImages:
    """Makes pictures through predictions: started once, polled until they end, canceled when they take too long."""

    def __init__(
        self, settings: ReplicateSettings, context: ProviderContext, url: httpx.URL, extra: dict[str, Any]
    ) -> None:
        self._settings = settings
        self._model = model_data(settings.model)
        self._extra = extra
        self._origin = (url.scheme, url.host, url.port)
        transport = OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=judge)
        self._predictions = Predictions(settings, transport)
        # results may be on any host: this client has no token
        self._downloads = httpx.AsyncClient(
            transport=OutboundTransport(context.http, largest_bytes=LARGEST_PICTURE_BYTES, judge=judge_download),
            timeout=settings.timeout_seconds,
            trust_env=False,
        )

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

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Start a prediction, report its id, wait for its end and fetch the picture."""
        self._accept(request)
        started: list[str] = []
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                model_input = await self._input(request)
                state = await self._predictions.create(model_input)
                if state.id:
                    started.append(state.id)
                    await control.checkpoint(state.id)
                state = await self._wait(state, control)
                if state.status != "succeeded":
                    raise ended(state.status, state.error)
                references = sum(_megapixels(data) for data in request.references)
                return await self._result(state, references, request.seed)
        except TimeoutError as error:
            await self._give_up(started)
            raise DeadlineExceeded(self._too_late(), effect=Effect.UNKNOWN) from error
        except NotFound as error:
            detail = error.detail or "the prediction has vanished"
            raise Unavailable(detail, effect=Effect.UNKNOWN) from error

    async def resume(self, remote_id: str, control: JobControl) -> ImageResult:
        """Wait for a prediction that was started earlier. Raises NotFound when it can no longer return a picture."""
        if not PREDICTION_ID.fullmatch(remote_id):
            raise NotFound("not the id of a prediction")
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                state = await self._wait(await self._predictions.get(remote_id), control)
                if state.status == "succeeded":
                    reference = state.input.get(self._model.reference_field)
                    return await self._result(state, None if reference else 0.0, None)
        except TimeoutError as error:
            await self._give_up([remote_id])
            raise DeadlineExceeded(self._too_late(), effect=Effect.UNKNOWN) from error
        end = ended(state.status, state.error)
        raise end if isinstance(end, ContentRefused) else NotFound(end.detail)

    async def cancel(self, remote_id: str) -> None:
        """Cancel a prediction, which costs the time it has run. One that has ended stays as it is."""
        if PREDICTION_ID.fullmatch(remote_id):
            await self._predictions.cancel(remote_id)

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

    def _accept(self, request: ImageRequest) -> None:
        """Raise Unsupported or InvalidRequest for what is not claimed."""
        can = self.capabilities()
        if request.size not in can.sizes:
            raise Unsupported(f"no size of {request.size.width} x {request.size.height} pixels")
        if request.format not in can.formats:
            raise Unsupported(f"no format {request.format}")
        if request.model not in (None, *can.models):
            raise Unsupported(f"this instance uses {self._settings.model} only")
        if request.count != 1 or len(request.references) > can.reference_images:
            raise Unsupported(f"one picture and {can.reference_images} references at most")
        if len(request.prompt) > can.max_prompt_chars:
            raise InvalidRequest(f"the prompt is longer than {can.max_prompt_chars} characters")

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

    async def _wait(self, state: State, control: JobControl) -> State:
        """Poll the prediction until it has ended; report changes."""
        reported: tuple[str, float | None] = ("", None)
        lost = 0
        while state.status in PHASES:
            now = (PHASES[state.status], max(state.fraction or 0.0, reported[1] or 0.0) or None)
            if now != reported:
                reported = now
                await control.progress(*now)
            await asyncio.sleep(POLL_S)
            try:
                state = msgspec.structs.replace(await self._predictions.get(state.id), id=state.id)
                lost = 0
            except (Unavailable, DeadlineExceeded, RateLimited) as error:
                lost += 1
                if lost == LOST_POLLS:
                    error.effect = Effect.UNKNOWN
                    raise
                await asyncio.sleep(min(error.retry_after or 0.0, float(self._settings.timeout_seconds)))
        return state

    async def _result(self, state: State, reference_megapixels: float | None, seed: int | None) -> ImageResult:
        """Fetch the picture at once: it is deleted after an hour. Raises NotFound when there is none."""
        if not state.output:
            raise NotFound("the prediction succeeded without a picture")
        data = await self._fetch(state.output[0])
        try:
            picture = read_picture(data, seed=seed if self._model.seed else None)
        except Unavailable as error:
            raise NotFound(error.detail) from error
        lines = [UsageLine(unit="image", quantity=1.0)]
        if state.seconds is not None:
            lines.append(UsageLine(unit="second", quantity=state.seconds))
        if reference_megapixels is not None:
            lines.append(UsageLine(unit=REFERENCE_MEGAPIXEL, quantity=reference_megapixels))
        return ImageResult(images=(picture,), model=self._settings.model, usage=Usage(lines=tuple(lines)))

    async def _fetch(self, address: str) -> bytes:
        """Return the bytes at an address, or in it: small results may come as `data:`."""
        head, _, content = address.partition(",")
        if head.startswith("data:") and head.endswith(";base64"):
            try:
                return base64.b64decode(content, validate=True)
            except ValueError as error:
                raise NotFound("the picture in the prediction cannot be decoded") from error
        url = web_address(address)
        if url is None or (url.scheme != "https" and (url.scheme, url.host, url.port) != self._origin):
            raise NotFound("the picture's address is not a safe one")
        for tries_left in reversed(range(DOWNLOADS)):
            try:
                return (await self._downloads.get(url)).content
            except (Unavailable, DeadlineExceeded) as error:
                error.effect = Effect.UNKNOWN  # whatever happened to the download, the picture was made
                if not tries_left:
                    raise
                await asyncio.sleep(POLL_S)
        raise AssertionError("unreachable")

    async def _give_up(self, started: list[str]) -> None:
        for prediction_id in started:
            with suppress(TimeoutError, ProviderError):
                async with asyncio.timeout(CANCEL_LIMIT_S):
                    await self._predictions.cancel(prediction_id)

    def _too_late(self) -> str:
        return f"no picture within {self._settings.timeout_seconds} s"


def _megapixels(data: bytes) -> float:
    size = read_picture(data).size
    return size.width * size.height / PIXELS_PER_MEGAPIXEL
