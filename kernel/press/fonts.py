"""Faces, opened on first use from the folder where npm installed the fonts."""

import os
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import uharfbuzz as hb

from kernel.press.box import EMPTY, Box
from kernel.press.catalogue import FONTS_VARIABLE, LAST_RESORT, PLACES, STAND_INS, Voice
from kernel.press.engine import skia
from kernel.press.errors import PressError
from kernel.press.scripts import Script, script_of


def fonts_folder() -> Path:
    """Return the folder that holds the font packages: the environment's, else the project's `node_modules`.

    Raises PressError, naming the command to run, when there is none.
    """
    return _folder(os.environ.get(FONTS_VARIABLE, ""))


@cache  # every character asks for its face
def _folder(chosen: str) -> Path:
    if chosen:
        folder = Path(chosen)
        if not folder.is_dir():
            raise PressError(f"The folder in {FONTS_VARIABLE} does not exist: {folder}.")
        return folder
    for root in (Path(__file__).resolve().parents[2], Path.cwd()):
        folder = root / "node_modules" / "@expo-google-fonts"
        if folder.is_dir():
            return folder
    raise PressError(f"The fonts are not installed: run `make run` (or `npm ci`), or set {FONTS_VARIABLE}.")


class Face:
    """One opened font file, for shaping (HarfBuzz) and for drawing (Skia)."""

    def __init__(self, key: str, path: Path) -> None:
        self.key = key
        self.path = path
        self.typeface: Any = skia.Typeface.MakeFromFile(str(path))
        if self.typeface is None:
            raise PressError(f"The font {path} cannot be read: run `npm ci` again.")
        self.shaper = hb.Font(hb.Face(hb.Blob.from_file_path(str(path))))
        self.upem: int = self.shaper.face.upem
        self._inks: dict[int, Box] = {}

    def glyph(self, char: str) -> int:
        """Return the glyph id of one character; 0 when the face lacks it."""
        return self.shaper.get_nominal_glyph(ord(char)) or 0

    def covers(self, char: str) -> bool:
        """Return whether the face has a glyph for the character."""
        return self.glyph(char) != 0

    def font(self, size: float) -> Any:
        """Return a Skia font of `size` pixels per em: unhinted, so that every size has the same shapes."""
        font = skia.Font(self.typeface, size)
        font.setSubpixel(True)
        font.setHinting(skia.FontHinting.kNone)
        font.setEdging(skia.Font.Edging.kAntiAlias)
        font.setLinearMetrics(True)
        font.setBaselineSnap(False)
        return font

    @cached_property
    def cap_height(self) -> float:
        """Return the height of a capital H in ems; 0.7 where the face has no Latin."""
        glyph = self.glyph("H")
        return -self.ink(glyph).top if glyph else 0.7

    def ink(self, glyph: int) -> Box:
        """Return the ink box of one glyph in ems, y down from the baseline."""
        if (known := self._inks.get(glyph)) is not None:
            return known
        extents = self.shaper.get_glyph_extents(glyph)
        box = EMPTY
        if extents:
            left, top = extents.x_bearing / self.upem, -extents.y_bearing / self.upem
            box = Box(left, top, left + extents.width / self.upem, top - extents.height / self.upem)
        self._inks[glyph] = box
        return box


@cache
def _open(key: str, folder: Path) -> Face | None:
    weight = folder / PLACES[key]
    path = next(iter(sorted(weight.glob("*.ttf"))), None)
    return Face(key, path) if path else None


def face(key: str) -> Face:
    """Return the face of this short name (see `catalogue`).

    Raises PressError when its package is not installed, KeyError for a name the catalogue does not have.
    """
    found = _open(key, fonts_folder())
    if found is None:
        package = PLACES[key].split("/")[0]
        raise PressError(f"The font package @expo-google-fonts/{package} is missing: run `make run` (or `npm ci`).")
    return found


def typeface(key: str) -> Any:
    """Return the Skia typeface of this short name."""
    return face(key).typeface


def is_installed(key: str) -> bool:
    """Return whether the face of this short name can be opened."""
    return _open(key, fonts_folder()) is not None


@lru_cache(maxsize=512)
def chain(key: str, voice: Voice, script: Script) -> tuple[str, ...]:
    """Return the faces to try for a character of `script`, best first: the face, its replacement, then all others."""
    stand_in = STAND_INS[voice].get(script)
    relative = {"japanese": "chinese", "chinese": "japanese"}.get(script, script)
    wanted = (key, stand_in, STAND_INS["serif"].get(script), STAND_INS["serif"].get(relative), *LAST_RESORT)
    return tuple(name for name in dict.fromkeys(wanted) if name and is_installed(name))


def face_for(char: str, key: str, voice: Voice, script: Script) -> Face | None:
    """Return the first face of the chain that has the character, None when no face does."""
    return next((face(name) for name in chain(key, voice, script) if face(name).covers(char)), None)


def face_covering(text: str, key: str, voice: Voice, script: Script) -> str:
    """Return the first face of the chain that has every letter of `script` in the text, else `key`.

    So a word with one letter that the requested face lacks is set completely in another face, not in two.
    """
    letters = {char for char in text if script_of(char) == script}
    for name in chain(key, voice, script):
        if all(face(name).covers(char) for char in letters):
            return name
    return key
