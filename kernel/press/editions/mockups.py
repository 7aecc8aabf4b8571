"""Mock-ups: the book as a thing, on a transparent ground with its shadow."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from PIL import Image

from kernel.press.editions.layers import printed_edition
from kernel.press.editions.order import EditionOrder, Front
from kernel.press.editions.sheet.scene import Pixels, drawn, rgba_of
from kernel.press.editions.sheet.shapes import shaped
from kernel.press.editions.sheet.wrap import made_wrap
from kernel.press.engine import skia
from kernel.press.trade.geometry import SheetBox

SIZE: Final = 2400  # pixels of both sides
FACE_DPI: Final = 200
TURN: Final = 31.0  # degrees that a book is turned towards its spine
RAISED: Final = 7.0  # degrees from which it is seen from above
AWAY: Final = 3.2  # heights of the book to the eye
SHADOW: Final = 0.42
PAGES: Final = "#f3eee2"
BOARD: Final = 0.05  # inches: the edge of a hardcover's boards
READER_FRAME: Final = "#2a2b2e"
PHONE_FRAME: Final = "#0b0b0c"
READER: Final = (1072, 1448)  # pixels of a common six-inch screen
PHONE: Final = (1179, 2556)

Point = tuple[float, float]
Corner = Callable[[float, float, float], Point]


class _Faces(NamedTuple):
    """The pictures of a book and its measures in inches."""

    front: Pixels
    spine: Pixels
    width: float
    height: float
    depth: float
    spine_on_left: bool


def mockup(order: EditionOrder, kind: str) -> Pixels:
    """Return a scene as RGBA pixels. Raises KeyError (kind), TradeFault, IsbnFault, UnreadablePicture."""
    scenes: dict[str, Callable[[Any, EditionOrder], None]] = {
        "mockup_paperback": _paperback,
        "mockup_hardcover": _hardcover,
        "mockup_reader": _reader,
        "mockup_phone": _phone,
        "mockup_volumes": _volumes,
    }
    surface = skia.Surface(SIZE, SIZE)
    scenes[kind](surface.getCanvas(), order)
    image = surface.makeImageSnapshot()
    info = skia.ImageInfo.Make(SIZE, SIZE, skia.kRGBA_8888_ColorType, skia.kUnpremul_AlphaType)
    pixels = np.zeros((SIZE, SIZE, 4), np.uint8)
    image.readPixels(info, pixels, pixels.strides[0], 0, 0)
    return pixels


def _faces(order: EditionOrder) -> _Faces:
    made = made_wrap(msgspec.structs.replace(order, edition=printed_edition(order.edition)))
    page, sheet = drawn(made.scene, FACE_DPI), made.sheet
    return _Faces(
        front=_cut(page, sheet.front),
        spine=_cut(page, sheet.spine),
        width=sheet.front.width,
        height=sheet.front.height,
        depth=max(sheet.spine.width, 0.15),
        spine_on_left=sheet.spine.x < sheet.front.x,
    )


def _cut(page: Pixels, box: SheetBox) -> Pixels:
    left, top = round(box.x * FACE_DPI), round(box.y * FACE_DPI)
    right, bottom = round((box.x + box.width) * FACE_DPI), round((box.y + box.height) * FACE_DPI)
    return np.ascontiguousarray(page[top:bottom, left : max(right, left + 1)])


def _paperback(canvas: Any, order: EditionOrder) -> None:
    _standing(canvas, _faces(order), board=0.0)


def _hardcover(canvas: Any, order: EditionOrder) -> None:
    _standing(canvas, _faces(order), board=BOARD)


def _standing(canvas: Any, faces: _Faces, board: float) -> None:
    """Draw a book that stands, turned so that its spine is seen."""
    width, height, depth = faces.width, faces.height, faces.depth
    side = 1.0 if faces.spine_on_left else -1.0
    project = _projection(width, height, depth, side)

    def corner(x: float, y: float, z: float) -> Point:
        return project(x, y, z)

    left, right = -width / 2, width / 2
    low, high = -height / 2, height / 2
    near, far = depth / 2, -depth / 2
    edge = left if side > 0 else right
    other = right if side > 0 else left
    ground = [corner(edge, low, near), corner(other, low, near), corner(other, low, far), corner(edge, low, far)]
    _shadow(canvas, ground)
    top_in = board * 0.8 if board else 0.03
    pages = [(edge, far), (edge, near), (other - side * top_in, near), (other - side * top_in, far)]
    _polygon(canvas, [corner(x, high - (board * 1.6 if board else 0.0), z) for x, z in pages], PAGES)
    _page_lines(canvas, corner, edge, other - side * top_in, high - (board * 1.6 if board else 0.0), near, far)
    if board:
        inside = near - board
        _polygon(
            canvas,
            [corner(x, high, z) for x, z in ((edge, near), (other, near), (other, inside), (edge, inside))],
            "#d8d3c8",
        )
    front = [corner(left, high, near), corner(right, high, near), corner(right, low, near), corner(left, low, near)]
    _face(canvas, faces.front, front)
    begin, end = (far, near) if side > 0 else (near, far)
    back = [corner(edge, high, begin), corner(edge, high, end), corner(edge, low, end), corner(edge, low, begin)]
    _face(canvas, faces.spine, back)
    _shade(canvas, back, 0.34, 0.12, from_right=side > 0)
    _light(canvas, front, from_left=side > 0, groove=0.055 if board else 0.02)


def _projection(width: float, height: float, depth: float, side: float) -> Corner:
    turn, raised = math.radians(TURN) * side, math.radians(RAISED)
    distance = AWAY * height

    def seen(x: float, y: float, z: float) -> Point:
        x, z = x * math.cos(turn) + z * math.sin(turn), z * math.cos(turn) - x * math.sin(turn)
        y, z = y * math.cos(raised) - z * math.sin(raised), y * math.sin(raised) + z * math.cos(raised)
        scale = distance / (distance - z)
        return x * scale, -y * scale

    corners = [
        seen(x, y, z)
        for x in (-width / 2, width / 2)
        for y in (-height / 2, height / 2)
        for z in (-depth / 2, depth / 2)
    ]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    scale = 0.8 * SIZE / max(max(xs) - min(xs), max(ys) - min(ys))
    middle = ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)

    def project(x: float, y: float, z: float) -> Point:
        u, v = seen(x, y, z)
        return SIZE / 2 + (u - middle[0]) * scale, SIZE * 0.485 + (v - middle[1]) * scale

    return project


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
    shadow = skia.Paint(AntiAlias=True, Color=_argb("#000000", SHADOW))
    shadow.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 34))
    dropped = skia.RRect.MakeRectXY(skia.Rect.MakeXYWH(left + 10, top + 34, width - 20, height), radius, radius)
    canvas.drawRRect(dropped, shadow)
    canvas.drawRRect(body, skia.Paint(AntiAlias=True, Color=_argb(frame)))
    rim = skia.Paint(AntiAlias=True, Color=_argb("#ffffff", 0.22))
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
    _image(canvas, screen, inner)
    canvas.restore()


def _volumes(canvas: Any, order: EditionOrder) -> None:
    """Draw three books side by side, the middle one in front: those of the series that were sent, else this one."""
    ratio = 1.5
    fronts: list[Front] = [order.front, *order.volumes][:3]
    while len(fronts) < 3:
        fronts.append(order.front)
    height = SIZE * 0.62
    width = height / ratio
    places = ((0.21, 0.86, fronts[1]), (0.79, 0.86, fronts[2]), (0.5, 1.0, fronts[0]))
    base = SIZE * 0.8
    for middle, share, front in places:
        wide, high = width * share, height * share
        made = shaped(front, round(wide), round(high), right_to_left=order.book.right_to_left)
        left, top = SIZE * middle - wide / 2, base - high - (1 - share) * SIZE * 0.12
        box = skia.Rect.MakeXYWH(left, top, wide, high)
        shadow = skia.Paint(AntiAlias=True, Color=_argb("#000000", SHADOW))
        shadow.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, 26))
        canvas.drawRect(skia.Rect.MakeXYWH(left + 8, top + 26, wide - 4, high), shadow)
        thick = wide * 0.028
        spine = skia.Rect.MakeXYWH(left + wide if order.book.right_to_left else left - thick, top, thick, high)
        canvas.drawRect(spine, skia.Paint(AntiAlias=True, Color=_argb("#e9e3d6")))
        _image(canvas, made.pixels, box)
        quad = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
        _light(canvas, quad, from_left=not order.book.right_to_left, groove=0.02)


def _face(canvas: Any, pixels: Pixels, quad: Sequence[Point]) -> None:
    """Draw a picture onto four corners, from its left upper one clockwise."""
    height, width = pixels.shape[:2]
    matrix = skia.Matrix()
    matrix.setPolyToPoly(
        [skia.Point(0, 0), skia.Point(width, 0), skia.Point(width, height), skia.Point(0, height)],
        [skia.Point(*point) for point in quad],
    )
    canvas.save()
    canvas.concat(matrix)
    _image(canvas, pixels, skia.Rect.MakeWH(width, height))
    canvas.restore()


def _image(canvas: Any, pixels: Pixels, box: Any) -> None:
    image = skia.Image.fromarray(rgba_of(pixels), colorType=skia.kRGBA_8888_ColorType)
    sampling = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
    canvas.drawImageRect(image, box, sampling, skia.Paint(AntiAlias=True))


def _polygon(canvas: Any, points: Sequence[Point], color: str) -> None:
    path = skia.Path()
    path.addPoly([skia.Point(*point) for point in points], True)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Color=_argb(color)))


def _page_lines(
    canvas: Any,
    corner: Callable[[float, float, float], Point],
    edge: float,
    other: float,
    y: float,
    near: float,
    far: float,
) -> None:
    """Draw the edges of pages."""
    paint = skia.Paint(AntiAlias=True, Color=_argb("#8a8272", 0.35))
    paint.setStrokeWidth(1.2)
    count = max(6, round((near - far) * 40))
    for index in range(1, count):
        z = far + (near - far) * index / count
        canvas.drawLine(skia.Point(*corner(edge, y, z)), skia.Point(*corner(other, y, z)), paint)


def _shadow(canvas: Any, ground: Sequence[Point]) -> None:
    for blur, alpha, drop in ((60, SHADOW * 0.8, 26), (16, SHADOW, 8)):
        path = skia.Path()
        path.addPoly([skia.Point(x, y + drop) for x, y in ground], True)
        paint = skia.Paint(AntiAlias=True, Color=_argb("#000000", alpha))
        paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.kNormal_BlurStyle, blur))
        canvas.drawPath(path, paint)


def _shade(canvas: Any, quad: Sequence[Point], dark: float, light: float, *, from_right: bool) -> None:
    """Darken a face that the light does not meet, most where it is farthest from it."""
    path = skia.Path()
    path.addPoly([skia.Point(*point) for point in quad], True)
    ends = [skia.Point(*quad[0]), skia.Point(*quad[1])]
    colors = [_argb("#000000", dark), _argb("#000000", light)]
    shader = skia.GradientShader.MakeLinear(ends, colors if from_right else colors[::-1])
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Shader=shader))


def _light(canvas: Any, quad: Sequence[Point], *, from_left: bool, groove: float) -> None:
    """Lay a soft light over a front, and the groove where it bends."""
    path = skia.Path()
    path.addPoly([skia.Point(*point) for point in quad], True)
    start, end = (quad[0], quad[1]) if from_left else (quad[1], quad[0])
    stops = [0.0, groove * 0.5, groove, groove * 1.6, 0.5, 1.0]
    colors = [
        _argb("#000000", 0.16),
        _argb("#ffffff", 0.1),
        _argb("#000000", 0.2),
        _argb("#ffffff", 0.05),
        _argb("#ffffff", 0.0),
        _argb("#000000", 0.07),
    ]
    shader = skia.GradientShader.MakeLinear([skia.Point(*start), skia.Point(*end)], colors, stops)
    canvas.drawPath(path, skia.Paint(AntiAlias=True, Shader=shader))


def _argb(color: str, alpha: float = 1.0) -> int:
    return (round(alpha * 255) << 24) | int(color[1:], 16)
