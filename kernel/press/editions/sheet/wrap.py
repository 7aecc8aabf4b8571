"""The whole cover of a printed edition: front as composed, spine, back, and the artwork that goes on below them."""

import math
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np
from PIL import Image, ImageOps

from kernel.press.editions.files import page_of, sheet_of
from kernel.press.editions.order import EditionOrder
from kernel.press.editions.sheet.artwork import SizedArtwork, beyond, opened, placed, with_edges
from kernel.press.editions.sheet.back import BackType, Shapes, back_type, place_of_text
from kernel.press.editions.sheet.ground import Ink, continued
from kernel.press.editions.sheet.manner import block_of_role, manners_of
from kernel.press.editions.sheet.scene import Pixels, Scene, pixels_of, rgba_of, type_of
from kernel.press.editions.sheet.shapes import lettering_for
from kernel.press.editions.sheet.spine import SpineType, spine_type
from kernel.press.engine import skia
from kernel.press.lettering.composing import paint_grounds, paint_strokes
from kernel.press.lettering.document import PLAIN
from kernel.press.lettering.outlines import SetBlock, set_blocks
from kernel.press.trade.geometry import DPI, SheetBox, Wrap

OnPhase = Callable[[str], None]


class MadeWrap(NamedTuple):
    """A wrap and what is to be known of it; `page` is the size of its page, on which it lies in the middle.

    `mark_dpi` is the publisher's mark's own resolution where it is largest, `picture_dpi` that of the picture on the
    back; 0 without one.
    """

    scene: Scene
    sheet: Wrap
    page: tuple[float, float]
    dpi: float
    ink: Ink
    back: BackType
    spine: SpineType
    mark_dpi: float
    picture_dpi: float


class _Front(NamedTuple):
    """The front panel's pixels: bare, with what lies below its letters, and the letters."""

    quiet: Pixels
    full: Pixels
    items: tuple[SetBlock, ...]
    scale: float
    left: float
    top: float
    dpi: float


def unheard(phase: str) -> None:
    """Hear of no phase."""


def made_wrap(order: EditionOrder, on_phase: OnPhase = unheard) -> MadeWrap:
    """Return the whole cover. Raises TradeFault, IsbnFault, UnreadablePicture."""
    sheet = sheet_of(order)
    on_phase("front")
    art = opened(order.front.artwork)
    front = _front(order, sheet, art)
    on_phase("ground")
    mirrored = sheet.front.x < sheet.spine.x
    width, height = sheet.pixels
    fold = _px(sheet.spine.x) if mirrored else width - _px(sheet.spine.x + sheet.spine.width)
    accent = block_of_role(order.front.lettering, "title")
    painted = _painted(order, sheet, art, width - fold, mirrored)
    rest = continued(
        _outward(front.quiet, sheet, fold, height, mirrored),
        width - fold,
        _px(sheet.spine.width),
        order.edition.ground,
        [_turned(box, sheet, fold, mirrored) for box in _text_places(order, sheet)],
        accent=accent.color if accent else "",
        colors=order.front.colors,
        painted=painted.pixels if painted else None,
    )
    visible = _outward(front.full, sheet, fold, height, mirrored)
    picture = np.concatenate((rest.pixels, visible), axis=1)
    if mirrored:
        picture = np.ascontiguousarray(picture[:, ::-1])
    on_phase("type")
    manners = manners_of(order.book, order.front, rest.ink.plain, rest.ink.accent)
    mark, portrait = (opened(one) if one else None for one in (order.book.mark, order.book.picture))
    shapes = Shapes(*(one.width / one.height if one else None for one in (mark, portrait)))
    spine = SpineType((), None, "pages")
    if sheet.spine_text:
        spine = spine_type(order.book, sheet.spine_text, manners, order.edition.spine_reading, shapes.mark)
    back = back_type(order.book, order.edition, sheet, manners, shapes)
    picture, mark_dpi = _with(picture, mark, spine.mark, back.mark)
    picture, picture_dpi = _with(picture, portrait, back.picture)
    runs, areas = type_of(front.items, front.scale, front.left, front.top)
    scene = Scene(
        width=sheet.width,
        height=sheet.height,
        picture=picture,
        areas=(*areas, *back.areas),
        runs=(*runs, *spine.runs, *back.runs),
    )
    dpi = min(front.dpi, painted.dpi) if painted else front.dpi
    page = page_of(order.edition, sheet)
    return MadeWrap(scene, sheet, page, dpi, rest.ink, back, spine, mark_dpi, picture_dpi)


def _painted(order: EditionOrder, sheet: Wrap, art: Image.Image, width: int, mirrored: bool) -> SizedArtwork | None:
    """Return what was painted beside the front, as high as the sheet, as if the front were on the right."""
    ground = order.edition.ground
    if ground.treatment != "painted" or not ground.painted:
        return None
    view = order.front.lettering.artwork if order.front.lettering else PLAIN
    picture = opened(ground.painted)
    if mirrored:
        art, picture = ImageOps.mirror(art), ImageOps.mirror(picture)
        view = msgspec.structs.replace(view, x=1 - view.x)
    made = beyond(art, picture, _px(sheet.front.width), _px(sheet.front.height), width, view)
    top, height = _px(sheet.front.y), sheet.pixels[1]
    pixels = with_edges(made.pixels, 0, top, 0, max(0, height - top - made.pixels.shape[0]))
    return SizedArtwork(pixels[:height], made.dpi)


