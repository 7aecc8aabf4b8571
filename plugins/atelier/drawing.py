"""Paints, gradients and paths: the basic operations with which all families draw.

Skia ships no type stubs; its objects are untyped here. Pixels throughout; angles in degrees unless stated.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernel.press.engine import skia as skia
from plugins.atelier.color import Bytes, argb, mix, ramp, rgb, shift

Path = Any  # skia.Path
Point = tuple[float, float]

# Read from a surface: `kN32_ColorType` says RGBA where surfaces are BGRA (skia-python 144, Linux x86).
NATIVE = skia.Surface(1, 1).imageInfo().colorType()
NATIVE_ORDER = [2, 1, 0] if skia.kBGRA_8888_ColorType == NATIVE else [0, 1, 2]

BLACK = "#000000"
WHITE = "#ffffff"
LINEAR = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
SMOOTH = skia.SamplingOptions(skia.FilterMode.kLinear)
MITCHELL = skia.SamplingOptions(skia.CubicResampler.Mitchell())
OVER = skia.BlendMode.kSrcOver
SCREEN = skia.BlendMode.kScreen
MULTIPLY = skia.BlendMode.kMultiply
OVERLAY = skia.BlendMode.kOverlay


def fill(color: str = BLACK, alpha: float = 1.0, shader: Any = None, blend: Any = None, blur: float = 0.0) -> Any:
    """A paint that fills; `shader` replaces the color, `blur` is a soft edge in pixels."""
    # The shader is passed as a keyword: `setShader` copies it through serialization, with pictures (skia-python 144).
    paint = skia.Paint(AntiAlias=True, Color=argb(color, alpha), Shader=shader)
    paint.setDither(True)  # without it dark gradients show bands in print
    if blend is not None:
        paint.setBlendMode(blend)
    if blur > 0:
        paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, blur))
    return paint


def stroke(
    color: str, width: float, alpha: float = 1.0, round_ends: bool = False, shader: Any = None, blur: float = 0.0
) -> Any:
    """A paint that draws outlines `width` pixels wide."""
    paint = fill(color, alpha, shader, blur=blur)
    paint.setStyle(skia.Paint.kStroke_Style)
    paint.setStrokeWidth(width)
    if round_ends:
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
    return paint


def linear(start: Point, end: Point, colors: Sequence[int], at: Sequence[float] | None = None) -> Any:
    """A linear gradient of ARGB colors, evenly spaced unless `at` gives positions 0..1."""
    return skia.GradientShader.MakeLinear([skia.Point(*start), skia.Point(*end)], list(colors), at)


def radial(center: Point, radius: float, colors: Sequence[int], at: Sequence[float] | None = None) -> Any:
    """A radial gradient of ARGB colors from the center out."""
    return skia.GradientShader.MakeRadial(skia.Point(*center), max(radius, 0.01), list(colors), at)


def stops(colors: Sequence[str], count: int = 9) -> list[int]:
    """ARGB stops along hex colors, resampled in OKLab so that Skia's linear blend between them stays clean."""
    return [argb(c) for c in ramp(colors, count)]


def vertical(top: float, bottom: float, colors: Sequence[str], count: int = 9) -> Any:
    """A fill that runs from `top` to `bottom` through hex colors."""
    return fill(shader=linear((0, top), (0, bottom), stops(colors, count)))


def ball(x: float, y: float, radius: float, colors: Sequence[str], count: int = 9) -> Any:
    """A fill from the center outward through hex colors."""
    return fill(shader=radial((x, y), radius, stops(colors, count)))


def foil(color: str, width: float, height: float) -> Any:
    """A gold-leaf gradient across the whole page: light bands sweep diagonally over the given metal color."""
    bands = [
        mix(color, WHITE, 0.30),
        color,
        mix(color, WHITE, 0.55),
        color,
        shift(color, -0.13),
        mix(color, WHITE, 0.35),
        color,
        shift(color, -0.10),
        mix(color, WHITE, 0.40),
    ]
    return linear((0, 0), (width, height), [argb(c) for c in bands])


def box(left: float, top: float, right: float, bottom: float) -> Any:
    """A rectangle by its edges."""
    return skia.Rect.MakeLTRB(float(left), float(top), float(right), float(bottom))


def area(x: float, y: float, width: float, height: float) -> Any:
    """A rectangle by corner and size."""
    return skia.Rect.MakeXYWH(float(x), float(y), float(width), float(height))


def polygon(points: Iterable[tuple[float, float]], close: bool = True) -> Path:
    """A straight-edged path through the points."""
    path = skia.Path()
    path.addPoly([skia.Point(float(x), float(y)) for x, y in points], close)
    return path


def curve(points: Sequence[tuple[float, float]], close: bool = True) -> Path:
    """A Catmull-Rom curve through the points, as cubics."""
    n = len(points)

    def at(i: int) -> tuple[float, float]:
        return points[i % n] if close else points[max(0, min(n - 1, i))]

    path = skia.Path()
    path.moveTo(float(points[0][0]), float(points[0][1]))
    for i in range(n if close else n - 1):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = at(i - 1), at(i), at(i + 1), at(i + 2)
        path.cubicTo(
            bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6, float(cx), float(cy)
        )
    if close:
        path.close()
    return path


