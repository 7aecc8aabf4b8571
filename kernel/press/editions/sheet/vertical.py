"""Columns: Japanese and Chinese from head to foot of a spine, Latin words in them on their side."""

import re
from typing import Final, NamedTuple

import uharfbuzz as hb

from kernel.press.editions.sheet.scene import Run
from kernel.press.fonts import Face, face_for
from kernel.press.scripts import IDEOGRAPHIC, clean, script_of, text_script
from kernel.press.shaping import Voicing, shape

AIRED: Final = 0.06  # ems between characters
_WORDS: Final = re.compile(r"[^\W\d_]*[\x21-\x7e\u00c0-\u024f][\x20-\x7e\u00c0-\u024f]*")
UPRIGHT_DIGITS: Final = 2


class Column(NamedTuple):
    """A column: its runs from the middle of its head, and its length."""

    runs: tuple[Run, ...]
    length: float


def is_column(text: str, language: str) -> bool:
    """Return whether a text stands upright on a spine: it is Japanese or Chinese."""
    return text_script(text, language) in ("japanese", "chinese")


def column(text: str, voicing: Voicing, size: float, color: str) -> Column:
    """Set a text from head to foot, `size` inches per em, its middle at x = 0."""
    runs: list[Run] = []
    y = 0.0
    script = voicing.script or text_script(text, voicing.language)
    for piece, sideways in _pieces(clean(text)):
        if sideways:
            line = shape(piece, voicing)
            if len(piece) <= UPRIGHT_DIGITS and piece.isdigit():
                left, base = -line.width * size / 2 - line.ink.left * size, y + 0.88 * size
                runs += [
                    Run(run.face, run.ids, run.xs, run.ys, run.chars, size, (1, 0, 0, 1, left, base), color)
                    for run in line.runs
                ]
                y += size * (1 + AIRED)
                continue
            middle = line.cap * size / 2
            start = y + 0.1 * size - line.ink.left * size
            runs += [
                Run(run.face, run.ids, run.xs, run.ys, run.chars, size, (0, 1, -1, 0, -middle, start), color)
                for run in line.runs
            ]
            y += (line.width + 0.25) * size
            continue
        for char in piece:
            if char == " ":
                y += 0.4 * size
                continue
            face = face_for(char, voicing.font, voicing.voice, script if script in IDEOGRAPHIC else script_of(char))
            if face is None:
                continue
            run, advance = _upright(char, face, size, y, color)
            runs.append(run)
            y += advance + AIRED * size
    return Column(tuple(runs), max(0.0, y - AIRED * size))


def _pieces(text: str) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    at = 0
    for match in _WORDS.finditer(text):
        if match.start() > at:
            found.append((text[at : match.start()], False))
        found.append((match.group().strip(), True))
        at = match.end()
    if at < len(text):
        found.append((text[at:], False))
    return [(piece, sideways) for piece, sideways in found if piece.strip()]


def _upright(char: str, face: Face, size: float, y: float, color: str) -> tuple[Run, float]:
    buffer = hb.Buffer()
    buffer.add_str(char)
    buffer.guess_segment_properties()
    buffer.direction = "ttb"
    hb.shape(face.shaper, buffer, {"vert": True})
    ids = [info.codepoint for info in buffer.glyph_infos]
    first = buffer.glyph_positions[0]
    upem = face.upem
    ink = face.ink(ids[0])
    # HarfBuzz's own origin is the middle of the head where the font says where that is; else the ink is centered
    x = first.x_offset / upem if first.x_offset else -(ink.left + ink.right) / 2
    down = -first.y_offset / upem if first.y_offset else 0.88
    advance = -first.y_advance / upem if first.y_advance else 1.0
    run = Run(face, ids[:1], [x], [down], [char], size, (1, 0, 0, 1, 0.0, y), color)
    return run, advance * size
