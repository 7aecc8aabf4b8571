"""Wire of edition packs."""

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta

from kernel.core.schemas import In, Out
from kernel.covers.schemas import Status
from kernel.press.editions import Finding

MOST_EDITIONS: Final = 12


class PackIn(In, frozen=True, kw_only=True):
    """The editions whose files are to be made, by name; null for all that lack nothing."""

    editions: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MOST_EDITIONS)] | None = None


class PackedFile(Out, frozen=True, kw_only=True):
    """A file of a pack and what the preflight found in it; `edition` is blank for what belongs to all of them."""

    name: str
    edition: str
    media_type: str
    bytes: int
    findings: list[Finding]


class PackOut(Out, frozen=True, kw_only=True):
    """Where a pack stands: `done` of `total` editions are made, of the book as it was at `bookVersion`.

    `files`, `bytes`, `downloadUrl` and `expiresAt` come with the end. `isProof` says that the plan gives marked proofs
    in place of what printers take; `editions` are those that it is made of. `paused`: it waits until
    administrators let such jobs go on.
    """

    id: UUID
    book_id: int
    status: Status
    paused: bool
    book_version: int
    is_proof: bool
    editions: list[str]
    done: int
    total: int
    files: list[PackedFile]
    bytes: int | None
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime | None
    download_url: str | None
    error: str | None
    error_code: str | None
