"""Rectangles in the press's coordinates."""

from collections.abc import Sequence
from typing import Final, NamedTuple


class Box(NamedTuple):
    """A rectangle; y runs down, 0 is the baseline where the box is measured in ems."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Return the horizontal extent."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Return the vertical extent."""
        return self.bottom - self.top


EMPTY: Final = Box(0.0, 0.0, 0.0, 0.0)


def union(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around all of them; EMPTY around none."""
    if not boxes:
        return EMPTY
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )
