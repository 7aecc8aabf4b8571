"""Wire of changes to many covers at once, and of archives."""

from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from kernel.core.config import PictureFormat
from kernel.core.wire import In, Out, RowId
from kernel.covers.schemas import Status

MAX_AT_ONCE: Final = 100
MAX_PACKED: Final = 500
BulkAction = Literal["delete", "restore", "star", "unstar", "theme"]


class CoversChange(In, frozen=True, kw_only=True):
    """What is to be done with several covers. `themeId` belongs to `theme`; null takes them out of their themes."""

    ids: Annotated[tuple[RowId, ...], Meta(min_length=1, max_length=MAX_AT_ONCE)]
    action: BulkAction
    theme_id: RowId | UnsetType | None = UNSET


class CoversChanged(Out, frozen=True, kw_only=True):
    """The covers that are another way than before, in the order asked for."""

    changed: list[int]


class ArchiveIn(In, frozen=True, kw_only=True):
    """Covers to be packed into one file."""

    cover_ids: Annotated[tuple[RowId, ...], Meta(min_length=1, max_length=MAX_PACKED)]
    format: PictureFormat = "png"


class ArchiveOut(Out, frozen=True, kw_only=True):
    """Where an archive stands: `done` of `total` covers are packed. `bytes`, `downloadUrl` and `expiresAt` come with
    the end; the last two are null for one that can no longer be had.
    """

    id: UUID
    status: Status
    done: int
    total: int
    bytes: int | None
    created_at: datetime
    expires_at: datetime | None
    download_url: str | None
    error: str | None
