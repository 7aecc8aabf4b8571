"""Covers, generations and archives as data that an account owns: included in an export, deleted with the account."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import delete, exists, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.owned_data import ExportFile, json_file
from kernel.core import clock
from kernel.core.data.database import Database, ReadConnection
from kernel.core.data.job_table import OPEN_STATES
from kernel.core.fault_points import faultpoint
from kernel.covers.archives.models import Archive
from kernel.covers.archives.service import ArchiveService
from kernel.covers.book_words import word_columns
from kernel.covers.cover_read import pictures_of
from kernel.covers.gallery.file_names import file_name
from kernel.covers.generation.state_machine import Canceled, GenerationStateMachine
from kernel.covers.models import ArtworkExtension, Cover, CoverVersion, Generation
from kernel.pictures.models import ArchiveFile, GenerationReference, PictureFile
from kernel.pictures.store import FILE_COLUMNS, FileRef, PictureStore
from kernel.spi import NotFound

BATCH: Final = 100

TOLD_OF_GENERATION: Final = (
    Generation.id,
    Generation.state,
    Generation.prompt,
    *word_columns(Generation),
    Generation.dimensions,
    Generation.width,
    Generation.height,
    Generation.theme_id,
    Generation.language,
    Generation.lettering_style,
    Generation.elements,
    Generation.made_elements,
    Generation.seed,
    Generation.reference_count,
    Generation.refined_cover_id,
    Generation.provider,
    Generation.model,
    Generation.error_message,
    Generation.created_at,
    Generation.finished_at,
)

TOLD_OF_COVER: Final = (
    Cover.id,
    Cover.generation_id,
    Cover.theme_id,
    *word_columns(Cover),
    CoverVersion.lettering,
    Cover.starred,
    Cover.created_at,
    Cover.deleted_at,
)


class ToldVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a cover, or how its artwork goes on, as an export tells of it, and the pictures that it keeps by the
    names of their files.
    """

    cover_id: int
    told: dict[str, Any]
    files: dict[str, FileRef]


