"""The OpenAI images provider itself."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import httpx

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckSteps,
    ContentRefused,
    Effect,
    GeneratedImage,
    ImageCapabilities,
    ImageFormat,
    ImageRequest,
    ImageResult,
    JobControl,
    OutboundTransport,
    ProviderContext,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    TextRequest,
    TextResult,
    Unavailable,
    Unsupported,
    base_address,
    decode_answer,
    header_secret,
    pixel_sizes,
    read_picture,
    reference_type,
    refuse_unclaimed,
    web_address,
)
from plugins.openai_images.client import LazyClient, answer_of, origin_of, within
from plugins.openai_images.errors import judge
from plugins.openai_images.models import PARTIALS, PROMPT_CHARS, SHUT_DOWN, ModelData, model_data
from plugins.openai_images.place import Place, place_of
from plugins.openai_images.settings import OpenAISettings
from plugins.openai_images.streaming import is_refusal_to_stream, streamed
from plugins.openai_images.wire import (
    ChatAnswer,
    ImagesAnswer,
    Made,
    ModelsAnswer,
    chat_usage_of,
    usage_of,
)

MOST_PICTURES: Final = 4
LARGEST_ANSWER_BYTES: Final = 67_108_864
"""Four pictures of 3.7 megapixels that do not compress, in base64."""

CONNECT_LIMIT_S: Final = 5.0
CHECK_LIMIT_S: Final = 12.0
TEXT_LIMIT_S: Final = 40.0
GRACE_S: Final = 5.0
"""The kernel's own limit is this much longer, so that the plugin can report what it waited for."""

EXPECTED_S: Final = {"high": 60.0, "xhigh": 90.0, "max": 120.0}
USUALLY_S: Final = 30.0
SUGGESTIONS: Final = 50
EXTENSIONS: Final = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


def build(settings: OpenAISettings, context: ProviderContext) -> "OpenAIImages":
    """Return the provider; opens nothing. Raises SettingsInvalid for settings known to be wrong without a request."""
    base_address(settings.base_url, example="https://images.example/v1", query=True)
    place = place_of(settings)
    key = header_secret(settings.api_key, field="api_key")
    if (place.at_openai or place.at_azure) and not key:
        raise SettingsInvalid(f"{'OpenAI' if place.at_openai else 'Azure'} needs a key.", field="api_key")
    if place.deployment_in_address and settings.text_model:
        raise SettingsInvalid("At Azure this needs an address that ends in /openai/v1.", field="text_model")
    if (day := SHUT_DOWN.get(settings.model)) and not place.at_azure:
        raise SettingsInvalid(f"{settings.model} was shut down on {day}; gpt-image-2 is newer.", field="model")
    model = _model_data(settings)
    if settings.quality in ("xhigh", "max") and model.native and not model.xhigh:
        raise SettingsInvalid(f"{settings.model} knows no higher quality than high.", field="quality")
    return OpenAIImages(settings, context, place)


