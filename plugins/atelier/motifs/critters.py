"""Picture-book animals: front-facing, composed of ellipses, painted in several tones."""

from typing import NamedTuple

from plugins.atelier.atmosphere import shadow
from plugins.atelier.color import shift
from plugins.atelier.drawing import Path, bezier, box, curve, fill, placed, polygon, stroke
from plugins.atelier.scene import Scene

KINDS = ("bear", "fox", "rabbit", "owl", "cat", "wolf", "dog", "dragon")
EARS = {
    "bear": "round",
    "rabbit": "long",
    "fox": "pointed",
    "wolf": "pointed",
    "cat": "pointed",
    "owl": "tufts",
    "dog": "floppy",
    "dragon": "horns",
}


class Coat(NamedTuple):
    """Colors of an animal: fur, belly, eyes and nose, cheeks."""

    main: str
    belly: str
    dark: str
    cheek: str


class Critter:
    """One animal standing on (x, y), `size` pixels high; shapes are given in its own units, base at 0, up negative."""

    def __init__(self, scene: Scene, kind: str, x: float, y: float, size: float, coat: Coat) -> None:
        self.scene, self.canvas = scene, scene.canvas
        self.kind, self.x, self.y, self.size, self.coat = kind, x, y, size, coat

    def draw(self) -> None:
        """Paint it, from the tail to the whiskers."""
        ground = polygon([(-0.34, 0), (0.34, 0), (0.34, 0.03), (-0.34, 0.03)])
        lying = placed(ground, self.size, self.size, 0, self.x, self.y - 0.01 * self.size)
        shadow(self.scene, lying, dy=0, soft=self.size * 0.03)
        self._tail()
        self._body()
        self._ears()
        self._face()

    def _oval(self, left: float, top: float, right: float, bottom: float, color: str, alpha: float = 1.0) -> None:
        x, y, s = self.x, self.y, self.size
        self.canvas.drawOval(box(x + left * s, y + top * s, x + right * s, y + bottom * s), fill(color, alpha))

    def _shape(self, path: Path, color: str) -> None:
        self.canvas.drawPath(placed(path, self.size, self.size, 0, self.x, self.y), fill(color))

    def _line(self, path: Path, color: str, width: float, alpha: float = 1.0) -> None:
        pen = stroke(color, width * self.size, alpha, round_ends=True)
        self.canvas.drawPath(placed(path, self.size, self.size, 0, self.x, self.y), pen)

    def _turned(self, x: float, y: float, turn: float, oval: tuple[float, float, float, float], color: str) -> None:
        self.canvas.save()
        self.canvas.translate(self.x + x * self.size, self.y + y * self.size)
        self.canvas.rotate(turn)
        self.canvas.drawOval(box(*(v * self.size for v in oval)), fill(color))
        self.canvas.restore()

    def _tail(self) -> None:
        main, belly = self.coat.main, self.coat.belly
        if self.kind in ("fox", "wolf"):
            brush = bezier((0.1, -0.06), (0.5, 0.02, 0.62, -0.3, 0.44, -0.52), (0.42, -0.34, 0.3, -0.28, 0.12, -0.26))
            tip = bezier(
                (0.52, -0.31),
                (0.53, -0.4, 0.5, -0.46, 0.44, -0.52),
                (0.43, -0.43, 0.40, -0.37, 0.36, -0.335),
                (0.42, -0.36, 0.48, -0.35, 0.52, -0.31),
            )
            self._shape(brush, shift(main, -0.04))
            self._shape(tip, belly)
        elif self.kind == "cat":
            self._line(bezier((0.18, -0.06), (0.5, 0.0, 0.5, -0.3, 0.42, -0.44), close=False), main, 0.06)
        elif self.kind == "dragon":
            tail = bezier(
                (0.10, -0.02), (0.44, 0.04, 0.58, -0.12, 0.52, -0.30), (0.46, -0.16, 0.34, -0.14, 0.14, -0.20)
            )
            spade = polygon([(0.46, -0.27), (0.60, -0.27), (0.53, -0.42)])
            self._shape(tail, shift(main, -0.04))
            self._shape(spade, self.coat.cheek)
            for side in (-1, 1):
                wing = bezier(
                    (side * 0.16, -0.42),
                    (side * 0.34, -0.66, side * 0.50, -0.66, side * 0.58, -0.60),
                    (side * 0.50, -0.54, side * 0.50, -0.44),
                    (side * 0.40, -0.46, side * 0.37, -0.34),
                    (side * 0.28, -0.36, side * 0.18, -0.28),
                )
                self._shape(wing, shift(main, -0.09))

    def _body(self) -> None:
        main = self.coat.main
        self._oval(-0.26, -0.52, 0.26, 0.0, main)
        self._oval(-0.165, -0.42, 0.165, -0.02, self.coat.belly)
        for left, right in ((-0.235, -0.06), (0.06, 0.235)):
            self._oval(left, -0.08, right, 0.02, shift(main, -0.05))
        for side in (-1, 1):
            self._turned(side * 0.235, -0.36, side * -18, (-0.065, -0.06, 0.065, 0.2), shift(main, -0.06))

    def _ears(self) -> None:
        main, cheek = self.coat.main, self.coat.cheek
        style = EARS[self.kind]
        for s in (-1, 1):
            if style == "round":
                self._oval(s * 0.21 - 0.085, -1.0, s * 0.21 + 0.085, -0.83, main)
                self._oval(s * 0.21 - 0.048, -0.965, s * 0.21 + 0.048, -0.865, cheek)
            elif style == "long":
                self._turned(s * 0.10, -0.86, s * 11, (-0.07, -0.42, 0.07, 0.06), main)
                self._turned(s * 0.10, -0.86, s * 11, (-0.035, -0.36, 0.035, 0), cheek)
            elif style in ("pointed", "tufts"):
                outer = [(s * 0.29, -0.78), (s * 0.275, -1.02), (s * 0.22, -1.0), (s * 0.06, -0.88)]
                inner = [(s * 0.255, -0.82), (s * 0.252, -0.955), (s * 0.215, -0.935), (s * 0.13, -0.875)]
                self._shape(curve(outer), main)
                self._shape(curve(inner), cheek if style == "pointed" else self.coat.dark)
            elif style == "floppy":
                self._turned(s * 0.27, -0.80, s * -14, (-0.08, -0.08, 0.08, 0.27), shift(main, -0.12))
            else:
                self._shape(curve([(s * 0.18, -0.86), (s * 0.24, -1.02), (s * 0.10, -0.90)]), self.coat.belly)

    def _face(self) -> None:
        _, belly, dark, cheek = self.coat
        self._oval(-0.325, -0.93, 0.325, -0.42, self.coat.main)
        if self.kind in ("fox", "wolf"):
            for s in (-1, 1):
                mask = [(s * 0.02, -0.60), (s * 0.30, -0.66), (s * 0.29, -0.52), (s * 0.14, -0.435), (0.0, -0.43)]
                self._shape(curve(mask), belly)
        elif self.kind == "owl":
            for s in (-1, 1):
                self._oval(s * 0.13 - 0.155, -0.84, s * 0.13 + 0.155, -0.53, belly)
        else:
            self._oval(-0.13, -0.63, 0.13, -0.45, belly)
        r = 0.062 if self.kind == "owl" else 0.036
        for s in (-1, 1):
            ex, ey = s * 0.125, -0.69
            self._oval(ex - r, ey - r * 1.15, ex + r, ey + r * 1.15, dark)
            self._oval(ex - r * 0.1, ey - r * 0.8, ex + r * 0.55, ey - r * 0.15, "#ffffff", 0.95)
            self._oval(s * 0.215 - 0.05, -0.605, s * 0.215 + 0.05, -0.535, cheek, 0.75)
        if self.kind == "owl":
            self._shape(curve([(-0.045, -0.655), (0.045, -0.655), (0, -0.57)]), cheek)
            return
        self._oval(-0.042, -0.615, 0.042, -0.557, dark)
        mouth = bezier((-0.06, -0.515), (-0.03, -0.485, 0, -0.515), (0.03, -0.485, 0.06, -0.515), close=False)
        self._line(mouth, dark, 0.013)
        self._line(bezier((0, -0.56), (0, -0.515), close=False), dark, 0.012)
        if self.kind in ("cat", "rabbit", "fox"):
            for s in (-1, 1):
                for k in (-1, 0, 1):
                    whisker = bezier((s * 0.15, -0.545 - 0.012 * k), (s * 0.27, -0.535 - 0.035 * k), close=False)
                    self._line(whisker, dark, 0.006, 0.55)
