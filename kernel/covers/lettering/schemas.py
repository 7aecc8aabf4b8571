"""Wire of lettering. The document itself is that of the press."""

from datetime import datetime
from typing import Annotated, Final

from msgspec import Meta

from kernel.core.schemas import In, Line, Out
from kernel.covers.schemas import CoverOut
from kernel.press.lettering.document import MOST_BLOCKS, Color, Lettering, Property
from kernel.press.lettering.orders import InkBox, SoftArea

MOST_PREVIEWS: Final = 8
Pixels = Annotated[int, Meta(ge=50, le=4800)]


class LetteringVersion(Out, frozen=True, kw_only=True):
    """One time at which the words or the picture were changed; `isPartOfPicture` where the press set none."""

    number: int
    created_at: datetime
    is_part_of_picture: bool


class CoverLettering(Out, frozen=True, kw_only=True):
    """The words on a cover. `lettering` is null where they are part of the picture.

    `artworkUrl` is the picture without ours, and `isArtworkApart` says that there is one without any. `versions` are
    newest first; `version` is the number of the one that is shown.
    """

    cover: CoverOut
    version: int
    lettering: Lettering | None
    artwork_url: str
    is_artwork_apart: bool
    versions: list[LetteringVersion]


class LetteringChange(In, frozen=True, kw_only=True):
    """New words for a cover. `version` is the one they were made from; null takes ours away.

    `continues` says that the same step of work made that version, which then makes room for this one.
    """

    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    lettering: Lettering | None
    continues: bool = False


class LetteringRestore(In, frozen=True, kw_only=True):
    """The version that is shown now."""

    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]


class WordsIn(In, frozen=True, kw_only=True):
    """What is to stand on a cover. `number` is the volume's place in its series, as it is to be read."""

    title: Annotated[Line, Meta(max_length=200)] = ""
    author: Annotated[Line, Meta(max_length=200)] = ""
    subtitle: Annotated[Line, Meta(max_length=200)] = ""
    series: Annotated[Line, Meta(max_length=200)] = ""
    number: Annotated[Line, Meta(max_length=40)] = ""
    tagline: Annotated[Line, Meta(max_length=300)] = ""


class FreedIn(In, frozen=True, kw_only=True):
    """Properties of the block at `index` that the press is to choose again, held or not."""

    index: Annotated[int, Meta(ge=0, lt=MOST_BLOCKS)]
    properties: Annotated[tuple[Property, ...], Meta(min_length=1, max_length=8)]


class SuggestionIn(In, frozen=True, kw_only=True):
    """What a new lettering for a cover is to have: a style, words, or a part chosen again; what is left out stays as it
    is in `lettering`, and so does what is held there.

    Without `lettering` the press chooses one for the picture.
    """

    lettering: Lettering | None = None
    style: Annotated[str, Meta(max_length=60)] | None = None
    words: WordsIn | None = None
    freed: FreedIn | None = None


class MeasureIn(In, frozen=True, kw_only=True):
    """A lettering to be measured on a cover's picture."""

    lettering: Lettering


class FacesIn(In, frozen=True, kw_only=True):
    """A text for which a face is to be picked, and the language it is in."""

    text: Annotated[str, Meta(max_length=5000)] = ""
    language: Annotated[str, Meta(max_length=20)] = ""


class StylePreviewsIn(In, frozen=True, kw_only=True):
    """A lettering and the styles in which it is to be seen."""

    lettering: Lettering
    styles: Annotated[tuple[Annotated[str, Meta(max_length=60)], ...], Meta(min_length=1, max_length=MOST_PREVIEWS)]


class SketchIn(In, frozen=True, kw_only=True):
    """Words to be set before there is a picture, on an even ground of this color, for a cover of so many pixels.

    `colors` are those of a theme. `style` is wished; another is chosen where the words do not suit it.
    """

    words: WordsIn
    genre: Annotated[Line, Meta(max_length=50)] = ""
    ground: Color
    colors: Annotated[tuple[Color, ...], Meta(max_length=8)] = ()
    style: Annotated[str, Meta(max_length=60)] | None = None
    width: Pixels
    height: Pixels


class StylePreview(Out, frozen=True, kw_only=True):
    """A lettering in one style, and its outlines as an SVG; `soft` is where the picture is blurred."""

    style: str
    lettering: Lettering
    svg: str
    soft: list[SoftArea]


class LayoutIn(In, frozen=True, kw_only=True):
    """A lettering to be laid out on a panel of so many pixels."""

    lettering: Lettering
    width: Pixels
    height: Pixels


class LayoutOut(Out, frozen=True, kw_only=True):
    """Its letters and effects as an SVG, without a picture and without text.

    `blocks` says where the ink of each block is, `soft` where the picture below is blurred.
    """

    svg: str
    blocks: list[InkBox]
    soft: list[SoftArea]


class LetteringStyle(Out, frozen=True, kw_only=True):
    """A style to choose; `genres` are those it is made for, its family first."""

    id: str
    name: str
    genres: list[str]
