"""Mock-ups: the book as a thing, on a transparent ground with its shadow."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from PIL import Image

from kernel.press.editions.mockups.standing import BOARD, SIZE, Place, draw_standing, faces_of
from kernel.press.editions.mockups.strokes import SHADOW, argb, image, light
from kernel.press.editions.order import EditionOrder
from kernel.press.editions.sheet.scene import Pixels
from kernel.press.editions.sheet.shapes import shaped
from kernel.press.engine import skia

READER_FRAME: Final = "#2a2b2e"
PHONE_FRAME: Final = "#0b0b0c"
READER: Final = (1072, 1448)  # pixels of a common six-inch screen
PHONE: Final = (1179, 2556)
MOST_VOLUMES: Final = 3
VOLUMES: Final = {
    2: ((0.71, 0.86), (0.34, 1.0)),
    3: ((0.79, 0.86), (0.21, 0.86), (0.5, 1.0)),
}
"""Number of books -> the middle of each and its size, as shares of the side; the last is in front, this one's own."""


def mockup(order: EditionOrder, kind: str) -> Pixels:
    """Return a scene as RGBA pixels. Raises KeyError (kind), TradeFault, IsbnFault, UnreadablePicture."""
    scenes: dict[str, Callable[[Any, EditionOrder], None]] = {
        "mockup_paperback": _paperback,
        "mockup_hardcover": _hardcover,
        "mockup_reader": _reader,
        "mockup_phone": _phone,
        "mockup_sides": _sides,
        "mockup_volumes": _volumes,
    }
    surface = skia.Surface(SIZE, SIZE)
    scenes[kind](surface.getCanvas(), order)
    snapshot = surface.makeImageSnapshot()
    info = skia.ImageInfo.Make(SIZE, SIZE, skia.kRGBA_8888_ColorType, skia.kUnpremul_AlphaType)
    pixels = np.zeros((SIZE, SIZE, 4), np.uint8)
    snapshot.readPixels(info, pixels, pixels.strides[0], 0, 0)
    return pixels


def _paperback(canvas: Any, order: EditionOrder) -> None:
    draw_standing(canvas, faces_of(order), board=0.0)


def _hardcover(canvas: Any, order: EditionOrder) -> None:
    draw_standing(canvas, faces_of(order), board=BOARD)


def _sides(canvas: Any, order: EditionOrder) -> None:
    """Draw the book twice, from behind and from the front, with their spines towards each other."""
    faces = faces_of(order)
    front, back = (0.74, 0.26) if faces.spine_on_left else (0.26, 0.74)
    draw_standing(canvas, faces.from_behind(), board=0.0, place=Place(back, 0.43, 0.7))
    draw_standing(canvas, faces, board=0.0, place=Place(front, 0.43, 0.7))


def _reader(canvas: Any, order: EditionOrder) -> None:
    """Draw an e-reader: the cover in greys, as electronic ink shows it."""
    made = shaped(order.front, *READER, right_to_left=order.book.right_to_left)
    grey = np.asarray(Image.fromarray(made.pixels).convert("L"), np.float32)
    paper = np.stack([28 + grey * 0.82] * 3, axis=2).astype(np.uint8)
    height = SIZE * 0.84
    width = height * (READER[0] + 190) / (READER[1] + 330)
    _device(canvas, paper, width, height, radius=58, frame=READER_FRAME, sides=(0.075, 0.053, 0.075, 0.176))


def _phone(canvas: Any, order: EditionOrder) -> None:
    """Draw a phone with the cover on its whole screen."""
    made = shaped(order.front, *PHONE, right_to_left=order.book.right_to_left)
    height = SIZE * 0.88
    _device(
        canvas,
        made.pixels,
        height * PHONE[0] / PHONE[1],
        height,
        radius=128,
        frame=PHONE_FRAME,
        sides=(0.026, 0.012, 0.026, 0.012),
    )


def _device(
    canvas: Any,
    screen: Pixels,
    width: float,
    height: float,
    *,
    radius: float,
    frame: str,
    sides: tuple[float, float, float, float],
) -> None:
    left, top = (SIZE - width) / 2, (SIZE - height) / 2 - SIZE * 0.01
    body = skia.RRect.MakeRectXY(skia.Rect.MakeXYWH(left, top, width, height), radius, radius)
    shadow = skia.Paint(AntiAlias=True, Color=argb("#000000", SHADOW))
    shadow.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 34))
    dropped = skia.RRect.MakeRectXY(skia.Rect.MakeXYWH(left + 10, top + 34, width - 20, height), radius, radius)
    canvas.drawRRect(dropped, shadow)
    canvas.drawRRect(body, skia.Paint(AntiAlias=True, Color=argb(frame)))
    rim = skia.Paint(AntiAlias=True, Color=argb("#ffffff", 0.22))
    rim.setStyle(skia.Paint.kStroke_Style)
    rim.setStrokeWidth(4)
    canvas.drawRRect(body, rim)
    inner = skia.Rect.MakeLTRB(
        left + width * sides[0], top + height * sides[1], left + width * (1 - sides[2]), top + height * (1 - sides[3])
    )
    canvas.save()
    canvas.clipRRect(
        skia.RRect.MakeRectXY(inner, radius * 0.72, radius * 0.72) if radius > 100 else skia.RRect.MakeRect(inner), True
    )
    image(canvas, screen, inner)
    canvas.restore()


def _volumes(canvas: Any, order: EditionOrder) -> None:
    """Draw the book and others of its series side by side, this one in front, the series running as its pages do."""
    fronts = [order.front, *order.volumes][:MOST_VOLUMES]
    height = SIZE * 0.62
    width = height / 1.5
    base = SIZE * 0.8
    for (middle, share), front in zip(VOLUMES[len(fronts)], reversed(fronts), strict=True):
        wide, high = width * share, height * share
        made = shaped(front, round(wide), round(high), right_to_left=order.book.right_to_left)
        middle = 1 - middle if order.book.right_to_left else middle
        left, top = SIZE * middle - wide / 2, base - high - (1 - share) * SIZE * 0.12
        box = skia.Rect.MakeXYWH(left, top, wide, high)
        shadow = skia.Paint(AntiAlias=True, Color=argb("#000000", SHADOW))
        shadow.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 26))
        canvas.drawRect(skia.Rect.MakeXYWH(left + 8, top + 26, wide - 4, high), shadow)
        thick = wide * 0.028
        spine = skia.Rect.MakeXYWH(left + wide if order.book.right_to_left else left - thick, top, thick, high)
        canvas.drawRect(spine, skia.Paint(AntiAlias=True, Color=argb("#e9e3d6")))
        image(canvas, made.pixels, box)
        quad = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
        light(canvas, quad, from_left=not order.book.right_to_left, groove=0.02)
