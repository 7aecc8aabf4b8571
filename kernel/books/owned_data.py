"""Books as data that an account owns: included in an export, deleted with the account."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.owned_data import ExportFile
from kernel.books.book_rows import FACTS, editions_of
from kernel.books.editions import EditionSettings
from kernel.books.models import BOOK_PICTURES, BackPicture, BookPicture, BookRow, EditionPack, PublisherMark
from kernel.books.packs.service import PackService
from kernel.core.data.database import Database
from kernel.core.data.job_table import OPEN_STATES
from kernel.core.errors import Absent
from kernel.pictures.models import EditionPackFile, PictureFile
from kernel.pictures.store import FILE_COLUMNS, FileRef, PictureStore

BATCH: Final = 100

TOLD: Final = (
    BookRow.id,
    BookRow.cover_id,
    *(getattr(BookRow, name) for name in FACTS),
    BookRow.created_at,
    BookRow.updated_at,
    BookRow.deleted_at,
)
_TOLD_AS: Final[dict[type[BookPicture], str]] = {PublisherMark: "mark", BackPicture: "back_picture"}
_FOLDERS: Final[dict[type[BookPicture], str]] = {PublisherMark: "marks", BackPicture: "back-pictures"}


class BookData:
    """A user's books, editions and their pictures, including the bin. Packs are not exported: they can be made anew."""

    def __init__(self, database: Database, packs: PackService, pictures: PictureStore) -> None:
        self._database = database
        self._packs = packs
        self._pictures = pictures

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield books.json and the pictures of books; a missing one must not prevent the rest of the export."""
        yield ExportFile(name="books.json", chunks=self._books(user_id))
        for table in BOOK_PICTURES:
            for picture_id, ref in await self._own_pictures(table, user_id):
                try:
                    data = await self._pictures.read(ref)
                except Absent:
                    continue
                yield ExportFile(name=_file_of(table, picture_id), chunks=_one(data))

    async def remove(self, user_id: int) -> None:
        """Cancel what is being made, and remove every stored pack and picture, objects first; other rows go with the
        user's.
        """
        await self._packs.cancel_all(user_id)
        packed = (
            select(*(getattr(EditionPackFile, name) for name in FileRef.__struct_fields__))
            .join(EditionPack, EditionPack.id == EditionPackFile.pack_id)
            .where(EditionPack.user_id == user_id)
        )
        async with self._database.scan() as connection:
            refs = [FileRef(**row._asdict()) for row in await connection.execute(packed)]
        own = {table: await self._own_pictures(table, user_id) for table in BOOK_PICTURES}
        await self._pictures.destroy([*refs, *(ref for found in own.values() for _, ref in found)])
        async with self._database.write() as session:
            await session.execute(delete(EditionPack).where(EditionPack.user_id == user_id))
            for table, found in own.items():
                ids = [picture_id for picture_id, _ in found]
                await session.execute(delete(table).where(table.picture_id.in_(ids)))
                await self._pictures.forget(session, ids)

    async def _own_pictures(self, table: type[BookPicture], user_id: int) -> list[tuple[int, FileRef]]:
        """Return each picture of the user's books once, with its file."""
        query = (
            select(PictureFile.picture_id, *FILE_COLUMNS)
            .join(table, table.picture_id == PictureFile.picture_id)
            .join(BookRow, BookRow.id == table.book_id)
            .where(BookRow.user_id == user_id)
            .distinct()
        )
        async with self._database.scan() as connection:
            rows = await connection.execute(query)
            names = FileRef.__struct_fields__
            return [(row.picture_id, FileRef(**{name: getattr(row, name) for name in names})) for row in rows]

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Say whether a pack was asked for or made, or a picture stored, since `remove` looked."""
        making = exists().where(EditionPack.user_id == user_id, EditionPack.state.in_(OPEN_STATES))
        packed = exists().where(EditionPackFile.pack_id == EditionPack.id, EditionPack.user_id == user_id)
        own = (exists().where(table.book_id == BookRow.id, BookRow.user_id == user_id) for table in BOOK_PICTURES)
        return bool((await session.execute(select(or_(making, packed, *own)))).scalar_one())

    async def _books(self, user_id: int) -> AsyncIterator[bytes]:
        """Yield a JSON list, a page of rows at a time."""
        mine = (
            select(*TOLD, *(table.picture_id.label(name) for table, name in _TOLD_AS.items()))
            .outerjoin(PublisherMark, PublisherMark.book_id == BookRow.id)
            .outerjoin(BackPicture, BackPicture.book_id == BookRow.id)
            .where(BookRow.user_id == user_id)
            .order_by(BookRow.id)
            .limit(BATCH)
        )
        query, begun = mine, False
        while True:
            async with self._database.scan() as connection:
                rows = (await connection.execute(query)).all()
                editions = await editions_of(connection, [row.id for row in rows])
            if not rows:
                break
            told = [_told(row, editions[row.id]) for row in rows]
            yield (b",\n" if begun else b"[\n") + b",\n".join(msgspec.json.encode(book) for book in told)
            query, begun = mine.where(BookRow.id > rows[-1].id), True
        yield b"\n]\n" if begun else b"[]\n"


def _told(row: Any, editions: Sequence[EditionSettings]) -> dict[str, Any]:
    """Return what a person is told of a book."""
    told: dict[str, Any] = row._asdict()
    for table, name in _TOLD_AS.items():
        told[name] = None if told[name] is None else _file_of(table, told[name])
    return told | {"editions": [msgspec.structs.asdict(one) for one in editions]}


def _file_of(table: type[BookPicture], picture_id: int) -> str:
    return f"{_FOLDERS[table]}/{picture_id}.webp"


async def _one(data: bytes) -> AsyncIterator[bytes]:
    yield data
