"""The back: tagline, blurb, about the author, a quote; barcode, publisher and price at its foot."""

from typing import Final, NamedTuple

from kernel.press.editions.isbn import checked_isbn
from kernel.press.editions.order import Book, Edition
from kernel.press.editions.sheet.barcode import drawn_barcode
from kernel.press.editions.sheet.manner import Manners
from kernel.press.editions.sheet.prose import Prose, SetProse, set_prose
from kernel.press.editions.sheet.scene import UPRIGHT, EvenArea, Run, runs_of, type_box
from kernel.press.scripts import CASED, clean, text_script
from kernel.press.style import Align
from kernel.press.trade.geometry import SheetBox, Wrap

# Inches; type sizes are inches per em. Tuned by eye on sheets.
MARGIN: Final = 0.32  # inside of the safe area: designed type ends before it must
HEADLINE: Final = 20 / 72
BODY: Final = 11.6 / 72
ABOUT_SHARE: Final = 0.86
GROWN: Final[dict[str, float]] = {"arabic": 1.24, "devanagari": 1.12, "hebrew": 1.12}
"""How much larger type for reading is in scripts that look small."""
SIZES: Final = (1.22, 1.15, 1.08, 1.0, 0.94, 0.88, 0.82, 0.77, 0.72, 0.67, 0.62, 0.56, 0.5)
GAP: Final = 0.24
ABOVE_BARCODE: Final = 0.22
LABEL: Final = 9 / 72
DROPPED: Final = 0.12  # of the height that short texts leave: they begin lower
MOST_DROP: Final = 0.4
MOST_AIR: Final = 0.5
ABOVE_FOOT: Final = 0.05
BESIDE: Final = 0.2  # between the barcode and what stands beside it
LEAST_FOOT: Final = 0.5  # inches of width for what stands beside it
MARK_HEIGHT: Final = 0.42
MOST_MARK: Final = 0.42  # of the width beside the barcode
BESIDE_MARK: Final = 0.12


class BackType(NamedTuple):
    """What stands on a back: type, even areas, whether all of its texts have room, and the place of the mark."""

    runs: tuple[Run, ...]
    areas: tuple[EvenArea, ...]
    fits: bool
    mark: SheetBox | None


class _Part(NamedTuple):
    text: str
    prose: Prose
    color: str
    gap: float


def place_of_text(sheet: Wrap) -> SheetBox:
    """Return where the texts may stand: above the barcode."""
    safe = sheet.back_safe.inside(MARGIN)
    return SheetBox(safe.x, safe.y, safe.width, sheet.barcode.y - ABOVE_BARCODE - safe.y)


def back_type(book: Book, edition: Edition, sheet: Wrap, manners: Manners, shape: float = 1.0) -> BackType:
    """Set the back. `shape` is width to height of the mark. Raises IsbnFault for an ISBN that is none."""
    runs, fits = _texts(book, sheet, manners)
    foot, plates, mark = _foot(book, edition, sheet, manners, shape)
    return BackType((*runs, *foot), tuple(plates), fits, mark)


def _texts(book: Book, sheet: Wrap, manners: Manners) -> tuple[list[Run], bool]:
    place = place_of_text(sheet)
    parts: list[_Part] = []
    made: list[SetProse] = []
    fits = False
    for share in SIZES:
        parts = _parts(book, manners, share)
        made = [set_prose(part.text, place.width, part.prose) for part in parts]
        high = sum(item.height for item in made) + sum(part.gap * share for part in parts[1:])
        fits = high <= place.height
        if fits:
            break
    runs: list[Run] = []
    spare = max(0.0, place.height - sum(item.height for item in made) - sum(part.gap * share for part in parts[1:]))
    y = place.y + min(MOST_DROP, spare * DROPPED)
    wider = 1 + min(MOST_AIR, spare / place.height)
    for index, (part, item) in enumerate(zip(parts, made, strict=True)):
        y += part.gap * share * wider if index else 0.0
        runs += runs_of(item.text, part.color, part.color, 1.0, (*UPRIGHT[:4], place.x, y))
        y += item.height
    return runs, fits