class OpenAIImages:
    """Makes pictures through the Images API: `generate` without references, `edit` with them."""

    def __init__(self, settings: OpenAISettings, context: ProviderContext, place: Place) -> None:
        self._settings = settings
        self._model_data = _model_data(settings)
        self._streams = settings.previews and self._model_data.native
        self._sizes = pixel_sizes(settings.sizes) or self._model_data.sizes
        self._place = place
        self._log = context.log
        self._origin = origin_of(httpx.URL(settings.base_url))
        self._http = httpx.AsyncClient(
            transport=OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=judge, streams=True),
            timeout=httpx.Timeout(settings.timeout_seconds, connect=CONNECT_LIMIT_S),
            trust_env=False,
        )
        self._openai = LazyClient(self._http, settings, place)

    async def prepare(self) -> None:
        """Import the library before the first picture is requested."""
        await self._openai.get()

    def capabilities(self) -> ImageCapabilities:
        """Return the model's capabilities. Prices are OpenAI's own, and only its own servers charge them."""
        native = self._model_data.native
        formats: tuple[ImageFormat, ...] = ("png", "jpeg", "webp") if native else ("png",)
        return ImageCapabilities(
            models=(self._settings.model,),
            sizes=self._sizes,
            formats=formats,
            max_images=MOST_PICTURES if native else 1,
            reference_images=self._settings.references,
            edits=self._settings.references > 0,
            masks=native and self._settings.references > 0,
            max_prompt_chars=PROMPT_CHARS,
            expected_seconds=min(EXPECTED_S.get(self._settings.quality, USUALLY_S), self._settings.timeout_seconds),
            deadline_seconds=self._settings.timeout_seconds + GRACE_S,
            prices=self._model_data.prices if self._place.at_openai else (),
            typical_usage=self._model_data.typical if self._place.at_openai else (),
            retirements=self._model_data.retirements if self._place.at_openai else (),
            text_model=self._settings.text_model,
            previews=self._settings.previews and native,
        )

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Make the pictures in one call, which is never repeated here: a lost answer may have been charged."""
        refuse_unclaimed(request, self.capabilities())
        await control.progress("generating")
        return await within(self._settings.timeout_seconds, lambda: self._generate(request, control))

    async def write_text(self, request: TextRequest) -> TextResult:
        """Ask the text model in one call, which is never repeated here."""
        if not self._settings.text_model:
            raise Unsupported("no text model is set")
        return await within(min(TEXT_LIMIT_S, self._settings.timeout_seconds), lambda: self._write(request))

    async def check(self) -> CheckReport:
        """Read the list of models, which costs nothing."""
        steps = CheckSteps()
        try:
            answer = await within(CHECK_LIMIT_S, self._models)
        except AuthFailed as error:
            steps.add("reach", "ok")
            if error.upstream_status == 403 and "scope" in error.detail.lower():  # a key that may only make pictures
                steps.add("key", "warn", "The key may not list models, so neither it nor the model could be tested.")
            else:
                steps.add("key", "fail", error.detail, field="api_key")
            return steps.report()
        except (RateLimited, QuotaExhausted) as error:
            steps.add("reach", "ok")
            steps.add("key", "warn" if isinstance(error, RateLimited) else "fail", error.detail, field="api_key")
            return steps.report()
        except ProviderError as error:
            steps.add("reach", "fail", error.detail, field="base_url")
            return steps.report()
        steps.add("reach", "ok")
        steps.add("key", "ok", "" if self._settings.api_key else "no key is needed")
        if self._place.at_azure:
            steps.add("model", "skip", f"whether there is a deployment {self._place.model} shows when it draws"[:200])
            return steps.report()
        self._check_model(steps, {model.id: model.shutdown_date for model in answer.data})
        return steps.report({"model": self._usable([model.id for model in answer.data])})

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._http.aclose()

    def _check_model(self, steps: CheckSteps, listed: dict[str, str | None]) -> None:
        model = self._settings.model
        if model not in listed:
            steps.add("model", "fail", f"{model} is not among the models the key may use", field="model")
        elif day := listed[model]:
            steps.add("model", "warn", f"{model} ends on {day}"[:100], field="model")
        else:
            steps.add("model", "ok", model)
        if (texts := self._settings.text_model) and texts not in listed:
            steps.add("model", "warn", f"{texts} is not among the models the key may use", field="text_model")

    def _usable(self, listed: list[str]) -> list[str]:
        """Return the models worth suggesting: those that make pictures where names show it, else all."""
        images = [name for name in listed if "image" in name and name not in SHUT_DOWN]
        return sorted(images or ([] if self._place.at_openai else listed))[:SUGGESTIONS]

    async def _generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        arguments: dict[str, Any] = {
            "model": self._place.model,
            "prompt": request.prompt,
            "n": request.count,
            "size": f"{request.size.width}x{request.size.height}",
        }
        client = await self._openai.get()
        images, arguments["extra_headers"] = client.images.with_raw_response, self._openai.extra_headers()
        if self._model_data.native:
            arguments |= {"quality": self._settings.quality, "output_format": request.format, "background": "opaque"}
        else:  # OpenAI's own models refuse this parameter, others return an address without it
            arguments["extra_body"] = {"response_format": "b64_json"}
        if request.references:
            arguments["image"] = _named(request.references)
            if request.mask is not None:
                arguments["mask"] = ("mask.png", request.mask, "image/png")
        elif self._model_data.native and not self._place.at_azure:  # its filters are set at the deployment
            arguments["moderation"] = self._settings.moderation
        answer = await self._asked(images.edit if request.references else images.generate, arguments, control)
        made = (answer.data or [])[: request.count]
        if len(made) < request.count:
            raise Unavailable(f"{len(made)} pictures instead of {request.count}", effect=Effect.UNKNOWN)
        pictures = [await self._picture(entry) for entry in made]
        return ImageResult(images=tuple(pictures), model=self._settings.model, usage=usage_of(answer))

    async def _asked(
        self, call: Callable[..., Awaitable[Any]], arguments: dict[str, Any], control: JobControl
    ) -> ImagesAnswer:
        """Ask for pictures: for one in parts, where they are to be shown and the server sends them."""
        if self._streams and arguments["n"] == 1:
            try:
                return await streamed(lambda: call(stream=True, partial_images=PARTIALS, **arguments), control)
            except ProviderError as error:
                if not is_refusal_to_stream(error):
                    raise
                self._log.warning("the server sends no previews: status %s", error.upstream_status)
                self._streams = False
        return decode_answer(await answer_of(lambda: call(**arguments)), ImagesAnswer)

    async def _write(self, request: TextRequest) -> TextResult:
        completions = (await self._openai.get()).chat.completions.with_raw_response
        model = self._settings.text_model
        messages = [{"role": "system", "content": request.instructions}, {"role": "user", "content": request.text}]
        headers = self._openai.extra_headers()
        came = await answer_of(lambda: completions.create(model=model, messages=messages, extra_headers=headers))
        answer = decode_answer(came, ChatAnswer)
        said = answer.choices[0] if answer.choices else None
        if said is not None and (said.message.refusal or said.finish_reason == "content_filter"):
            raise ContentRefused("the text model declined")
        if said is None or not said.message.content:
            raise Unavailable("the answer holds no text", effect=Effect.UNKNOWN)
        return TextResult(text=said.message.content, model=model, usage=chat_usage_of(answer))

    async def _picture(self, made: Made) -> GeneratedImage:
        if made.b64_json:
            data = made.b64_json
        elif made.url:
            data = await self._download(made.url)
        else:
            raise Unavailable("the answer holds no picture", effect=Effect.UNKNOWN)
        picture = read_picture(data)
        return GeneratedImage(
            data=picture.data, media_type=picture.media_type, size=picture.size, revised_prompt=made.revised_prompt
        )

    async def _download(self, address: str) -> bytes:
        """Fetch a picture from the server that made it; the key is sent nowhere else."""
        url = web_address(address)
        if url is None or origin_of(url) != self._origin:
            raise Unavailable("the picture is said to be on another server", effect=Effect.UNKNOWN)
        return (await self._http.get(url, headers=self._openai.key_header())).content

    async def _models(self) -> ModelsAnswer:
        if self._place.at_azure:  # where models are is not below the address of a deployment
            headers, query = self._openai.key_header(), self._place.query
            answer = await self._http.get(self._place.models_url, params=query, headers=headers)
            return decode_answer(answer.content, ModelsAnswer)
        models = (await self._openai.get()).models.with_raw_response
        headers = self._openai.extra_headers()
        return decode_answer(await answer_of(lambda: models.list(extra_headers=headers)), ModelsAnswer)


def _model_data(settings: OpenAISettings) -> ModelData:
    large = settings.resolution == "large"
    return model_data(settings.model, large=large, quality=settings.quality, previews=settings.previews)


def _named(references: tuple[bytes, ...]) -> list[tuple[str, bytes, str]]:
    """Return references with names and types: bare bytes would be sent as octet-stream and refused."""
    kinds = [reference_type(data) for data in references]
    return [
        (f"reference-{number}.{EXTENSIONS[kind]}", data, kind)
        for number, (data, kind) in enumerate(zip(references, kinds, strict=True), 1)
    ]
