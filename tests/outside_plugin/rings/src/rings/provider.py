"""The rings provider."""

import asyncio
import io
import random
from concurrent.futures import ThreadPoolExecutor

import msgspec
from coverwright_spi import (
    CheckReport,
    CheckSteps,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    InvalidRequest,
    JobControl,
    ProviderContext,
    Size,
    SizeRange,
    Unsupported,
    read_picture,
)
from PIL import Image, ImageDraw

from rings.settings import RingsSettings

SMALLEST, LARGEST = Size(32, 32), Size(4096, 4096)
CAPABILITIES = ImageCapabilities(
    models=("rings-1",),
    size_range=SizeRange(smallest=SMALLEST, largest=LARGEST),
    formats=("png", "jpeg"),
    seed=True,
    expected_seconds=1.0,
    deadline_seconds=30.0,
)
COLORS = ("#22223b", "#4a4e69", "#9a8c98", "#c9ada7", "#f2e9e4")


class Seed(msgspec.Struct, frozen=True, kw_only=True):
    """What a palette is drawn from."""

    seed: int = 1


class Palettes(msgspec.Struct, frozen=True, kw_only=True):
    """The colors of a cover's rings, from the outermost, and how many there are."""

    colors: tuple[str, ...]
    rings: int


class Rings:
    """Draws in its own threads."""

    def __init__(self, settings: RingsSettings, context: ProviderContext) -> None:
        self._rings = settings.rings
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="rings")

    def capabilities(self) -> ImageCapabilities:
        """Return the capabilities."""
        return CAPABILITIES

    async def check(self) -> CheckReport:
        """Draw the smallest picture."""
        steps = CheckSteps()
        await self._in_thread(SMALLEST, "PNG", 1, ())
        steps.add("draw", "ok")
        return steps.report()

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Draw."""
        wide = SMALLEST.width <= request.size.width <= LARGEST.width
        high = SMALLEST.height <= request.size.height <= LARGEST.height
        if not (wide and high) or request.format not in CAPABILITIES.formats:
            raise Unsupported("not a size or format of rings")
        if request.count != 1 or request.references:
            raise Unsupported("one picture, without references")
        if request.model not in (None, *CAPABILITIES.models) or len(request.prompt) > CAPABILITIES.max_prompt_chars:
            raise InvalidRequest("no such model, or too long a prompt")
        await control.progress("drawing")
        seed = random.randrange(2**31) if request.seed is None else request.seed
        data = await self._in_thread(request.size, request.format.upper(), seed, request.brief.colors)
        return ImageResult(images=(read_picture(data, seed=seed),), model=CAPABILITIES.models[0])

    async def palettes(self, argument: Seed) -> Palettes:
        """Return the colors that a seed gives, for the page of the administrators."""
        dice = random.Random(argument.seed)
        return Palettes(colors=tuple(dice.choice(COLORS) for _ in range(self._rings)), rings=self._rings)

    async def aclose(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False)

    async def _in_thread(self, size: Size, kind: str, seed: int, colors: tuple[str, ...]) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._draw, size, kind, seed, colors)

    def _draw(self, size: Size, kind: str, seed: int, colors: tuple[str, ...]) -> bytes:
        dice = random.Random(seed)
        palette = colors or COLORS
        picture = Image.new("RGB", (size.width, size.height), palette[0])
        x, y = dice.randrange(size.width), dice.randrange(size.height)
        for number in range(self._rings, 0, -1):
            reach = number * (size.width + size.height) // (2 * self._rings)
            box = (x - reach, y - reach, x + reach, y + reach)
            ImageDraw.Draw(picture).ellipse(box, fill=dice.choice(palette))
        buffer = io.BytesIO()
        picture.save(buffer, kind, **({"compress_level": 1} if kind == "PNG" else {"quality": 90}))
        return buffer.getvalue()
