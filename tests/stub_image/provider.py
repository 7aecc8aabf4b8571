"""The stub and its modes.

The control folder holds a file `mode` with one or more words. Each call takes the first word; the last one stays. Each
call also appends a JSON line to `calls`. Words, some with a number after a colon:

    ok                  a plain picture
    slow:S              the same after S seconds
    hold                the same once the file `release` is there
    shows               the same, and meanwhile it shows what is put into the folder `previews`, in the order of names
    queue:N             the same, and meanwhile it is number N in the vendor's queue
    hang                no answer at all
    stubborn:S          the same, and cancellation is ignored for S seconds
    block:S             blocks the event loop for S seconds (against the contract)
    refused  invalid  unsupported  auth_failed  quota  settings
    unavailable         down, nothing happened
    lost                down, and it may have happened
    rate_limited:S      with retry_after S; without a number none is given
    garbage  html  truncated  empty  wrong_size  two  huge
                        a result that is not what it says
    signed              with a manifest of its origin, as some vendors sign their pictures
    bug                 an exception of its own
    exit                SystemExit
    wrong_type          not an ImageResult
    crash               the process is killed once the vendor has accepted
    cut                 the connection is lost once the vendor has accepted
    gone                the vendor has forgotten the job that is to be resumed

A stub that is `resumable` accepts each job before it draws, and fetches the result of one that it was torn from; the
call's `operation` is then `resume`, and `cancel` when it is told that the job is not wanted. What a call was given as
references is kept in the folder `references`, one file each, named after the job's key.
"""

import asyncio
import fcntl
import json
import os
import signal
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import msgspec
from msgspec import Meta

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckStep,
    ContentRefused,
    Depiction,
    Effect,
    Element,
    GeneratedImage,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    InvalidRequest,
    JobControl,
    LetteringSketch,
    Missing,
    NotFound,
    Price,
    ProviderContext,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    Secret,
    Settings,
    SettingsInvalid,
    Size,
    SizeRange,
    TextRequest,
    TextResult,
    Unavailable,
    Unsupported,
)
from tests.stub_image.png import png
from tests.support.marks import by_provider

FOREVER_S: Final = 3600.0
COLORS: Final = 8
"""Pictures of one size differ by their seeds; the number is limited, as ingesting a known one again is cheap."""
SMALLEST: Final = 16
LARGEST: Final = 4096
ANY_SIZE: Final = SizeRange(smallest=Size(SMALLEST, SMALLEST), largest=Size(LARGEST, LARGEST))


KNOWN: Final = {
    name: Element(kind=kind, id=name, label=name)
    for name, kind in (("fox", "subject"), ("moon", "subject"), ("rain", "weather"), ("night", "time"))
}
"""What the stub can draw, if its settings say that it draws what it is told."""


class StubSettings(Settings, frozen=True, kw_only=True):
    """The test's configuration of the stub."""

    control: Annotated[str, Meta(title="Control folder", description="Holds `mode` and `calls`.")] = ""
    api_key: Annotated[
        Secret | None, Meta(title="Key", description="A secret that must never show; `bad` fails the check.")
    ] = None
    base_url: Annotated[
        str, Meta(title="Address", description="Never called.", extra_json_schema={"x-destination": True})
    ] = "https://stub.example"
    sizes: Annotated[
        tuple[str, ...], Meta(title="Sizes", description="Native sizes such as 1024x1536; empty: any.")
    ] = ()
    references: Annotated[int, Meta(title="References", description="How many pictures it takes.", ge=0)] = 4
    edits: Annotated[bool, Meta(title="Edits", description="Whether a reference can be changed.")] = True
    masks: Annotated[bool, Meta(title="Masks", description="Whether a part can be changed.")] = True
    concurrency: Annotated[int, Meta(title="At a time", description="Calls in parallel.", ge=1)] = 64
    deadline_s: Annotated[float, Meta(title="Limit", description="Seconds for one call.", gt=0)] = 10.0
    resumable: Annotated[bool, Meta(title="Resumable", description="Whether results can be fetched later.")] = False
    models: Annotated[tuple[str, ...], Meta(title="Models", description="The first is used unless told.")] = ("stub-1",)
    letters: Annotated[bool, Meta(title="Letters", description="Whether it sets the words itself.")] = True
    artwork: Annotated[bool, Meta(title="Artwork", description="Whether the same comes without words, too.")] = False
    lettering: Annotated[str, Meta(title="Lettering", description="The face of its words; empty: unsaid.")] = ""
    depicts: Annotated[bool, Meta(title="Depicts", description="Whether it says what it draws.")] = False
    sketches: Annotated[bool, Meta(title="Sketches", description="Whether it says how it sets words.")] = False
    previews: Annotated[bool, Meta(title="Previews", description="Whether it shows pictures on the way.")] = False
    text_model: Annotated[str, Meta(title="Text model", description="Answers what the file `answer` says.")] = ""
    price_micros: Annotated[
        int | None, Meta(title="Price", description="Micros of a USD for a picture; empty: none.")
    ] = None


