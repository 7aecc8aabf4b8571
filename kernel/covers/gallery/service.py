"""Rules of the gallery: listing, changing, the bin, and removing for good."""

from datetime import timedelta
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import Database, ReadConnection, changed_rows
from kernel.core.data.search_index import search_condition
from kernel.core.errors import Absent
from kernel.covers.cover_read import COVER_SEARCH, cover_out, covers_query, pictures_of, text_key
from kernel.covers.dimensions import DIMENSIONS
from kernel.covers.gallery.queries import CoverFilter, cursor_at, listing
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import CoverChange, CoverFacets, CoverOut
from kernel.pictures.store import FileRef, PictureStore
from kernel.site.prompts import clean

PURGE_BATCH: Final = 100


class GalleryService:
    """Covers of one user at a time; another user's cover does not exist."""

    def __init__(self, database: Database, pictures: PictureStore) -> None:
        self._database = database
        self._pictures = pictures

    async def page(self, user_id: int, wanted: CoverFilter) -> tuple[list[CoverOut], str | None]:
        """Return one page and the cursor of the next. Raises InvalidFields for a cursor of another order."""
        long = wanted.search or wanted.narrowed
        async with self._database.scan() if long else self._database.read() as connection:
            return await self.page_in(connection, user_id, wanted)

    async def page_in(
        self, reader: ReadConnection, user_id: int, wanted: CoverFilter
    ) -> tuple[list[CoverOut], str | None]:
        """Do the same on a connection that is open already."""
        statement, values = listing(user_id, wanted)
        if wanted.search:
            found = await search_condition(reader, COVER_SEARCH, text_key(wanted.search), owner=user_id)
            statement = statement.where(found)
        rows = (await reader.execute(statement, values)).all()
        shown = rows[: wanted.limit]
        following = cursor_at(shown[-1], wanted.order) if len(rows) > wanted.limit else None
        return [cover_out(row) for row in shown], following

    async def facets(self, user_id: int) -> CoverFacets:
        """Return what somebody's covers can be narrowed to, those in the bin left out."""
        made = (
            select(Cover.genre, Generation.dimensions, Generation.provider)
            .join(Generation, Generation.id == Cover.generation_id)
            .where(Cover.user_id == user_id, Cover.deleted_at.is_(None))
            .distinct()
        )
        async with self._database.scan() as connection:
            rows = (await connection.execute(made)).all()
        used = {row.dimensions for row in rows}
        return CoverFacets(
            genres=sorted({row.genre for row in rows if row.genre}, key=text_key),
            dimensions=[name for name in DIMENSIONS if name in used],
            providers=sorted({row.provider for row in rows if row.provider}, key=text_key),
        )

    async def get(self, user_id: int, cover_id: int) -> CoverOut:
        """Return one cover that is not in the bin. Raises Absent."""
        async with self._database.read() as connection:
            return await self.get_in(connection, user_id, cover_id)

    async def get_in(self, reader: ReadConnection | AsyncSession, user_id: int, cover_id: int) -> CoverOut:
        """Do the same in the caller's transaction."""
        query = covers_query().where(Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This cover does not exist.")
        return cover_out(row)

    async def change(self, user_id: int, cover_id: int, wanted: CoverChange) -> CoverOut:
        """Change title or star. Raises Absent."""
        given = {key: value for key, value in msgspec.structs.asdict(wanted).items() if value is not msgspec.UNSET}
        if "title" in given:
            given["title"] = clean(given["title"])
            given["title_key"] = text_key(given["title"])
        async with self._database.write() as session:
            if given:
                mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
                await session.execute(update(Cover).where(*mine).values(**given))
            return await self.get_in(session, user_id, cover_id)

    async def bin(self, user_id: int, cover_id: int) -> None:
        """Put a cover into the bin. Raises Absent."""
        mine = (Cover.id == cover_id, Cover.user_id == user_id, Cover.deleted_at.is_(None))
        async with self._database.write() as session:
            if not await changed_rows(session, update(Cover).where(*mine).values(deleted_at=clock.now())):
                raise Absent("This cover does not exist.")

    async def restore(self, user_id: int, cover_id: int) -> CoverOut:
        """Take a cover out of the bin; one that is not in it stays as it is. Raises Absent."""
        mine = (Cover.id == cover_id, Cover.user_id == user_id)
        async with self._database.write() as session:
            await session.execute(update(Cover).where(*mine).values(deleted_at=None))
            return await self.get_in(session, user_id, cover_id)

    async def with_original(self, user_id: int, cover_id: int) -> tuple[CoverOut, FileRef]:
        """Return one cover that is not in the bin, and its original. Raises Absent."""
        async with self._database.read() as connection:
            cover = await self.get_in(connection, user_id, cover_id)
            original, _ = await self.file_in(connection, user_id, cover_id, "original")
        return cover, original

    async def file(self, user_id: int, cover_id: int, form: str) -> FileRef:
        """Find one form of a user's cover, in the bin or not. Raises Absent."""
        async with self._database.read() as connection:
            ref, _ = await self.file_in(connection, user_id, cover_id, form)
        return ref

    async def file_in(self, reader: ReadConnection, user_id: int, cover_id: int, form: str) -> tuple[FileRef, str]:
        """Find the same on a connection that is open already, and the cover's title. Raises Absent."""
        query = select(Cover.picture_id, Cover.title).where(Cover.id == cover_id, Cover.user_id == user_id)
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This cover does not exist.")
        return await self._pictures.file(reader, row.picture_id, form), row.title

    async def purge(self, *, older_than_days: int) -> int:
        """Remove covers that have been in the bin for too long; return how many."""
        return await self._remove(Cover.deleted_at < clock.now() - timedelta(days=older_than_days))

    async def remove(self, user_id: int, cover_id: int) -> None:
        """Remove a cover in the bin for good. Raises Absent for any other."""
        if not await self._remove(Cover.deleted_at.is_not(None), Cover.user_id == user_id, Cover.id == cover_id):
            raise Absent("This cover is not in the bin.")

    async def empty_bin(self, user_id: int) -> None:
        """Remove everything in a user's bin for good."""
        before = clock.now()
        while await self._remove(Cover.deleted_at <= before, Cover.user_id == user_id) == PURGE_BATCH:
            pass

    async def _remove(self, *which: ColumnElement[bool]) -> int:
        """Remove covers for good, in batches, rows first and then objects; return how many."""
        async with self._database.write() as session:
            query = (
                select(Cover.id, Cover.picture_id, Cover.artwork_id, Cover.generation_id)
                .where(*which)
                .with_for_update()
            )
            rows = (await session.execute(query.limit(PURGE_BATCH))).all()
            pictures = await pictures_of(session, rows)
            made_by = Generation.id.in_([row.generation_id for row in rows]) | (
                Generation.refined_cover_id.in_([row.id for row in rows]) & (Generation.state == "completed")
            )
            await session.execute(update(Generation).where(made_by).values(purged_at=clock.now()))
            await session.execute(delete(Cover).where(Cover.id.in_([row.id for row in rows])))
            refs = await self._pictures.forget(session, pictures)
        await self._pictures.erase(refs)
        return len(rows)
