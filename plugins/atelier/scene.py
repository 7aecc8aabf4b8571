"""The scene: one page on which a family paints, and its hints for the typesetting afterwards.

Rules for every painter, because a small preview must be the same picture as the full page and the covers of a series
must look alike: positions are fractions of the page; noise is made on `grid()`, whose size never depends on the canvas;
random numbers come from a stream named after the thing drawn (`fork`), or from the theme for structure (`sfork`).
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from plugins.atelier.color import Bytes, argb
from plugins.atelier.drawing import (
    OVER,
    OVERLAY,
    SCREEN,
    Path,
    area,
    fill,
    lay,
    linear,
    picture,
    radial,
    repeat,
    skia,
    stops,
    tile,
    tint,
)
from plugins.atelier.noise import blur
from plugins.atelier.outlines.figures import Figure, default_figure
from plugins.atelier.palettes import Palette

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels
Random = np.random.Generator

FULL_WIDTH = 1800  # pixels; the page width that all sizes in families refer to. `Scene.unit` is one of these pixels
GRAIN_TILE = 768  # pixels
STRIP = 64  # pixels; a multiple of the 8 after which a dither repeats


@dataclass(slots=True)
class Zone:
    """Where type may go, as fractions of the page."""

    x: float
    y: float
    w: float
    h: float
    valign: Literal["top", "middle", "bottom"] = "middle"
    align: Literal["left", "center", "right"] = "center"


@dataclass(slots=True)
class Hints:
    """Hints of a family for the typesetting; empty means no preference.

    `mood` and `mode` are inputs instead: set before painting, they choose a variant.
    """

    foil: str = ""  # metal color: set the title in a foil gradient
    outline: str = ""  # draw the title with a thick outline of this color
    title_ink: str = ""
    author_ink: str = ""
    tag_ink: str = ""
    small_ink: str = ""  # ink of small function words in the title
    tag_zone: Zone | None = None
    max_title: float = 0.14  # largest title size, of the page height
    type_style: str = ""  # name of the type style to use instead of the genre's
    title_font: str = ""  # font key that replaces the style's title font
    title_track: float | None = None  # tracking in em
    title_fallback: Literal["", "serif", "sans", "round"] = ""
    left: bool = False  # flush left whatever the style says
    flow: bool = False  # stack title, tagline, author instead of using three fixed zones
    shadow: bool = True  # soft shadow under light type
    lock_ink: bool = False  # keep light ink and add a veil: for photographs
    grain: float = 0.13  # film grain over the finished art, 0..1
    panel: Callable[[Sequence[Box]], None] | None = None  # draws a label, called with the boxes of the laid-out type
    panel_color: str = ""  # of the label; the palette's paper without
    panel_for: Sequence[str] = ("title", "tagline", "author")  # the parts that the label is for
    title_art: Any = None  # the title as a kernel.press text block, when the family drew it itself
    mood: str = ""  # 'day', 'dusk' or 'night'
    mode: int = 0


@lru_cache(2)
def _grain_tile() -> Any:
    noise = np.random.default_rng(20240229).normal(0, 1, (GRAIN_TILE, GRAIN_TILE)).astype(np.float32)
    soft = blur(noise, 0.6, wrap=True)
    grey = np.clip((0.5 + soft * (0.22 / float(soft.std()))) * 255, 0, 255).astype(np.uint8)
    return tile(grey)


@dataclass(slots=True)
class Scene:
    """A page being painted. Sizes in pixels; `tags` are the story's concepts with their weights; `reference` is RGB."""

    width: int
    height: int
    palette: Palette
    seed: int
    tags: Mapping[str, float] = field(default_factory=dict)
    genre: str = "literary"
    title: str = ""
    author: str = ""
    prompt: str = ""
    emblem: str = "\N{OLD KEY}"  # one character: the story's main noun as a Noto Emoji glyph
    reference: Bytes | None = None
    figures: tuple[Figure, ...] = ()  # what the story names to be shown, the main one first
    traces: list[tuple[Figure, Path]] = field(default_factory=list)  # what was drawn, and where
    places: set[str] = field(default_factory=set)  # concepts of places that a treatment has drawn
    theme_seed: int | None = None
    surface: Any = None
    canvas: Any = None
    unit: float = 0.0
    title_zone: Zone = field(default_factory=lambda: Zone(0.10, 0.08, 0.80, 0.30))
    author_zone: Zone = field(default_factory=lambda: Zone(0.12, 0.92, 0.76, 0.035))
    ink: str = ""
    ink2: str = ""
    hints: Hints = field(default_factory=Hints)

    def __post_init__(self) -> None:
        if self.surface is None:
            self.surface = skia.Surface(self.width, self.height)
        self.canvas = self.surface.getCanvas()
        self.unit = self.width / FULL_WIDTH
        self.ink = self.ink or self.palette.paper

    @property
    def span(self) -> float:
        """Width of the 2:3 page that fits into this one: the measure of discs and ships, so that they fit any page."""
        return min(self.width, self.height / 1.5)

    # --- story and chance

    @property
    def cast(self) -> tuple[Figure, ...]:
        """The figures; a key where the story names none."""
        return self.figures or (default_figure(),)

    def has(self, *concepts: str) -> bool:
        """Whether the story names any of these concepts."""
        return any(self.tags.get(c, 0) > 0 for c in concepts)

    def first(self, *concepts: str) -> str:
        """The first of these concepts the story names, or an empty string."""
        return next((c for c in concepts if self.has(c)), "")

    def fork(self, name: str) -> Random:
        """The random stream of one named thing; renaming another thing never changes it."""
        return np.random.default_rng([self.seed & (2**64 - 1), zlib.crc32(name.encode())])

    def sfork(self, name: str) -> Random:
        """The stream of a structural choice (layout, mood, mirror): the theme's when there is one."""
        if self.theme_seed is None:
            return self.fork(name)
        return np.random.default_rng([self.theme_seed & (2**64 - 1), zlib.crc32(name.encode())])

    # --- type

    def set_type(
        self,
        title: Zone,
        author: Zone,
        ink: str = "",
        ink2: str = "",
        tagline: Zone | None = None,
    ) -> None:
        """Set where type goes and in which ink; call it before scattering anything, so `type_free` knows the zones."""
        self.title_zone, self.author_zone = title, author
        self.ink = ink or self.palette.paper
        self.ink2 = ink2 or self.ink
        self.hints.tag_zone = tagline

    def type_free(self, x: float, y: float, pad: float = 0.012) -> bool:
        """Whether a speck at pixel x, y, and its mirror image, stays clear of title, tagline and author.

        `pad` is a margin as a fraction of the page width.
        """
        fx, fy = x / self.width, y / self.height
        pad_y = pad * self.width / self.height
        zones = [self.author_zone, self.title_zone]
        if self.hints.tag_zone is not None:
            zones.append(self.hints.tag_zone)
        else:  # the tagline is below a title in the upper half and above one in the lower
            z = self.title_zone
            zones.append(Zone(z.x, z.y + z.h if z.y < 0.5 else z.y - 0.05, z.w, 0.05))
        for z in zones:
            inside = z.x - pad < fx < z.x + z.w + pad or z.x - pad < 1 - fx < z.x + z.w + pad
            if inside and z.y - pad_y < fy < z.y + z.h + pad_y:
                return False
        return True

    # --- painting

    def grid(self, step: int = 3) -> tuple[int, int]:
        """Rows and columns of a noise grid with one cell per `step` pixels of the full-size page."""
        columns = max(8, FULL_WIDTH // step)
        return max(8, round(columns * self.height / self.width)), columns

    def page(self) -> Any:
        """The whole page as a rectangle."""
        return skia.Rect.MakeWH(self.width, self.height)

    def flood(self, color: str) -> None:
        """Fill the page with one color."""
        self.canvas.clear(argb(color))

    def gradient(self, colors: Sequence[str], top: float = 0.0, bottom: float = 1.0, count: int = 12) -> None:
        """A vertical gradient between two heights (fractions); its last color runs on to the foot of the page.

        Drawn once as a strip and repeated: the pattern of Skia's dither does so too, so that the pixels are the same.
        """
        shader = linear((0, top * self.height), (0, bottom * self.height), stops(colors, count))
        strip = skia.Surface(STRIP, self.height)
        rect = area(0, top * self.height, self.width, (1 - top) * self.height)
        strip.getCanvas().drawRect(rect, fill(shader=shader))
        repeat(self.canvas, strip.makeImageSnapshot(), 0, 0, skia.Rect.Make(rect.roundOut()))

    def glow(
        self,
        x: float,
        y: float,
        radius: float,
        color: str,
        alpha: float = 0.6,
        blend: Any = SCREEN,
        fall: Sequence[float] = (1, 0.45, 0.12, 0),
    ) -> None:
        """Light around a point, fading outward by the factors in `fall`."""
        shader = radial((x, y), radius, [argb(color, alpha * f) for f in fall])
        self.canvas.drawCircle(float(x), float(y), float(radius), fill(shader=shader, blend=blend))

    def mask(
        self,
        coverage: npt.NDArray[Any],
        color: str,
        alpha: float = 1.0,
        blend: Any = OVER,
        rect: Any = None,
        clip: Path | None = None,
    ) -> None:
        """Paint a color on the page with a coarse field 0..1 as opacity, stretched over `rect` (default: the page)."""
        self._lay(tint(coverage, color, alpha), rect, blend, clip)

    def picture(self, pixels: Bytes, rect: Any = None, blend: Any = OVER, clip: Path | None = None) -> None:
        """Lay RGB bytes (h, w, 3) over `rect` (default: the page)."""
        self._lay(picture(pixels), rect, blend, clip)

    def _lay(self, image: Any, rect: Any, blend: Any, clip: Path | None) -> None:
        if clip is None:
            lay(self.canvas, image, rect or self.page(), blend)
            return
        self.canvas.save()
        self.canvas.clipPath(clip, True)
        lay(self.canvas, image, rect or self.page(), blend)
        self.canvas.restore()

    def grain(self, amount: float = 0.10, canvas: Any = None) -> None:
        """Film grain over everything, 0..1, here or on a copy; the same for every page, shifted by the seed."""
        dx, dy = self.fork("grain").integers(0, GRAIN_TILE, 2)
        repeat(canvas or self.canvas, _grain_tile(), float(dx), float(dy), self.page(), amount, OVERLAY)
