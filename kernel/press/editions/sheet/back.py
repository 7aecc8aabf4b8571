"""The back: tagline, quote, blurb, about the author beside a picture; barcode, publisher and price at its foot."""

from typing import Final, NamedTuple

from kernel.press.bidi import base_direction
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
PICTURE: Final = 0.32  # of the texts' width
PICTURE_ALONE: Final = 0.42  # of it, where no text stands beside the picture
MOST_PICTURE: Final = 2.2  # inches of height
BESIDE_PICTURE: Final = 0.18
BELOW_NAME: Final = GAP * 0.55


class Shapes(NamedTuple):
    """Width to height of the pictures that a book has of its own; None where it has none."""

    mark: float | None = None
    picture: float | None = None


class BackType(NamedTuple):
    """What stands on a back: type, even areas, whether all of its texts have room; the places of mark and picture."""

    runs: tuple[Run, ...]
    areas: tuple[EvenArea, ...]
    fits: bool
    mark: SheetBox | None
    picture: SheetBox | None


class _Text(NamedTuple):
    """Set paragraphs and their place in a passage."""

    made: SetProse
    color: str
    x: float = 0.0
    y: float = 0.0


class _Passage(NamedTuple):
    """Texts that stand together, and the picture beside them, from the left upper corner of their box.

    `gap` is what is above the passage.
    """

    texts: tuple[_Text, ...]
    height: float
    gap: float
    picture: SheetBox | None = None


def place_of_text(sheet: Wrap) -> SheetBox:
    """Return where the texts may stand: above the barcode."""
    safe = sheet.back_safe.inside(MARGIN)
    return SheetBox(safe.x, safe.y, safe.width, sheet.barcode.y - ABOVE_BARCODE - safe.y)


def back_type(book: Book, edition: Edition, sheet: Wrap, manners: Manners, shapes: Shapes = Shapes()) -> BackType:
    """Set the back. Raises IsbnFault for an ISBN that is none."""
    runs, fits, picture = _texts(book, sheet, manners, shapes.picture)
    foot, plates, mark = _foot(book, edition, sheet, manners, shapes.mark)
    return BackType((*runs, *foot), tuple(plates), fits, mark, picture)


def _texts(book: Book, sheet: Wrap, manners: Manners, shape: float | None) -> tuple[list[Run], bool, SheetBox | None]:
    place = place_of_text(sheet)
    passages: list[_Passage] = []
    high = 0.0
    for share in SIZES:
        passages = _passages(book, manners, place.width, share, shape)
        high = sum(passage.height for passage in passages) + sum(passage.gap for passage in passages[1:])
        if high <= place.height:
            break
    runs: list[Run] = []
    picture = None
    spare = max(0.0, place.height - high)
    y = place.y + min(MOST_DROP, spare * DROPPED)
    wider = 1 + min(MOST_AIR, spare / place.height)
    for index, passage in enumerate(passages):
        y += passage.gap * wider if index else 0.0
        for text in passage.texts:
            matrix = (*UPRIGHT[:4], place.x + text.x, y + text.y)
            runs += runs_of(text.made.text, text.color, text.color, 1.0, matrix)
        if box := passage.picture:
            picture = SheetBox(place.x + box.x, y + box.y, box.width, box.height)
        y += passage.height
    return runs, high <= place.height, picture


def _passages(book: Book, manners: Manners, width: float, share: float, shape: float | None) -> list[_Passage]:
    """Return what stands above the barcode from head to foot, at a share of its size."""
    passages: list[_Passage] = []
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
        made = set_prose(tagline, width, head)
        passages.append(_Passage((_Text(made, manners.accent),), made.height, GAP * share))
    body = BODY * share
    for text, size, color in ((book.quote, body * 1.04, manners.accent), (book.blurb, body, manners.ink)):
        if clean(text):
            made = set_prose(text, width, _reading(text, size, manners))
            passages.append(_Passage((_Text(made, color),), made.height, GAP * 1.1 * share))
    if clean(book.about) or shape:
        passages.append(_about(book, manners, width, share, shape))
    return passages


def _about(book: Book, manners: Manners, width: float, share: float, shape: float | None) -> _Passage:
    """Return the text about the author beside the picture, which stands where reading begins."""
    text = book.about if clean(book.about) else ""
    rtl = base_direction(text) == "rtl" if text else book.right_to_left
    box, taken = None, 0.0
    if shape:
        wide = min(width * (PICTURE if text else PICTURE_ALONE), MOST_PICTURE * shape) * share
        box = SheetBox(width - wide if rtl else 0.0, 0.0, wide, wide / shape)
        taken = wide + BESIDE_PICTURE
    texts: list[_Text] = []
    y = 0.0
    if text:
        x = 0.0 if rtl else taken
        size = BODY * share * ABOUT_SHARE
        if book.authors:
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
            made = set_prose(name, width - taken, label)
            texts.append(_Text(made, manners.accent, x))
            y = made.height + BELOW_NAME * share
        made = set_prose(text, width - taken, _reading(text, size, manners))
        texts.append(_Text(made, manners.ink, x, y))
        y += made.height
    return _Passage(tuple(texts), max(y, box.height if box else 0.0), GAP * 1.3 * share, box)


def _reading(text: str, size: float, manners: Manners) -> Prose:
    """Return how a text that is to be read is set; `size` is that of Latin type."""
    font, voice = manners.reading_face(text)
    return Prose(font=font, size=size * _grown(text), voice=voice, language=manners.language)


def _grown(text: str) -> float:
    return GROWN.get(text_script(text), 0.94 if text_script(text) not in CASED else 1.0)


def _foot(
    book: Book, edition: Edition, sheet: Wrap, manners: Manners, shape: float | None
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
    if shape and width >= LEAST_FOOT:
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
