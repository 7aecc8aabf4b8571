"""Wire of the landing carousel."""

from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from kernel.core.schemas import In, Line, Out, RowId

MAX_SLIDES: Final = 100
"""More than anybody waits for, and each is on the landing page five times."""
SlideSize = Literal["960", "320"]
"""Longest sides of the pictures that are handed out, in pixels."""
FULL_SIZE: Final[SlideSize] = "960"
THUMBNAIL: Final[SlideSize] = "320"


class CarouselItem(Out, frozen=True, kw_only=True):
    """A cover on the landing page and among the examples; the addresses hold the content's hash.

    `description` says what the cover shows; it may be empty. `thumbnailUrl` is the picture for lists.
    """

    id: int
    title: str
    genre: str
    description: str
    image_url: str
    thumbnail_url: str


class SlideOut(CarouselItem, frozen=True, kw_only=True):
    """A cover of the carousel as administrators see it. The picture of an inactive one is for them alone."""

    is_active: bool
    display_order: int
    created_at: datetime


class SlideIn(In, frozen=True, kw_only=True):
    """A new cover. `imageData` is a PNG, JPEG or WebP as base64, plain or as a data URL.

    Titles have up to 100 characters, genres up to 50, descriptions up to 500, and orders begin at 0; the service checks
    all fields at once.
    """

    title: Line = ""
    genre: Line = ""
    description: Line = ""
    is_active: bool = True
    display_order: int = 0
    image_data: str | None = None


class SlideFromCoverIn(In, frozen=True, kw_only=True):
    """A new cover after one of the administrator's own, whose title and genre it has unless others are given."""

    cover_id: RowId
    title: Line | UnsetType = UNSET
    genre: Line | UnsetType = UNSET
    description: Line = ""
    is_active: bool = True
    display_order: int = 0


class SlideChange(In, frozen=True, kw_only=True):
    """What may change in a cover; what is absent stays.

    `imageData` is another picture. `imageUrl` can only be the address that the picture has.
    """

    title: Line | UnsetType = UNSET
    genre: Line | UnsetType = UNSET
    description: Line | UnsetType = UNSET
    is_active: bool | UnsetType = UNSET
    display_order: int | UnsetType = UNSET
    image_data: str | None = None
    image_url: str | None = None


class SlideOrderIn(In, frozen=True, kw_only=True):
    """All covers in their new order; those it does not name come last."""

    ids: Annotated[tuple[RowId, ...], Meta(max_length=2 * MAX_SLIDES)]
