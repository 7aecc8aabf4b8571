"""The input of a drawing: everything that a cover depends on."""

import hashlib

import msgspec

from kernel.spi import Element

TRIM_WIDTH = 6.0  # inches: the assumed width of a page, whatever its pixels
TYPE_MARGIN = 0.25  # inches inside the trim that type keeps clear (KDP and IngramSpark, read 2026-11)


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """One cover. The same Spec gives the same picture, in any process; its size changes only the resolution.

    `colors` are `#RRGGBB`; `series` names the theme, so that all covers of one theme look alike. `references` are
    encoded pictures. `elements` are what the picture shows; None means that the words say it. `family` and `palette`
    override the choice by name; empty means choose.
    """

    description: str
    title: str = ""
    author: str = ""
    tagline: str = ""
    genre: str = ""
    style: str = ""
    colors: tuple[str, ...] = ()
    series: str = ""
    language: str = ""
    references: tuple[bytes, ...] = ()
    elements: tuple[Element, ...] | None = None
    width: int = 1800
    height: int = 2700
    seed: int = 0
    family: str = ""
    palette: str = ""

    @property
    def themed(self) -> bool:
        """Whether the cover belongs to a theme."""
        return bool(self.series or self.colors)

    @property
    def cover_seed(self) -> int:
        """Seed of everything that is this cover's own, 64 bits."""
        return seed_of(self.description, self.title, self.genre, self.style, self.seed)

    @property
    def words_seed(self) -> int:
        """Seed of what all attempts at the same words share."""
        return seed_of(self.description, self.title, self.genre, self.style)

    @property
    def theme_seed(self) -> int | None:
        """Seed of everything the covers of a theme share; None without a theme."""
        return seed_of(self.series, *self.colors, self.style) if self.themed else None

    @property
    def margin(self) -> float:
        """Pixels from the edge that type keeps clear."""
        return self.width * TYPE_MARGIN / TRIM_WIDTH


def seed_of(*parts: object) -> int:
    """Return 64 bits that depend on all parts and on nothing else (no hash seed, no platform)."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode())
    return int.from_bytes(digest.digest()[:8], "big")
