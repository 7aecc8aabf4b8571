"""Rules of the gallery: listing, changing, the bin, and what is left of a cover in the end."""

import re
import unicodedata
from datetime import timedelta
from typing import Final
from urllib.parse import quote

import msgspec
from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core import clock
from kernel.core.database import Database, changed_rows
from kernel.core.errors import Absent
from kernel.covers.listing import CoverFilter, cursor_at, listing
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import CoverChange, CoverOut
from kernel.covers.views import cover_out, covers_query, text_key
from kernel.pictures.store import FileRef, PictureStore
from kernel.site.prompts import clean

PURGE_BATCH: Final = 100


class GalleryService:
    """Covers of one user at a time; another user's cover does not exist."""

    def __init__(self, database: Database, pictures: PictureStore) -> None:
        self._database = database
        self._pictures = pictures

    async def page(
        self, reader: AsyncConnection, user_id: int, wanted: CoverFilter
    ) -> tuple[list[CoverOut], str | None]:
        """Return one page and the cursor of the next. Raises InvalidFields for a cursor of another order."""
        statement, values = listing(user_id, wanted)
        rows = (await reader.execute(statement, values)).all()
        shown = rows[: wanted.limit]
        following = cursor_at(shown[-1], wanted.order) if len(rows) > wanted.limit else None
        return [cover_out(row) for row in shown], following

    async def get(self, reader: AsyncConnection | AsyncSession, user_id: int, cover_id: int) -> CoverOut:
        """Return one cover that is not in the bin. Raises Absent."""
        query = covers_query().where(Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This cover does not exist.")
        return cover_out(row)

    async def change(self, session: AsyncSession, user_id: int, cover_id: int, wanted: CoverChange) -> CoverOut:
        """Change title or star. Raises Absent."""
        given = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not msgspec.UNSET}
        if "title" in given:
            given["title"] = clean(given["title"])
            given["title_key"] = text_key(given["title"])
        if given:
            mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
            await session.execute(update(Cover).where(*mine).values(**given))
        return await self.get(session, user_id, cover_id)

    async def bin(self, session: AsyncSession, user_id: int, cover_id: int) -> None:
        """Put a cover into the bin. Raises Absent."""
        mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        if not await changed_rows(session, update(Cover).where(*mine).values(deleted_at=clock.now())):
            raise Absent("This cover does not exist.")

    async def restore(self, session: AsyncSession, user_id: int, cover_id: int) -> CoverOut:
        """Take a cover out of the bin; one that is not in it stays as it is. Raises Absent."""
        mine = (Cover.id == cover_id, Cover.user_id == user_id)
        await session.execute(update(Cover).where(*mine).values(deleted_at=None))
        return await self.get(session, user_id, cover_id)

    async def file(self, reader: AsyncConnection, user_id: int, cover_id: int, form: str) -> tuple[FileRef, str]:
        """Find one form of a user's cover, in the bin or not, and the cover's title. Raises Absent."""
        query = select(Cover.picture_id, Cover.title).where(Cover.id == cover_id, Cover.user_id == user_id)
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This cover does not exist.")
        return await self._pictures.file(reader, row.picture_id, form), row.title

    async def purge(self, *, older_than_days: int) -> int:
        """Remove covers that have been in the bin for too long; return how many."""
        return await self._remove(Cover.deleted_at < clock.now() - timedelta(days=older_than_days))

    async def remove(self, user_id: int, cover_id: int) -> None:
        """Remove for ever a cover that is in the bin. Raises Absent for any other."""
        if not await self._remove(Cover.deleted_at.is_not(None), Cover.user_id == user_id, Cover.id == cover_id):
            raise Absent("This cover is not in the bin.")

    async def empty_bin(self, user_id: int) -> None:
        """Remove for ever what is in a user's bin now."""
        before = clock.now()
        while await self._remove(Cover.deleted_at <= before, Cover.user_id == user_id) == PURGE_BATCH:
            pass

    async def _remove(self, *which: ColumnElement[bool]) -> int:
        """Remove covers for ever, so many at a time, rows first and then objects; return how many."""
        async with self._database.write() as session:
            query = select(Cover.id, Cover.picture_id, Cover.generation_id).where(*which).with_for_update()
            rows = (await session.execute(query.limit(PURGE_BATCH))).all()
            made_by = Generation.id.in_([row.generation_id for row in rows])
            await session.execute(update(Generation).where(made_by).values(purged_at=clock.now()))
            await session.execute(delete(Cover).where(Cover.id.in_([row.id for row in rows])))
            refs = await self._pictures.forget(session, [row.picture_id for row in rows])
        await self._pictures.erase(refs)
        return len(rows)


def file_name(title: str, extension: str) -> str:
    """Return the specified name of a downloaded cover: the title in lower case, everything else an underscore."""
    plain = unicodedata.normalize("NFC", title).lower()
    stem = "".join(char if char.isalnum() else "_" for char in plain)
    return f"{stem or 'cover'}.{extension}"


def content_disposition(name: str) -> str:
    """Return the header for a download; readers without RFC 5987 get an ASCII name."""
    ascii_name = re.sub(r"[^a-z0-9_.-]", "_", name.lower())
    return f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, safe='')}"
