"""Lettering: the words on a picture as data, chosen for the picture, measured on it, and drawn over it."""

from kernel.press.lettering.choosing import choose, restyle, rewrite
from kernel.press.lettering.composing import UnreadablePicture, compose
from kernel.press.lettering.document import Area, Block, Effect, Lettering, Words
from kernel.press.lettering.measuring import Measured, Remedy, measure
from kernel.press.lettering.outlines import Layout, Outlined, lay_out
from kernel.press.lettering.styles import Style, genre_of, genres, style, styles, styles_for
from kernel.press.lettering.svg import to_svg

__all__ = [
    "Area",
    "Block",
    "Effect",
    "Layout",
    "Lettering",
    "Measured",
    "Outlined",
    "Remedy",
    "Style",
    "UnreadablePicture",
    "Words",
    "choose",
    "compose",
    "genre_of",
    "genres",
    "lay_out",
    "measure",
    "restyle",
    "rewrite",
    "style",
    "styles",
    "styles_for",
    "to_svg",
]
