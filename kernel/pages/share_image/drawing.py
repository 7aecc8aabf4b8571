"""Draws the preview picture for shared links.

`python -m kernel.pages.share_image.drawing` reads a ShareImageOrder from its input and writes a JPEG.

A separate program, because the drawing library is large and holds the interpreter's lock: a server that has drawn a
picture would keep it in memory forever.
"""

import os
import sys
from typing import Any, Final

import msgspec

from kernel.core.text.languages import RIGHT_TO_LEFT
from kernel.pages.seo.head import IMAGE_SIZE
from kernel.press.engine import skia
from kernel.press.style import Align
from kernel.press.typesetting import TypeStyle, layout

WIDTH, HEIGHT = IMAGE_SIZE
NICENESS: Final = 5
"""Niceness: drawing can wait; answering requests cannot."""
MARGIN: Final = 72
GAP: Final = 56
COVERS: Final = 3

PAPER, SHADE, INK, GREY, ACCENT = 0xFFFBFAF7, 0xFFEFE8DC, 0xFF1F1A16, 0xFF6D6660, 0xFFC23B1E
SENTENCE: Final = "playfair"
NAME: Final = "inter"
HOST: Final = "inter-m"
LARGEST: Final = 84.0
BOOK: Final = (270.0, 404.0)
"""Maximum width and height of a cover."""
FAN: Final = ((0.0, 0.0, 0.0, 1.0), (-124.0, 22.0, -7.0, 0.86), (124.0, 22.0, 7.0, 0.86))
"""Places of the covers: offset from the center, rotation in degrees, and scale; the first is in front."""


MAX_BYTES: Final = 120_000
"""Messengers leave out a larger picture or wait for it too long on a phone."""
QUALITIES: Final = (90, 84, 78, 70, 60, 45)


class ShareImageOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the picture; `covers` are PNG, JPEG or WebP files, the front one first."""

    name: str
    sentence: str
    host: str
    language: str
    covers: list[bytes]


def draw(order: ShareImageOrder) -> bytes:
    """Return the picture as JPEG of at most MAX_BYTES. Raises PressError on a machine without the fonts."""
    surface = skia.Surface(WIDTH, HEIGHT)
    with surface as canvas:
        _ground(canvas)
        pictures = [image for data in order.covers[:COVERS] if (image := _decoded(data)) is not None]
        column = WIDTH - 2 * MARGIN
        mirrored = order.language in RIGHT_TO_LEFT
        left = float(MARGIN)
        if pictures:
            room = BOOK[0] + (248 if len(pictures) > 1 else 0)
            column -= int(room) - 20 + GAP
            middle = MARGIN + room / 2 - 20 if mirrored else WIDTH - MARGIN - room / 2 + 20
            left = WIDTH - MARGIN - column if mirrored else MARGIN
            _fan(canvas, pictures, middle)
        _words(canvas, order, left, column, mirrored)
    return _encoded(surface.makeImageSnapshot())


def _encoded(picture: Any) -> bytes:
    """Return the picture in the best quality that is small enough."""
    for quality in QUALITIES:
        data = bytes(picture.encodeToData(skia.kJPEG, quality))
        if len(data) <= MAX_BYTES:
            break
    return data


def _ground(canvas: Any) -> None:
    shader = skia.GradientShader.MakeLinear([(0, 0), (WIDTH, HEIGHT)], [PAPER, SHADE])
    canvas.drawPaint(skia.Paint(Shader=shader, Dither=True))
    canvas.drawRect(skia.Rect(0, HEIGHT - 10, WIDTH, HEIGHT), skia.Paint(Color=ACCENT))


def _decoded(data: bytes) -> Any:
    try:
        return skia.Image.MakeFromEncoded(skia.Data.MakeWithCopy(data))
    except (RuntimeError, ValueError):
        return None


def _fan(canvas: Any, pictures: list[Any], middle: float) -> None:
    if len(pictures) == 2:
        middle -= FAN[1][0] / 2  # there is nothing on the other side
    for picture, (across, down, turn, scale) in reversed(list(zip(pictures, FAN, strict=False))):
        canvas.save()
        canvas.translate(middle + across, HEIGHT / 2 - 6 + down)
        canvas.rotate(turn)
        canvas.scale(scale, scale)
        _book(canvas, picture)
        canvas.restore()


def _book(canvas: Any, picture: Any) -> None:
    fit = min(BOOK[0] / picture.width(), BOOK[1] / picture.height())
    width, height = picture.width() * fit, picture.height() * fit
    place = skia.Rect.MakeXYWH(-width / 2, -height / 2, width, height)
    outline = skia.RRect.MakeRectXY(place, 5, 5)
    shadow = skia.ImageFilters.DropShadow(0, 14, 16, 16, 0x66000000)
    canvas.drawRRect(outline, skia.Paint(Color=INK, AntiAlias=True, ImageFilter=shadow))
    canvas.save()
    canvas.clipRRect(outline, doAntiAlias=True)
    sampling = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
    canvas.drawImageRect(picture.withDefaultMipmaps(), place, sampling)
    fold = skia.GradientShader.MakeLinear(
        [(-width / 2, 0), (-width / 2 + 16, 0)], [0x59FFFFFF, 0x00FFFFFF, 0x2E000000, 0x00000000], [0.0, 0.35, 0.5, 1.0]
    )
    canvas.drawRect(place, skia.Paint(Shader=fold))
    canvas.restore()


def _words(canvas: Any, order: ShareImageOrder, left: float, width: float, mirrored: bool) -> None:
    side: Align = "right" if mirrored else "left"
    ink, grey = skia.Paint(Color=INK, AntiAlias=True), skia.Paint(Color=GREY, AntiAlias=True)
    mark = left + width - 40 if mirrored else left
    _mark(canvas, mark, MARGIN)
    beside = (left if mirrored else left + 56, MARGIN + 4, width - 56, 36)
    name = TypeStyle(font=NAME, voice="sans", align=side, max_lines=1, max_size=36, language=order.language)
    layout(order.name, beside, name, "middle").draw(canvas, ink)
    place = (left, MARGIN + 94, width, HEIGHT - 2 * MARGIN - 94 - 76)
    style = TypeStyle(font=SENTENCE, align=side, max_lines=4, max_size=LARGEST, language=order.language)
    layout(order.sentence, place, style, "middle").draw(canvas, ink)
    foot = (left, HEIGHT - MARGIN - 34, width, 30)
    host = TypeStyle(font=HOST, voice="sans", align=side, max_lines=1, max_size=26)
    layout(order.host, foot, host, "middle").draw(canvas, grey)


def _mark(canvas: Any, x: float, y: float) -> None:
    """Draw the closed book of the page's icon, 40 × 48 pixels."""
    book = skia.RRect.MakeRectXY(skia.Rect.MakeXYWH(x, y - 2, 40, 48), 5, 5)
    canvas.save()
    canvas.clipRRect(book, doAntiAlias=True)
    canvas.drawPaint(skia.Paint(Color=INK))
    canvas.drawRect(skia.Rect.MakeXYWH(x, y - 2, 10, 48), skia.Paint(Color=ACCENT))
    canvas.restore()
    line = skia.Paint(Color=PAPER, AntiAlias=True, StrokeWidth=3.6, StrokeCap=skia.Paint.kRound_Cap)
    canvas.drawLine(x + 18, y + 14, x + 32, y + 14, line)
    canvas.drawLine(x + 18, y + 22, x + 27, y + 22, line)


def main() -> None:
    """Draw the one picture that is requested."""
    os.nice(NICENESS)
    order = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=ShareImageOrder)
    sys.stdout.buffer.write(draw(order))


if __name__ == "__main__":
    main()
