"""Reference pictures of a generation: read once, stored for the workers until the job has ended."""

import asyncio
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.config import PictureFormat, PicturesConfig
from kernel.core.data.database import Database
from kernel.core.data.job_table import OPEN_STATES
from kernel.core.errors import Absent, AppError
from kernel.covers.extensions import Side
from kernel.covers.models import Cover, Generation
from kernel.covers.schemas import UploadedImage
from kernel.pictures.base64_uploads import decoded, refuse, storage_away
from kernel.pictures.encoding import Form
from kernel.pictures.ingest import canvas_of, ingest_mask, ingest_reference
from kernel.pictures.models import GenerationReference, PictureFile
from kernel.pictures.store import FILE_COLUMNS, FileRef, PictureStore
from kernel.providers import NoProviderAvailable
from kernel.spi import ProviderError, Size

BATCH: Final = 100
MAX_MASK_BYTES: Final = 4_000_000
"""Of a mask as a PNG of two colors; OpenAI takes less than 4 MB."""
_REFERENCE_COLUMNS: Final = tuple(getattr(GenerationReference, name) for name in FileRef.__struct_fields__)


class Uploads(msgspec.Struct, frozen=True, kw_only=True):
    """The result of uploads: the valid pictures, and what is wrong with the others by field."""

    forms: tuple[Form, ...]
    faults: dict[str, AppError]


class ReferenceService:
    """Rules of references. Bytes are read in threads, objects written before the rows that name them."""

    def __init__(self, config: PicturesConfig, database: Database, pictures: PictureStore) -> None:
        self._config = config
        self._database = database
        self._pictures = pictures

    async def read_uploads(self, uploads: Sequence[UploadedImage]) -> Uploads:
        """Decode, check and re-encode uploads."""
        forms: list[Form] = []
        faults: dict[str, AppError] = {}
        for number, upload in enumerate(uploads):
            try:
                data = await asyncio.to_thread(decoded, upload.base64, self._config.max_upload_bytes)
                forms.append(await ingest_reference(data, self._config, limit=self._config.max_upload_bytes))
            except AppError as error:
                faults[f"uploadedImages.{number}"] = error
        return Uploads(forms=tuple(forms), faults=faults)

    async def read_covers(self, user_id: int, cover_ids: Sequence[int]) -> list[Form]:
        """Encode covers of a user as references, in the given order.

        Raises Absent when one is not in the gallery, and NoProvider.
        """
        return [await self.read_cover(ref) for ref in await self.files_of(user_id, cover_ids)]

    async def read_cover(self, ref: FileRef) -> Form:
        """Encode a stored cover as a reference. Raises NoProvider."""
        try:
            return await self._read(ref)
        except (ProviderError, NoProviderAvailable) as error:
            raise storage_away() from error

    async def read_artwork(self, ref: FileRef, mask: str | None) -> list[Form]:
        """Encode a stored picture as a reference, and an upload as the mask for it, if there is one.

        Raises InvalidFields, TooLarge and WrongType for the mask, and NoProvider.
        """
        try:
            artwork = await self._read(ref, "jpeg" if mask is None else "png")
        except (ProviderError, NoProviderAvailable) as error:
            raise storage_away() from error
        if mask is None:
            return [artwork]
        size = Size(artwork.width, artwork.height)
        try:
            data = await asyncio.to_thread(decoded, mask, MAX_MASK_BYTES)
            return [artwork, await ingest_mask(data, self._config, limit=MAX_MASK_BYTES, size=size)]
        except AppError as error:
            refuse({"mask": error}, {})
            raise

    async def read_canvas(self, ref: FileRef, size: Size, side: Side) -> list[Form]:
        """Encode a stored picture on a canvas on which it is to go on, and the mask of that. Raises NoProvider."""
        try:
            return list(await canvas_of(await self._pictures.read(ref), size, side))
        except (ProviderError, NoProviderAvailable) as error:
            raise storage_away() from error

    async def _read(self, ref: FileRef, kind: PictureFormat = "jpeg") -> Form:
        data = await self._pictures.read(ref)
        return await ingest_reference(data, self._config, limit=self._config.max_result_bytes, kind=kind)

    async def files_of(self, user_id: int, cover_ids: Sequence[int]) -> list[FileRef]:
        """Return where the artworks of a user's covers are stored, in the given order; the whole cover where the words
        are part of the picture: a service might show those of another book. Raises Absent for one not in the gallery.
        """
        if not cover_ids:
            return []
        query = (
            select(Cover.id, *FILE_COLUMNS)
            .join(PictureFile, PictureFile.picture_id == func.coalesce(Cover.artwork_id, Cover.picture_id))
            .where(
                Cover.id.in_(cover_ids),
                Cover.user_id == user_id,
                Cover.deleted_at.is_(None),
                PictureFile.form == "original",
            )
        )
        async with self._database.read() as connection:
            found = {row.id: row for row in (await connection.execute(query)).all()}
        if any(cover_id not in found for cover_id in cover_ids):
            raise Absent("This cover does not exist.")
        return [FileRef(**{name: getattr(found[one], name) for name in FileRef.__struct_fields__}) for one in cover_ids]

    async def put(self, generation_id: UUID, forms: Sequence[Form]) -> list[FileRef]:
        """Store references of a job that is not yet accepted. Raises NoProvider."""
        try:
            return await self._pictures.put_references(generation_id, forms)
        except (ProviderError, NoProviderAvailable) as error:
            raise storage_away() from error

    async def record(self, session: AsyncSession, generation_id: UUID, refs: Sequence[FileRef]) -> None:
        """Write the rows of stored references in the transaction that accepts the job."""
        if refs:
            rows = [
                {"generation_id": generation_id, "position": position} | msgspec.structs.asdict(ref)
                for position, ref in enumerate(refs)
            ]
            await session.execute(insert(GenerationReference), rows)

    async def discard(self, refs: Sequence[FileRef]) -> None:
        """Remove references of a job that was not accepted. The collector removes later what fails here."""
        await self._pictures.erase(refs)

    async def load(self, generation_id: UUID) -> tuple[bytes, ...]:
        """Return the references of a job in their order. Raises Absent and ProviderError."""
        query = (
            select(*_REFERENCE_COLUMNS)
            .where(GenerationReference.generation_id == generation_id)
            .order_by(GenerationReference.position)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return tuple([await self._pictures.read(FileRef(**row._asdict())) for row in rows])

    async def forget_ended(self) -> int:
        """Remove the references of jobs that have ended, rows first and then objects; return how many."""
        ended = (
            select(GenerationReference.generation_id)
            .join(Generation, Generation.id == GenerationReference.generation_id)
            .where(Generation.state.not_in(OPEN_STATES))
            .limit(BATCH)
        )
        async with self._database.read() as connection:
            ids = set((await connection.execute(ended)).scalars())
        if not ids:
            return 0
        async with self._database.write() as session:
            gone = await session.execute(
                delete(GenerationReference)
                .where(GenerationReference.generation_id.in_(ids))
                .returning(*_REFERENCE_COLUMNS)
            )
            refs = [FileRef(**row._asdict()) for row in gone.all()]
        await self._pictures.erase(refs)
        return len(refs)
