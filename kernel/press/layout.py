"""Fits a title into a box: tries the line breaks, takes the largest well-balanced setting, positions it by its ink."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from kernel.press.bidi import base_direction
from kernel.press.block import Rule, TextBlock, TextRow
from kernel.press.breaking import PROSE, Token, breaks, is_function_word, joined, tokens
from kernel.press.catalogue import CAPITAL_FACES
from kernel.press.fonts import face, face_covering
from kernel.press.scripts import CASED, IDEOGRAPHIC, TALL, Script, clean, text_script, upper
from kernel.press.shaping import Line, Voicing, cased, shape
from kernel.press.style import TypeStyle, Valign

# Tuned by eye on sheets of sample covers: shares of the score, sizes in ems of the large lines.
HANGING_WORD: Final = 0.16  # a line that ends in a function word
STRANDED_WORD: Final = 0.08  # a last line of one short word
SENSE_BREAK: Final = 0.07  # bonus where a line ends with a mark at which the reader pauses anyway
RAGGED: Final = 0.16
PER_LINE: Final = 0.02
SMALL_CAPITALS: Final = 0.36
SMALL_LETTERS: Final = 0.46
SMALLEST: Final = 0.036  # of the width of the box; smaller words are unreadable on a thumbnail
PAST_BEST: Final = 0.85  # prose is tried in more and more lines; from here on it only gets smaller
TOO_SMALL: Final = 0.3
SMALL_GAP: Final = 0.34  # of a capital, above and below a small line
STACK_GAP: Final = 0.13
STACK_RATIO: Final = 3.4  # largest to smallest line of a stack before it looks like two texts
CLEAR: Final = 0.035  # minimum distance in ems between the ink of neighboring lines
TALL_LEADING: Final = 1.14  # more where marks above and below would touch
IDEOGRAPHIC_LEADING: Final = 1.2


class _Set(NamedTuple):
    """A line in a setting at size 1: its size and baseline relative to the largest line's em."""

    line: Line
    size: float
    y: float
    small: bool


class _Setting(NamedTuple):
    lines: tuple[_Set, ...]
    penalty: float

    @property
    def width(self) -> float:
        return max(item.line.width * item.size for item in self.lines)

    @property
    def top(self) -> float:
        return min(item.y + item.line.ink.top * item.size for item in self.lines)

    @property
    def bottom(self) -> float:
        return max(item.y + item.line.ink.bottom * item.size for item in self.lines)

    def scale(self, width: float, height: float, max_size: float) -> float:
        """Return the pixels per em at which the ink fills the box without leaving it."""
        largest = max(item.size for item in self.lines)
        return min(width / self.width, height / max(1e-6, self.bottom - self.top), max_size / largest)


class _Copy(NamedTuple):
    """The text in its case, and everything that is common to all its settings."""

    text: str
    style: TypeStyle
    script: Script
    voicing: Voicing
    small_voicing: Voicing
    capitals: bool
    leading: float


def layout(text: str, place: tuple[float, float, float, float], style: TypeStyle, valign: Valign = "top") -> TextBlock:
    """Set `text` into `place` (x, y, width, height in pixels); the ink stays inside it, whatever the script.

    An empty text, or one of which no face has a character, gives an empty block. `valign` places the block by the top
    of its capitals and its last baseline.
    """
    x, y, width, height = place
    text = clean(text)
    if not text or width <= 0 or height <= 0:
        return TextBlock(text=text, align=style.align)
    copy = _copy(text, style)
    words = tokens(copy.text, copy.script)
    best: _Setting | None = None
    best_score = 0.0
    for setting in _settings(words, copy):
        score = _score(setting, width, height, style)
        if score > best_score:
            best, best_score = setting, score
        elif len(words) > PROSE and score < PAST_BEST * best_score:
            break
    missing = shape(copy.text, copy.voicing).missing
    if best is None:
        return TextBlock(text=text, align=style.align, missing=missing)
    best = _cleared(best, style)
    size = best.scale(width, height, style.max_size)
    top = _top(best, size, y, height, valign)
    rows = tuple(_row(item, size, top, x, width, style) for item in best.lines)
    rules = _rules(rows, x + width / 2) if style.rules and style.align == "center" else ()
    return TextBlock(text=text, rows=rows, rules=rules, align=style.align, missing=missing)


