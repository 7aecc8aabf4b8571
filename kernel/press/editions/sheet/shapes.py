"""A cover in another shape: cropped where the picture has most to show, its words set anew for the shape."""

import io
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from kernel.press.editions.order import Front, PanelGround
from kernel.press.editions.sheet.artwork import opened, placed, stamp_of
from kernel.press.editions.sheet.ground import continued
from kernel.press.editions.sheet.scene import Pixels, pixels_of, surface_of
from kernel.press.lettering.choosing import restyle
from kernel.press.lettering.composing import paint_grounds, paint_letters
from kernel.press.lettering.document import PLAIN, ArtworkView, Lettering
from kernel.press.lettering.outlines import set_blocks

ALIKE: Final = 0.08  # of the proportion: up to here a lettering fits as it is
WIDE: Final = 1.6  # times the picture's own proportion: from here on the words stand beside it
SIDE: Final = 0.54  # of the width, for the picture
AWAY: Final = 1.0  # cost of a crop that is not where there is most to see
LOOKED_AT: Final = 160  # pixels of the shorter side when the best crop is looked for
MIDDLE: Final = 0.35  # how much the middle is liked
SMALL: Final = 640  # pixels of the longer side of what a lettering is chosen on
PALE: Final = 246  # of 255: an edge that disappears on a white page
PALE_SHARE: Final = 0.6
BORDER: Final = 4  # pixels: KDP asks for 3 to 4 of a mid grey around pale covers
BORDER_GREY: Final = (128, 128, 128)


class Shaped(NamedTuple):
    """A cover in a shape: pixels, and how many times its artwork is enlarged."""

    pixels: Pixels
    enlarged: float


def shaped(front: Front, width: int, height: int, *, right_to_left: bool = False) -> Shaped:
    """Return the cover as width × height pixels, recomposed where its shape differs. Raises UnreadablePicture."""
    art = opened(front.artwork)
    if front.lettering is not None and width / height > WIDE * art.width / art.height:
        return _beside(art, front, width, height, right_to_left)
    lettering, view = front.lettering, crop_for(art, front, width, height)
    if lettering is not None and lettering.blocks and not _alike(front, width, height):
        lettering, view = _best_crop(art, front, view, width, height)
    made = placed(art, width, height, view)
    enlarged = max(width / art.width, height / art.height) * view.zoom
    return Shaped(_lettered(made.pixels, lettering) if lettering else made.pixels, enlarged)


