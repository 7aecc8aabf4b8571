"""Wire of sketches."""

from typing import Annotated

from msgspec import Meta

from kernel.core.schemas import Out, RowId
from kernel.covers.schemas import MAX_REFERENCES, GenerateCoverIn
from kernel.press.lettering.document import Lettering


class SketchCoverIn(GenerateCoverIn, frozen=True, kw_only=True):
    """A request for a cover, perhaps one to be made after up to four covers of one's own.

    `themeStylePrompt` stands in for the style of the theme. One to be made after uploads cannot be sketched: they are
    far too large to be sent while somebody types.
    """

    reference_image_ids: Annotated[tuple[RowId, ...], Meta(max_length=MAX_REFERENCES)] = ()
    theme_style_prompt: Annotated[str, Meta(max_length=1000)] = ""


class CoverSketchOut(Out, frozen=True, kw_only=True):
    """A small picture of the cover as a data URL, and how its words will be set: the document and its outlines as SVG.

    Both are null where the words are painted into the picture, which then shows them.
    """

    picture: str
    lettering: Lettering | None
    svg: str | None
