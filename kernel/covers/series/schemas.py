"""Wire of series: themes whose covers share a look."""

from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import Meta

from kernel.core.schemas import In, Out, RowId
from kernel.covers.schemas import CoverOut
from kernel.press.lettering.document import Lettering
from kernel.press.lettering.orders import SoftArea
from kernel.press.lettering.series.drift import Drift

MOST_VOLUMES: Final = 500
"""Covers of one theme that are told apart: more books than any series has."""
MOST_SHOWN: Final = 4
"""Previews of one call; each takes a drawing process for a quarter of a second."""

RunState = Literal["applying", "applied", "undoing", "undone"]
VolumeState = Literal["same", "drifts", "bare", "drawn"]


class LookIn(In, frozen=True, kw_only=True):
    """The cover of the theme whose look all are to share."""

    cover_id: RowId


class LookCoversIn(In, frozen=True, kw_only=True):
    """Covers of the theme that are to take on its look."""

    cover_ids: Annotated[tuple[RowId, ...], Meta(min_length=1, max_length=MOST_VOLUMES)]


class LookPreviewsIn(In, frozen=True, kw_only=True):
    """Covers of the theme that are to be seen in its look."""

    cover_ids: Annotated[tuple[RowId, ...], Meta(min_length=1, max_length=MOST_SHOWN)]


class LookOut(Out, frozen=True, kw_only=True):
    """The look of a series. `coverId` is where it was taken from, null once that cover is gone."""

    cover_id: int | None
    style: str
    locked_at: datetime


class LookPreview(Out, frozen=True, kw_only=True):
    """A cover as it would be in the look; `changes` is false where it is so already.

    `svg` are the outlines to lie over the artwork, `soft` where that is blurred.
    """

    cover_id: int
    changes: bool
    lettering: Lettering
    artwork_url: str
    svg: str
    soft: list[SoftArea]


class LookRunOut(Out, frozen=True, kw_only=True):
    """A look that is applied to covers, or taken back from them. `done` of `total` covers are through.

    `changed` are those that have the look from this run; `left` could not take it; `kept` were changed again since and
    stay as they are when the run is taken back.
    """

    id: int
    state: RunState
    done: int
    total: int
    changed: int
    left: int
    kept: int


class VolumeOut(Out, frozen=True, kw_only=True):
    """A cover of a series. `state`: `same` has the look, `drifts` in what `drifts` says, `bare` has no words yet, and
    the words of a `drawn` one are part of its picture, so that it can neither have a look nor lend one.
    """

    cover: CoverOut
    state: VolumeState
    drifts: list[Drift]


class SeriesOut(Out, frozen=True, kw_only=True):
    """The covers of a theme in the order of their numbers, compared with its look where one is locked.

    `run` is the last one that can be continued or taken back.
    """

    look: LookOut | None
    volumes: list[VolumeOut]
    run: LookRunOut | None


class NextVolumeOut(Out, frozen=True, kw_only=True):
    """What the next cover of a theme begins with; blank where its covers do not say.

    `style` is that of the look, with which its words are set; blank where none is locked.
    """

    author: str
    series: str
    number: str
    style: str
