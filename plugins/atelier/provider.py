"""The image provider `atelier`: draws covers on this machine, sets title and author as real type, sends nothing."""

import asyncio
from typing import Annotated, Final, TypeVar

import msgspec

from kernel.press.children.pool import (
    DrawingFailed,
    Limits,
    OnPhase,
    Pool,
    ProcessLost,
    SetupFailed,
    TookTooLong,
    unheard,
)
from kernel.spi import (
    CheckReport,
    CheckSteps,
    DeadlineExceeded,
    Depiction,
    Element,
    GeneratedImage,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    InvalidRequest,
    JobControl,
    LetteringSketch,
    ProviderContext,
    Settings,
    SettingsInvalid,
    Size,
    SizeRange,
    Unavailable,
    Unsupported,
    Usage,
    UsageLine,
)
from plugins.atelier.brief import Spec, seed_of
from plugins.atelier.drawn import Drawn
from plugins.atelier.semantics.finding import find_elements
from plugins.atelier.semantics.story import read_story
from plugins.atelier.sketched import Sketched, small

T = TypeVar("T")

MODEL: Final = "atelier-1"
PROGRAM: Final = "plugins.atelier.worker"
SKETCHES: Final = "plugins.atelier.sketching"
SKETCH_SECONDS: Final = 5.0
SKETCHES_PER_WORKER: Final = 5_000
SMALLEST: Final = Size(width=200, height=200)
LARGEST: Final = Size(width=3600, height=4800)
MAX_IMAGES: Final = 4
MAX_REFERENCES: Final = 4
MAX_PROMPT: Final = 4000  # characters
EXPECTED_SECONDS: Final = 2.0  # 1800 x 2700 on two shared cores, measured 2026-11
CHECK_SECONDS: Final = 14.0  # the settings page waits 15


class AtelierSettings(Settings, frozen=True, kw_only=True):
    """What an administrator may set; the defaults suit a small server."""

    workers: Annotated[
        int, msgspec.Meta(ge=1, le=8, title="Drawing processes", description="Covers drawn at the same time.")
    ] = 1
    covers_per_worker: Annotated[
        int,
        msgspec.Meta(ge=1, le=10_000, title="Covers per process", description="A process is replaced after so many."),
    ] = 150
    memory_mb: Annotated[
        int,
        msgspec.Meta(ge=300, le=8192, title="Memory per process (MB)", description="A larger process is replaced."),
    ] = 700
    seconds_per_cover: Annotated[
        int, msgspec.Meta(ge=5, le=600, title="Seconds per cover", description="A slower cover is abandoned.")
    ] = 60
    fonts_folder: Annotated[
        str,
        msgspec.Meta(
            max_length=500,
            title="Fonts folder",
            description="Folder of the @expo-google-fonts packages; empty for the installed ones.",
        ),
    ] = ""


