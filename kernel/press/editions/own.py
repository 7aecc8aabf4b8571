"""What the press knows of its own files beside what preflight reads from them, and the preflight of them."""

from pathlib import Path
from typing import Final

from kernel.press.editions.files import PRINTED, needs_inks
from kernel.press.editions.findings import Finding, Report
from kernel.press.editions.isbn import checked_isbn
from kernel.press.editions.order import EditionOrder, Target
from kernel.press.editions.pdf.separation import FOGRA39
from kernel.press.editions.preflight.checking import check, worst_first
from kernel.press.editions.preflight.rules.judged import checked, said
from kernel.press.editions.sheet.wrap import MadeWrap
from kernel.press.trade.geometry import DPI

NEARLY: Final = 0.99
ENLARGED: Final = 1.05
LEAST_CONTRAST: Final = 4.5


def target_of(order: EditionOrder) -> Target:
    """Return what an order's files are to be."""
    edition = order.edition
    return Target(
        form=edition.form,
        printer=edition.printer,
        trim=edition.trim,
        pages=edition.pages,
        paper=edition.paper,
        template=edition.template,
        right_to_left=order.book.right_to_left,
    )


def report_of(order: EditionOrder, path: Path, known: tuple[Finding, ...]) -> Report:
    """Return preflight's report of a file that was just made, with what is known of it."""
    edition = order.edition
    ours = edition.form in PRINTED and edition.isbn.strip() and edition.barcode == "ours"
    report = check(path, target_of(order), picture=False, isbn=checked_isbn(edition.isbn).digits if ours else "")
    return Report(findings=worst_first((*report.findings, *known)), page=report.page)


def known_of_wrap(order: EditionOrder, made: MadeWrap) -> tuple[Finding, ...]:
    """Return what is known of a sheet."""
    found = [
        checked("artwork_resolution", made.dpi < DPI * NEARLY, "warn", dpi=round(made.dpi), least=DPI),
        checked("texts_fit", not made.back.fits),
        checked("contrast", made.ink.contrast < LEAST_CONTRAST, "warn", ratio=made.ink.contrast, least=LEAST_CONTRAST),
    ]
    for rule, dpi in (("mark_resolution", made.mark_dpi), ("picture_resolution", made.picture_dpi)):
        if dpi:
            found.append(checked(rule, dpi < DPI * NEARLY, "warn", dpi=round(dpi), least=DPI))
    if needs_inks(order.edition):
        by = "profile" if order.edition.profile else FOGRA39.identifier
        found.append(said("separation", "pass" if order.edition.profile else "warn", by=by))
    return tuple(found)


def known_of_picture(enlarged: float) -> tuple[Finding, ...]:
    """Return what is known of a picture for shops."""
    return (checked("artwork_enlarged", enlarged > ENLARGED, "warn", times=round(enlarged, 2)),)
