"""What a lettering process is asked for, and what it answers. Imports no drawing library."""

from typing import Final

import msgspec

from kernel.press.lettering.document import CoverWords, Lettering

PROGRAM: Final = "kernel.press.lettering.worker"


class Choose(msgspec.Struct, frozen=True, kw_only=True, tag="choose"):
    """Choose a lettering for a picture, in the `style` that is wished where it suits. Answered with Lettering."""

    picture: bytes
    words: CoverWords
    genre: str = ""
    language: str = ""
    colors: tuple[str, ...] = ()
    style: str = ""
    seed: int = 0


class Sketch(msgspec.Struct, frozen=True, kw_only=True, tag="sketch"):
    """Set words on an even ground of `ground`, `#RRGGBB`, as long as there is no picture. Answered with Preview.

    The rest as in `Choose`; `width` and `height` are the cover's pixels.
    """

    ground: str
    words: CoverWords
    width: int
    height: int
    genre: str = ""
    language: str = ""
    colors: tuple[str, ...] = ()
    style: str = ""
    seed: int = 0


class Compose(msgspec.Struct, frozen=True, kw_only=True, tag="compose"):
    """Draw a lettering over a picture. Answered with the PNG."""

    picture: bytes
    lettering: Lettering
    width: int
    height: int


class LayOut(msgspec.Struct, frozen=True, kw_only=True, tag="lay_out"):
    """Return the outlines of a lettering. Answered with an SVG of `width` × `height` pixels."""

    lettering: Lettering
    width: int
    height: int


class Restyle(msgspec.Struct, frozen=True, kw_only=True, tag="restyle"):
    """Set the words of a lettering in another style on its picture. Answered with Lettering."""

    picture: bytes
    lettering: Lettering
    style: str


class Rewrite(msgspec.Struct, frozen=True, kw_only=True, tag="rewrite"):
    """Set other words in the style of a lettering. Answered with Lettering."""

    picture: bytes
    lettering: Lettering
    words: CoverWords


class Previews(msgspec.Struct, frozen=True, kw_only=True, tag="previews"):
    """Set a lettering in several styles on its picture. Answered with a Preview for each, `width` × `height` pixels."""

    picture: bytes
    lettering: Lettering
    styles: tuple[str, ...]
    width: int
    height: int


Order = Choose | Sketch | Compose | LayOut | Restyle | Rewrite | Previews


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """A lettering in one style, and its outlines as an SVG."""

    style: str
    lettering: Lettering
    svg: str
