"""How alike two covers look: by their composition (perceptual hash) and by their colors (dominant colors in Lab)."""

from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np
from PIL import Image

from plugins.atelier.brief import Spec
from plugins.atelier.compose import compose

WIDTH: Final = 240
GRAY: Final = 32  # pixels of the picture that is hashed
KEPT: Final = 8  # frequencies on each axis: 64 bits
COLORS: Final = 6


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A book to draw."""

    genre: str
    language: str
    title: str
    author: str
    text: str

    def spec(self, width: int = WIDTH, seed: int = 0) -> Spec:
        """Return what the artist is asked for."""
        return Spec(
            title=self.title,
            author=self.author,
            genre=self.genre,
            description=self.text,
            language=self.language,
            seed=seed,
            width=width,
            height=width * 3 // 2,
        )


class _Books(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    book: list[Book]


class Look(NamedTuple):
    """What is compared: the hash as 64 booleans, the dominant colors in Lab and their shares of the page."""

    hash: np.ndarray
    colors: np.ndarray
    shares: np.ndarray


def books() -> list[Book]:
    """Return the books that are compared."""
    return msgspec.toml.decode((Path(__file__).parent / "books.toml").read_bytes(), type=_Books).book


def look_of(picture: Image.Image) -> Look:
    """Measure a cover."""
    gray = np.asarray(picture.convert("L").resize((GRAY, GRAY), Image.Resampling.LANCZOS), np.float64)
    n = np.arange(GRAY)
    waves = np.cos(np.pi * (2 * n[None, :] + 1) * n[:KEPT, None] / (2 * GRAY))
    low = (waves @ gray @ waves.T).ravel()
    small = picture.convert("RGB").resize((60, 90), Image.Resampling.BOX).quantize(COLORS, Image.Quantize.MEDIANCUT)
    palette = np.array(small.getpalette()[: 3 * COLORS], np.float64).reshape(-1, 3)
    shares = np.bincount(np.asarray(small).ravel(), minlength=len(palette))[: len(palette)] / (60 * 90)
    return Look(low > np.median(low[1:]), _lab(palette), shares)


def draw(spec: Spec) -> Look:
    """Draw a cover and measure it."""
    return look_of(Image.fromarray(compose(spec).pixels()))


def in_composition(a: Look, b: Look) -> int:
    """Return in how many of 64 bits the compositions differ; unrelated pictures differ in about 32."""
    return int((a.hash != b.hash).sum())


def in_color(a: Look, b: Look) -> float:
    """Return how far the colors are apart: the mean Lab distance (Delta E 76) to the nearest of the other's colors."""
    apart = np.linalg.norm(a.colors[:, None] - b.colors[None], axis=2)
    return float((apart.min(1) @ a.shares + apart.min(0) @ b.shares) / 2)


def pairs(looks: list[Look]) -> list[tuple[int, float, int, int]]:
    """Return the distances of all pairs with their places: composition, color, one, other; the most alike first."""
    found = [
        (in_composition(looks[i], looks[j]), in_color(looks[i], looks[j]), i, j)
        for i, j in combinations(range(len(looks)), 2)
    ]
    return sorted(found)


def _lab(rgb: np.ndarray) -> np.ndarray:
    c = rgb / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    matrix = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = linear @ matrix.T / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)
