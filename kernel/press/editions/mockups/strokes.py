"""What mock-ups are drawn with: pictures on four corners, edges of pages, shadow and light."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from kernel.press.editions.sheet.scene import Pixels, rgba_of
from kernel.press.engine import skia

SHADOW: Final = 0.42

Point = tuple[float, float]


def face(canvas: Any, pixels: Pixels, quad: Sequence[Point]) -> None:
    """Draw a picture onto four corners, from its left upper one clockwise."""
    height, width = pixels.shape[:2]
    matrix = skia.Matrix()
    matrix.setPolyToPoly(
        [skia.Point(0, 0), skia.Point(width, 0), skia.Point(width, height), skia.Point(0, height)],
        [skia.Point(*point) for point in quad],
    )
    canvas.save()
    canvas.concat(matrix)
    image(canvas, pixels, skia.Rect.MakeWH(width, height))
    canvas.restore()


def image(canvas: Any, pixels: Pixels, box: Any) -> None:
    image = skia.Image.fromarray(rgba_of(pixels), colorType=skia.kRGBA_8888_ColorType)
    sampling = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
    canvas.drawImageRect(image, box, sampling, skia.Paint(AntiAlias=True))


def polygon(canvas: Any, points: Sequence[Point], color: str) -> None:
    path = skia.Path()
    path.addPoly([skia.Point(*point) for point in points], True)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Color=argb(color)))


def page_lines(
    canvas: Any,
    corner: Callable[[float, float, float], Point],
    edge: float,
    other: float,
    y: float,
    near: float,
    far: float,
) -> None:
    """Draw the edges of pages."""
    paint = skia.Paint(AntiAlias=True, Color=argb("#8a8272", 0.35))
    paint.setStrokeWidth(1.2)
    count = max(6, round((near - far) * 40))
    for index in range(1, count):
        z = far + (near - far) * index / count
        canvas.drawLine(skia.Point(*corner(edge, y, z)), skia.Point(*corner(other, y, z)), paint)


def shadow(canvas: Any, ground: Sequence[Point]) -> None:
    for blur, alpha, drop in ((60, SHADOW * 0.8, 26), (16, SHADOW, 8)):
        path = skia.Path()
        path.addPoly([skia.Point(x, y + drop) for x, y in ground], True)
        paint = skia.Paint(AntiAlias=True, Color=argb("#000000", alpha))
        paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, blur))
        canvas.drawPath(path, paint)


def shade(canvas: Any, quad: Sequence[Point], dark: float, light: float, *, from_right: bool) -> None:
    """Darken a face that the light does not meet, most where it is farthest from it."""
    path = skia.Path()
    path.addPoly([skia.Point(*point) for point in quad], True)
    ends = [skia.Point(*quad[0]), skia.Point(*quad[1])]
    colors = [argb("#000000", dark), argb("#000000", light)]
    shader = skia.GradientShader.MakeLinear(ends, colors if from_right else colors[::-1])
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Shader=shader))


def light(canvas: Any, quad: Sequence[Point], *, from_left: bool, groove: float) -> None:
    """Lay a soft light over a front, and the groove where it bends."""
    path = skia.Path()
    path.addPoly([skia.Point(*point) for point in quad], True)
    start, end = (quad[0], quad[1]) if from_left else (quad[1], quad[0])
    stops = [0.0, groove * 0.5, groove, groove * 1.6, 0.5, 1.0]
    colors = [
        argb("#000000", 0.16),
        argb("#ffffff", 0.1),
        argb("#000000", 0.2),
        argb("#ffffff", 0.05),
        argb("#ffffff", 0.0),
        argb("#000000", 0.07),
    ]
    shader = skia.GradientShader.MakeLinear([skia.Point(*start), skia.Point(*end)], colors, stops)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Shader=shader))


def argb(color: str, alpha: float = 1.0) -> int:
    return (round(alpha * 255) << 24) | int(color[1:], 16)
