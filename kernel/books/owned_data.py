"""Books as data that an account owns: included in an export, deleted with the account."""

from collections.abc import AsyncIterator
from typing import Final

import msgspec
from sqlalchemy import delete, exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.owned_data import ExportFile
from kernel.books.book_rows import FACTS, editions_of
from kernel.books.models import BookRow, EditionPack
from kernel.books.packs.service import PackService
from kernel.core.data.database import Database
from kernel.core.data.job_table import OPEN_STATES
from kernel.pictures.models import EditionPackFile
from kernel.pictures.store import FileRef, PictureStore

BATCH: Final = 100

TOLD: Final = (
    BookRow.id,
    BookRow.cover_id,
    *(getattr(BookRow, name) for name in FACTS),
    BookRow.created_at,
    BookRow.updated_at,
    BookRow.deleted_at,
)


class BookData:
    """A user's books and editions, including the bin. Packs are not exported: they are made anew at any time."""

    def __init__(self, database: Database, packs: PackService, pictures: PictureStore) -> None:
        self._database = database
        self._packs = packs
        self._pictures = pictures

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield books.json."""
        yield ExportFile(name="books.json", chunks=self._books(user_id))

    async def remove(self, user_id: int) -> None:
        """Cancel what is being made and remove every stored pack, objects first; other rows go with the user's."""
        await self._packs.cancel_all(user_id)
        packed = (
            select(*(getattr(EditionPackFile, name) for name in FileRef.__struct_fields__))
            .join(EditionPack, EditionPack.id == EditionPackFile.pack_id)
            .where(EditionPack.user_id == user_id)
        )
        async with self._database.scan() as connection:
            refs = [FileRef(**row._asdict()) for row in await connection.execute(packed)]
        await self._pictures.destroy(refs)
        async with self._database.write() as session:
            await session.execute(delete(EditionPack).where(EditionPack.user_id == user_id))

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Say whether a pack was asked for, or made, since `remove` looked."""
        making = exists().where(EditionPack.user_id == user_id, EditionPack.state.in_(OPEN_STATES))
        packed = exists().where(EditionPackFile.pack_id == EditionPack.id, EditionPack.user_id == user_id)
        return bool((await session.execute(select(making | packed))).scalar_one())

    async def _books(self, user_id: int) -> AsyncIterator[bytes]:
        """Yield a JSON list, a page of rows at a time."""
        mine = select(*TOLD).where(BookRow.user_id == user_id).order_by(BookRow.id).limit(BATCH)
        query, begun = mine, False
        while True:
            async with self._database.scan() as connection:
                rows = (await connection.execute(query)).all()
                editions = await editions_of(connection, [row.id for row in rows])
            if not rows:
                break
            told = [
                row._asdict() | {"editions": [msgspec.structs.asdict(one) for one in editions[row.id]]} for row in rows
            ]
            yield (b",\n" if begun else b"[\n") + b",\n".join(msgspec.json.encode(book) for book in told)
            query, begun = mine.where(BookRow.id > rows[-1].id), True
        yield b"\n]\n" if begun else b"[]\n"