def _beside(art: Image.Image, front: Front, width: int, height: int, right_to_left: bool) -> Shaped:
    """Return a wide cover: the picture on one side, and where it goes on, softened, the words."""
    own = min(height, round(SIDE * width))
    view = crop_for(art, front, own, height)
    made = placed(art, own, height, view)
    rest, margin = width - own, round(0.06 * width)
    part = made.pixels[:, ::-1] if right_to_left else made.pixels
    box = (margin, margin, rest - margin // 2, height - margin)
    ground = continued(part, rest, own // 3, PanelGround(treatment="gradient"), [box]).pixels
    words = np.ascontiguousarray(ground[:, ::-1] if right_to_left else ground)
    words = _lettered(words, lettering_for(front, Image.fromarray(words), rest, height))
    sides = (made.pixels, words) if right_to_left else (words, made.pixels)
    enlarged = max(own / art.width, height / art.height) * view.zoom
    return Shaped(np.ascontiguousarray(np.concatenate(sides, axis=1)), enlarged)


def _best_crop(
    art: Image.Image, front: Front, view: ArtworkView, width: int, height: int
) -> tuple[Lettering, ArtworkView]:
    """Return the crop, and the words on it, that leave most of the picture's life uncovered.

    The last ones are kept: an audiobook and a social picture have the same shape.
    """
    global _last
    scale = SMALL / max(width, height)
    small = (max(1, round(width * scale)), max(1, round(height * scale)))
    known = (front, stamp_of(front.artwork), small)
    if _last is None or _last[0] != known:
        _last = (known, _found_crop(art, front, view, (width, height), small))
    return _last[1]


_last: tuple[tuple[Front, tuple[str, int] | None, tuple[int, int]], tuple[Lettering, ArtworkView]] | None = None


def _found_crop(
    art: Image.Image, front: Front, view: ArtworkView, size: tuple[int, int], small: tuple[int, int]
) -> tuple[Lettering, ArtworkView]:
    width, height = size
    across = width / height < art.width / art.height
    axis = "x" if across else "y"
    tries = [view]
    if (view.x, view.y) == (PLAIN.x, PLAIN.y) or front.lettering is None or front.lettering.artwork == PLAIN:
        steps = sorted({getattr(view, axis), 0.0, 0.5, 1.0}, key=lambda at: abs(at - getattr(view, axis)))
        tries = [msgspec.structs.replace(view, **{axis: at}) for at in steps]
    best: tuple[float, Lettering, ArtworkView] | None = None
    for tried in tries:
        panel = Image.fromarray(placed(art, *small, tried).pixels)
        lettering = lettering_for(front, panel, width, height)
        away = abs(getattr(tried, axis) - getattr(view, axis))
        cost = _covered(panel, lettering) + AWAY * away
        if best is None or cost < best[0]:
            best = (cost, lettering, tried)
    assert best is not None
    return best[1], best[2]


def _covered(panel: Image.Image, lettering: Lettering) -> float:
    """Return how lively the picture is below the words, to how lively it is."""
    detail = _detail(panel)
    high, wide = detail.shape
    below = 0.0
    for item in set_blocks(lettering, wide, high):
        box = item.box
        part = detail[max(0, int(box.top)) : int(box.bottom) + 1, max(0, int(box.left)) : int(box.right) + 1]
        below += float(part.mean()) if part.size else 0.0
    return below / max(float(detail.mean()), 1e-6)


def _lettered(pixels: Pixels, lettering: Lettering) -> Pixels:
    height, width = pixels.shape[:2]
    surface = surface_of(pixels, width, height)
    items = set_blocks(lettering, width, height)
    paint_grounds(surface, items)
    paint_letters(surface, items)
    return pixels_of(surface)


def _alike(front: Front, width: int, height: int) -> bool:
    return abs(width / height / (front.composed[0] / front.composed[1]) - 1) <= ALIKE


def lettering_for(front: Front, panel: Image.Image, width: int, height: int) -> Lettering:
    """Return the front's lettering for a panel of this size, on the panel's picture: as it is where it fits.

    In another shape the words are placed, sized and inked anew in their style; faces and colors that the author fixed
    stay.
    """
    lettering = front.lettering
    assert lettering is not None
    if not lettering.blocks or _alike(front, width, height):
        return lettering
    freed = tuple(
        msgspec.structs.replace(
            block, held=tuple(name for name in block.held if name not in ("place", "size", "align"))
        )
        for block in lettering.blocks
    )
    bare = msgspec.structs.replace(lettering, blocks=freed, artwork=PLAIN)
    small = panel.copy()
    small.thumbnail((SMALL, SMALL), Image.Resampling.BOX)
    picture = io.BytesIO()
    small.save(picture, "PNG", compress_level=1)
    try:
        return restyle(bare, picture.getvalue(), lettering.style)
    except KeyError:  # a style of an earlier version
        return lettering


def crop_for(art: Image.Image, front: Front, width: int, height: int) -> ArtworkView:
    """Return which part of the artwork a shape shows: the author's choice, else where there is most to see."""
    view = front.lettering.artwork if front.lettering else PLAIN
    own, wanted = art.width / art.height, width / height
    if abs(wanted / own - 1) <= ALIKE or (view.x, view.y) != (PLAIN.x, PLAIN.y):
        return view
    across = wanted < own
    share = wanted / own if across else own / wanted
    at = _liveliest(_detail(art).sum(axis=0 if across else 1), share)
    return msgspec.structs.replace(view, **{"x" if across else "y": at})


def bordered(pixels: Pixels) -> tuple[Pixels, bool]:
    """Return a cover with a border where its edges are so pale that a white page swallows them."""
    edges = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    if float((edges.min(axis=1) >= PALE).mean()) < PALE_SHARE:
        return pixels, False
    framed = ImageOps.expand(Image.fromarray(pixels[BORDER:-BORDER, BORDER:-BORDER]), BORDER, BORDER_GREY)
    return np.asarray(framed), True


def _detail(art: Image.Image) -> npt.NDArray[np.float32]:
    """Return how much there is to see at each place: edges and strong colors."""
    scale = LOOKED_AT / min(art.size)
    small = art.convert("RGB").resize(
        (max(8, round(art.width * scale)), max(8, round(art.height * scale))), Image.Resampling.BOX
    )
    rgb = np.asarray(small, np.float32)
    light = rgb.mean(axis=2)
    edges = np.abs(np.diff(light, axis=0, prepend=light[:1])) + np.abs(np.diff(light, axis=1, prepend=light[:, :1]))
    colorful = rgb.max(axis=2) - rgb.min(axis=2)
    found: npt.NDArray[np.float32] = edges + 0.15 * colorful
    return found


def _liveliest(amounts: npt.NDArray[np.float32], share: float) -> float:
    """Return the begin, 0 at one end and 1 at the other, of the window of this share that holds most."""
    length = max(1, round(len(amounts) * share))
    if length >= len(amounts):
        return 0.5
    sums = np.convolve(amounts, np.ones(length, np.float32), "valid")
    steps = np.linspace(0, 1, len(sums))
    liked = sums / max(float(sums.max()), 1e-6) - MIDDLE * (steps - 0.5) ** 2
    return float(steps[int(liked.argmax())])
