"""The OpenAI images provider itself."""

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
    InvalidRequest,
    JobControl,
    OutboundTransport,
    ProviderContext,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Size,
    TextRequest,
    TextResult,
    Unavailable,
    Unsupported,
    read_picture,
    web_address,
)
from plugins.openai_images.client import LazyClient, answer_of, origin_of, within
from plugins.openai_images.errors import judge
from plugins.openai_images.models import PROMPT_CHARS, SHUT_DOWN, model_data
from plugins.openai_images.settings import OpenAISettings
from plugins.openai_images.wire import (
    ChatAnswer,
    ImagesAnswer,
    Made,
    ModelsAnswer,
    chat_usage_of,
    decode,
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
    url = web_address(settings.base_url)
    if url is None or url.userinfo or url.query:
        raise SettingsInvalid("An address looks like https://images.example/v1.", field="base_url")
    at_openai = f".{url.host}".endswith(".api.openai.com")
    key = settings.api_key.reveal() if settings.api_key else ""
    if at_openai and not key:
        raise SettingsInvalid("OpenAI needs a key.", field="api_key")
    if not (key.isascii() and key.isprintable()):
        raise SettingsInvalid("A key has no line ends or special characters.", field="api_key")
    if day := SHUT_DOWN.get(settings.model):
        raise SettingsInvalid(f"{settings.model} was shut down on {day}; gpt-image-2 is newer.", field="model")
    model = model_data(settings.model, large=settings.resolution == "large", quality=settings.quality)
    if settings.quality in ("xhigh", "max") and model.native and not model.xhigh:
        raise SettingsInvalid(f"{settings.model} knows no higher quality than high.", field="quality")
    return OpenAIImages(settings, context, at_openai=at_openai)


def parse_size(text: str) -> Size:
    """Return the size that a text such as `1024x1536` names. Raises SettingsInvalid."""
    width, _, height = text.strip().lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and 64 <= int(width) <= 8192 and 64 <= int(height) <= 8192):
        raise SettingsInvalid("Sizes look like 1024x1536, with sides from 64 to 8192 pixels.", field="sizes")
    return Size(int(width), int(height))


class OpenAIImages:
    """Makes pictures through the Images API: `generate` without references, `edit` with them."""

    def __init__(self, settings: OpenAISettings, context: ProviderContext, *, at_openai: bool) -> None:
        self._settings = settings
        self._model_data = model_data(settings.model, large=settings.resolution == "large", quality=settings.quality)
        self._sizes = tuple(parse_size(text) for text in settings.sizes) or self._model_data.sizes
        self._at_openai = at_openai
        self._origin = origin_of(httpx.URL(settings.base_url))
        self._http = httpx.AsyncClient(
            transport=OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=judge),
            timeout=httpx.Timeout(settings.timeout_seconds, connect=CONNECT_LIMIT_S),
            trust_env=False,
        )
        self._openai = LazyClient(self._http, settings)

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
            prices=self._model_data.prices if self._at_openai else (),
            typical_usage=self._model_data.typical if self._at_openai else (),
            retirements=self._model_data.retirements if self._at_openai else (),
            text_model=self._settings.text_model,
        )

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Make the pictures in one call, which is never repeated here: a lost answer may have been charged."""
        self._accept(request)
        await control.progress("generating")
        return await within(self._settings.timeout_seconds, lambda: self._generate(request))

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
        return sorted(images or ([] if self._at_openai else listed))[:SUGGESTIONS]

    def _accept(self, request: ImageRequest) -> None:
        """Raise Unsupported or InvalidRequest for what is not claimed."""
        can = self.capabilities()
        if request.size not in can.sizes:
            raise Unsupported(f"no size of {request.size.width} x {request.size.height} pixels")
        if request.format not in can.formats:
            raise Unsupported(f"no format {request.format}")
        if request.model not in (None, *can.models):
            raise Unsupported(f"this instance uses {self._settings.model} only")
        if not 1 <= request.count <= can.max_images or len(request.references) > can.reference_images:
            raise Unsupported(f"{can.max_images} pictures and {can.reference_images} references at most")
        if request.mask is not None and not (can.masks and request.references):
            raise Unsupported("a mask needs a model that takes one, and a reference")
        if len(request.prompt) > can.max_prompt_chars:
            raise InvalidRequest(f"the prompt is longer than {can.max_prompt_chars} characters")

    async def _generate(self, request: ImageRequest) -> ImageResult:
        arguments: dict[str, Any] = {
            "model": self._settings.model,
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
            if request.mask is not None:
                arguments["mask"] = ("mask.png", request.mask, "image/png")
            came = await answer_of(lambda: images.edit(image=_named(request.references), **arguments))
        else:
            if self._model_data.native:
                arguments["moderation"] = self._settings.moderation
            came = await answer_of(lambda: images.generate(**arguments))
        answer = decode(came, ImagesAnswer)
        made = (answer.data or [])[: request.count]
        if len(made) < request.count:
            raise Unavailable(f"{len(made)} pictures instead of {request.count}", effect=Effect.UNKNOWN)
        pictures = [await self._picture(entry) for entry in made]
        return ImageResult(images=tuple(pictures), model=self._settings.model, usage=usage_of(answer))

    async def _write(self, request: TextRequest) -> TextResult:
        completions = (await self._openai.get()).chat.completions.with_raw_response
        model = self._settings.text_model
        messages = [{"role": "system", "content": request.instructions}, {"role": "user", "content": request.text}]
        headers = self._openai.extra_headers()
        came = await answer_of(lambda: completions.create(model=model, messages=messages, extra_headers=headers))
        answer = decode(came, ChatAnswer)
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
        key = self._settings.api_key
        headers = {"authorization": f"Bearer {key.reveal()}"} if key else {}
        return (await self._http.get(url, headers=headers)).content

    async def _models(self) -> ModelsAnswer:
        models = (await self._openai.get()).models.with_raw_response
        headers = self._openai.extra_headers()
        return decode(await answer_of(lambda: models.list(extra_headers=headers)), ModelsAnswer)


def _named(references: tuple[bytes, ...]) -> list[tuple[str, bytes, str]]:
    """Return references with names and types: bare bytes would be sent as octet-stream and refused."""
    kinds = [read_reference(data) for data in references]
    return [
        (f"reference-{number}.{EXTENSIONS[kind]}", data, kind)
        for number, (data, kind) in enumerate(zip(references, kinds, strict=True), 1)
    ]


def read_reference(data: bytes) -> str:
    """Return the media type of a reference. Raises InvalidRequest."""
    try:
        return read_picture(data).media_type
    except Unavailable as error:
        raise InvalidRequest("a reference is not a picture") from error
