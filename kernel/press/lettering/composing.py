"""Draws a lettering over its picture: first all grounds, then the letters, as `svg` orders them."""

import io
import math
import zlib
from collections.abc import Sequence
from typing import Any, Final

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from kernel.press.engine import skia
from kernel.press.errors import PressError
from kernel.press.lettering.document import PLAIN, ArtworkView, Lettering
from kernel.press.lettering.effects import BLUR, Tint
from kernel.press.lettering.outlines import SetBlock, set_blocks

PNG_LEVEL: Final = 1  # the grain of pictures hardly compresses; level 6 takes five times as long for a tenth less
PNG_RUNS: Final = zlib.Z_RLE  # on grain quicker and smaller than looking for repetitions
MIN_DPI: Final = 72
TRIM_WIDTH: Final = 6.0  # inches: the assumed width of a page, whatever its pixels
ARTWORK_BLUR: Final = 0.03  # of the panel's width: the deviation at full amount
LINEAR: Final = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
CUBIC: Final = skia.SamplingOptions(skia.CubicResampler.Mitchell())


class UnreadablePicture(PressError):
    """The bytes are no picture that can be decoded."""


def decoded(picture: bytes) -> Any:
    """Return PNG, JPEG or WebP bytes as a Skia image. Raises UnreadablePicture."""
    image = skia.Image.MakeFromEncoded(skia.Data.MakeWithoutCopy(picture)) if picture else None
    if image is None or image.width() < 1 or image.height() < 1:
        raise UnreadablePicture("The picture cannot be read: it is no PNG, JPEG or WebP.")
    return image


def filled(image: Any, width: int, height: int, view: ArtworkView = PLAIN) -> Any:
    """Return a surface of the size with the image on it: scaled to fill it, cropped, blurred and darkened as viewed.

    A picture of just that size that is not enlarged is copied, never resampled.
    """
    surface = skia.Surface(width, height)
    canvas = surface.getCanvas()
    own_width, own_height = image.width(), image.height()
    if (own_width, own_height) == (width, height) and view.zoom == 1:
        canvas.drawImage(image, 0, 0)
    else:
        scale = max(width / own_width, height / own_height) * view.zoom
        part_width, part_height = width / scale, height / scale
        left, top = (own_width - part_width) * view.x, (own_height - part_height) * view.y
        part = skia.Rect.MakeXYWH(left, top, part_width, part_height)
        canvas.drawImageRect(image, part, skia.Rect.MakeWH(width, height), LINEAR if scale < 1 else CUBIC, None)
    if view.blur:
        canvas.drawImageRect(
            softened(surface, ARTWORK_BLUR * view.blur * width), skia.Rect.MakeWH(width, height), CUBIC
        )
    if view.darken:
        canvas.drawColor(argb("#000000", view.darken))
    return surface


def softened(surface: Any, sigma: float) -> Any:
    """Return what is on a surface blurred, as a smaller image: a blur has no detail. `sigma` is in its pixels.

    Beyond its edges the picture is mirrored, as browsers do it.
    """
    shrunk = max(1.0, sigma / 3)
    wide, high = max(1, round(surface.width() / shrunk)), max(1, round(surface.height() / shrunk))
    small = skia.Surface(wide, high)
    small.getCanvas().drawImageRect(surface.makeImageSnapshot(), skia.Rect.MakeWH(wide, high), LINEAR)
    room = math.ceil(3 * sigma / shrunk)
    around = skia.Surface(wide + 2 * room, high + 2 * room)
    mirror, moved = skia.TileMode.kMirror, skia.Matrix.Translate(room, room)
    shader = small.makeImageSnapshot().makeShader(mirror, mirror, skia.SamplingOptions(), moved)
    around.getCanvas().drawPaint(skia.Paint(Shader=shader))
    soft = skia.Surface(wide, high)
    blur = skia.ImageFilters.Blur(sigma / shrunk, sigma / shrunk)
    soft.getCanvas().drawImage(
        around.makeImageSnapshot(), -room, -room, skia.SamplingOptions(), skia.Paint(ImageFilter=blur)
    )
    return soft.makeImageSnapshot()


