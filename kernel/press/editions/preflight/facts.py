"""What is read of a file, before anybody judges it. Boxes are inches from the page's left upper corner."""

import msgspec
import numpy as np
import numpy.typing as npt

from kernel.press.trade.geometry import SheetBox

Greys = npt.NDArray[np.uint8]


class TextFact(msgspec.Struct, frozen=True, kw_only=True):
    """One text object: its size in points; `hidden` where it is drawn in no color."""

    box: SheetBox
    size: float
    hidden: bool


class ImageFact(msgspec.Struct, frozen=True, kw_only=True):
    """One picture as it is placed."""

    box: SheetBox
    dpi: float
    width: int
    height: int


class PathFact(msgspec.Struct, frozen=True, kw_only=True):
    """One drawn path; `line` is the width of its stroke in points, 0 without one."""

    box: SheetBox
    line: float
    filled: bool


class InkFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The colors of a page. Inks are shares of one full ink, `most` the largest sum.

    `spaces` are names of color spaces as PDF has them. `rich_type` is the smallest type, in points, whose black is made
    of several inks. `read` is False where the page is too large to be read in full.
    """

    spaces: frozenset[str]
    spots: tuple[str, ...]
    most: float
    rich_type: float
    transparent: tuple[str, ...]
    settings: tuple[str, ...]
    compressions: frozenset[str]
    finest_line: float
    read: bool


class PdfFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A PDF and its first page. `media`, `trim` and `crop` are boxes; `unembedded` are names of fonts."""

    size: int
    version: str
    pages: int
    encrypted: bool
    media: SheetBox
    crop: SheetBox
    trim: SheetBox | None
    rotated: int
    metadata: tuple[str, ...]
    annotations: tuple[SheetBox, ...]
    bookmarks: int
    layers: int
    scripts: bool
    attachments: bool
    fields: bool
    unembedded: tuple[str, ...]
    fonts: int
    pdfx: str
    conformance: str
    trapped: bool
    intent: str
    texts: tuple[TextFact, ...]
    images: tuple[ImageFact, ...]
    paths: tuple[PathFact, ...]
    inks: InkFacts


class PictureFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A picture file. `pale` is the share of its edge that is as good as white; `bars` whether its sides are even bars.

    `profile` is the name of its color profile, "" for none.
    """

    size: int
    format: str
    mode: str
    width: int
    height: int
    dpi: float
    frames: int
    transparent: bool
    pale: float
    bars: tuple[SheetBox, ...]
    even: bool
    profile: str
