"""How like each other two covers look: a perceptual hash of shapes and tones, and a distance of palettes."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image
from scipy.fft import dctn

from plugins.atelier.brief import Spec
from plugins.atelier.color import Bytes, rgb_to_oklab
from plugins.atelier.compose import compose
from plugins.atelier.samples import CAROUSEL, SHOWCASE
from tests.atelier.pictures import shrunk

WIDTH: Final = 200  # pixels of the covers compared: noise and layout do not depend on it
GREY: Final = 32  # pixels of the side of the grey picture that the hash is made of
WAVES: Final = 8  # per side: the hash has 64 bits
THUMB: Final = (40, 60)
HUES: Final = 3  # weight of the two color axes, which reach a third as far as lightness: a blue night is no brown one
ALIKE_BITS: Final = 14
SAME_WAY_BITS: Final = 24
ALIKE_COLORS: Final = 0.09
"""The same book drawn twice in one way, with another seed, is within 29 bits and 0.09 in half of all cases and within
14 bits in a quarter (measured on the books; two hashes by chance differ in 32 bits). So covers in colors as near as
those are siblings where their shapes are as near as the nearest quarter; in one way, which has its manner already,
where the shapes are nearer than chance by two standard deviations (of 4 bits).
"""
BOOKS: Final = Path(__file__).with_name("books.toml")


class Look(NamedTuple):
    """What of a cover is compared: 64 bits, and the thumbnail's OKLab values, each channel sorted."""

    name: str
    family: str
    bits: npt.NDArray[np.bool_]
    colors: npt.NDArray[np.floating]


class Pair(NamedTuple):
    """Two covers: how many of 64 bits differ, and how far their palettes are apart (0..1, OKLab)."""

    one: Look
    other: Look
    bits: int
    colors: float

    @property
    def siblings(self) -> bool:
        """Whether people would take the two for one series: like shapes at like places, in like colors."""
        near = SAME_WAY_BITS if self.one.family == self.other.family else ALIKE_BITS
        return self.bits <= near and self.colors <= ALIKE_COLORS

    @property
    def words(self) -> str:
        """The pair in words."""
        return f"{self.one.name} ({self.one.family}) and {self.other.name} ({self.other.family})"


def look(name: str, family: str, picture: Bytes) -> Look:
    """Measure a cover."""
    grey = np.asarray(Image.fromarray(picture).convert("L").resize((GREY, GREY), Image.Resampling.BOX), float)
    waves = dctn(grey, norm="ortho")[:WAVES, :WAVES].ravel()
    colors = rgb_to_oklab(shrunk(picture, THUMB) / 255).reshape(-1, 3) * (1, HUES, HUES)
    return Look(name, family, waves > np.median(waves[1:]), np.sort(colors, axis=0))


def pair(one: Look, other: Look) -> Pair:
    """Compare two covers."""
    colors = float(np.sqrt(((one.colors - other.colors) ** 2).sum(-1)).mean())
    return Pair(one, other, int((one.bits != other.bits).sum()), colors)


def drawn(spec: Spec, name: str = "") -> Look:
    """Draw a cover small and measure it."""
    cover = compose(spec)
    return look(name or spec.title, cover.direction.family, cover.pixels())


def books() -> list[Spec]:
    """Return the forty-eight books, small."""
    told = tomllib.loads(BOOKS.read_text("utf-8"))["books"]
    return [Spec(width=WIDTH, height=WIDTH * 3 // 2, **book) for book in told]


@lru_cache(1)
def covers() -> tuple[Look, ...]:
    """Return the covers of the books; drawn once."""
    return tuple(drawn(book) for book in books())


@lru_cache(1)
def samples() -> tuple[Look, ...]:
    """Return the covers of the landing page; drawn once."""
    return tuple(drawn(sample.spec(WIDTH)) for sample in (*SHOWCASE, *CAROUSEL))


def among(looks: tuple[Look, ...]) -> list[Pair]:
    """Return every pair of these covers."""
    return [pair(one, other) for i, one in enumerate(looks) for other in looks[:i]]


def between(looks: tuple[Look, ...], others: tuple[Look, ...]) -> list[Pair]:
    """Return every pair of one of these and one of those."""
    return [pair(one, other) for one in looks for other in others]