def compose(picture: bytes, lettering: Lettering, *, width: int, height: int) -> bytes:
    """Return the panel as sRGB PNG of this size with its print resolution; the letters are the outlines of `lay_out`.

    A picture of another size is scaled to fill the panel and cropped as `lettering.artwork` says, at its center unless
    that was changed. Raises UnreadablePicture.
    """
    surface = filled(decoded(picture), width, height, lettering.artwork)
    blocks = set_blocks(lettering, width, height)
    paint_grounds(surface, blocks)
    paint_letters(surface, blocks)
    dpi = max(MIN_DPI, round(width / TRIM_WIDTH))
    rgba = surface.toarray(colorType=skia.kRGBA_8888_ColorType)
    image = Image.frombytes("RGB", (width, height), rgba.data, "raw", "RGBX")
    buffer = io.BytesIO()
    image.save(
        buffer,
        "PNG",
        compress_level=PNG_LEVEL,
        compress_type=PNG_RUNS,
        dpi=(dpi, dpi),
        pnginfo=_srgb(),
    )
    return buffer.getvalue()


def _srgb() -> PngInfo:
    """Return the chunk that names the color space; 0 is the perceptual intent (PNG, 11.3.2.5)."""
    info = PngInfo()
    info.add(b"sRGB", b"\x00")
    return info


def argb(color: str, alpha: float = 1.0) -> int:
    """Return `#RRGGBB` as the 32-bit number Skia takes."""
    return (round(max(0.0, min(1.0, alpha)) * 255) << 24) | int(color[1:], 16)


def paint_grounds(surface: Any, blocks: Sequence[SetBlock]) -> None:
    """Draw what lies between picture and letters: blurred areas, plates, scrims and gradients."""
    for item in blocks:
        if item.block.effect.kind == "blur" and item.tints:
            _blur(surface, item.tints[0], BLUR * item.block.effect.amount * surface.width())
        for tint in item.tints:
            if tint.kind != "stroke":
                surface.getCanvas().drawRect(_rect(tint), _paint(tint, tint.alpha))


def paint_strokes(surface: Any, item: SetBlock) -> None:
    """Draw shadow or outline of one block."""
    strokes = [tint for tint in item.tints if tint.kind == "stroke"]
    if not strokes:
        return
    canvas = surface.getCanvas()
    path = item.path(small=True)
    path.addPath(item.path(small=False))
    for tint in strokes:
        paint = skia.Paint(AntiAlias=True, Color=argb(tint.color, tint.alpha))
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(tint.width)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
        canvas.save()
        canvas.translate(tint.x, tint.y)
        canvas.drawPath(path, paint)
        canvas.restore()


def paint_letters(surface: Any, blocks: Sequence[SetBlock]) -> None:
    """Draw the letters, each block's shadow or outline just below them."""
    canvas = surface.getCanvas()
    for item in blocks:
        paint_strokes(surface, item)
        for small, color in ((True, item.block.small_color or item.block.color), (False, item.block.color)):
            canvas.drawPath(item.path(small), skia.Paint(AntiAlias=True, Color=argb(color)))


def _rect(tint: Tint) -> Any:
    return skia.Rect.MakeXYWH(tint.x, tint.y, tint.width, tint.height)


def _paint(tint: Tint, alpha: float) -> Any:
    if tint.kind == "rect":
        return skia.Paint(AntiAlias=True, Color=argb(tint.color, alpha))
    share = alpha / tint.alpha if tint.alpha else 0.0
    stops = tint.stops()
    colors, at = [argb(tint.color, value * share) for _, value in stops], [place for place, _ in stops]
    if tint.kind == "linear":
        ends = [skia.Point(tint.x0, tint.y0), skia.Point(tint.x1, tint.y1)]
        shader = skia.GradientShader.MakeLinear(ends, colors, at)
    else:
        stretch = skia.Matrix.MakeAll(tint.x1, 0, tint.x0, 0, tint.y1, tint.y0, 0, 0, 1)
        shader = skia.GradientShader.MakeRadial(skia.Point(0, 0), 1.0, colors, at, skia.TileMode.kClamp, 0, stretch)
    paint = skia.Paint(AntiAlias=True, Shader=shader)
    paint.setDither(True)  # without it dark gradients show bands in print
    return paint


def _blur(surface: Any, tint: Tint, sigma: float) -> None:
    """Soften the picture in the area of the tint, fading as it does."""
    canvas = surface.getCanvas()
    bounds = _rect(tint)
    soft = softened(surface, sigma)
    canvas.saveLayer(bounds, None)
    canvas.drawImageRect(soft, skia.Rect.MakeWH(surface.width(), surface.height()), CUBIC)
    mask = _paint(tint, 1.0)
    mask.setBlendMode(skia.BlendMode.kDstIn)
    canvas.drawRect(bounds, mask)
    canvas.restore()
