"""What a lettering process is asked for, and what it answers. Imports no drawing library."""

from typing import Final, Literal

import msgspec

from kernel.press.lettering.document import Block, CoverWords, Lettering, Property, Role

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
    """Return the outlines of a lettering on a panel of `width` × `height` pixels. Answered with LaidOut."""

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


class Continue(msgspec.Struct, frozen=True, kw_only=True, tag="continue"):
    """Set words in the look of another cover of the series. Answered with Lettering.

    `own` is the lettering that the cover has now, None where it has none yet; `words` None are those on it.
    """

    picture: bytes
    look: Lettering
    words: CoverWords | None = None
    own: Lettering | None = None
    language: str = ""


class Previews(msgspec.Struct, frozen=True, kw_only=True, tag="previews"):
    """Set a lettering in several styles on its picture. Answered with a Preview for each, `width` × `height` pixels."""

    picture: bytes
    lettering: Lettering
    styles: tuple[str, ...]
    width: int
    height: int


class Release(msgspec.Struct, frozen=True, kw_only=True, tag="release"):
    """Choose some properties of the block at `index` anew, held or not. Answered with Lettering."""

    picture: bytes
    lettering: Lettering
    index: int
    free: tuple[Property, ...]


class Measure(msgspec.Struct, frozen=True, kw_only=True, tag="measure"):
    """Measure a lettering on its picture. Answered with Measures."""

    picture: bytes
    lettering: Lettering


class ShowFaces(msgspec.Struct, frozen=True, kw_only=True, tag="show_faces"):
    """Return the faces for a text. Answered with a FaceSample for each."""

    text: str
    language: str


Order = Choose | Sketch | Compose | LayOut | Restyle | Rewrite | Continue | Previews | Release | Measure | ShowFaces


class InkBox(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Where the ink of one block is, in fractions of the panel; all zero where nothing is set.

    `size` is the em of the largest line as a share of the panel's width, `missing` the characters that no face has.
    """

    role: Role
    left: float
    top: float
    width: float
    height: float
    size: float
    missing: str


class SoftArea(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An ellipse in which the picture is blurred, fading outwards from the share `core` of its radii.

    `x`, `rx` and `sigma`, the deviation of the blur, are shares of the panel's width, `y` and `ry` of its height.
    """

    x: float
    y: float
    rx: float
    ry: float
    core: float
    sigma: float


class LaidOut(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A lettering, set: its letters and effects as an SVG, a box for each block, and where the picture is blurred."""

    svg: str
    blocks: tuple[InkBox, ...]
    soft: tuple[SoftArea, ...]


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """A lettering in one style, and its outlines as an SVG; `soft` is where the picture is blurred."""

    style: str
    lettering: Lettering
    svg: str
    soft: tuple[SoftArea, ...]


Unfit = Literal["", "too_small", "missing_characters", "nothing_set"]
RemedyKind = Literal["color", "effect", "area"]


class Remedy(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A change that makes a block legible: the whole block as it would be, and the contrast it was measured to have."""

    kind: RemedyKind
    block: Block
    contrast: float


class Measured(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The measures of one block. `unfit` says why it does not fit; `inside` is whether its ink is in the safe area.

    `remedies` begin with the best one: what leaves alone what was fixed by hand.
    """

    role: Role
    contrast: float
    needed: float
    fits: bool
    unfit: Unfit
    missing: str
    inside: bool
    remedies: tuple[Remedy, ...]


class Measures(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The measures of each block, and the colors of the picture that type on it can have."""

    blocks: tuple[Measured, ...]
    palette: tuple[str, ...]


class FaceSample(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A face, and the beginning of a text set in it, black, as an SVG. `cut` is the weight and slope."""

    font: str
    family: str
    cut: str
    svg: str