class CoverData:
    """A user's generations, covers and archives, including the bin."""

    def __init__(
        self,
        database: Database,
        state_machine: GenerationStateMachine,
        archives: ArchiveService,
        pictures: PictureStore,
    ) -> None:
        self._database = database
        self._state_machine = state_machine
        self._archives = archives
        self._pictures = pictures

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield generations.json, each cover's picture and those of its other versions, and covers.json, which names
        the files.
        """
        yield ExportFile(name="generations.json", chunks=self._generations(user_id))
        entries: list[dict[str, Any]] = []
        after = 0
        while rows := await self._covers(user_id, after):
            versions = await self._versions([row.id for row in rows])
            extensions = await self._extensions([row.id for row in rows])
            for row in rows:
                cover = {column.key: getattr(row, column.key) for column in TOLD_OF_COVER}
                ref = FileRef(**{name: getattr(row, name) for name in FileRef.__struct_fields__})
                after, cover["file"] = row.id, None
                cover["versions"] = [known.told for known in versions if known.cover_id == row.id]
                cover["extensions"] = [known.told for known in extensions if known.cover_id == row.id]
                chunks = self._pictures.chunks(ref)
                try:
                    first = await anext(chunks, b"")
                except NotFound:  # a missing picture must not prevent the rest of the export
                    entries.append(cover)
                    continue
                cover["file"] = f"covers/{row.id}-{file_name(row.title, ref.media_type.removeprefix('image/'))}"
                entries.append(cover)
                yield ExportFile(name=cover["file"], chunks=_all_of(first, chunks))
            async for file in self._pictures_of([*versions, *extensions]):
                yield file
        yield ExportFile(name="covers.json", chunks=json_file(entries))

    async def remove(self, user_id: int) -> None:
        """Cancel running jobs and remove every object, and the rows that are not deleted with the user's."""
        async with self._database.scan() as connection:
            mine = select(Generation.id).where(Generation.user_id == user_id, Generation.state.in_(OPEN_STATES))
            running = (await connection.execute(mine)).scalars().all()
        for generation_id in running:
            await self._state_machine.settle(generation_id, Canceled())
        await self._archives.cancel_all(user_id)
        while await self._remove_covers(user_id):
            continue
        await self._remove_files(user_id)

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Say whether a job was accepted, or ended with something, since `remove` looked."""
        jobs = exists().where(Generation.user_id == user_id, Generation.state.in_(OPEN_STATES))
        packing = exists().where(Archive.user_id == user_id, Archive.state.in_(OPEN_STATES))
        covers = exists().where(Cover.user_id == user_id)
        references = exists().where(GenerationReference.generation_id == Generation.id, Generation.user_id == user_id)
        packed = exists().where(ArchiveFile.archive_id == Archive.id, Archive.user_id == user_id)
        found = select(jobs | packing | covers | references | packed)
        return bool((await session.execute(found)).scalar_one())

    async def _covers(self, user_id: int, after: int) -> list[Any]:
        query = (
            select(*TOLD_OF_COVER, *FILE_COLUMNS)
            .join(PictureFile, PictureFile.picture_id == Cover.picture_id)
            .outerjoin(CoverVersion, (CoverVersion.cover_id == Cover.id) & (CoverVersion.number == Cover.version))
            .where(Cover.user_id == user_id, Cover.id > after, PictureFile.form == "original")
            .order_by(Cover.id)
            .limit(BATCH)
        )
        async with self._database.scan() as connection:
            return list((await connection.execute(query)).all())

    async def _versions(self, cover_ids: Sequence[int]) -> list[ToldVersion]:
        """Return the versions of covers, each with the pictures that it keeps."""
        query = (
            select(
                CoverVersion.cover_id,
                CoverVersion.number,
                CoverVersion.artwork_id,
                CoverVersion.picture_id,
                CoverVersion.lettering,
                CoverVersion.created_at,
                Generation.prompt.label("asked"),
            )
            .outerjoin(Generation, Generation.id == CoverVersion.generation_id)
            .where(CoverVersion.cover_id.in_(cover_ids))
            .order_by(CoverVersion.cover_id, CoverVersion.number)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
            held = {one for row in rows for one in (row.artwork_id, row.picture_id) if one is not None}
            files = await _originals(connection, held)
        return [
            ToldVersion(
                cover_id=row.cover_id,
                told={
                    "number": row.number,
                    "asked": row.asked,
                    "lettering": row.lettering,
                    "created_at": row.created_at,
                    "artwork": _version_file(row.cover_id, row.artwork_id),
                    "picture": _version_file(row.cover_id, row.picture_id),
                },
                files={
                    str(_version_file(row.cover_id, one)): files[one]
                    for one in (row.artwork_id, row.picture_id)
                    if one in files
                },
            )
            for row in rows
        ]

    async def _extensions(self, cover_ids: Sequence[int]) -> list[ToldVersion]:
        """Return how the artworks of covers go on beyond their sides, each with its picture."""
        columns = (ArtworkExtension.cover_id, ArtworkExtension.side, ArtworkExtension.picture_id)
        query = (
            select(*columns, ArtworkExtension.created_at)
            .where(ArtworkExtension.cover_id.in_(cover_ids))
            .order_by(ArtworkExtension.id)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
            files = await _originals(connection, {row.picture_id for row in rows})
        names = {row.picture_id: str(_version_file(row.cover_id, row.picture_id)) for row in rows}
        return [
            ToldVersion(
                cover_id=row.cover_id,
                told={"side": row.side, "created_at": row.created_at, "picture": names[row.picture_id]},
                files={names[row.picture_id]: files[row.picture_id]} if row.picture_id in files else {},
            )
            for row in rows
        ]

    async def _pictures_of(self, versions: Sequence[ToldVersion]) -> AsyncIterator[ExportFile]:
        """Yield each picture of versions once; a missing one must not prevent the rest of the export."""
        for name, ref in {name: ref for version in versions for name, ref in version.files.items()}.items():
            chunks = self._pictures.chunks(ref)
            try:
                first = await anext(chunks, b"")
            except NotFound:
                continue
            yield ExportFile(name=name, chunks=_all_of(first, chunks))

    async def _generations(self, user_id: int) -> AsyncIterator[bytes]:
        """Yield a JSON list, a page of rows at a time."""
        mine = select(*TOLD_OF_GENERATION).where(Generation.user_id == user_id).order_by(Generation.id).limit(BATCH)
        query, begun = mine, False
        while True:
            async with self._database.scan() as connection:
                rows = (await connection.execute(query)).all()
            if not rows:
                break
            items = b",\n".join(msgspec.json.encode(row._asdict()) for row in rows)
            yield (b",\n" if begun else b"[\n") + items
            query, begun = mine.where(Generation.id > rows[-1].id), True
        yield b"\n]\n" if begun else b"[]\n"

    async def _remove_covers(self, user_id: int) -> int:
        """Remove some covers, objects first; return how many."""
        async with self._database.scan() as connection:
            some = select(Cover.id, Cover.picture_id, Cover.artwork_id, Cover.generation_id)
            rows = (await connection.execute(some.where(Cover.user_id == user_id).limit(BATCH))).all()
            pictures = await pictures_of(connection, rows)
            files = select(*FILE_COLUMNS).where(PictureFile.picture_id.in_(pictures))
            refs = [FileRef(**row._asdict()) for row in await connection.execute(files)]
        if not rows:
            return 0
        await self._pictures.destroy(refs)
        faultpoint("belongings_erased")
        async with self._database.write() as session:
            made_by = Generation.id.in_([row.generation_id for row in rows]) | (
                Generation.refined_cover_id.in_([row.id for row in rows]) & (Generation.state == "completed")
            )
            await session.execute(update(Generation).where(made_by).values(purged_at=clock.now()))
            await session.execute(delete(Cover).where(Cover.id.in_([row.id for row in rows])))
            await self._pictures.forget(session, pictures)
        return len(rows)

    async def _remove_files(self, user_id: int) -> None:
        """Remove references of jobs and packed archives, objects first."""
        columns = FileRef.__struct_fields__
        references = (
            select(*(getattr(GenerationReference, name) for name in columns))
            .join(Generation, Generation.id == GenerationReference.generation_id)
            .where(Generation.user_id == user_id)
        )
        packed = (
            select(*(getattr(ArchiveFile, name) for name in columns))
            .join(Archive, Archive.id == ArchiveFile.archive_id)
            .where(Archive.user_id == user_id)
        )
        async with self._database.scan() as connection:
            rows = await connection.execute(union_all(references, packed))
            refs = [FileRef(**dict(zip(columns, row, strict=True))) for row in rows]
        await self._pictures.destroy(refs)
        async with self._database.write() as session:
            mine = select(Generation.id).where(Generation.user_id == user_id)
            await session.execute(delete(GenerationReference).where(GenerationReference.generation_id.in_(mine)))
            await session.execute(delete(Archive).where(Archive.user_id == user_id))


async def _originals(reader: ReadConnection, picture_ids: set[int]) -> dict[int, FileRef]:
    """Return the originals of pictures by their ids."""
    found = select(PictureFile.picture_id, *FILE_COLUMNS).where(
        PictureFile.picture_id.in_(picture_ids), PictureFile.form == "original"
    )
    return {
        row.picture_id: FileRef(**{name: getattr(row, name) for name in FileRef.__struct_fields__})
        for row in await reader.execute(found)
    }


def _version_file(cover_id: int, picture_id: int | None) -> str | None:
    return None if picture_id is None else f"covers/{cover_id}-picture-{picture_id}.png"


async def _all_of(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in rest:
        yield chunk
