"""What printers ask of a cover: the table in `trade.toml`, every constant with its source. All sizes in inches."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec

MOST_PAGES: Final = 10_000
"""Where the printer alone knows: more is a slip of the finger."""

AskedMeasure = Literal["board_width", "board_height", "wrap", "hinge"]
"""The measures of a case that only a printer's own template tells: see `CaseMeasures`."""

_FILE: Final = Path(__file__).with_name("trade.toml")


class CaseMeasures(msgspec.Struct, frozen=True, kw_only=True):
    """What a printer's own template says of a case, in inches; None for what it was not asked.

    A board reaches from the spine to the outer edge, so that the hinge lies on it; `wrap` is turned in around it.
    """

    board_width: float | None = None
    board_height: float | None = None
    wrap: float | None = None
    hinge: float | None = None


class Paper(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A paper: inches per page and the fewest and most pages, None where only the printer knows; the most by trim."""

    pages: tuple[int, int] | None = None
    caliper: float | None = None
    trim_pages: dict[str, int] = {}

    def page_range(self, trim: str) -> tuple[int, int]:
        """Return the fewest and the most pages of this paper that a trim takes; the most is 0 where it is not made."""
        least, most = self.pages or (1, MOST_PAGES)
        return least, min(most, self.trim_pages.get(trim, most))


class Binding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one printer asks of one binding. `computed` says that the printer publishes no formula, `any_trim` that
    its trims are those of its own templates, and `asks` what is not known but by these.
    """

    source: str
    read: str
    safe: float
    spine_text_pages: int
    spine_safe: float
    barcode: tuple[float, float]
    barcode_margin: float
    papers: dict[str, Paper]
    trims: tuple[tuple[float, float], ...] = ()
    any_trim: bool = False
    asks: tuple[AskedMeasure, ...] = ()
    bleed: float = 0.0
    board: tuple[float, float] = (0.0, 0.0)
    wrap: float = 0.0
    hinge: float = 0.0
    spine_extra: float = 0.0
    thin_spine: float = 0.0
    thin_spine_safe: float = 0.0
    custom_width: tuple[float, float] | None = None
    custom_height: tuple[float, float] | None = None
    computed: bool = False

    @property
    def asks_for_spine(self) -> bool:
        """Whether the printer alone knows the spine, whatever the paper is."""
        return all(paper.caliper is None for paper in self.papers.values())


class Printer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A printer and its bindings by id."""

    name: str
    bindings: dict[str, Binding]


class ShopPicture(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture that shops ask for, in pixels: its size, the least they take and the largest file in bytes."""

    source: str
    read: str
    width: int
    height: int
    least: tuple[int, int] | None = None
    most_bytes: int | None = None


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    printers: dict[str, Printer]
    pictures: dict[str, ShopPicture]


@cache
def _table() -> _Table:
    return msgspec.toml.decode(_FILE.read_bytes(), type=_Table)


def printers() -> Mapping[str, Printer]:
    """Return the printers by id."""
    return _table().printers


def shop_pictures() -> Mapping[str, ShopPicture]:
    """Return the pictures that shops ask for, by id."""
    return _table().pictures


def trim_name(width: float, height: float) -> str:
    """Return a trim as the table and addresses write it: `6x9`, `8.27x11.69`."""
    return f"{width:g}x{height:g}"
