"""One line of text to positioned glyphs: font fallback, direction, HarfBuzz, ink measures."""

import unicodedata
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
import uharfbuzz as hb

from kernel.press.bidi import Direction, base_direction, visual_runs
from kernel.press.box import Box, union
from kernel.press.catalogue import Voice
from kernel.press.engine import skia
from kernel.press.fonts import Face, face, face_for
from kernel.press.scripts import CASED, JOINED, Script, clean, script_of, text_script, upper

LIGATURE_TRACKING: Final = 0.02  # ems; lines spaced wider than this are set without ligatures
_LANGUAGE_TAGS: Final = {"zh": "zh-Hans"}
_JOINERS: Final = "\u200c\u200d\ufe0e\ufe0f"


class Glyphs(NamedTuple):
    """A run of glyphs of one face; positions are in ems from the line's origin.

    `chars` are the characters that each glyph stands for, "" where another glyph of the run stands for them.
    """

    face: Face
    ids: list[int]
    xs: list[float]
    ys: list[float]
    chars: list[str]


class Voicing(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a text: face, letter-spacing in ems, language and base direction."""

    font: str
    voice: Voice = "serif"
    track: float = 0.0
    language: str = ""
    base: Direction | None = None
    script: Script | None = None


class Line(NamedTuple):
    """A shaped line at size 1: all measures in ems, x from the origin of the first glyph.

    `ink` is the box of what is drawn, `letters` the ink box of each glyph; `cap` the visual height of the line's top (a
    capital, or the ink where there are no capitals). `missing` holds the characters that no face has.
    """

    text: str
    runs: tuple[Glyphs, ...]
    ink: Box
    letters: tuple[Box, ...]
    cap: float
    missing: str

    @property
    def width(self) -> float:
        """Return the width of the ink."""
        return self.ink.width


class _Piece(NamedTuple):
    face: Face
    text: str


def cased(text: str, case: str, font: str, language: str = "") -> str:
    """Return the text in the requested case, where its letters have case; ß becomes SS in a face without ẞ."""
    if case != "upper":
        return text
    capitals = upper(text, language)
    return capitals if face(font).covers("ẞ") else capitals.replace("ẞ", "SS")


@lru_cache(maxsize=4096)
def shape(text: str, voicing: Voicing) -> Line:
    """Shape one line. Characters that no installed face has are left out and listed in `missing`, not drawn as box."""
    text = clean(text)
    script = voicing.script or text_script(text, voicing.language)
    base = voicing.base or base_direction(text)
    track = 0.0 if script in JOINED else voicing.track if script in CASED else min(voicing.track, 0.06)
    runs: list[Glyphs] = []
    letters: list[Box] = []
    missing: list[str] = []
    pen = 0.0
    for run in visual_runs(text, base):
        pieces, lost = _pieces(run.text, voicing, script)
        missing += lost
        for piece in reversed(pieces) if run.direction == "rtl" else pieces:
            glyphs, pen = _set(piece, run.direction, pen, track, voicing)
            runs.append(glyphs)
            letters += _ink(glyphs)
    ink = union(letters)
    primary = face(voicing.font)
    cap = primary.cap_height if script in CASED and primary.covers("H") else max(0.05, -ink.top)
    return Line(text, tuple(runs), ink, tuple(letters), cap, "".join(dict.fromkeys(missing)))


def _pieces(text: str, voicing: Voicing, script: Script) -> tuple[list[_Piece], list[str]]:
    """Split a run by face. Characters common to all scripts follow the script of the whole text."""
    pieces: list[_Piece] = []
    missing: list[str] = []
    for char in text:
        chosen: Face | None
        if pieces and _stays_with_letter(char, pieces[-1].face):
            chosen = pieces[-1].face
        elif (own := script_of(char)) == "common":
            chosen = _surrounding_face(char, voicing, script)
        else:
            chosen = face_for(char, voicing.font, voicing.voice, _script_in_context(own, script))
        if chosen is None:
            missing.append(char)
        elif pieces and pieces[-1].face is chosen:
            pieces[-1] = _Piece(chosen, pieces[-1].text + char)
        else:
            pieces.append(_Piece(chosen, char))
    return pieces, missing


def _stays_with_letter(char: str, before: Face) -> bool:
    """Return whether a character stays with the letter before it: spaces, joiners and marks."""
    return char.isspace() or char in _JOINERS or (unicodedata.category(char)[0] == "M" and before.covers(char))


def _script_in_context(own: Script, whole: Script) -> Script:
    """Return the script of a character; Han characters belong to the language of the text around them."""
    return whole if own == "chinese" and whole in ("japanese", "korean") else own


def _surrounding_face(char: str, voicing: Voicing, script: Script) -> Face | None:
    """Return the face for digits and punctuation: that of the letters around them."""
    if script in CASED:
        return face_for(char, voicing.font, voicing.voice, script)
    face = face_for(_SAMPLE.get(script, "A"), voicing.font, voicing.voice, script)
    return face if face and face.covers(char) else face_for(char, voicing.font, voicing.voice, script)


_SAMPLE: Final[dict[Script, str]] = {
    "arabic": "ا",
    "hebrew": "א",
    "devanagari": "क",
    "japanese": "の",
    "chinese": "的",
    "korean": "가",
}


def _set(piece: _Piece, direction: Direction, pen: float, track: float, voicing: Voicing) -> tuple[Glyphs, float]:
    buffer = hb.Buffer()
    buffer.add_str(piece.text)
    buffer.guess_segment_properties()
    buffer.direction = direction
    if voicing.language:
        buffer.language = _LANGUAGE_TAGS.get(voicing.language, voicing.language)
    joined = any(script_of(char) in JOINED for char in piece.text)
    spaced = 0.0 if joined else track
    features: dict[str, Any] = {"kern": True}
    if not joined:
        features |= {"liga": spaced < LIGATURE_TRACKING, "clig": spaced < LIGATURE_TRACKING}
    hb.shape(piece.face.shaper, buffer, features)
    glyphs = Glyphs(piece.face, [], [], [], _chars(piece.text, [info.cluster for info in buffer.glyph_infos]))
    upem = piece.face.upem
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        glyphs.ids.append(info.codepoint)
        glyphs.xs.append(pen + position.x_offset / upem)
        glyphs.ys.append(-position.y_offset / upem)
        pen += position.x_advance / upem + (spaced if position.x_advance else 0.0)
    return glyphs, pen


def _chars(text: str, clusters: list[int]) -> list[str]:
    """Return the characters of each glyph: those of a cluster belong to its first glyph."""
    starts = sorted(set(clusters))
    ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
    seen: set[int] = set()
    found = []
    for cluster in clusters:
        found.append("" if cluster in seen else text[cluster : ends[cluster]])
        seen.add(cluster)
    return found


def _ink(glyphs: Glyphs) -> list[Box]:
    boxes = []
    for glyph, x, y in zip(glyphs.ids, glyphs.xs, glyphs.ys, strict=True):
        ink = glyphs.face.ink(glyph)
        if ink.right > ink.left and ink.bottom > ink.top:
            boxes.append(Box(x + ink.left, y + ink.top, x + ink.right, y + ink.bottom))
    return boxes


def draw_line(canvas: Any, line: Line, x: float, y: float, size: float, paint: Any) -> None:
    """Draw a line: `x` is its left ink edge, `y` its baseline. Text stays text, also on a PDF canvas."""
    builder = skia.TextBlobBuilder()
    for run in line.runs:
        points = [skia.Point(a * size, b * size) for a, b in zip(run.xs, run.ys, strict=True)]
        builder.allocRunPos(run.face.font(size), run.ids, points)
    blob = builder.make()
    if blob is not None:
        canvas.drawTextBlob(blob, x - line.ink.left * size, y, paint)


def line_path(line: Line, x: float, y: float, size: float) -> Any:
    """Return the outline of a line: `x` is its left ink edge, `y` its baseline."""
    path = skia.Path()
    for run in line.runs:
        font = run.face.font(size)
        for glyph, a, b in zip(run.ids, run.xs, run.ys, strict=True):
            outline = font.getPath(glyph)
            if outline:
                outline.offset(x + (a - line.ink.left) * size, y + b * size)
                path.addPath(outline)
    return path


def glyph_path(font: str, text: str, size: float) -> Any:
    """Return the outline of a text set in one face, its left ink edge at x = 0 and its baseline at y = 0."""
    return line_path(shape(text, Voicing(font=font)), 0.0, 0.0, size)
