"""Faces in a PDF: subsets of the glyphs that are used, addressed by glyph, with what each glyph means."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import pikepdf
import uharfbuzz as hb
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name

from kernel.press.fonts import Face

DROPPED: Final = """
GSUB GPOS GDEF BASE kern name post OS/2 cmap DSIG gasp vhea vmtx VORG STAT meta LTSH hdmx VDMX
"""
"""Tables that a PDF has no use for: it names glyphs by number and places each of them."""
EMS: Final = 1000
_STEM: Final = 80  # readers take it when the font itself is missing, which it never is
_MOST_PER_BLOCK: Final = 100  # entries of one bfchar (PDF 1.3, 5.9.2)


class UsedFace:
    """One face of a document and the glyphs of it that are drawn."""

    def __init__(self, face: Face, number: int) -> None:
        self.face = face
        self.name = f"/F{number}"
        self._meant: dict[int, str] = {}

    def use(self, glyph: int, chars: str) -> None:
        """Note a glyph, and the characters it stands for."""
        if chars or glyph not in self._meant:
            self._meant[glyph] = self._meant.get(glyph) or chars

    def width(self, glyph: int) -> int:
        """Return how far the glyph moves the pen, in thousandths of an em, as the document says it."""
        return advance(self.face, glyph)

    def added(self, pdf: pikepdf.Pdf) -> pikepdf.Object:
        """Add the font to a document and return it."""
        glyphs = sorted(self._meant)
        data = _subset(self.face, tuple(glyphs))
        tag = "".join(
            chr(65 + byte % 26) for byte in hashlib.sha256(repr((self.face.key, glyphs)).encode()).digest()[:6]
        )
        name = Name(f"/{tag}+{postscript_name(self.face)}")
        file = pdf.make_stream(data, {"/Length1": len(data)})
        head = _head(self.face)
        descriptor = pdf.make_indirect(
            Dictionary(
                Type=Name.FontDescriptor,
                FontName=name,
                Flags=4,
                FontBBox=Array([head[key] for key in ("xMin", "yMin", "xMax", "yMax")]),
                ItalicAngle=0,
                Ascent=head["ascent"],
                Descent=head["descent"],
                CapHeight=round(self.face.cap_height * EMS),
                StemV=_STEM,
                FontFile2=file,
            )
        )
        descendant = pdf.make_indirect(
            Dictionary(
                Type=Name.Font,
                Subtype=Name.CIDFontType2,
                BaseFont=name,
                CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
                FontDescriptor=descriptor,
                DW=EMS,
                W=_widths(self, glyphs),
                CIDToGIDMap=Name.Identity,
            )
        )
        return pdf.make_indirect(
            Dictionary(
                Type=Name.Font,
                Subtype=Name.Type0,
                BaseFont=name,
                Encoding=Name("/Identity-H"),
                DescendantFonts=Array([descendant]),
                ToUnicode=pdf.make_stream(_to_unicode(self._meant)),
            )
        )


def advance(face: Face, glyph: int) -> int:
    """Return how far a glyph moves the pen, in thousandths of an em."""
    wide: int = face.shaper.get_glyph_h_advance(glyph)
    return round(wide * EMS / face.upem)


@lru_cache(maxsize=64)
def postscript_name(face: Face) -> str:
    """Return the face's own PostScript name."""
    with TTFont(face.path, lazy=True) as font:
        found = font["name"].getDebugName(6) or face.key
    return "".join(char for char in found if char.isalnum() or char in "-_") or "Font"


@lru_cache(maxsize=64)
def _head(face: Face) -> dict[str, int]:
    with TTFont(face.path, lazy=True) as font:
        head, hhea = font["head"], font["hhea"]
        found = {key: round(getattr(head, key) * EMS / face.upem) for key in ("xMin", "yMin", "xMax", "yMax")}
        found["ascent"] = round(hhea.ascent * EMS / face.upem)
        found["descent"] = round(hhea.descent * EMS / face.upem)
    return found


@lru_cache(maxsize=64)
def _subset(face: Face, glyphs: tuple[int, ...]) -> bytes:
    """Return the font file with these glyphs only, which keep their numbers."""
    wanted = hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NO_LAYOUT_CLOSURE
    wanted.glyph_set.update(set(glyphs) | {0})
    wanted.drop_table_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in DROPPED.split())
    subset = hb.subset(face.shaper.face, wanted)
    return bytes(subset.blob.data)


def _widths(face: UsedFace, glyphs: list[int]) -> Array:
    found: list[object] = []
    row: list[int] = []
    for index, glyph in enumerate(glyphs):
        if index and glyph == glyphs[index - 1] + 1:
            row.append(face.width(glyph))
            continue
        if row:
            found.append(Array(row))
        found.append(glyph)
        row = [face.width(glyph)]
    if row:
        found.append(Array(row))
    return Array(found)


def _to_unicode(meant: Mapping[int, str]) -> bytes:
    """Return the map from glyphs to characters, so that the text of a page can be searched and read aloud."""
    pairs = [(glyph, chars) for glyph, chars in sorted(meant.items()) if chars]
    blocks = []
    for start in range(0, len(pairs), _MOST_PER_BLOCK):
        part = pairs[start : start + _MOST_PER_BLOCK]
        lines = "".join(f"<{glyph:04X}> <{chars.encode('utf-16-be').hex().upper()}>\n" for glyph, chars in part)
        blocks.append(f"{len(part)} beginbfchar\n{lines}endbfchar\n")
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
        + "".join(blocks)
        + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    ).encode("ascii")
