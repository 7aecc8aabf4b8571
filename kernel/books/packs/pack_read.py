"""Reading edition packs."""

from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.books.models import EditionPack
from kernel.books.packs.schemas import PackedFile, PackOut
from kernel.core.data.database import ReadConnection
from kernel.core.data.job_pause import is_paused
from kernel.core.errors import Absent
from kernel.covers.cover_read import STATUS
from kernel.pictures.models import EditionPackFile

ABSENT_PACK: Final = "These files do not exist."


async def find_pack(reader: ReadConnection | AsyncSession, user_id: int, pack_id: UUID) -> PackOut:
    """Return where a pack stands. Raises Absent."""
    query = _packs().where(EditionPack.id == pack_id, EditionPack.user_id == user_id)
    row = (await reader.execute(query)).one_or_none()
    if row is None:
        raise Absent(ABSENT_PACK)
    return _pack_out(row)


async def latest_pack(reader: ReadConnection | AsyncSession, user_id: int, book_id: int) -> PackOut | None:
    """Return the latest pack of a book that was not canceled; None without any."""
    mine = (EditionPack.book_id == book_id, EditionPack.user_id == user_id, EditionPack.state != "canceled")
    row = (await reader.execute(_packs().where(*mine).order_by(EditionPack.id.desc()).limit(1))).one_or_none()
    return None if row is None else _pack_out(row)


def _packs() -> Select[Any]:
    return select(
        EditionPack.id,
        EditionPack.book_id,
        EditionPack.book_version,
        EditionPack.ordered,
        EditionPack.state,
        is_paused(EditionPack.job_kind).label("paused"),
        EditionPack.done,
        EditionPack.total,
        EditionPack.contents,
        EditionPack.created_at,
        EditionPack.finished_at,
        EditionPack.expires_at,
        EditionPack.error_code,
        EditionPack.error_message,
        EditionPackFile.size,
    ).outerjoin(EditionPackFile, EditionPackFile.pack_id == EditionPack.id)


def _pack_out(row: Any) -> PackOut:
    return PackOut(
        id=row.id,
        book_id=row.book_id,
        status=STATUS[row.state],
        paused=row.state == "queued" and bool(row.paused),
        book_version=row.book_version,
        is_proof=row.ordered["proof"],
        editions=[one["name"] for one in row.ordered["editions"]],
        done=row.done,
        total=row.total,
        files=msgspec.convert(row.contents or [], list[PackedFile]),
        bytes=row.size,
        created_at=row.created_at,
        finished_at=row.finished_at,
        expires_at=row.expires_at,
        download_url=f"/api/packs/{row.id}/download" if row.size is not None else None,
        error=row.error_message,
        error_code=row.error_code,
    )
