"""Wire of refining."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from kernel.core.schemas import Out
from kernel.covers.schemas import CoverOut, Status

WordsThen = Literal["kept", "anew", "drawn", "none"]


class PictureVersion(Out, frozen=True, kw_only=True):
    """One picture of a cover, with the words that stood on it last. `number` is the version to restore.

    `asked` is what was to change when it was made; null for the first.
    """

    number: int
    asked: str | None
    created_at: datetime
    is_shown: bool
    preview_url: str
    thumbnail_url: str
    width: int
    height: int
    tint: str
    placeholder: str | None


class OpenRefinement(Out, frozen=True, kw_only=True):
    """A refinement that is waiting or being made."""

    id: UUID
    asked: str
    status: Status


class RefiningOffer(Out, frozen=True, kw_only=True):
    """Who would refine a cover, and how long that usually takes; null when no image service can.

    `maskService` is who changes a marked region only.
    """

    service: str | None
    mask_service: str | None
    expected_ms: int | None


class CoverPictures(Out, frozen=True, kw_only=True):
    """The pictures of a cover, oldest first, and what a refinement of it begins with.

    `artworkUrl` is what is refined, `artworkWidth` and `artworkHeight` its size. `words` is what becomes of the words:
    `kept` as they are, set `anew` where the image service had set them, part of the picture and `drawn` by its model,
    or `none`.
    """

    cover: CoverOut
    version: int
    pictures: list[PictureVersion]
    artwork_url: str
    artwork_width: int
    artwork_height: int
    words: WordsThen
    running: list[OpenRefinement]
    offer: RefiningOffer
