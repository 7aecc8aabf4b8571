"""Wire of sketches."""

from kernel.core.schemas import Out
from kernel.press.lettering.document import Lettering


class CoverSketchOut(Out, frozen=True, kw_only=True):
    """A small picture of the cover as a data URL, and how its words will be set: the document and its outlines as SVG.

    Both are null where the words are painted into the picture, which then shows them.
    """

    picture: str
    lettering: Lettering | None
    svg: str | None