def build(settings: StubSettings, context: ProviderContext) -> "StubImage":
    """Return the stub. Raises SettingsInvalid for a size it cannot read."""
    try:
        sizes = tuple(Size(*map(int, text.split("x"))) for text in settings.sizes)
    except (TypeError, ValueError) as error:
        raise SettingsInvalid("Sizes look like 1024x1536.", field="sizes") from error
    return StubImage(settings, sizes, context)


class StubImage:
    """Makes pictures at once, unless the mode says otherwise."""

    def __init__(self, settings: StubSettings, sizes: tuple[Size, ...], context: ProviderContext) -> None:
        self._settings = settings
        self._sizes = sizes
        self._context = context
        self.closed = 0

    def capabilities(self) -> ImageCapabilities:
        """Return the capabilities of the settings."""
        price = self._settings.price_micros
        return ImageCapabilities(
            models=self._settings.models,
            sizes=self._sizes,
            size_range=None if self._sizes else ANY_SIZE,
            max_images=4,
            reference_images=self._settings.references,
            edits=self._settings.edits and self._settings.references > 0,
            masks=self._settings.masks and self._settings.edits and self._settings.references > 0,
            seed=True,
            resumable=self._settings.resumable,
            concurrency=self._settings.concurrency,
            expected_seconds=0.1,
            deadline_seconds=self._settings.deadline_s,
            lettering=self._settings.letters,
            text_model=self._settings.text_model,
            depicts=self._settings.depicts,
            sketches=self._settings.sketches,
            previews=self._settings.previews,
            prices=() if price is None else (Price(per="image", micros=price, asof="2026-11-01"),),
        )

    async def check(self) -> CheckReport:
        """Accept any key but `bad`, and none while calls are to fail for the key or the settings."""
        key = self._settings.api_key
        mode = Path(self._settings.control) / "mode"
        coming = mode.read_text().split()[:1] if self._settings.control and mode.exists() else []
        bad = (key is not None and key.reveal() == "bad") or coming in (["auth_failed"], ["settings"])
        return CheckReport(steps=(CheckStep(name="key", status="fail" if bad else "ok", field="api_key"),))

    async def aclose(self) -> None:
        """Count how often it was closed."""
        self.closed += 1

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Do what the mode says."""
        self._refuse_unclaimed(request)
        word, _, number = self._next_mode(request).partition(":")
        await control.progress("drawing", 0.0)
        if word in _ERRORS:
            raise _ERRORS[word](float(number) if number else None)
        if self._settings.resumable:
            await self._accept(request, control)
        await self._wait(word, float(number or 0), control, request)
        images = tuple(self._picture(request, index) for index in range(request.count))
        model = request.model or self._settings.models[0]
        spoilt: ImageResult = _spoil(word, ImageResult(images=images, model=model))
        return spoilt

    async def resume(self, remote_id: str, control: JobControl) -> ImageResult:
        """Fetch the result of an accepted job, unless the mode says otherwise."""
        accepted = Path(self._settings.control) / "jobs" / remote_id
        if not accepted.exists():
            raise NotFound("no such job")
        request = msgspec.json.decode(accepted.read_bytes(), type=ImageRequest)
        word, _, number = self._next_mode(request, "resume").partition(":")
        await control.progress("drawing", 0.5)
        if word == "gone":
            raise NotFound("no such job")
        if word in _ERRORS:
            raise _ERRORS[word](float(number) if number else None)
        await self._wait(word, float(number or 0), control, request)
        resumed: ImageResult = _spoil(
            word, ImageResult(images=(self._picture(request, 0),), model=self._settings.models[0])
        )
        return resumed

    async def cancel(self, remote_id: str) -> None:
        """Forget an accepted job."""
        accepted = Path(self._settings.control) / "jobs" / remote_id
        if accepted.exists():
            request = msgspec.json.decode(accepted.read_bytes(), type=ImageRequest)
            self._record(request, "cancel", "ok")
            accepted.unlink()

    async def write_text(self, request: TextRequest) -> TextResult:
        """Answer what the control folder says; down where it says nothing."""
        folder = Path(self._settings.control)
        (folder / "asked").write_text(request.instructions + "\n\n" + request.text)
        answer = folder / "answer"
        if not answer.exists():
            raise Unavailable("down", effect=Effect.UNKNOWN)
        return TextResult(text=answer.read_text(), model=self._settings.text_model)

    async def depict(self, description: str, *, title: str, genre: str, language: str) -> Depiction:
        """Know four words; a number before one counts, and a dragon cannot be drawn."""
        words = f"{title} {description}".casefold().replace(".", "").split()
        found = [
            msgspec.structs.replace(
                known,
                count=int(words[at - 1]) if at and words[at - 1].isdigit() else 1,
                label=f"{known.id} ({language})",
            )
            for at, word in enumerate(words)
            if (known := KNOWN.get(word.removesuffix("s")))
        ]
        missing = (Missing(word="dragon", nearest=KNOWN["fox"]),) if "dragon" in words else ()
        return Depiction(elements=tuple(found), missing=missing)

    async def find_elements(self, text: str, *, language: str, limit: int) -> tuple[Element, ...]:
        """Find the known words."""
        return tuple(known for name, known in KNOWN.items() if text.casefold() in name)[:limit]

    async def sketch_lettering(self, request: ImageRequest) -> LetteringSketch:
        """Set the words as its pictures have them; painted into the picture where its settings name no face."""
        if "sketch fails" in request.prompt:
            raise Unavailable("down")
        face = self._settings.lettering
        (image,) = (self._picture(request, 0),)
        return LetteringSketch(
            picture=png(60, 90, _color(request, 0)),
            media_type="image/png",
            lettering=image.lettering if face else None,
        )

    def _refuse_unclaimed(self, request: ImageRequest) -> None:
        known = self.capabilities()
        if request.format not in known.formats or len(request.references) > known.reference_images:
            raise Unsupported("not claimed")
        if request.mask is not None and not (known.masks and request.references):
            raise Unsupported("not claimed")
        if not 1 <= request.count <= known.max_images or not self._native(request.size):
            raise Unsupported("not claimed")
        if request.model not in (None, *known.models):
            raise InvalidRequest("no such model", field="model")
        if len(request.prompt) > known.max_prompt_chars:
            raise InvalidRequest("the prompt is too long", field="prompt")

    def _native(self, size: Size) -> bool:
        if self._sizes:
            return size in self._sizes
        return all(SMALLEST <= side <= LARGEST for side in (size.width, size.height))

    def _picture(self, request: ImageRequest, index: int) -> GeneratedImage:
        seed, color = 1 if request.seed is None else request.seed, _color(request, index)
        data = png(request.size.width, request.size.height, color)
        bare = png(request.size.width, request.size.height, color ^ 0x3F3F3F) if self._settings.artwork else None
        return GeneratedImage(
            data=data,
            media_type="image/png",
            size=request.size,
            seed=seed,
            style="flat field of color",
            artwork=bare,
            lettering=_lettering(request, self._settings.lettering) if self._settings.lettering else None,
            elements=request.brief.elements if self._settings.depicts else None,
        )

    def _next_mode(self, request: ImageRequest, operation: str = "generate") -> str:
        """Take the first word of `mode` and record the call, one process at a time."""
        if not self._settings.control:
            return "ok"
        folder = Path(self._settings.control)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            mode = folder / "mode"
            words = mode.read_text().split() if mode.exists() else []
            if len(words) > 1:
                mode.write_text(" ".join(words[1:]))
            word = words[0] if words else "ok"
            self._record(request, operation, word)
            kept = folder / "references"
            kept.mkdir(exist_ok=True)
            for number, data in enumerate(request.references):
                (kept / f"{request.idempotency_key}-{number}").write_bytes(data)
            if request.mask is not None:
                (kept / f"mask-{request.idempotency_key}").write_bytes(request.mask)
        return word

    def _record(self, request: ImageRequest, operation: str, word: str) -> None:
        call = {
            "instance": self._context.instance_id,
            "operation": operation,
            "mode": word,
            "model": request.model,
            "style": request.brief.style,
            "elements": None if request.brief.elements is None else [one.id for one in request.brief.elements],
            "prompt": request.prompt,
            "title": request.brief.title,
            "size": f"{request.size.width}x{request.size.height}",
            "references": len(request.references),
            "seed": request.seed,
            "key": request.idempotency_key,
            "pid": os.getpid(),
            "at": time.time(),
        }
        with (Path(self._settings.control) / "calls").open("a") as calls:
            calls.write(json.dumps(call) + "\n")

    async def _accept(self, request: ImageRequest, control: JobControl) -> None:
        """Behave like a vendor that has accepted a job."""
        jobs = Path(self._settings.control) / "jobs"
        jobs.mkdir(exist_ok=True)
        (jobs / f"remote-{request.idempotency_key}").write_bytes(msgspec.json.encode(request))
        await control.checkpoint(f"remote-{request.idempotency_key}")

    async def _wait(self, word: str, seconds: float, control: JobControl, request: ImageRequest) -> None:
        match word:
            case "slow":
                await asyncio.sleep(seconds)
            case "shows":
                shown: set[Path] = set()
                while not (Path(self._settings.control) / "release").exists():
                    for picture in sorted(set((Path(self._settings.control) / "previews").glob("*.shown")) - shown):
                        shown.add(picture)
                        await control.preview(picture.read_bytes())
                    await asyncio.sleep(0.01)
            case "hold" | "queue":
                if word == "queue":
                    await control.progress("queued", position=int(seconds))
                while not (Path(self._settings.control) / "release").exists():
                    await asyncio.sleep(0.01)
            case "hang":
                await asyncio.sleep(FOREVER_S)
            case "stubborn":
                until = time.monotonic() + seconds
                while (left := until - time.monotonic()) > 0:
                    try:
                        await asyncio.sleep(left)
                    except asyncio.CancelledError:
                        continue
            case "block":
                time.sleep(seconds)
            case "crash":
                assert "pytest" not in sys.modules, "this would end the tests: use a product with processes of its own"
                os.kill(os.getpid(), signal.SIGKILL)
            case "cut":
                raise Unavailable("connection lost", effect=Effect.UNKNOWN)
            case "exit":
                raise SystemExit(3)
            case "bug":
                self._fail()

    def _fail(self) -> NoReturn:
        key = self._settings.api_key
        raise RuntimeError(f"the stub fell over its key {key.reveal() if key else ''}")


_ERRORS: Final[dict[str, Callable[[float | None], ProviderError]]] = {
    "refused": lambda _: ContentRefused("the vendor declined"),
    "invalid": lambda _: InvalidRequest("no"),
    "unsupported": lambda _: Unsupported("no"),
    "auth_failed": lambda _: AuthFailed("key not accepted"),
    "quota": lambda _: QuotaExhausted("no funds"),
    "settings": lambda _: SettingsInvalid("wrong", field="base_url"),
    "unavailable": lambda _: Unavailable("down"),
    "lost": lambda _: Unavailable("connection lost", effect=Effect.UNKNOWN),
    "rate_limited": lambda after: RateLimited("slow down", retry_after=after),
}


def _color(request: ImageRequest, index: int) -> int:
    seed = 1 if request.seed is None else request.seed
    pictures = sum(map(zlib.crc32, (*request.references, request.mask or b"")))
    return (seed % COLORS * 2654435761 + index * 40503 + pictures) & 0xFFFFFF


def _spoil(word: str, result: ImageResult) -> Any:
    first = result.images[0]
    data = first.data
    spoilt: dict[str, Callable[[], Any]] = {
        "signed": lambda: _with(first, data=by_provider(data)),
        "garbage": lambda: _with(first, data=os.urandom(4096)),
        "html": lambda: _with(first, data=b"<html><body>502 Bad Gateway</body></html>"),
        "truncated": lambda: _with(first, data=data[: len(data) // 2]),
        "huge": lambda: _with(first, data=data + bytes(80_000_000)),
        "wrong_size": lambda: _with(first, data=png(64, 64)),
        "empty": lambda: ImageResult(images=(), model=result.model),
        "two": lambda: ImageResult(images=(first, first), model=result.model),
        "wrong_type": lambda: {"images": [], "model": 7},
    }
    return spoilt[word]() if word in spoilt else result


def _with(image: GeneratedImage, *, data: bytes) -> ImageResult:
    return ImageResult(
        images=(GeneratedImage(data=data, media_type=image.media_type, size=image.size, seed=image.seed),),
        model="stub-1",
    )


def _lettering(request: ImageRequest, font: str) -> dict[str, Any]:
    """Return title and author as a document, in this face."""
    blocks = [
        {"role": role, "text": getattr(request.brief, role), "font": font, "color": "#112233"}
        | {"area": {"left": 0.1, "top": top, "width": 0.8, "height": 0.1}}
        for role, top in (("title", 0.1), ("author", 0.8))
    ]
    return {"language": request.brief.language, "blocks": blocks}
