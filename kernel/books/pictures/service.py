"""Rules of pictures that a book has of its own: objects are written before the rows that name them, and removed after
them.
"""

import asyncio
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.books.book_read import book_out
from kernel.books.book_rows import book_row, pictures_only_of
from kernel.books.models import BackPicture, BookPicture, PublisherMark
from kernel.books.pictures.schemas import BookPictureIn
from kernel.books.schemas import BookOut
from kernel.books.service import advance
from kernel.core.config import PicturesConfig
from kernel.core.data.database import Database, insert_into
from kernel.core.data.ids import new_uuid
from kernel.core.errors import Absent, AppError, InvalidFields, TooLarge, WrongType
from kernel.core.field_errors import FieldError
from kernel.pictures.base64_uploads import decoded, refuse, storage_away
from kernel.pictures.decoding import PictureRefused
from kernel.pictures.ingest import OTHER_TYPE, Ingested, ingest_mark
from kernel.pictures.store import FileRef, PictureStore
from kernel.providers import NoProviderAvailable
from kernel.spi import ProviderError, Size

BOX: Final = Size(1200, 1200)
"""Pixels: four inches at 300 dpi, more than any spine or column of a back has room for."""
LEAST: Final = 200
"""Pixels of the longer side: less is blurred even on a thin spine."""
NONE: Final = "This book has no such picture."
TABLES: Final[dict[str, type[BookPicture]]] = {"mark": PublisherMark, "back": BackPicture}


class BookPictureService:
    """Pictures of one user's books at a time; another user's book and a picture of another name do not exist."""

    def __init__(self, config: PicturesConfig, database: Database, pictures: PictureStore) -> None:
        self._config = config
        self._database = database
        self._pictures = pictures

    async def file(self, user_id: int, book_id: int, name: str) -> FileRef:
        """Find the picture of a book. Raises Absent."""
        table = _table(name)
        async with self._database.read() as connection:
            await book_row(connection, user_id, book_id)
            found = select(table.picture_id).where(table.book_id == book_id)
            picture_id = (await connection.execute(found)).scalar_one_or_none()
            if picture_id is None:
                raise Absent(NONE)
            return await self._pictures.file(connection, picture_id, "original")

    async def put(self, user_id: int, book_id: int, name: str, given: BookPictureIn) -> BookOut:
        """Give a book its picture, in place of what it had.

        Raises Absent, Conflict (`book_moved_on`), InvalidFields, TooLarge, WrongType and NoProvider.
        """
        table = _table(name)
        async with self._database.read() as connection:
            await book_row(connection, user_id, book_id)
        picture = await self._read(given.base64)
        try:
            stored = await self._pictures.put(new_uuid(), 0, picture)
        except (ProviderError, NoProviderAvailable) as error:
            raise storage_away() from error
        try:
            async with self._database.write() as session:
                await advance(session, user_id, book_id, given.version)
                refs = await self._taken(session, table, book_id)
                picture_id = await self._pictures.record(session, stored)
                row = insert_into(session, table).values(book_id=book_id, picture_id=picture_id)
                await session.execute(row)
                book = await book_out(session, user_id, book_id)
        except AppError:  # any other error may have left rows, so the collector decides about the objects
            await self._pictures.discard(stored)
            raise
        await self._pictures.erase(refs)
        return book

    async def remove(self, user_id: int, book_id: int, name: str, version: int | None) -> BookOut:
        """Take a book's picture away. Raises Absent and Conflict."""
        table = _table(name)
        async with self._database.write() as session:
            await advance(session, user_id, book_id, version)
            had = await session.execute(select(table.book_id).where(table.book_id == book_id))
            if had.one_or_none() is None:
                raise Absent(NONE)
            refs = await self._taken(session, table, book_id)
            book = await book_out(session, user_id, book_id)
        await self._pictures.erase(refs)
        return book

    async def _taken(self, session: AsyncSession, table: type[BookPicture], book_id: int) -> list[FileRef]:
        """Take the picture from a book; return its files unless another book of the series has it, too."""
        own = await pictures_only_of(session, [book_id], [table])
        await session.execute(delete(table).where(table.book_id == book_id))
        return await self._pictures.forget(session, own)

    async def _read(self, base64: str) -> Ingested:
        limit = self._config.max_upload_bytes
        try:
            data = await asyncio.to_thread(decoded, base64, limit)
            picture = await ingest_mark(data, self._config, limit=limit, box=BOX)
        except WrongType as error:
            raise WrongType(OTHER_TYPE, fields={"base64": OTHER_TYPE}) from error
        except (TooLarge, PictureRefused) as error:
            refuse({"base64": error}, {})
            raise
        if max(picture.native.width, picture.native.height) < LEAST:
            words = f"The longer side of this picture has at least {LEAST} pixels."
            raise InvalidFields({"base64": FieldError("small_picture", words, {"least": LEAST})})
        return picture


def _table(name: str) -> type[BookPicture]:
    """Return where pictures of a name stand. Raises Absent."""
    if name not in TABLES:
        raise Absent(NONE)
    return TABLES[name]
