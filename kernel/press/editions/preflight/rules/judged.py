"""What a file is judged against: the printer's binding, the sheet of the book, and where that lies on the page."""

from collections.abc import Iterable
from typing import Final

import msgspec

from kernel.press.editions.files import binding_of, needs_inks, page_of, target_sheet
from kernel.press.editions.findings import Finding, FindingArea, Outcome
from kernel.press.editions.order import Target
from kernel.press.editions.preflight.facts import PdfFacts
from kernel.press.trade.geometry import SheetBox, Wrap
from kernel.press.trade.table import Binding

CLOSE: Final = 0.01  # inches: what printers do not notice
EXACT: Final = 0.001
MOST_AREAS: Final = 8


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """What a file is to be. `offset` is where the sheet's left upper corner lies on the page that is expected."""

    target: Target
    binding: Binding
    sheet: Wrap
    page: tuple[float, float]
    isbn: str = ""

    @property
    def offset(self) -> tuple[float, float]:
        """Return where the sheet lies on its page."""
        return (self.page[0] - self.sheet.width) / 2, (self.page[1] - self.sheet.height) / 2

    @property
    def wants_inks(self) -> bool:
        """Return whether the printer takes CMYK only."""
        return needs_inks(self.target)

    def on_sheet(self, box: SheetBox) -> SheetBox:
        """Return a box of the page on the sheet."""
        return SheetBox(box.x - self.offset[0], box.y - self.offset[1], box.width, box.height)

    def matches(self, facts: PdfFacts) -> bool:
        """Return whether the page has the expected size, so that places on it mean what they should."""
        return abs(facts.media.width - self.page[0]) <= CLOSE and abs(facts.media.height - self.page[1]) <= CLOSE


def aim_of(target: Target, isbn: str = "") -> Aim:
    """Return what a printed edition's file is judged against. Raises TradeFault."""
    sheet = target_sheet(target, target.right_to_left)
    binding = binding_of(target)
    assert binding is not None
    return Aim(target=target, binding=binding, sheet=sheet, page=page_of(target, sheet), isbn=isbn)


def said(rule: str, outcome: Outcome, areas: Iterable[SheetBox] = (), **params: float | str) -> Finding:
    """Return a finding; numbers are rounded to what people read."""
    rounded = {key: round(value, 4) if isinstance(value, float) else value for key, value in params.items()}
    shown = tuple(area_of(box) for box in areas)[:MOST_AREAS]
    return Finding(rule=rule, outcome=outcome, params=rounded, areas=shown)


def checked(
    rule: str, bad: object, otherwise: Outcome = "fail", areas: Iterable[SheetBox] = (), **params: float | str
) -> Finding:
    """Return a pass, or the other outcome where something is bad."""
    return said(rule, otherwise, areas, **params) if bad else said(rule, "pass", (), **params)


def area_of(box: SheetBox) -> FindingArea:
    """Return a box for the wire."""
    x, y, width, height = (round(side, 4) for side in (box.x, box.y, box.width, box.height))
    return FindingArea(x=x, y=y, width=width, height=height)


def right_of(box: SheetBox) -> float:
    """Return the right edge."""
    return box.x + box.width


def foot_of(box: SheetBox) -> float:
    """Return the lower edge."""
    return box.y + box.height


def inside(box: SheetBox, place: SheetBox, slack: float = EXACT) -> bool:
    """Return whether a box lies in a place."""
    return (
        box.x >= place.x - slack
        and box.y >= place.y - slack
        and right_of(box) <= right_of(place) + slack
        and foot_of(box) <= foot_of(place) + slack
    )


def overlap(box: SheetBox, place: SheetBox) -> bool:
    """Return whether two boxes share more than an edge."""
    return (
        box.x < right_of(place) - EXACT
        and right_of(box) > place.x + EXACT
        and box.y < foot_of(place) - EXACT
        and foot_of(box) > place.y + EXACT
    )
