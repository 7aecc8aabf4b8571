"""Type on the spine: number, author, title and the publisher's mark, the way the book's language reads it."""

from typing import Final, NamedTuple

import msgspec

from kernel.press.box import EMPTY, Box
from kernel.press.editions.order import Book, SpineReading
from kernel.press.editions.sheet.manner import Manners
from kernel.press.editions.sheet.scene import Matrix, Run, runs_of, type_box
from kernel.press.editions.sheet.vertical import Column, column, is_column
from kernel.press.layout import layout
from kernel.press.scripts import CASED, clean, text_script
from kernel.press.shaping import Voicing
from kernel.press.style import Align, TypeStyle
from kernel.press.trade.geometry import SheetBox

UNIT: Final = 300.0  # type is set in pixels of so many to the inch
UP: Final = frozenset({"fr", "es", "it", "ru"})
"""Languages whose spines are read from foot to head: French, Spanish and Italian trade custom, GOST 7.84 for Russian.

From head to foot: English, German (DIN ISO 6357), Portuguese (NBR 12225) and all others.
"""
FILLED: Final = 0.92  # of the width that the printer allows
MOST_TITLE: Final = 0.46  # inches per em; on thick books a spine is not shouted at
MOST_AUTHOR: Final = 0.24
MOST_PUBLISHER: Final = 0.12
AUTHOR_SHARE: Final = 0.6  # of the title's em
AUTHOR_ROOM: Final = 0.36  # of the spine's length
LEAST: Final = 6 / 72  # inches per em; smaller type is not printed well
THINNEST: Final = 0.06  # inches of place: thinner type cannot be read
TWO_LINES: Final = 0.5  # inches of width from which a long title may have two lines
GAP: Final = 0.3
END: Final = 0.12
NUMBER_SHARE: Final = 0.85
MARK: Final = 0.5
LEAST_MARK: Final = 0.14  # inches of width: a smaller mark is a blot
MARK_HEIGHT: Final = 0.9


class SpineType(NamedTuple):
    """What stands on a spine: type, the place of the mark (None without one), why there is no type, and where the ink
    of the author's name is.
    """

    runs: tuple[Run, ...]
    mark: SheetBox | None
    missing: str
    author: Box = EMPTY


def reading_of(book: Book, wished: SpineReading) -> SpineReading:
    """Return which way type runs."""
    if wished != "language":
        return wished
    if is_column(book.title, book.language):
        return "upright"
    return "up" if book.language[:2] in UP else "down"


def spine_type(
    book: Book, place: SheetBox, manners: Manners, wished: SpineReading, shape: float | None = None
) -> SpineType:
    """Set the spine into the place that the printer allows. `shape` is width to height of the mark, if there is one."""
    if place.width < THINNEST:
        return SpineType((), None, "width")
    spine = _Spine(book, place, manners, reading_of(book, wished))
    mark = spine.mark(shape) if shape and place.width >= LEAST_MARK else None
    if not mark:
        spine.publisher()
    spine.number()
    spine.names()
    return SpineType(tuple(spine.runs), mark, "", spine.author)


