"""Paragraphs: the blurb on a back cover, set line by line in one size with even rags."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from kernel.press.bidi import Direction, base_direction
from kernel.press.block import TextBlock, TextRow
from kernel.press.breaking import Token, joined, parted, tokens
from kernel.press.catalogue import Voice
from kernel.press.fonts import face_covering
from kernel.press.scripts import CASED, IDEOGRAPHIC, TALL, clean, text_script
from kernel.press.shaping import Line, Voicing, cased, shape
from kernel.press.style import Align, Case

LEADING: Final = 1.42
TALL_LEADING: Final = 1.62  # marks above and below
IDEOGRAPHIC_LEADING: Final = 1.7
BETWEEN: Final = 0.62  # of a line, between paragraphs
RAG: Final = 1.0
LAST_SHORT: Final = 0.25  # a last line of less than this share of the measure costs as much as a ragged line
MOST_TOKENS: Final = 1200


class Prose(msgspec.Struct, frozen=True, kw_only=True):
    """How a text is set: face, size in inches per em, alignment (None: where its script begins).

    `base` is the direction of its lines, None for that of its first letter. After the signs of `cuts` words may be
    parted, which file names need.
    """

    font: str
    size: float
    voice: Voice = "serif"
    language: str = ""
    align: Align | None = None
    case: Case = "typed"
    track: float = 0.0
    leading: float = LEADING
    base: Direction | None = None
    cuts: str = ""


class SetProse(NamedTuple):
    """Set paragraphs: rows in inches from the left upper corner of their box, and how high they are."""

    text: TextBlock
    height: float


def set_prose(text: str, width: float, prose: Prose) -> SetProse:
    """Set paragraphs, parted by line feeds, into a measure of `width` inches."""
    rows: list[TextRow] = []
    missing = ""
    y = 0.0
    paragraphs = [kept for part in text.split("\n") if (kept := clean(part))]
    for index, paragraph in enumerate(paragraphs):
        lines = _lines(paragraph, width, prose)
        lead = _leading(paragraph, prose) * prose.size
        if index:
            y += BETWEEN * lead
        right = (prose.align or _side(paragraph, prose)) == "right"
        for number, line in enumerate(lines):
            rise = line.cap * prose.size if not rows else lead
            y += rise
            free = width - line.width * prose.size
            x = free if right else free / 2 if prose.align == "center" else 0.0
            rows.append(TextRow(line, x, y, prose.size))
            missing += "".join(char for char in line.missing if char not in missing)
            del number
    block = TextBlock(text=text, rows=tuple(rows), align=prose.align or "left", missing=missing)
    return SetProse(block, max(y, block.box.bottom) if rows else 0.0)


def _side(paragraph: str, prose: Prose) -> Align:
    return "right" if (prose.base or base_direction(paragraph)) == "rtl" else "left"


def _leading(paragraph: str, prose: Prose) -> float:
    script = text_script(paragraph, prose.language)
    if script in TALL:
        return max(TALL_LEADING, prose.leading)
    return max(IDEOGRAPHIC_LEADING, prose.leading) if script in IDEOGRAPHIC else prose.leading


def _lines(paragraph: str, width: float, prose: Prose) -> list[Line]:
    script = text_script(paragraph, prose.language)
    font = prose.font
    if script in CASED:
        paragraph = cased(paragraph, prose.case, font, prose.language)
        font = face_covering(paragraph, font, prose.voice, script)
    voicing = Voicing(
        font=font,
        voice=prose.voice,
        track=prose.track,
        language=prose.language,
        base=prose.base or base_direction(paragraph),
        script=script,
    )
    words = parted(tokens(paragraph, script, prose.language), prose.cuts)
    measure = width / prose.size
    widths = [_advance(word.text, voicing) for word in words]
    space = _advance("a a", voicing) - 2 * _advance("a", voicing) if script in CASED else _advance(" ", voicing)
    space = space or 0.27
    ends = (
        _broken(words, widths, space, measure) if len(words) <= MOST_TOKENS else _filled(words, widths, space, measure)
    )
    found = []
    start = 0
    for end in ends:
        found.append(shape(joined(words[start:end]), voicing))
        start = end
    return [line for line in found if line.width > 0]


def _advance(text: str, voicing: Voicing) -> float:
    """Return how far a text moves the pen, about: its ink and the usual sides."""
    line = shape(text, voicing)
    last = 0.0
    for run in line.runs:
        for glyph, x in zip(run.ids, run.xs, strict=True):
            last = max(last, x + run.face.shaper.get_glyph_h_advance(glyph) / run.face.upem)
    return last


def _gap(word: Token, space: float) -> float:
    return space if word.gap == " " else 0.0


def _broken(words: Sequence[Token], widths: Sequence[float], space: float, measure: float) -> list[int]:
    """Return the ends of the lines with the least rag: the sum of the squares of what lines lack."""
    count = len(words)
    best: list[tuple[float, int]] = [(0.0, 0)] + [(float("inf"), 0)] * count
    for start in range(count):
        if best[start][0] == float("inf"):
            continue
        wide = 0.0
        for end in range(start + 1, count + 1):
            wide += widths[end - 1] + (_gap(words[end - 1], space) if end - 1 > start else 0.0)
            if wide > measure and end > start + 1:
                break
            lack = max(0.0, measure - wide) / measure
            cost = 0.0 if end == count else RAG * lack * lack
            if end == count and wide < LAST_SHORT * measure and start:
                cost = RAG * 0.1
            if end < count:
                cost += words[end].cost * 0.5
            if wide > measure:
                cost += 100.0  # one word that is longer than the line
            if best[start][0] + cost < best[end][0]:
                best[end] = (best[start][0] + cost, start)
    ends = [count]
    while best[ends[-1]][1]:
        ends.append(best[ends[-1]][1])
    return ends[::-1]


def _filled(words: Sequence[Token], widths: Sequence[float], space: float, measure: float) -> list[int]:
    """Return the ends of lines that are filled one after the other."""
    ends: list[int] = []
    wide, start = 0.0, 0
    for index, width in enumerate(widths):
        more = width + (_gap(words[index], space) if index > start else 0.0)
        if index > start and wide + more > measure:
            ends.append(index)
            start, wide = index, width
        else:
            wide += more
    return [*ends, len(words)]
