"""The Google images provider itself. One POST needs no library: Google's own repeats it and brings another client."""

import asyncio
import base64
from typing import Any, Final

import httpx

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
    JobControl,
    OutboundTransport,
    ProviderContext,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    base_address,
    decode_answer,
    header_secret,
    read_picture,
    reference_type,
    refuse_unclaimed,
)
from plugins.google_images.errors import judge_for, refusal
from plugins.google_images.models import DEFAULT_MODEL, MOST_REFERENCES, ONLY_1K, PROMPT_CHARS, SHUT_DOWN, model_data
from plugins.google_images.settings import GoogleSettings
from plugins.google_images.wire import Answer, ModelList, usage_of

LARGEST_ANSWER_BYTES: Final = 134_217_728
"""A picture of sixteen megapixels that does not compress, in base64, and the drafts of a model that thinks."""

CHECK_LIMIT_S: Final = 12.0
GRACE_S: Final = 5.0
EXPECTED_S: Final = {"1K": 20.0, "2K": 30.0, "4K": 60.0}
SUGGESTIONS: Final = 50


def build(settings: GoogleSettings, context: ProviderContext) -> "GoogleImages":
    """Return the provider; opens nothing. Raises SettingsInvalid for settings known to be wrong without a request."""
    base_address(settings.base_url, example="https://generativelanguage.googleapis.com/v1beta")
    header_secret(settings.api_key, field="api_key")
    if day := SHUT_DOWN.get(settings.model):
        raise SettingsInvalid(f"{settings.model} was shut down on {day}; {DEFAULT_MODEL} is newer.", field="model")
    if settings.model in ONLY_1K and settings.resolution != "1K":
        raise SettingsInvalid(f"{settings.model} makes pictures in 1K only.", field="resolution")
    return GoogleImages(settings, context)


class GoogleImages:
    """Makes pictures through `generateContent`, one with each call."""

    def __init__(self, settings: GoogleSettings, context: ProviderContext) -> None:
        key = settings.api_key.reveal()
        self._settings = settings
        self._model = model_data(settings.model, settings.resolution)
        self._base = settings.base_url.rstrip("/")
        self._at_google = f".{httpx.URL(settings.base_url).host}".endswith(".googleapis.com")
        self._http = httpx.AsyncClient(
            transport=OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=judge_for(key)),
            headers={"x-goog-api-key": key},
            timeout=settings.timeout_seconds,
            trust_env=False,
        )

    def capabilities(self) -> ImageCapabilities:
        """Return the model's capabilities. Prices are Google's own, and only its own servers charge them."""
        model = self._model
        return ImageCapabilities(
            models=(self._settings.model,),
            sizes=tuple(model.ratios.values()),
            formats=("png",),
            reference_images=MOST_REFERENCES,
            edits=True,
            max_prompt_chars=PROMPT_CHARS,
            expected_seconds=min(EXPECTED_S[self._settings.resolution], float(self._settings.timeout_seconds)),
            deadline_seconds=self._settings.timeout_seconds + GRACE_S,
            prices=model.prices if self._at_google else (),
            typical_usage=model.typical if self._at_google else (),
            retirements=model.retirements,
        )

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Make the picture in one call, which is never repeated here: a lost answer may have been charged."""
        refuse_unclaimed(request, self.capabilities())
        body = self._body(request)
        await control.progress("generating")
        address = f"{self._base}/models/{self._settings.model}:generateContent"
        limit = self._settings.timeout_seconds
        try:
            async with asyncio.timeout(limit):
                came = await self._http.post(address, json=body)
        except TimeoutError as error:
            raise DeadlineExceeded(f"no answer within {limit} s", effect=Effect.UNKNOWN) from error
        answer = decode_answer(came.content, Answer)
        picture = read_picture(_picture_in(answer))
        return ImageResult(images=(picture,), model=self._settings.model, usage=usage_of(answer))

    async def check(self) -> CheckReport:
        """Read the list of models, which costs nothing."""
        steps = CheckSteps()
        try:
            async with asyncio.timeout(CHECK_LIMIT_S):
                came = await self._http.get(f"{self._base}/models", params={"pageSize": 1000})
            listed = decode_answer(came.content, ModelList).models
        except TimeoutError:
            steps.add("reach", "fail", f"no answer within {CHECK_LIMIT_S:g} s", field="base_url")
            return steps.report()
        except (AuthFailed, QuotaExhausted, RateLimited) as error:
            steps.add("reach", "ok")
            steps.add("key", "warn" if isinstance(error, RateLimited) else "fail", error.detail, field="api_key")
            return steps.report()
        except ProviderError as error:
            steps.add("reach", "fail", error.detail, field="base_url")
            return steps.report()
        steps.add("reach", "ok")
        steps.add("key", "ok")
        able = [
            entry.name.removeprefix("models/")
            for entry in listed
            if "generateContent" in entry.supported_generation_methods
        ]
        model = self._settings.model
        if model in able:
            steps.add("model", "ok", model)
        else:
            steps.add("model", "fail", f"{model} is not among the models the key may use", field="model")
        images = sorted(name for name in able if ("image" in name or "banana" in name) and name not in SHUT_DOWN)
        return steps.report({"model": images[:SUGGESTIONS]})

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._http.aclose()

    def _body(self, request: ImageRequest) -> dict[str, Any]:
        references = [
            {"inlineData": {"mimeType": reference_type(data), "data": base64.b64encode(data).decode()}}
            for data in request.references
        ]
        config = {"aspectRatio": self._model.ratio_of(request.size), "imageSize": self._settings.resolution}
        return {
            "contents": [{"role": "user", "parts": [*references, {"text": request.prompt}]}],
            "generationConfig": {"responseModalities": ["IMAGE"], "imageConfig": config},
        }


def _picture_in(answer: Answer) -> bytes:
    """Return the last picture that is not a thought. Raises ContentRefused and Unavailable."""
    blocked = answer.prompt_feedback.block_reason if answer.prompt_feedback else ""
    said = answer.candidates[0] if answer.candidates else None
    if said is not None:
        pictures = [part.inline_data.data for part in said.content.parts if part.inline_data and not part.thought]
        if pictures:
            return pictures[-1]
    declined = refusal(blocked or (said.finish_reason if said else ""), said.finish_message if said else "")
    if declined is not None:
        raise declined
    words = " ".join(part.text for part in said.content.parts if not part.thought).strip() if said else ""
    if words:  # a model that declines may say so instead of drawing
        raise ContentRefused(f"the model answered with words: {words}"[:300])
    reason = (said.finish_reason if said else "") or "no reason"
    raise Unavailable(f"the answer holds no picture ({reason})"[:100], effect=Effect.UNKNOWN)
