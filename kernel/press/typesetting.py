"""Type: fonts from npm packages, HarfBuzz shaping, fitting, legibility. What plugins need is exported here."""

from kernel.press.block import TextBlock, TextRow
from kernel.press.box import Box
from kernel.press.errors import PressError
from kernel.press.fonts import face, fonts_folder, typeface
from kernel.press.layout import layout
from kernel.press.legibility import Ground, Verdict, contrast, ground_of, luminance, settle, settle_as, worst_contrast
from kernel.press.scripts import text_script
from kernel.press.shaping import Line, Voicing, glyph_path, line_path, shape
from kernel.press.style import TypeStyle

__all__ = [
    "Box",
    "Ground",
    "Line",
    "PressError",
    "TextBlock",
    "TextRow",
    "TypeStyle",
    "Verdict",
    "Voicing",
    "contrast",
    "face",
    "fonts_folder",
    "glyph_path",
    "ground_of",
    "layout",
    "line_path",
    "luminance",
    "settle",
    "settle_as",
    "shape",
    "text_script",
    "typeface",
    "worst_contrast",
]