def _parts(book: Book, manners: Manners, share: float) -> list[_Part]:
    """Return the texts from head to foot, at a share of their size."""
    parts: list[_Part] = []
    if tagline := clean(book.tagline):
        style = manners.title
        large = HEADLINE * _grown(tagline) * (0.92 if style.case == "upper" else 1.0)
        head = Prose(
            font=style.font,
            size=large * min(1.0, share * 1.1),
            voice=style.voice,
            language=manners.language,
            case=style.case,
            track=style.track,
            leading=1.2,
        )
        parts.append(_Part(tagline, head, manners.accent, GAP))
    body = BODY * share
    for text, size, gap, color in (
        (book.quote, body * 1.04, GAP * 1.1, manners.accent),
        (book.blurb, body, GAP * 1.1, manners.ink),
        (book.about, body * ABOUT_SHARE, GAP * 1.3, manners.ink),
    ):
        if not clean(text):
            continue
        font, voice = manners.reading_face(text)
        prose = Prose(font=font, size=size * _grown(text), voice=voice, language=manners.language)
        if text is book.about and book.authors:
            name = ", ".join(clean(author) for author in book.authors)
            style = manners.author
            label = Prose(
                font=style.font,
                size=size * _grown(name) * 0.98,
                voice=style.voice,
                language=manners.language,
                case=style.case,
                track=min(style.track, 0.12),
            )
            parts.append(_Part(name, label, manners.accent, gap))
            gap = GAP * 0.55
        parts.append(_Part(text, prose, color, gap))
    return parts


def _grown(text: str) -> float:
    return GROWN.get(text_script(text), 0.94 if text_script(text) not in CASED else 1.0)


def _foot(
    book: Book, edition: Edition, sheet: Wrap, manners: Manners, shape: float
) -> tuple[list[Run], list[EvenArea], SheetBox | None]:
    """Set barcode, or the printer's place for it, and beside it the mark, series, publisher and price."""
    place = sheet.barcode
    price = clean(edition.price)
    runs: list[Run] = []
    areas = [EvenArea(place.x, place.y, place.width, place.height, "#ffffff")]
    if edition.isbn.strip() and edition.barcode == "ours":
        areas, runs = drawn_barcode(checked_isbn(edition.isbn), place, price)
        price = ""
    safe = sheet.back_safe.inside(MARGIN)
    left_free = place.x - BESIDE - safe.x
    right_free = safe.x + safe.width - place.x - place.width - BESIDE
    on_left = left_free > right_free
    x = safe.x if on_left else place.x + place.width + BESIDE
    width = max(left_free, right_free)
    series = " · ".join(part for part in (clean(book.series), clean(book.number)) if part)
    lines = [line for line in (series, clean(book.publisher), price) if line]
    foot = place.y + place.height - ABOVE_FOOT
    mark = None
    if book.mark and width >= LEAST_FOOT:
        mark = _mark_place(shape, x, width, foot, on_left=on_left)
        width -= mark.width + BESIDE_MARK
        x += mark.width + BESIDE_MARK if on_left else 0.0
    if not lines or width < LEAST_FOOT:
        return runs, areas, mark
    style = manners.small
    made: list[Run] = []
    y = 0.0
    for line in lines:
        font, voice = (style.font, style.voice) if text_script(line) in CASED else manners.reading_face(line)
        align: Align = "left" if on_left else "right"
        prose = Prose(font=font, size=LABEL * _grown(line), voice=voice, language=manners.language, align=align)
        item = set_prose(line, width, prose)
        made += runs_of(item.text, manners.ink, manners.ink, 1.0, (*UPRIGHT[:4], x, y))
        y += item.height + LABEL * 0.7
    down = foot - type_box(made).bottom
    runs += [run._replace(matrix=(*run.matrix[:5], run.matrix[5] + down)) for run in made]
    return runs, areas, mark


def _mark_place(shape: float, x: float, width: float, foot: float, *, on_left: bool) -> SheetBox:
    """Return the place of the mark: at the outer side, on the line on which the texts beside it end."""
    high = min(MARK_HEIGHT, MOST_MARK * width / shape)
    wide = high * shape
    return SheetBox(x if on_left else x + width - wide, foot - high, wide, high)