class _Spine:
    """Sets one text after the other into what is left between `head` and `foot`."""

    def __init__(self, book: Book, place: SheetBox, manners: Manners, reading: SpineReading) -> None:
        self._book, self._manners, self._reading = book, manners, reading
        self._wide = place.width * FILLED
        self._middle = place.x + place.width / 2
        self._place = place
        self._head, self._foot = place.y + END, place.y + place.height - END
        self.runs: list[Run] = []
        self.author = EMPTY

    def mark(self, shape: float) -> SheetBox:
        """Return the place of the mark, at the foot.

        What follows it is as high on every volume of a series, however thick: as above the largest mark.
        """
        most = min(MARK, MARK_HEIGHT * shape)
        width = min(self._place.width, most)
        height = width / shape
        box = SheetBox(self._middle - width / 2, self._foot - height, width, height)
        self._foot -= most / shape + GAP
        return box

    def publisher(self) -> None:
        """Set the publisher's name at the foot."""
        name = clean(self._book.publisher)
        size = min(MOST_PUBLISHER, self._wide * AUTHOR_SHARE)  # a thin spine has none: it would shout
        if not name or size < LEAST:
            return
        if self._reading == "upright" and is_column(name, self._book.language):
            made = self._column(name, self._manners.small, size, self._manners.ink)
            self._take(made.runs, self._foot - made.length)
            self._foot -= made.length + GAP
            return
        room = (self._foot - self._head) * 0.25
        self._foot = self._along(name, self._manners.small, size, self._foot - room, self._foot, "foot").top - GAP

    def number(self) -> None:
        """Set the volume's number upright at the head. What follows it is as high on every volume, however thick."""
        number = clean(self._book.number)
        if not number:
            return
        most = min(MOST_TITLE, self._wide) * NUMBER_SHARE
        style = msgspec.structs.replace(self._style(self._manners.author, most), max_lines=1)
        text = layout(number, (0, 0, self._wide * UNIT, most * 1.3 * UNIT), style, "top")
        matrix = (1.0, 0.0, 0.0, 1.0, self._middle - self._wide / 2, self._head)
        made = runs_of(text, self._manners.accent, self._manners.accent, 1 / UNIT, matrix)
        if made:
            self.runs += made
            self._head = max(type_box(made).bottom, self._head + MOST_TITLE * NUMBER_SHARE) + GAP

    def names(self) -> None:
        """Set author and title: the author where reading begins, the title in the middle of the rest."""
        author = ", ".join(name for part in self._book.authors if (name := clean(part)))
        title, room = clean(self._book.title), self._foot - self._head
        if room <= 4 * LEAST:
            return
        if self._reading == "upright":
            self._columns(title, author)
            return
        size = min(MOST_TITLE, self._wide * (1.16 if text_script(title) in CASED else 1.0))
        if author:
            small = max(LEAST, min(size * AUTHOR_SHARE, MOST_AUTHOR))
            share = room * AUTHOR_ROOM
            if self._reading == "up":
                box = self._along(author, self._manners.author, small, self._foot - share, self._foot, "foot")
                self._foot = box.top - GAP if box.height else self._foot
            else:
                box = self._along(author, self._manners.author, small, self._head, self._head + share, "head")
                self._head = box.bottom + GAP if box.height else self._head
            self.author = box
        self._along(title, self._manners.title, size, self._head, self._foot, "middle", self._manners.accent)

    def _along(
        self, text: str, manner: TypeStyle, size: float, top: float, bottom: float, at: str, color: str = ""
    ) -> Box:
        """Set one line, or two on a thick book, between two heights; return the box of its ink."""
        up = self._reading == "up"
        # right-to-left type that begins at the head has its letters' heads on the left, where its front is
        left_heads = up != self._manners.rtl
        begins: Align = "left" if left_heads == (at == "foot") else "right"
        lines = 2 if self._wide >= TWO_LINES and at == "middle" else 1
        style = msgspec.structs.replace(
            self._style(manner, size), align="center" if at == "middle" else begins, max_lines=lines
        )
        block = layout(text, (0, 0, (bottom - top) * UNIT, self._wide * UNIT), style, "middle")
        half = self._wide / 2
        matrix: Matrix = (
            (0.0, -1.0, 1.0, 0.0, self._middle - half, bottom)
            if left_heads
            else (0.0, 1.0, -1.0, 0.0, self._middle + half, top)
        )
        ink = color or self._manners.ink
        made = runs_of(block, ink, ink, 1 / UNIT, matrix)
        box = type_box(made)
        if at == "middle":  # of the spine itself, as far as its neighbors allow
            wished = self._place.y + (self._place.height - box.height) / 2
            down = min(max(wished, top), max(top, bottom - box.height)) - box.top
            made = [run._replace(matrix=(*run.matrix[:5], run.matrix[5] + down)) for run in made]
        self.runs += made
        return box

    def _columns(self, title: str, author: str) -> None:
        """Set title and author upright: the title from the head, the author towards the foot."""
        room = self._foot - self._head
        size = min(MOST_TITLE, self._wide)
        share = room * (0.62 if author else 1.0)
        name = self._column(title, self._manners.title, size, self._manners.accent)
        if name.length > share:
            size *= share / name.length
            name = self._column(title, self._manners.title, size, self._manners.accent)
        self._take(name.runs, self._head)
        if not author:
            return
        small = max(LEAST, min(size * 0.66, self._wide))
        by = self._column(author, self._manners.author, small, self._manners.ink)
        left = room - name.length - GAP
        if by.length > left:
            by = self._column(author, self._manners.author, small * left / by.length, self._manners.ink)
        written = len(self.runs)
        self._take(by.runs, self._foot - by.length)
        self.author = type_box(self.runs[written:])

    def _column(self, text: str, manner: TypeStyle, size: float, color: str) -> Column:
        return column(text, Voicing(font=manner.font, voice=manner.voice, language=self._manners.language), size, color)

    def _take(self, runs: tuple[Run, ...], y: float) -> None:
        for run in runs:
            a, b, c, d, e, f = run.matrix
            self.runs.append(run._replace(matrix=(a, b, c, d, e + self._middle, f + y)))

    def _style(self, manner: TypeStyle, size: float) -> TypeStyle:
        return msgspec.structs.replace(
            manner,
            max_size=size * UNIT,
            mode="fit",
            rules=False,
            language=self._manners.language,
            leading=min(manner.leading, 1.3),
        )