def bezier(start: Point, *segments: Sequence[float], close: bool = True) -> Path:
    """A path of segments by their length: 2 numbers a line, 4 a quadratic, 6 a cubic."""
    path = skia.Path()
    path.moveTo(*start)
    draw: dict[int, Callable[..., Any]] = {2: path.lineTo, 4: path.quadTo, 6: path.cubicTo}
    for segment in segments:
        draw[len(segment)](*segment)
    if close:
        path.close()
    return path


def disc(x: float, y: float, radius: float) -> Path:
    """A circle as a path."""
    path = skia.Path()
    path.addCircle(float(x), float(y), float(radius))
    return path


def rectangle(left: float, top: float, right: float, bottom: float) -> Path:
    """A rectangle as a path."""
    path = skia.Path()
    path.addRect(box(left, top, right, bottom))
    return path


def placed(path: Path, sx: float, sy: float | None = None, turn: float = 0.0, dx: float = 0.0, dy: float = 0.0) -> Path:
    """A copy of the path scaled, turned, then moved; `sy` defaults to `sx`."""
    matrix = skia.Matrix()
    matrix.postScale(sx, sx if sy is None else sy)
    if turn:
        matrix.postRotate(turn)
    matrix.postTranslate(float(dx), float(dy))
    out = skia.Path()
    path.transform(matrix, out)
    return out


def union(first: Path, *others: Path) -> Path:
    """Join paths; overlapping sub-paths of opposite winding would otherwise punch holes into each other."""
    out = first
    for other in others:
        out = skia.Op(out, other, skia.PathOp.kUnion_PathOp) or out
    return out


def union_all(paths: Sequence[Path]) -> Path:
    """Join many paths at once: one sweep instead of a sweep per path."""
    builder = skia.OpBuilder()
    for path in paths:
        builder.add(path, skia.PathOp.kUnion_PathOp)
    return builder.resolve()


def difference(first: Path, second: Path) -> Path:
    """The first path without the second."""
    return skia.Op(first, second, skia.PathOp.kDifference_PathOp)


def solid(*paths: Path) -> Path:
    """Paths put into one with winding fill: cheaper than a union where windings agree."""
    out = skia.Path()
    for path in paths:
        out.addPath(path)
    out.setFillType(skia.PathFillType.kWinding)
    return out


def tile(grey: Bytes) -> Any:
    """A Skia picture to repeat from one grey plane, opaque: the plane with its mirror images."""
    mirrored = np.hstack((grey, grey[:, ::-1]))
    whole = np.vstack((mirrored, mirrored[::-1]))
    return skia.Image.fromarray(whole, skia.kGray_8_ColorType, skia.kOpaque_AlphaType)


def picture(pixels: Bytes) -> Any:
    """A Skia picture from RGB bytes (h, w, 3), opaque."""
    buffer = np.empty((*pixels.shape[:2], 4), np.uint8)
    buffer[..., :3] = pixels[..., NATIVE_ORDER]
    buffer[..., 3] = 255
    return skia.Image.fromarray(buffer, NATIVE, skia.kPremul_AlphaType)


def tint(coverage: npt.NDArray[Any], color: str, alpha: float = 1.0) -> Any:
    """A Skia picture of one color, as opaque as the field 0..1 times `alpha`."""
    buffer = np.empty((*coverage.shape, 4), np.uint8)
    opacity = np.clip(coverage, 0, 1).astype(np.float32, copy=False) * np.float32(alpha)
    channels = rgb(color)
    for plane, channel in enumerate(NATIVE_ORDER):
        buffer[..., plane] = opacity * np.float32(255 * channels[channel]) + np.float32(0.5)
    buffer[..., 3] = opacity * np.float32(255) + np.float32(0.5)
    return skia.Image.fromarray(buffer, NATIVE, skia.kPremul_AlphaType)


def repeat(canvas: Any, image: Any, x: float, y: float, within: Any, alpha: float = 1.0, blend: Any = OVER) -> None:
    """Cover a rectangle with copies of a picture, pixel for pixel, one of them near (x, y).

    Skia blends a copy at whole pixels in a third of the time that a repeating shader takes.
    """
    paint = skia.Paint(AntiAlias=False, BlendMode=blend)
    paint.setAlphaf(alpha)
    wide, high = image.width(), image.height()
    first_left = math.floor((within.left() - round(x)) / wide) * wide + round(x)
    first_top = math.floor((within.top() - round(y)) / high) * high + round(y)
    canvas.save()
    canvas.clipRect(within)
    for top in range(first_top, math.ceil(within.bottom()), high):
        for left in range(first_left, math.ceil(within.right()), wide):
            canvas.drawImage(image, left, top, skia.SamplingOptions(), paint)
    canvas.restore()


def lay(canvas: Any, image: Any, rect: Any, blend: Any = OVER) -> None:
    """Draw a picture over `rect`, smoothly, by the quickest way Skia has for the case.

    Plain covering with an undithered premultiplied picture in native order takes Skia's 8-bit path: 17 ms instead of 75
    for a full page. So a picture that is blended in another way is enlarged on a layer of its own.
    """
    shrinking = image.width() > rect.width() * 1.2
    sampling = LINEAR if shrinking else SMOOTH
    if blend == OVER:
        canvas.drawImageRect(image, rect, sampling)
        return
    canvas.saveLayer(rect, skia.Paint(BlendMode=blend))
    canvas.drawImageRect(image, rect, sampling)
    canvas.restore()