def _copy(text: str, style: TypeStyle) -> _Copy:
    script, font = text_script(text, style.language), style.font
    if style.case == "upper" and "ß" in text and not face(font).covers("ẞ"):  # better another face than "WEISS"
        font = face_covering(upper(text, style.language), font, style.voice, script)
    if script in CASED:
        text = cased(text, style.case, font, style.language)
        font = face_covering(text, font, style.voice, script)
    voicing = Voicing(
        font=font,
        voice=style.voice,
        track=style.track,
        language=style.language,
        base=base_direction(text),
        script=script,
    )
    capitals = script in CASED and (style.case == "upper" or font in CAPITAL_FACES)
    small_font = face_covering(text, style.small_font or font, style.voice, script) if script in CASED else font
    small = msgspec.structs.replace(voicing, font=small_font, track=0.12 if capitals else 0.02)
    leading = style.leading
    if script in TALL:
        leading = max(TALL_LEADING, leading)
    elif script in IDEOGRAPHIC:
        leading = max(IDEOGRAPHIC_LEADING, min(leading, 1.3))
    return _Copy(text, style, script, voicing, small, capitals, leading)


def _settings(words: Sequence[Token], copy: _Copy) -> Iterator[_Setting]:
    """Yield every setting worth comparing; lines without ink are not."""
    style = copy.style
    for part in breaks(words, style.max_lines):
        large = [False] * len(part)
        smalls = [_stands_small(line, part, copy) for line in part]
        for choice in (large,) if smalls == large or all(smalls) or smalls[-1] else (smalls, large):
            lines = [_shaped(line, small, copy) for line, small in zip(part, choice, strict=True)]
            if any(line.width <= 0 for line in lines):
                continue
            penalty = _penalty(part, choice, copy)
            yield _stacked(lines, penalty) if style.mode == "stack" else _led(lines, choice, penalty, copy)


def _penalty(part: Sequence[Sequence[Token]], smalls: Sequence[bool], copy: _Copy) -> float:
    """Return the cost of breaking here: inside a phrase, after a function word, before a single short word."""
    penalty = sum(line[0].cost for line in part[1:])
    if sum(len(line) for line in part) > PROSE:
        return penalty / len(part)
    hanging = (is_function_word(line[-1]) and not small for line, small in zip(part[:-1], smalls, strict=False))
    penalty += HANGING_WORD * sum(hanging)
    penalty -= SENSE_BREAK * sum(line[-1].text[-1] in ",:;–—!?、，：；" for line in part[:-1])
    stranded = len(part) > 1 and len(part[-1]) == 1 and len(part[-1][0].text) <= 3
    if stranded and copy.script in CASED and copy.style.mode != "stack":
        penalty += STRANDED_WORD
    return penalty


def _stands_small(line: Sequence[Token], part: Sequence[Sequence[Token]], copy: _Copy) -> bool:
    return copy.style.mode == "small" and len(part) > 1 and all(is_function_word(token) for token in line)


def _shaped(line: Sequence[Token], small: bool, copy: _Copy) -> Line:
    if not small:
        return shape(joined(line), copy.voicing)
    text = joined(line)
    case = "upper" if copy.capitals else "typed"
    return shape(cased(text, case, copy.small_voicing.font, copy.style.language), copy.small_voicing)


def _stacked(lines: Sequence[Line], penalty: float) -> _Setting:
    """Scale each line to the measure; sizes are relative to the widest line's natural size."""
    widest = max(line.width for line in lines)
    sizes = [widest / line.width for line in lines]
    largest = max(sizes)
    sizes = [size / largest for size in sizes]
    placed, y = [], 0.0
    for index, (line, size) in enumerate(zip(lines, sizes, strict=True)):
        if index:
            above = lines[index - 1]
            hang = max(0.0, above.ink.bottom) if above.ink.bottom > 0.06 else 0.0
            rise = max(line.cap, -line.ink.top)
            y += hang * sizes[index - 1] + STACK_GAP * min(sizes[index - 1], size) + rise * size
        placed.append(_Set(line, size, y, False))
    ratio = 1 / min(sizes)
    return _Setting(tuple(placed), penalty + 0.06 * (ratio - 1) + (0.5 if ratio > STACK_RATIO else 0.0))


