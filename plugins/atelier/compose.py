"""The pipeline: direct, paint, letter, finish. The art is a picture; the type stays vector until it is drawn."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pyvips  # type: ignore[import-untyped]
import skia

from kernel.press.lettering.document import Lettering
from kernel.spi import Element
from plugins.atelier.brief import TRIM_WIDTH, Spec
from plugins.atelier.choice import TABLES
from plugins.atelier.color import Bytes
from plugins.atelier.direction import Direction, direct
from plugins.atelier.document import document
from plugins.atelier.drawing import NATIVE_ORDER
from plugins.atelier.families import FAMILIES
from plugins.atelier.lettering import Type, letter
from plugins.atelier.outlines.figures import tags_of
from plugins.atelier.png import png_files
from plugins.atelier.scene import Scene
from plugins.atelier.sketched import small
from plugins.atelier.treatments.kit import weather

Phase = Literal["sketching", "painting", "lettering", "finishing"]
OPEN_AIR: Final = frozenset({"ridges", "dunes", "kids", "papercut"})
"""Scenes that have no weather of their own."""
WET_AIR: Final = frozenset({"sea", "noir_city"})
"""Scenes that have rain of their own."""
INCHES_PER_METRE: Final = 1000 / 25.4
JPEG_QUALITY: Final = 82
MIN_DPI: Final = 72


def _silent(phase: Phase) -> None:
    """Ignore progress."""


class Cover(NamedTuple):
    """A finished cover: the art as a Skia image, the type above it, and how both were decided.

    `art` has the veils and shadows under the type; `bare` has not, and is None where words are painted into the art.
    `elements` are those of the direction that are drawn. `lettering` is the type as a document, None where it is none.
    """

    art: Any
    bare: Any
    elements: tuple[Element, ...]
    type: Type
    lettering: Lettering | None
    direction: Direction
    spec: Spec

    def draw_type(self, canvas: Any) -> None:
        """Draw the type layer, in pixels of the page, on any Skia canvas."""
        for item in self.type.painted:
            item.block.draw(canvas, item.paint, item.small)

    def pixels(self) -> Bytes:
        """Return the whole cover as RGB (h, w, 3)."""
        return np.ascontiguousarray(_rgba(self._lettered())[..., :3])

    def png(self) -> bytes:
        """Return the cover as sRGB PNG with its print size: 300 dpi where it is 1800 pixels wide."""
        return self._encoded(self._lettered())[0]

    def pngs(self) -> tuple[bytes, bytes | None]:
        """Return the cover, and the art without type in the same way; None where words are part of it."""
        if self.bare is None:
            return self.png(), None
        lettered, bare = self._encoded(self._lettered(), self.bare)
        return lettered, bare

    def jpeg(self, *, bare: bool) -> bytes:
        """Return the cover as JPEG, with `bare` without its words; only for a look."""
        pixels = _rgba(self.bare if bare and self.bare is not None else self._lettered())
        # vips drops the alpha while it encodes, at a quarter of NumPy's cost
        image = pyvips.Image.new_from_memory(pixels, self.spec.width, self.spec.height, 4, "uchar").extract_band(0, n=3)
        return bytes(image.copy(interpretation="srgb").jpegsave_buffer(Q=JPEG_QUALITY, keep="none"))

    def _lettered(self) -> Any:
        """Return a surface with the cover."""
        surface = skia.Surface(self.spec.width, self.spec.height)
        surface.getCanvas().drawImage(self.art, 0, 0)
        self.draw_type(surface.getCanvas())
        return surface

    def _encoded(self, *sources: Any) -> list[bytes]:
        dots = round(max(MIN_DPI, round(self.spec.width / TRIM_WIDTH)) * INCHES_PER_METRE)
        return png_files([_native(source) for source in sources], dots, NATIVE_ORDER)


def compose(spec: Spec, on_phase: Callable[[Phase], None] = _silent) -> Cover:
    """Draw one cover; `on_phase` is called at the start of each phase. Raises UnreadableReference."""
    on_phase("sketching")
    direction = direct(spec)
    on_phase("painting")
    scene = _painted(spec, direction)
    on_phase("lettering")
    painted = scene.surface.makeImageSnapshot()
    type_ = letter(scene, spec, direction, _sketched(spec, direction))
    on_phase("finishing")
    # dark type lays no veil and no shadow on the art: then the two are one picture, and its grain is put on once
    veiled = scene.surface.makeImageSnapshot().uniqueID() != painted.uniqueID()
    scene.grain(scene.hints.grain)
    art = scene.surface.makeImageSnapshot()
    bare = None
    if type_.painted and scene.hints.title_art is None:
        bare = _bare(scene, painted) if veiled else art
    lettering = None if bare is None else document(scene, type_, direction.language)
    return Cover(art, bare, _drawn(scene, direction), type_, lettering, direction, spec)


def _sketched(spec: Spec, direction: Direction) -> Callable[[], Type] | None:
    """Return what sets the sketch of a cover, once; None where the cover is no larger than its sketch."""
    sketch = small(spec)
    if sketch == spec:
        return None
    return cache(lambda: letter(_painted(sketch, direction), sketch, direction))


def _painted(spec: Spec, direction: Direction) -> Scene:
    """Return the page with the picture on it, before there is type."""
    scene = Scene(
        spec.width,
        spec.height,
        direction.palette,
        spec.cover_seed,
        tags=direction.tags,
        genre=direction.genre,
        title=spec.title,
        author=spec.author,
        prompt=spec.description,
        emblem=direction.emblem,
        reference=direction.reference,
        figures=direction.figures,
        theme_seed=spec.theme_seed,
    )
    scene.hints.mode = direction.mode
    family = FAMILIES[direction.family]
    family.paint(scene)
    if direction.family in OPEN_AIR or (direction.family in WET_AIR and scene.has("snow")):
        weather(scene, direction.palette.paper)
    if family.mirror and scene.sfork("mirror art").random() < 0.5:
        _mirror(scene)
    return scene


def _rgba(source: Any) -> Bytes:
    """Return a Skia image or surface as RGBA (h, w, 4)."""
    pixels: Bytes = source.toarray(colorType=skia.kRGBA_8888_ColorType)
    return pixels


def _native(source: Any) -> Bytes:
    """Return the memory of a Skia image or surface, in its own order of channels: valid as long as it is."""
    pixmap = skia.Pixmap()
    source.peekPixels(pixmap)
    return np.asarray(pixmap)


def _bare(scene: Scene, painted: Any) -> Any:
    """Return the painted picture with its grain, without the veils and shadows that lettering has laid over it."""
    surface = skia.Surface(scene.width, scene.height)
    surface.getCanvas().drawImage(painted, 0, 0)
    scene.grain(scene.hints.grain, surface.getCanvas())
    return surface.makeImageSnapshot()


def _drawn(scene: Scene, direction: Direction) -> tuple[Element, ...]:
    """Return the elements without the subjects that were not drawn, and without places that the family has not."""
    shown = {figure.id for figure, _ in scene.traces}
    places = TABLES.ways[direction.family].words if direction.family in TABLES.ways else {}

    def is_drawn(element: Element) -> bool:
        if element.kind == "subject":
            return element.id in shown
        return element.kind != "setting" or not (places.keys() | scene.places).isdisjoint(tags_of([element]))

    return tuple(filter(is_drawn, direction.elements))


def _mirror(scene: Scene) -> None:
    """Flip the finished art left to right, before there is type on it: more variety at no cost."""
    image = scene.surface.makeImageSnapshot()
    scene.canvas.save()
    scene.canvas.translate(scene.width, 0)
    scene.canvas.scale(-1, 1)
    scene.canvas.drawImage(image, 0, 0)
    scene.canvas.restore()
