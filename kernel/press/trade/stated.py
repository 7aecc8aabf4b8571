"""What the page of a printer's own template states of a cover, read from its boxes. Pure; all sizes in inches."""

from typing import Final

import msgspec

from kernel.press.trade.geometry import MOST_SPINE
from kernel.press.trade.table import Binding

SAME: Final = 0.02
"""A page is drawn to hundredths of an inch, and cut less exactly than that."""


class StatedMeasures(msgspec.Struct, frozen=True, kw_only=True):
    """What a template says: the width of the spine, and the page around the cover; None for what it leaves open."""

    spine: float | None
    sheet: tuple[float, float] | None


def stated_measures(
    binding: Binding, trim: tuple[float, float], page: tuple[float, float], trim_box: tuple[float, float] | None
) -> StatedMeasures:
    """Return what a template's page and, where it has one, its trim box state of a book's cover.

    The spine is what two panels leave of a paperback's cover. Boards, turn-ins and hinges of a case stand in no box.
    """
    if binding.asks:
        return StatedMeasures(spine=None, sheet=page)
    spine = _rest(trim, trim_box) if trim_box else None
    bleed = 2 * binding.bleed
    cover = (trim_box[0] + bleed, trim_box[1] + bleed) if spine is not None and trim_box else page
    if spine is None:
        spine = _rest(trim, (page[0] - bleed, page[1] - bleed))
    is_cover = spine is not None and all(abs(one - other) <= SAME for one, other in zip(cover, page, strict=True))
    return StatedMeasures(spine=spine, sheet=None if is_cover else page)


def _rest(trim: tuple[float, float], cover: tuple[float, float]) -> float | None:
    spine = round(cover[0] - 2 * trim[0], 4)
    return spine if abs(cover[1] - trim[1]) <= SAME and 0 < spine <= MOST_SPINE else None