class Atelier:
    """Draws covers in separate processes, so that drawing never blocks the event loop."""

    def __init__(self, settings: AtelierSettings, context: ProviderContext) -> None:
        self._settings = settings
        self._log = context.log
        limits = Limits(
            workers=settings.workers,
            orders=settings.covers_per_worker,
            memory=settings.memory_mb * 2**20,
            seconds=float(settings.seconds_per_cover),
            fonts=settings.fonts_folder,
        )
        self._pool = Pool(PROGRAM, limits, context.log)
        # apart, so that who types does not wait for whole covers; started by the first sketch
        quick = msgspec.structs.replace(limits, workers=1, orders=SKETCHES_PER_WORKER, seconds=SKETCH_SECONDS)
        self._sketches = Pool(SKETCHES, quick, context.log)

    async def prepare(self) -> None:
        """Begin to start the drawing processes, without waiting."""
        self._pool.open()

    def capabilities(self) -> ImageCapabilities:
        """Return the capabilities: any size between two corners, four references, a seed, and its own lettering."""
        return ImageCapabilities(
            models=(MODEL,),
            size_range=SizeRange(smallest=SMALLEST, largest=LARGEST),
            formats=("png",),
            max_images=MAX_IMAGES,
            reference_images=MAX_REFERENCES,
            seed=True,
            max_prompt_chars=MAX_PROMPT,
            lettering=True,
            depicts=True,
            sketches=True,
            concurrency=self._settings.workers,
            expected_seconds=EXPECTED_SECONDS,
            deadline_seconds=float(self._settings.seconds_per_cover + 30),
            drawn_by_program=True,
        )

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Draw `request.count` covers, one after the other. The same seed and brief give the same bytes."""
        self._accept(request)
        first = _seed(request)
        images: list[GeneratedImage] = []
        for seed in range(first, first + request.count):
            drawn = await self._draw(_spec(request, seed), control)
            if drawn.missing:
                self._log.warning("No font has these characters of a cover's text: %s", drawn.missing)
            images.append(
                GeneratedImage(
                    data=drawn.png,
                    media_type="image/png",
                    size=request.size,
                    seed=seed,
                    style=drawn.style,
                    artwork=drawn.bare,
                    lettering=None if drawn.lettering is None else msgspec.to_builtins(drawn.lettering),
                    elements=drawn.elements,
                )
            )
        usage = Usage(lines=(UsageLine(unit="image", quantity=float(len(images))),), cost_micros=0)
        return ImageResult(images=tuple(images), model=MODEL, usage=usage)

    async def depict(self, description: str, *, title: str, genre: str, language: str) -> Depiction:
        """Read what the words would show; in a thread, because the first reading of a language loads its vocabulary."""
        story = await asyncio.to_thread(read_story, description, title=title, genre=genre, language=language)
        return story.depiction

    async def find_elements(self, text: str, *, language: str, limit: int) -> tuple[Element, ...]:
        """Find subjects, settings, times, weathers, seasons, eras, moods and ideas by their names."""
        return await asyncio.to_thread(find_elements, text, language, limit)

    async def sketch_lettering(self, request: ImageRequest) -> LetteringSketch:
        """Draw the cover small: its picture and its words are those of the whole one."""
        self._accept(request)
        spec = small(_spec(request, _seed(request)))
        sketched = await _answer(self._sketches, spec, Sketched, unheard)
        _refuse_untitled(spec, sketched)
        return LetteringSketch(
            picture=sketched.jpeg,
            media_type="image/jpeg",
            lettering=None if sketched.lettering is None else msgspec.to_builtins(sketched.lettering),
        )

    async def check(self) -> CheckReport:
        """Start a drawing process and draw a small cover with it."""
        sample = Spec(description="a lighthouse by the sea", title="Sample", author="Atelier", width=240, height=360)
        steps = CheckSteps()
        started = False

        async def on_phase(phase: str) -> None:
            nonlocal started
            if not started:
                started = True
                steps.add("Drawing process", "ok", "It has started.")

        try:
            async with asyncio.timeout(CHECK_SECONDS):
                drawn = await self._pool.run(sample, Drawn, on_phase)
        except SetupFailed as error:
            steps.add("Drawing process", "fail", str(error), field="fonts_folder" if "ont" in str(error) else None)
        except (ProcessLost, TookTooLong, DrawingFailed) as error:
            steps.add("Sample cover", "fail", str(error).strip().splitlines()[-1])
        except TimeoutError:
            steps.add("Sample cover", "fail", f"No cover within {CHECK_SECONDS:.0f} s: the machine is very busy.")
        else:
            steps.add("Sample cover", "ok", f"Drawn in {drawn.seconds:.1f} s.")
        return steps.report()

    async def aclose(self) -> None:
        """End the drawing processes."""
        await self._pool.aclose()
        await self._sketches.aclose()

    def _accept(self, request: ImageRequest) -> None:
        size = request.size
        if not (SMALLEST.width <= size.width <= LARGEST.width and SMALLEST.height <= size.height <= LARGEST.height):
            raise Unsupported(f"The atelier draws no {size.width} × {size.height} pixels.")
        if request.format != "png":
            raise Unsupported("The atelier delivers PNG only.")
        if request.model not in (None, MODEL):
            raise Unsupported(f"The atelier has no model {request.model}.")
        if len(request.prompt) > MAX_PROMPT:
            raise InvalidRequest(f"The prompt is longer than {MAX_PROMPT} characters.")
        if not 1 <= request.count <= MAX_IMAGES or len(request.references) > MAX_REFERENCES:
            raise Unsupported(f"The atelier takes {MAX_REFERENCES} references and draws {MAX_IMAGES} covers at most.")

    async def _draw(self, spec: Spec, control: JobControl) -> Drawn:
        async def on_phase(phase: str) -> None:
            await control.progress(phase)

        drawn = await _answer(self._pool, spec, Drawn, on_phase)
        _refuse_untitled(spec, drawn)
        return drawn


async def _answer(pool: Pool, spec: Spec, result_type: type[T], on_phase: OnPhase) -> T:
    """Return what a process answers; its failures in the contract's words."""
    try:
        return await pool.run(spec, result_type, on_phase)
    except SetupFailed as error:
        raise SettingsInvalid(str(error), field="fonts_folder") from error
    except TookTooLong as error:
        raise DeadlineExceeded(str(error)) from error
    except ProcessLost as error:
        raise Unavailable(str(error)) from error
    except DrawingFailed as error:
        if error.reason == "reference":
            raise InvalidRequest("A reference cannot be read as a picture.") from error
        raise


def _refuse_untitled(spec: Spec, made: Drawn | Sketched) -> None:
    if spec.title.strip() and not made.has_title:
        raise Unsupported(f"No installed font has the characters of the title: {made.missing}")


def _seed(request: ImageRequest) -> int:
    """Return the request's seed; else one per job, so that a new job is a new picture and a repeated call the same."""
    if request.seed is not None:
        return request.seed
    return seed_of(request.idempotency_key) % 2**31 if request.idempotency_key else 0


def _spec(request: ImageRequest, seed: int) -> Spec:
    brief = request.brief
    return Spec(
        description=brief.description or request.prompt,
        title=brief.title,
        author=brief.author,
        genre=brief.genre,
        style=brief.style,
        colors=brief.colors,
        series=brief.series,
        language=brief.language,
        references=request.references,
        elements=brief.elements,
        width=request.size.width,
        height=request.size.height,
        seed=seed,
    )


def build(settings: AtelierSettings, context: ProviderContext) -> Atelier:
    """Make an instance; the processes start with the first call."""
    return Atelier(settings, context)
