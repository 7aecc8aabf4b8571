"""The trade forms of a book: which there are, what each needs, and what is still missing."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, Literal

import msgspec

from kernel.press.trade.geometry import BookBlock, faults
from kernel.press.trade.table import Binding, CaseMeasures, printers, trim_name

Kind = Literal["ebook", "paperback", "hardcover", "audiobook", "social", "mockups", "layers"]
Background = Literal["mirror", "gradient", "color", "tile", "painted"]
Direction = Literal["ltr", "rtl"]
AskedName = Literal["boardWidth", "boardHeight", "wrap", "hinge"]

SCREEN_KINDS: Final[tuple[Kind, ...]] = ("ebook", "audiobook", "social", "mockups", "layers")
MOST_NAME: Final = 32
ASKED: Final[Mapping[str, AskedName]] = {
    "board_width": "boardWidth",
    "board_height": "boardHeight",
    "wrap": "wrap",
    "hinge": "hinge",
}
"""What only a printer's template says of a case, as the trade table names it and as the wire does."""
_TRIM: Final = re.compile(r"(\d{1,2}(?:\.\d{1,3})?)x(\d{1,2}(?:\.\d{1,3})?)")


class TradeForm(msgspec.Struct, frozen=True, kw_only=True):
    """A trade form. A printed one names its printer and binding in the trade table, and what that asks."""

    name: str
    kind: Kind
    printer: str = ""
    binding: str = ""

    @property
    def rules(self) -> Binding | None:
        """Return what the printer asks; None for what is not printed."""
        return printers()[self.printer].bindings[self.binding] if self.printer else None

    @property
    def printer_name(self) -> str:
        """Return the printer's name for people; blank for what is not printed."""
        return printers()[self.printer].name if self.printer else ""


@cache
def forms() -> Mapping[str, TradeForm]:
    """Return the forms by name: `ebook`, `kdp-paperback` and so on, in the order in which they are shown."""
    printed = [
        TradeForm(name=f"{printer_id}-{binding_id}", kind=binding_id, printer=printer_id, binding=binding_id)  # type: ignore[arg-type]  # the table names bindings so
        for printer_id, printer in printers().items()
        for binding_id in printer.bindings
    ]
    first, *others = (TradeForm(name=kind, kind=kind) for kind in SCREEN_KINDS)
    return {form.name: form for form in (first, *printed, *others)}


class EditionSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How an edition is made. Inches; what does not apply is blank or None.

    What was added later has a default: packs that were ordered before do not name it.
    """

    name: str
    trim: str
    paper: str
    background: Background
    color: str
    isbn: str
    spine: float | None
    sheet_width: float | None
    sheet_height: float | None
    board_width: float | None = None
    board_height: float | None = None
    wrap: float | None = None
    hinge: float | None = None


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why the files of an edition cannot be made yet: the field that is to blame, a code, and the numbers in it."""

    field: str
    code: str
    values: dict[str, float] = {}


def wire_name(field: str) -> str:
    """Return a field of the press as the wire names it."""
    return ASKED.get(field) or field


def read_trim(trim: str) -> tuple[float, float] | None:
    """Return width and height of a trim such as `6x9`; None for anything else."""
    found = _TRIM.fullmatch(trim)
    return (float(found[1]), float(found[2])) if found else None


def usual_paper(rules: Binding) -> str:
    """Return the paper that an edition begins with: cream, as novels have, or the first there is."""
    return "cream" if "cream" in rules.papers else next(iter(rules.papers))


def usual_trim(rules: Binding, proportion: float) -> str:
    """Return the trim of a binding that a cover of this width / height suits best; of several the first."""
    if not rules.trims:
        return "6x9"
    return trim_name(*min(rules.trims, key=lambda trim: abs(trim[0] / trim[1] - proportion)))


def case_of(settings: EditionSettings) -> CaseMeasures:
    """Return what was stated from the printer's template of a case."""
    return CaseMeasures(**{name: getattr(settings, name) for name in ASKED})


def block_of(settings: EditionSettings, *, pages: int | None, direction: Direction) -> BookBlock | None:
    """Return the book inside the cover of a printed edition; None while a part of it is unknown."""
    trim = read_trim(settings.trim)
    if trim is None or pages is None:
        return None
    return BookBlock(
        trim=trim,
        pages=pages,
        paper=settings.paper,
        spine=settings.spine,
        case=case_of(settings),
        right_to_left=direction == "rtl",
    )


def problems_of(settings: EditionSettings, *, pages: int | None, direction: Direction) -> list[Problem]:
    """Return what keeps the files of an edition from being made, empty when nothing does."""
    rules = forms()[settings.name].rules
    if rules is None:
        return []
    found = [] if read_trim(settings.trim) else [Problem(field="trim", code="no_trim")]
    if pages is None:
        found.append(Problem(field="pages", code="no_pages"))
    block = block_of(settings, pages=pages, direction=direction)
    if block is not None:
        for fault in faults(rules, block):
            found.append(Problem(field=wire_name(fault.field), code=fault.code, values=fault.allowed))
        return found
    if settings.spine is None and rules.asks_for_spine:
        found.append(Problem(field="spine", code="ask_printer"))
    unsaid = [ASKED[name] for name in rules.asks if getattr(settings, name) is None]
    found += [Problem(field=name, code="ask_printer") for name in unsaid]
    return found


def first_printed(
    editions: Iterable[EditionSettings], *, pages: int | None, direction: Direction
) -> EditionSettings | None:
    """Return the first printed edition whose files can be made."""
    ready = (one for one in editions if not problems_of(one, pages=pages, direction=direction))
    return next((one for one in ready if forms()[one.name].rules is not None), None)