def _front(order: EditionOrder, sheet: Wrap, art: Image.Image) -> _Front:
    """Return the front panel with its lettering; letters stay off the hinge of a hardcover."""
    width, height = _px(sheet.front.width), _px(sheet.front.height)
    lettering = order.front.lettering
    view = lettering.artwork if lettering else PLAIN
    bare = placed(art, width, height, view)
    if lettering is None:
        return _Front(bare.pixels, bare.pixels, (), 1 / DPI, sheet.front.x, sheet.front.y, bare.dpi)
    hinge = next((box for box in sheet.hinges if abs(box.x - sheet.front.x) < sheet.front.width), None)
    off = _px(hinge.width) if hinge else 0
    lead = off if sheet.front.x > sheet.spine.x else 0
    fitted = lettering_for(order.front, Image.fromarray(bare.pixels), width - off, height)
    items = set_blocks(fitted, width - off, height)
    surface = _surface(bare.pixels[:, lead : lead + width - off])
    paint_grounds(surface, items)
    quiet = bare.pixels.copy()
    quiet[:, lead : lead + width - off] = pixels_of(surface)
    for item in items:
        paint_strokes(surface, item)
    full = bare.pixels.copy()
    full[:, lead : lead + width - off] = pixels_of(surface)
    if off:  # grounds end where the hinge begins: beyond it the front goes on as its edge does
        for pixels in (quiet, full):
            _carried(pixels, bare.pixels, lead, off)
    # type lies on the very pixels that its shadows are in, which may be half a pixel beside the panel's exact place
    first = _px(sheet.front.x) if sheet.front.x > sheet.spine.x else _px(sheet.spine.x) - width
    return _Front(quiet, full, items, 1 / DPI, (first + lead) / DPI, _px(sheet.front.y) / DPI, bare.dpi)


def _carried(pixels: Pixels, bare: Pixels, lead: int, off: int) -> None:
    """Let what darkens the front's edge darken the hinge beside it as well."""
    edge = lead if lead else pixels.shape[1] - off - 1
    part = slice(0, off) if lead else slice(pixels.shape[1] - off, pixels.shape[1])
    change = pixels[:, edge].astype(np.int16) - bare[:, edge]
    if change.any():
        pixels[:, part] = np.clip(bare[:, part].astype(np.int16) + change[:, None], 0, 255).astype(np.uint8)


def _outward(panel: Pixels, sheet: Wrap, fold: int, height: int, mirrored: bool) -> Pixels:
    """Return the front from the fold to the sheet's edges, with the fold on its left."""
    pixels = panel[:, ::-1] if mirrored else panel
    top = _px(sheet.front.y)
    right = fold - pixels.shape[1]
    made = with_edges(
        pixels[:, : min(fold, pixels.shape[1])], 0, top, max(0, right), max(0, height - top - pixels.shape[0])
    )
    return made[:height, :fold]


def _text_places(order: EditionOrder, sheet: Wrap) -> list[SheetBox]:
    places = [sheet.spine_text] if sheet.spine_text else []
    safe, text = sheet.back_safe, place_of_text(sheet)
    return [*places, text, SheetBox(text.x, sheet.barcode.y, text.width, safe.y + safe.height - sheet.barcode.y)]


def _turned(box: SheetBox, sheet: Wrap, fold: int, mirrored: bool) -> tuple[int, int, int, int]:
    """Return a box in pixels of the sheet as if the front were on the right."""
    left = sheet.width - box.x - box.width if mirrored else box.x
    return _px(left), _px(box.y), _px(left + box.width), _px(box.y + box.height)


def _with(picture: Pixels, own: Image.Image | None, *places: SheetBox | None) -> tuple[Pixels, float]:
    """Return the picture with one of the book's own at these places, and its least resolution there, 0 without one."""
    dpi = 0.0
    for place in places:
        if own is None or place is None:
            continue
        size = max(1, _px(place.width)), max(1, _px(place.height))
        small = own.convert("RGBA").resize(size, Image.Resampling.LANCZOS)
        whole = Image.fromarray(picture)
        whole.paste(small, (_px(place.x), _px(place.y)), small)
        picture = np.asarray(whole)
        dpi = min(dpi or math.inf, own.width / place.width)
    return picture, dpi


def _surface(pixels: Pixels) -> skia.Surface:
    height, width = pixels.shape[:2]
    surface = skia.Surface(width, height)
    surface.getCanvas().drawImage(
        skia.Image.fromarray(rgba_of(np.ascontiguousarray(pixels)), colorType=skia.kRGBA_8888_ColorType), 0, 0
    )
    return surface


def _px(inches: float) -> int:
    return round(inches * DPI)
