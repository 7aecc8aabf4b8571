"""Sets a report on A4: pieces that stay together, one below the other, on as many pages as they need."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from kernel.press.editions.findings import Outcome
from kernel.press.editions.pdf.document import About, text_pdf
from kernel.press.editions.reported import ReportedFile, ReportLine, ReportMade, SetReport
from kernel.press.editions.sheet.manner import reading_face
from kernel.press.editions.sheet.prose import Prose, SetProse, set_prose
from kernel.press.editions.sheet.scene import UPRIGHT, EvenArea, Run, TypePage, runs_of

# Inches; type sizes are inches per em. Tuned by eye on pages.
PAGE: Final = (210 / 25.4, 297 / 25.4)
MARGIN: Final = 0.8
WIDTH: Final = PAGE[0] - 2 * MARGIN
FOOT: Final = PAGE[1] - 0.5  # the baseline of the page number
HEIGHT: Final = PAGE[1] - 2 * MARGIN
TITLE: Final = 21 / 72
HEADING: Final = 11.5 / 72
BODY: Final = 9.5 / 72
SMALL: Final = 8.5 / 72
LEADING: Final = 1.38
LABEL_WIDTH: Final = 1.25
COLUMN: Final = WIDTH / 2 + 0.1
INDENT: Final = 0.24
BESIDE: Final = 0.1
HAIRLINE: Final = 0.007

BOLD: Final = "inter"
NAMES: Final = "sans"
"""Of files: it shows every sign as it is typed, where other faces make a multiplication sign of 6x9."""
SIGNS: Final[dict[Outcome, str]] = {"pass": "✔", "warn": "⚠", "fail": "✖"}
INKS: Final[dict[Outcome, str]] = {"pass": "#1d6b40", "warn": "#8a5300", "fail": "#b3261e"}
"""Each at least 5.5 to 1 on white. A sign and a word say the same."""
INK: Final = "#1b1d21"
GREY: Final = "#55595f"
PALE: Final = "#c9ccd1"


class _Cell(NamedTuple):
    """A text in a row: where it starts, from the side where the language begins, and how wide it may be.

    `free`: its own first letter says which way it runs, not the language. `cut`: it may be parted after hyphens.
    """

    text: str
    start: float
    width: float
    size: float = BODY
    color: str = INK
    bold: bool = False
    free: bool = False
    cut: bool = False
    language: str = ""
    font: str = ""


class _ReportPiece(NamedTuple):
    """What stays together on a page, drawn from its left upper corner. `holds`: it is not the last of a page."""

    height: float
    gap: float
    runs: tuple[Run, ...] = ()
    areas: tuple[EvenArea, ...] = ()
    holds: bool = False


def set_report(order: SetReport) -> ReportMade:
    """Set a report and write it into its folder."""
    pages = paged([*_head(order), *(piece for file in order.files for piece in _file(order, file))])
    sheets = [_sheet(order, placed, number, len(pages)) for number, placed in enumerate(pages, 1)]
    title = f"{order.heading}: {order.title}"
    data = text_pdf(sheets, About(title, order.language, order.right_to_left, order.made))
    path = Path(order.folder) / order.name
    part = path.with_name(f".{order.name}.part")
    part.write_bytes(data)
    os.replace(part, path)
    return ReportMade(size=len(data), pages=len(pages))


def paged(pieces: Sequence[_ReportPiece]) -> list[list[tuple[_ReportPiece, float]]]:
    """Return the pieces of each page with their places from its top."""
    pages: list[list[tuple[_ReportPiece, float]]] = [[]]
    y = 0.0
    for index, piece in enumerate(pieces):
        last = index
        while pieces[last].holds and last + 1 < len(pieces):
            last += 1
        needed = piece.height + sum(one.gap + one.height for one in pieces[index + 1 : last + 1])
        if pages[-1] and y + piece.gap + needed > HEIGHT:
            pages.append([])
        y = y + piece.gap if pages[-1] else 0.0
        pages[-1].append((piece, y))
        y += piece.height
    return pages


def _head(order: SetReport) -> list[_ReportPiece]:
    book = order.book_language
    found = [_row(order, [_Cell(order.heading, 0, WIDTH, HEADING, GREY, bold=True)], 0.0)]
    found.append(_row(order, [_Cell(order.title, 0, WIDTH, TITLE, bold=True, free=True, language=book)], 0.16))
    if order.authors:
        found.append(_row(order, [_Cell(order.authors, 0, WIDTH, HEADING, free=True, language=book)], 0.13))
    found += [
        _row(order, [_Cell(note, 0, WIDTH, BODY, GREY)], 0.12 if index else 0.2)
        for index, note in enumerate(order.notes)
    ]
    return found


def _file(order: SetReport, file: ReportedFile) -> list[_ReportPiece]:
    """Return what is said of a file: its name, the facts in two columns, what is wrong, and what is right."""
    rule = EvenArea(0, 0, WIDTH, HAIRLINE, PALE)
    found = [
        _ReportPiece(HAIRLINE, 0.34, areas=(rule,), holds=True),
        _row(
            order,
            [_Cell(file.name, 0, WIDTH, HEADING, free=True, cut=True, font=NAMES, language=order.book_language)],
            0.17,
        ),
        _row(order, [_Cell(file.purpose, 0, WIDTH, BODY, GREY)], 0.1),
    ]
    for left in range(0, len(file.facts), 2):
        cells = []
        for side, fact in enumerate(file.facts[left : left + 2]):
            start = side * COLUMN
            cells.append(_Cell(fact.label, start, LABEL_WIDTH, SMALL, GREY))
            width = WIDTH / 2 - LABEL_WIDTH - 2 * BESIDE
            cells.append(_Cell(fact.value, start + LABEL_WIDTH + BESIDE, width, SMALL, free=True))
        found.append(_row(order, cells, 0.08 if left else 0.16))
    if not file.lines:
        return [*(piece._replace(holds=True) for piece in found[:-1]), found[-1]]
    found.append(_row(order, [_Cell(file.result, 0, WIDTH, BODY, bold=True)], 0.2))
    found = [piece._replace(holds=True) for piece in found]
    bad = [line for line in file.lines if line.outcome != "pass"]
    good = [line for line in file.lines if line.outcome == "pass"]
    for line in bad:
        found += _bad(order, line)
    for left in range(0, len(good), 2):
        cells = [
            cell
            for side, line in enumerate(good[left : left + 2])
            for cell in _said(order, line, side * COLUMN, WIDTH / 2 - 0.1)
        ]
        found.append(_row(order, cells, 0.16 if not left else 0.075))
    return found


def _bad(order: SetReport, line: ReportLine) -> list[_ReportPiece]:
    """Return an error or a warning: its name, and below it what to do."""
    name = _row(order, _said(order, line, 0.0, WIDTH, bold=True), 0.15)
    if not line.sentence:
        return [name]
    return [name._replace(holds=True), _row(order, [_Cell(line.sentence, INDENT, WIDTH - INDENT)], 0.075)]


def _said(order: SetReport, line: ReportLine, start: float, width: float, *, bold: bool = False) -> list[_Cell]:
    """Return sign, word and name of a finding, one beside the other."""
    color, size = INKS[line.outcome], BODY if bold else SMALL
    word = _Cell(line.word, start + INDENT, width - INDENT, size, color, bold=True)
    at = INDENT + _prose(order, word).text.box.width + BESIDE
    name = _Cell(line.name, start + at, width - at, size, bold=bold)
    return [_Cell(SIGNS[line.outcome], start, INDENT, size, color, font="emoji-b"), word, name]


def _row(order: SetReport, cells: Sequence[_Cell], gap: float) -> _ReportPiece:
    """Return cells on one baseline."""
    made = [(cell, _prose(order, cell)) for cell in cells if cell.text]
    base = max((item.text.rows[0].y for _, item in made if item.text.rows), default=0.0)
    runs: list[Run] = []
    height = 0.0
    for cell, item in made:
        if not item.text.rows:
            continue
        down = base - item.text.rows[0].y
        left = WIDTH - cell.start - cell.width if order.right_to_left else cell.start
        runs += runs_of(item.text, cell.color, cell.color, 1.0, (*UPRIGHT[:4], left, down))
        height = max(height, item.text.rows[-1].y + down)
    return _ReportPiece(height, gap, tuple(runs))


def _prose(order: SetReport, cell: _Cell) -> SetProse:
    """Set a cell; a word that is wider than its place makes all of it smaller."""
    language = cell.language or order.language
    font, voice = reading_face(cell.text if cell.free else order.heading, "sans", language)
    prose = Prose(
        font=cell.font or (BOLD if cell.bold else font),
        size=cell.size,
        voice=voice,
        language=language,
        align="right" if order.right_to_left else "left",
        leading=LEADING,
        base=None if cell.free else "rtl" if order.right_to_left else "ltr",
        cuts="-_" if cell.cut else "",
    )
    item = set_prose(cell.text, cell.width, prose)
    wide = max((row.line.width * row.size for row in item.text.rows), default=0.0)
    if wide <= cell.width:
        return item
    return set_prose(cell.text, cell.width, msgspec.structs.replace(prose, size=prose.size * cell.width / wide))


def _sheet(order: SetReport, placed: Sequence[tuple[_ReportPiece, float]], number: int, count: int) -> TypePage:
    words = order.page_words.replace("{pages}", str(count)).replace("{page}", str(number))
    foot = _row(order, [_Cell(words, 0, WIDTH, SMALL, GREY)], 0.0)
    runs: list[Run] = []
    areas: list[EvenArea] = []
    for piece, y in [*((piece, MARGIN + y) for piece, y in placed), (foot, FOOT - foot.height)]:
        for run in piece.runs:
            a, b, c, d, e, f = run.matrix
            runs.append(run._replace(matrix=(a, b, c, d, e + MARGIN, f + y)))
        areas += [area._replace(x=area.x + MARGIN, y=area.y + y) for area in piece.areas]
    return TypePage(width=PAGE[0], height=PAGE[1], areas=tuple(areas), runs=tuple(runs))
