"""Wire of archives."""

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta

from kernel.core.config import PictureFormat
from kernel.core.schemas import In, Out, RowId
from kernel.covers.schemas import Status

MAX_PACKED: Final = 500


class ArchiveIn(In, frozen=True, kw_only=True):
    """Covers to be packed into one file."""

    cover_ids: Annotated[tuple[RowId, ...], Meta(min_length=1, max_length=MAX_PACKED)]
    format: PictureFormat = "png"


class ArchiveOut(Out, frozen=True, kw_only=True):
    """Where an archive stands: `done` of `total` covers are packed. `bytes`, `downloadUrl` and `expiresAt` come with
    the end; the last two are null for one that can no longer be had. `paused`: it
    waits until administrators let such jobs go on.
    """

    id: UUID
    status: Status
    paused: bool
    done: int
    total: int
    bytes: int | None
    created_at: datetime
    expires_at: datetime | None
    download_url: str | None
    error: str | None
