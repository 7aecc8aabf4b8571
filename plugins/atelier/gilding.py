"""Gold leaf: paints whose shine runs across the whole page."""

from typing import Any

from plugins.atelier.drawing import BLACK, fill, foil, stroke
from plugins.atelier.scene import Scene


class Gold:
    """Leaf of one metal color for one page."""

    def __init__(self, scene: Scene, color: str) -> None:
        self.color = color
        self.shader = foil(color, scene.width, scene.height)
        self.unit = scene.unit

    def line(self, width: float, alpha: float = 1.0) -> Any:
        """An outline, `width` in full-page pixels."""
        return stroke(BLACK, width * self.unit, alpha, shader=self.shader)

    def area(self, alpha: float = 1.0) -> Any:
        """A filled shape."""
        return fill(BLACK, alpha, self.shader)
