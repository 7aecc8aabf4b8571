"""Which files an edition consists of, their names, and what an order lacks. Pure."""

import re
import unicodedata
from typing import Final, Literal

import msgspec

from kernel.press.editions.isbn import IsbnFault, checked_isbn
from kernel.press.editions.order import Edition, EditionOrder, Form, Target
from kernel.press.scripts import clean
from kernel.press.trade.geometry import BookBlock, TradeFault, Wrap, faults, wrap_of
from kernel.press.trade.table import Binding, CaseMeasures, printers, shop_pictures, trim_name

FileKind = Literal[
    "print",
    "proof",
    "proof_picture",
    "ebook",
    "audiobook_3000",
    "audiobook_2400",
    "social_square",
    "social_portrait",
    "social_story",
    "social_link",
    "mockup_paperback",
    "mockup_hardcover",
    "mockup_sides",
    "mockup_reader",
    "mockup_phone",
    "mockup_volumes",
    "layers",
]

MOST_STEM: Final = 60  # characters of a title in a file's name
PRINTED: Final[tuple[Form, ...]] = ("paperback", "hardcover")
_KINDS: Final[dict[Form, tuple[FileKind, ...]]] = {
    "ebook": ("ebook",),
    "paperback": ("print", "proof", "proof_picture"),
    "hardcover": ("print", "proof", "proof_picture"),
    "audiobook": ("audiobook_3000", "audiobook_2400"),
    "social": ("social_square", "social_portrait", "social_story", "social_link"),
    "mockups": (
        "mockup_paperback",
        "mockup_hardcover",
        "mockup_sides",
        "mockup_reader",
        "mockup_phone",
        "mockup_volumes",
    ),
    "layers": ("layers",),
}
_PRINTER_NAMES: Final = {"kdp": "KDP", "ingramspark": "IngramSpark"}


class EditionFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of an edition: its kind, which an order names, and its name as shops ask."""

    kind: FileKind
    name: str
    media_type: str


def files_of(order: EditionOrder) -> tuple[EditionFile, ...]:
    """Return the files of an edition, what is handed in first. Their names differ between editions of one book.

    A book without others of its series is not shown beside them.
    """
    kinds = _KINDS[order.edition.form]
    return tuple(_file(order, kind) for kind in kinds if kind != "mockup_volumes" or order.volumes)


def file_of(order: EditionOrder, kind: str) -> EditionFile:
    """Return one file of an edition. Raises KeyError where it has none of this kind."""
    for file in files_of(order):
        if file.kind == kind:
            return file
    raise KeyError(kind)


def order_faults(order: EditionOrder) -> list[TradeFault]:
    """Return everything that an order lacks, empty when its files can be made.

    Fields: `printer`, `trim`, `pages`, `paper`, `spine` and what else the binding asks (ask_printer),
    `isbn` (an IsbnCode), `title`.
    """
    found = [] if clean(order.book.title) else [TradeFault("title", "missing")]
    edition = order.edition
    if edition.form in PRINTED:
        binding = binding_of(edition)
        found += [TradeFault("printer", "no_such_printer")] if binding is None else faults(binding, block_of(order))
        if binding and edition.template and (fault := _template_fault(binding, order)):
            found.append(fault)
    if edition.isbn.strip():
        try:
            checked_isbn(edition.isbn)
        except IsbnFault as fault:
            found.append(TradeFault("isbn", fault.code))
    return found


def binding_of(edition: Edition | Target) -> Binding | None:
    """Return what the printer asks of this binding, None where it does not make it."""
    printer = printers().get(edition.printer)
    return printer.bindings.get(edition.form) if printer else None


def needs_inks(edition: Edition | Target) -> bool:
    """Return whether the printer wants CMYK."""
    return edition.printer == "ingramspark"


def block_of(order: EditionOrder) -> BookBlock:
    """Return the book inside of the cover."""
    return _block(order.edition, order.book.right_to_left)


def sheet_of(order: EditionOrder) -> Wrap:
    """Return the geometry of a printed edition's cover. Raises TradeFault."""
    return target_sheet(order.edition, order.book.right_to_left)


def target_sheet(edition: Edition | Target, right_to_left: bool) -> Wrap:
    """Return the geometry of a printed edition's cover. Raises TradeFault."""
    binding = binding_of(edition)
    if binding is None:
        raise TradeFault("printer", "no_such_printer")
    return wrap_of(binding, _block(edition, right_to_left))


def page_of(edition: Edition | Target, sheet: Wrap) -> tuple[float, float]:
    """Return the page in inches: the sheet itself, or the larger page of a template with the sheet in its middle."""
    template = edition.template
    if template is None:
        return sheet.width, sheet.height
    return template.width or sheet.width, template.height or sheet.height


def _block(edition: Edition | Target, right_to_left: bool) -> BookBlock:
    template = edition.template
    return BookBlock(
        trim=edition.trim,
        pages=edition.pages,
        paper=edition.paper,
        spine=template.spine if template else None,
        case=template.case if template else CaseMeasures(),
        right_to_left=right_to_left,
    )


def _template_fault(binding: Binding, order: EditionOrder) -> TradeFault | None:
    """Return what is wrong with a template's page: no cover is larger than the page it lies on."""
    if faults(binding, block_of(order)):
        return None
    sheet = sheet_of(order)
    page = page_of(order.edition, sheet)
    if page[0] < sheet.width - 0.001 or page[1] < sheet.height - 0.001:
        return TradeFault("template", "too_small", width=sheet.width, height=sheet.height)
    return None


def _file(order: EditionOrder, kind: FileKind) -> EditionFile:
    stem = stem_of(order.book.title)
    edition = order.edition
    if edition.form in PRINTED:
        maker = _PRINTER_NAMES.get(edition.printer, edition.printer)
        spoken = "" if edition.paper == "template" else f"_{edition.paper.replace('_', '-')}"
        stem += f"_{maker}-{edition.form}_{trim_name(*edition.trim)}_{edition.pages}pp{spoken}"
    match kind:
        case "print":
            return EditionFile(kind=kind, name=f"{stem}.pdf", media_type="application/pdf")
        case "proof":
            return EditionFile(kind=kind, name=f"{stem}_proof.pdf", media_type="application/pdf")
        case "proof_picture":
            return EditionFile(kind=kind, name=f"{stem}_proof.png", media_type="image/png")
        case "layers":
            return EditionFile(kind=kind, name=f"{stem}_layers.ora", media_type="image/openraster")
    if kind in shop_pictures():
        shape = shop_pictures()[kind]
        form = "ebook" if kind == "ebook" else edition.form
        name = f"{stem}_{form}_{shape.width}x{shape.height}.jpg"
        return EditionFile(kind=kind, name=name, media_type="image/jpeg")
    return EditionFile(kind=kind, name=f"{stem}_{kind.replace('_', '-')}.png", media_type="image/png")


def stem_of(title: str) -> str:
    """Return a title as the begin of a file name: letters and digits of any script, parted by hyphens."""
    plain = unicodedata.normalize("NFC", clean(title))
    kept = "".join(char if char.isalnum() or unicodedata.category(char)[0] == "M" else "-" for char in plain)
    return re.sub(r"-+", "-", kept)[:MOST_STEM].strip("-") or "Book"
