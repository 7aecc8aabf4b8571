"""Reads a PDF's structure with pypdf: everything but what is drawn."""

import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeVar

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, RectangleObject

from kernel.press.trade.geometry import SheetBox

T = TypeVar("T")
POINTS: Final = 72.0
BROKEN: Final = (
    PyPdfError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RecursionError,
    ArithmeticError,
    NotImplementedError,
    AssertionError,
    zlib.error,
)
"""What a reader may raise on a hostile file."""
MOST_FONTS: Final = 500
DEEPEST: Final = 6
_SCRIPTED: Final = ("/JS", "/JavaScript", "/Launch", "/OpenAction", "/AA")
_STANDARD: Final = "/FontFile /FontFile2 /FontFile3"


class Structure(NamedTuple):
    """What `PdfFacts` has of these names."""

    version: str
    pages: int
    media: SheetBox
    crop: SheetBox
    trim: SheetBox | None
    rotated: int
    metadata: tuple[str, ...]
    annotations: tuple[SheetBox, ...]
    bookmarks: int
    layers: int
    scripts: bool
    attachments: bool
    fields: bool
    unembedded: tuple[str, ...]
    fonts: int
    pdfx: str
    conformance: str
    trapped: bool
    intent: str


def held(value: Any) -> Any:
    """Return what a reference points to."""
    for _ in range(DEEPEST):
        if not isinstance(value, IndirectObject):
            return value
        value = value.get_object()
    return value


def tried(work: Callable[[], T], otherwise: T) -> T:
    """Return what is read, or the other value where the file is broken there."""
    try:
        return work()
    except BROKEN:
        return otherwise


def structure_of(reader: PdfReader) -> Structure:
    """Return the structure. Raises what BROKEN names where there is no first page."""
    page = reader.pages[0]
    root = held(reader.trailer["/Root"])
    nothing: Any = {}
    info = tried(lambda: held(reader.trailer.get("/Info")) or nothing, nothing)
    media = page.mediabox
    unit = tried(lambda: float(page.get("/UserUnit", 1.0)), 1.0) / POINTS
    no_fonts: list[tuple[str, bool]] = []
    fonts = tried(lambda: list(_fonts(page)), no_fonts)
    names = tried(lambda: held(root.get("/Names")) or nothing, nothing)
    return Structure(
        version=tried(lambda: reader.pdf_header.removeprefix("%PDF-")[:3], ""),
        pages=tried(lambda: len(reader.pages), 0),
        media=SheetBox(0, 0, float(media.width) * unit, float(media.height) * unit),
        crop=_box(page.cropbox, media, unit),
        trim=_box(page.trimbox, media, unit) if "/TrimBox" in page else None,
        rotated=tried(lambda: int(page.get("/Rotate", 0) or 0) % 360, 0),
        metadata=tried(lambda: _metadata(info, root), ()),
        annotations=tried(lambda: _annotations(page, media, unit), ()),
        bookmarks=tried(lambda: int((held(root.get("/Outlines")) or {}).get("/Count", 0) or 0), 0),
        layers=tried(lambda: len(held((held(root.get("/OCProperties")) or {}).get("/OCGs")) or []), 0),
        scripts=tried(lambda: any(key in root for key in _SCRIPTED) or "/JavaScript" in names or "/AA" in page, False),
        attachments=tried(lambda: "/EmbeddedFiles" in names or "/AF" in root, False),
        fields=tried(lambda: bool(held((held(root.get("/AcroForm")) or {}).get("/Fields"))), False),
        unembedded=tuple(sorted({name for name, embedded in fonts if not embedded})),
        fonts=len(fonts),
        pdfx=_said(info, "/GTS_PDFXVersion"),
        conformance=_said(info, "/GTS_PDFXConformance"),
        trapped=_said(info, "/Trapped") in ("/True", "/False"),
        intent=tried(lambda: _intent(root), ""),
    )


def _said(info: Any, key: str) -> str:
    return tried(lambda: str(held(info.get(key)) or ""), "")


def _box(box: RectangleObject, media: RectangleObject, unit: float) -> SheetBox:
    left, top = float(box.left) - float(media.left), float(media.top) - float(box.top)
    return SheetBox(left * unit, top * unit, float(box.width) * unit, float(box.height) * unit)


def _metadata(info: Any, root: Any) -> tuple[str, ...]:
    found = [str(key).removeprefix("/") for key in info]
    if "/Metadata" in root:
        found.append("XMP")
    return tuple(sorted(found))


def _annotations(page: PageObject, media: RectangleObject, unit: float) -> tuple[SheetBox, ...]:
    found = []
    for item in held(page.get("/Annots")) or []:
        rectangle = held(held(item).get("/Rect")) or (0, 0, 0, 0)
        found.append(_box(RectangleObject(tuple(float(held(side)) for side in rectangle)), media, unit))
    return tuple(found)


def _intent(root: Any) -> str:
    for item in held(root.get("/OutputIntents")) or []:
        intent = held(item)
        if str(intent.get("/S")) == "/GTS_PDFX":
            return str(held(intent.get("/OutputConditionIdentifier")) or "")
    return ""


def resources_of(holder: Any) -> DictionaryObject:
    """Return the resources of a page or form, empty where there are none."""
    found = held(holder.get("/Resources"))
    return found if isinstance(found, DictionaryObject) else DictionaryObject()


def _fonts(page: PageObject) -> Iterator[tuple[str, bool]]:
    seen: set[int] = set()
    waiting: list[tuple[Any, int]] = [(page, 0)]
    count = 0
    while waiting:
        holder, depth = waiting.pop()
        resources = tried(lambda holder=holder: resources_of(holder), DictionaryObject())  # type: ignore[misc]
        for font in (held(resources.get("/Font")) or {}).values():
            count += 1
            if count > MOST_FONTS:
                return
            yield tried(lambda font=font: _font(held(font)), ("?", False))  # type: ignore[misc]
        for item in (held(resources.get("/XObject")) or {}).values():
            inner = held(item)
            if str(inner.get("/Subtype")) == "/Form" and depth < DEEPEST and id(inner) not in seen:
                seen.add(id(inner))
                waiting.append((inner, depth + 1))


def _font(font: Any) -> tuple[str, bool]:
    name = str(font.get("/BaseFont", "?")).removeprefix("/")
    kind = str(font.get("/Subtype"))
    if kind == "/Type3":
        return name, True
    if kind == "/Type0":
        inner = held(font.get("/DescendantFonts"))
        font = held(inner[0]) if isinstance(inner, ArrayObject) and inner else {}
    descriptor = held(font.get("/FontDescriptor")) or {}
    return name, any(key in descriptor for key in _STANDARD.split())
