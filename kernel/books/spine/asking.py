"""What a visitor asks the spine calculator, read from an address: `printer=kdp&trim=6x9&pages=300&paper=white`."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from kernel.books.editions import ASKED, wire_name
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError
from kernel.press.trade.geometry import BookBlock, TradeFault, Wrap, faults, wrap_of
from kernel.press.trade.table import Binding, CaseMeasures, printers

USUAL: Final = {"printer": "kdp", "binding": "paperback", "trim": "6x9", "pages": "300", "paper": "white"}
FIELDS: Final = (*USUAL, "spine", *ASKED.values(), "direction")
_TRIM: Final = re.compile(r"(\d{1,2}(?:[.,]\d{1,3})?)\s*[x×]\s*(\d{1,2}(?:[.,]\d{1,3})?)")
_NUMBER: Final = re.compile(r"\d{1,2}(?:[.,]\d{1,4})?")
NO_TRIM: Final = FieldError("no_trim", "A trim size looks like 6x9, in inches.")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A book as it was asked for, and the sheet of its cover."""

    printer: str
    binding: str
    block: BookBlock
    rules: Binding
    sheet: Wrap


def read_question(params: Mapping[str, str]) -> Asked:
    """Return what is asked; what is absent is as usual. Raises InvalidFields for all bad fields at once."""
    given = USUAL | {name: params[name].strip() for name in FIELDS if params.get(name, "").strip()}
    found: dict[str, FieldError] = {}
    rules = _binding(given["printer"], given["binding"])
    trim, pages, spine = _TRIM.fullmatch(given["trim"]), given["pages"], given.get("spine", "")
    if trim is None:
        found["trim"] = NO_TRIM
    if not (pages.isascii() and pages.isdigit() and 0 < len(pages) < 6):
        found["pages"] = FieldError("no_pages", "Please enter the number of pages.")
    if spine and not _NUMBER.fullmatch(spine):
        found["spine"] = FieldError("no_spine", "Please enter the width in inches, such as 0.65.")
    asked = {name: given[ASKED[name]] for name in rules.asks if ASKED[name] in given}
    for name, text in asked.items():
        if not _NUMBER.fullmatch(text):
            found[ASKED[name]] = FieldError("no_measure", "Please enter a number of inches, such as 0.65.")
    if given.get("direction", "ltr") not in ("ltr", "rtl"):
        found["direction"] = FieldError("not_a_choice", "The direction is ltr or rtl.")
    if found or trim is None:
        raise InvalidFields(found)
    block = BookBlock(
        trim=(_number(trim[1]), _number(trim[2])),
        pages=int(pages),
        paper=given["paper"],
        spine=_number(spine) if spine else None,
        right_to_left=given.get("direction") == "rtl",
    )
    case = CaseMeasures(**{name: _number(text) for name, text in asked.items()})
    block = msgspec.structs.replace(block, case=case)
    if wrong := faults(rules, block):
        raise InvalidFields({wire_name(fault.field): _error(fault) for fault in wrong})
    return Asked(
        printer=given["printer"],
        binding=given["binding"],
        block=block,
        rules=rules,
        sheet=wrap_of(rules, block),
    )


def read_binding(printer: str, binding: str, trim: str) -> tuple[Binding, tuple[float, float]]:
    """Return what a printer asks of a binding, and the sides of a trim such as `6x9`. Raises InvalidFields."""
    rules, sides = _binding(printer, binding), _TRIM.fullmatch(trim.strip())
    if sides is None:
        raise InvalidFields({"trim": NO_TRIM})
    return rules, (_number(sides[1]), _number(sides[2]))


def _binding(printer_id: str, binding: str) -> Binding:
    printer = printers().get(printer_id)
    if printer is None:
        raise InvalidFields({"printer": FieldError("not_a_choice", "There is no such printer.")})
    rules = printer.bindings.get(binding)
    if rules is None:
        raise InvalidFields({"binding": FieldError("not_a_choice", "This printer has no such binding.")})
    return rules


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _error(fault: TradeFault) -> FieldError:
    least, most = fault.allowed.get("least", 0.0), fault.allowed.get("most", 0.0)
    match fault.code:
        case "no_such_trim":
            return FieldError("no_such_trim", "This binding is not made in this trim size.")
        case "no_such_paper":
            return FieldError("no_such_paper", "This paper is not offered for this binding.")
        case "not_for_trim":
            return FieldError("not_for_trim", "This paper is not offered for this trim size.")
        case "page_range":
            words = f"This paper takes {least:g} to {most:g} pages."
            return FieldError("page_range", words, {"least": least, "most": most})
        case "spine_range":
            return FieldError("spine_range", f"A spine is at most {most:g} inches wide.", {"most": most})
        case "measure_range":
            words = f"Please enter {least:g} to {most:g} inches."
            return FieldError("measure_range", words, {"least": least, "most": most})
        case _:
            words = "Only the printer knows this. Please enter what its template states."
            return FieldError("ask_printer", words)
