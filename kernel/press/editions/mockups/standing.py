"""A book that stands: its sides are cut from its whole cover, and seen from a little above."""

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from kernel.press.editions.layers import printed_edition
from kernel.press.editions.mockups.strokes import Point, face, light, page_lines, polygon, shade, shadow
from kernel.press.editions.order import EditionOrder
from kernel.press.editions.sheet.scene import Pixels, drawn
from kernel.press.editions.sheet.wrap import made_wrap
from kernel.press.trade.geometry import SheetBox

SIZE: Final = 2400  # pixels of both sides of a scene
FACE_DPI: Final = 200
TURN: Final = 31.0  # degrees that a book is turned towards its spine
RAISED: Final = 7.0  # degrees from which it is seen from above
AWAY: Final = 3.2  # heights of the book to the eye
PAGES: Final = "#f3eee2"
BOARD: Final = 0.05  # inches: the edge of a hardcover's boards

Corner = Callable[[float, float, float], Point]


class Faces(NamedTuple):
    """The pictures of a book and its measures in inches."""

    front: Pixels
    back: Pixels
    spine: Pixels
    width: float
    height: float
    depth: float
    spine_on_left: bool

    def from_behind(self) -> "Faces":
        """Return the book turned round: its back is in front, and its spine on the other side."""
        return self._replace(front=self.back, back=self.front, spine_on_left=not self.spine_on_left)


class Place(NamedTuple):
    """Where a book stands: the middle of its picture, and the room it has, as shares of the scene's side."""

    middle: float
    width: float
    height: float


WHOLE: Final = Place(0.5, 0.8, 0.8)


def faces_of(order: EditionOrder) -> Faces:
    """Return the sides of an order's book. Raises TradeFault, IsbnFault, UnreadablePicture."""
    made = made_wrap(msgspec.structs.replace(order, edition=printed_edition(order.edition)))
    page, sheet = drawn(made.scene, FACE_DPI), made.sheet
    return Faces(
        front=_cut(page, sheet.front),
        back=_cut(page, sheet.back),
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


def draw_standing(canvas: Any, faces: Faces, *, board: float, place: Place = WHOLE) -> None:
    """Draw a book that stands, turned so that its spine is seen."""
    width, height, depth = faces.width, faces.height, faces.depth
    side = 1.0 if faces.spine_on_left else -1.0
    project = _projection(width, height, depth, side, place)

    def corner(x: float, y: float, z: float) -> Point:
        return project(x, y, z)

    left, right = -width / 2, width / 2
    low, high = -height / 2, height / 2
    near, far = depth / 2, -depth / 2
    edge = left if side > 0 else right
    other = right if side > 0 else left
    ground = [corner(edge, low, near), corner(other, low, near), corner(other, low, far), corner(edge, low, far)]
    shadow(canvas, ground)
    top_in = board * 0.8 if board else 0.03
    pages = [(edge, far), (edge, near), (other - side * top_in, near), (other - side * top_in, far)]
    polygon(canvas, [corner(x, high - (board * 1.6 if board else 0.0), z) for x, z in pages], PAGES)
    page_lines(canvas, corner, edge, other - side * top_in, high - (board * 1.6 if board else 0.0), near, far)
    if board:
        inside = near - board
        polygon(
            canvas,
            [corner(x, high, z) for x, z in ((edge, near), (other, near), (other, inside), (edge, inside))],
            "#d8d3c8",
        )
    front = [corner(left, high, near), corner(right, high, near), corner(right, low, near), corner(left, low, near)]
    face(canvas, faces.front, front)
    begin, end = (far, near) if side > 0 else (near, far)
    back = [corner(edge, high, begin), corner(edge, high, end), corner(edge, low, end), corner(edge, low, begin)]
    face(canvas, faces.spine, back)
    shade(canvas, back, 0.34, 0.12, from_right=side > 0)
    light(canvas, front, from_left=side > 0, groove=0.055 if board else 0.02)


def _projection(width: float, height: float, depth: float, side: float, place: Place) -> Corner:
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
    scale = SIZE * min(place.width / (max(xs) - min(xs)), place.height / (max(ys) - min(ys)))
    middle = ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)

    def project(x: float, y: float, z: float) -> Point:
        u, v = seen(x, y, z)
        return SIZE * place.middle + (u - middle[0]) * scale, SIZE * 0.485 + (v - middle[1]) * scale

    return project