def _led(lines: Sequence[Line], smalls: Sequence[bool], penalty: float, copy: _Copy) -> _Setting:
    """Set all lines in one size at even distances, small ones centered in the gap between their neighbors."""
    capital = max(line.cap for line, small in zip(lines, smalls, strict=True) if not small)
    lead = copy.leading * (capital if copy.capitals else 1.0)
    small_size = SMALL_CAPITALS if copy.capitals else SMALL_LETTERS
    placed: list[_Set] = []
    y = 0.0
    for index, (line, small) in enumerate(zip(lines, smalls, strict=True)):
        size = small_size if small else 1.0
        if index:
            beside_small = small or smalls[index - 1]
            gap = SMALL_GAP * capital + (max(0.0, lines[index - 1].ink.bottom) * 0.5 if small else 0.0)
            y += line.cap * size + gap if beside_small else lead
        placed.append(_Set(line, size, y, small))
    large = [line.width for line, small in zip(lines, smalls, strict=True) if not small]
    ragged = 1 - min(large) / max(large)
    return _Setting(tuple(placed), penalty + RAGGED * ragged)


def _score(setting: _Setting, width: float, height: float, style: TypeStyle) -> float:
    size = setting.scale(width, height, style.max_size)
    worth = max(0.05, 1 - setting.penalty) * (1 - PER_LINE * len(setting.lines))
    if style.mode == "stack":
        area = size * size * sum(item.size * item.size * item.line.width * item.line.cap for item in setting.lines)
        return float(area**0.5 * worth)
    if any(item.small and item.size * size < SMALLEST * width for item in setting.lines):
        worth *= 1 - TOO_SMALL
    return size * worth * (0.9 + 0.1 * size * setting.width / width)


def _cleared(setting: _Setting, style: TypeStyle) -> _Setting:
    """Increase the leading where the ink of two neighbors would touch, everywhere by the same amount."""
    extra = 0.0
    for above, below in itertools.pairwise(setting.lines):
        extra = max(extra, _overlap(above, below, style.align, setting.width))
    if extra <= 0:
        return setting
    return setting._replace(
        lines=tuple(item._replace(y=item.y + extra * index) for index, item in enumerate(setting.lines))
    )


def _overlap(above: _Set, below: _Set, align: str, width: float) -> float:
    """Return how far two lines must move apart so that no letters touch."""
    start_above, start_below = _start(above, align, width), _start(below, align, width)
    worst = 0.0
    for a in above.line.letters:
        left, right = start_above + a.left * above.size, start_above + a.right * above.size
        floor = above.y + a.bottom * above.size
        for b in below.line.letters:
            if start_below + b.left * below.size < right + CLEAR and start_below + b.right * below.size > left - CLEAR:
                worst = max(worst, floor + CLEAR * min(above.size, below.size) - (below.y + b.top * below.size))
    return worst


def _start(item: _Set, align: str, width: float) -> float:
    return _indent(item.line.width * item.size, align, width) - item.line.ink.left * item.size


def _indent(own: float, align: str, width: float) -> float:
    return {"left": 0.0, "center": (width - own) / 2, "right": width - own}[align]


def _top(setting: _Setting, size: float, y: float, height: float, valign: Valign) -> float:
    """Return the y of the first baseline: optically aligned, then moved until the ink is inside."""
    first = setting.lines[0]
    capital = first.line.cap * first.size
    last = setting.lines[-1].y
    wanted = {
        "top": y + capital * size,
        "middle": y + (height + (capital - last) * size) / 2,
        "bottom": y + height - last * size,
    }[valign]
    return min(max(wanted, y - setting.top * size), y + height - setting.bottom * size)


def _row(item: _Set, size: float, top: float, x: float, width: float, style: TypeStyle) -> TextRow:
    own = item.size * size
    left = x + _indent(item.line.width * own, style.align, width)
    return TextRow(item.line, left, top + item.y * size, own, item.small)


def _rules(rows: Sequence[TextRow], center: float) -> tuple[Rule, ...]:
    """Return hairlines left and right of a small line, as wide as the widest large one."""
    half = max(row.ink.width for row in rows if not row.small) / 2
    rules: list[Rule] = []
    for row in rows:
        inner = row.ink.width / 2 + row.size * 0.6
        if row.small and half - inner > row.size:
            y, thickness = row.y - row.line.cap * row.size / 2, max(1.0, row.size * 0.035)
            rules += [
                Rule(center - half, center - inner, y, thickness),
                Rule(center + inner, center + half, y, thickness),
            ]
    return tuple(rules)
