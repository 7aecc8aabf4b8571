"""What a worker does with archives: one at a time, cover by cover, through a file on disk and never through memory."""

import asyncio
import hashlib
import logging
import shutil
import tempfile
import zipfile
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from typing import IO, Any, Final, NamedTuple

from sqlalchemy import select

from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.errors import Absent
from kernel.core.fault_points import faultpoint
from kernel.core.process.job_scope import working_on
from kernel.core.queue.job_loop import run_to_end, until_next
from kernel.core.queue.lease import hold_lease
from kernel.core.queue.pubsub import PubSub
from kernel.covers.archives.models import Archive
from kernel.covers.archives.service import LOST_MESSAGE, RETRY_S, ArchiveService, ClaimedArchive
from kernel.covers.gallery.download_service import DownloadService
from kernel.covers.gallery.file_names import file_name
from kernel.covers.models import Cover
from kernel.covers.provenance.files import MarkedFiles
from kernel.covers.provenance.marking import CoverMark, marks_of
from kernel.pictures.ingest import convert
from kernel.pictures.marks.containers import png_chunk
from kernel.pictures.marks.xmp import packet_of
from kernel.pictures.models import PictureFile
from kernel.pictures.responses import marked_chunks
from kernel.pictures.store import FILE_COLUMNS, FileRef, PictureStore
from kernel.providers import NoProviderAvailable, Registry
from kernel.spi import NotFound, ProviderError

log = logging.getLogger(__name__)

CHANNEL: Final = "archives"
CHUNK_BYTES: Final = 1_048_576
LONGEST_STEM_BYTES: Final = 200
"""File systems allow names of 255 bytes; what is left is for a number and the extension."""
NO_ROOM_MESSAGE: Final = "There is no room to pack these covers at the moment."
NOTHING_MESSAGE: Final = "None of these covers is there any more."


class LostArchive(Exception):
    """The archive was canceled or went to another worker: the file is not needed any more."""


class _Source(NamedTuple):
    """One cover to pack: when it was made, its title, its picture, and what its file tells of its origin."""

    title: str
    made: datetime
    ref: FileRef
    about: CoverMark


class ArchiveWorker:
    """A plain loop in every worker. The row in the database is the job; a message only wakes the loop sooner."""

    def __init__(
        self,
        config: Config,
        database: Database,
        registry: Registry,
        archives: ArchiveService,
        downloads: DownloadService,
        pictures: PictureStore,
        files: MarkedFiles,
        pubsub: PubSub,
    ) -> None:
        self._config = config
        self._database = database
        self._registry = registry
        self._archives = archives
        self._downloads = downloads
        self._pictures = pictures
        self._files = files
        self._pubsub = pubsub

    async def run(self) -> None:
        """Pack until cancelled; one failure does not end the loop."""
        pause = self._config.generation.sweep_s
        while True:
            async with self._pubsub.follow(CHANNEL) as follower:
                await self._pack_all()
                while not follower.deaf:
                    await follower.next(timeout_s=until_next(pause))
                    await self._pack_all()
            await asyncio.sleep(pause)

    async def _pack_all(self) -> None:
        try:
            while claimed := await self._archives.claim():
                with working_on(Archive.job_kind, claimed.id):
                    await self._pack(claimed)
        except Exception:
            log.exception("packing failed; the next look follows")

    async def _pack(self, claimed: ClaimedArchive) -> None:
        """Work on a claimed archive and end it, whatever happens on the way."""
        faultpoint("archive_claimed")
        try:
            async with hold_lease(
                lambda: self._archives.renew_lease(claimed),
                lease_s=self._config.generation.lease_s,
                lost=LostArchive,
                name=f"archive {claimed.id}",
            ):
                await self._make(claimed)
        except LostArchive:
            log.info("archive %s is no longer ours", claimed.id)
        except asyncio.CancelledError:
            await self._archives.put_back(claimed, counts=False)
            raise
        except (ProviderError, NoProviderAvailable) as error:
            log.warning("archive %s: %s", claimed.id, type(error).__name__)
            await self._again(claimed, after_s=error.retry_after or RETRY_S)
        except Exception:
            log.exception("archive %s failed in the kernel", claimed.id)
            await self._again(claimed, after_s=RETRY_S)

    async def _again(self, claimed: ClaimedArchive, *, after_s: float) -> None:
        if not await self._archives.put_back(claimed, after_s=after_s):
            await self._archives.fail(claimed, "internal", LOST_MESSAGE)

    async def _make(self, claimed: ClaimedArchive) -> None:
        sources = await self._sources(claimed)
        if not sources:
            await self._archives.fail(claimed, "nothing_left", NOTHING_MESSAGE)
            return
        folder = self._config.data_dir
        # once here and once in storage; other formats and sizes are smaller than the PNG that is counted
        needed = 2 * sum(source.ref.size for source in sources)
        if shutil.disk_usage(folder).free - needed < self._config.pictures.min_free_bytes:
            await self._archives.fail(claimed, "storage_full", NO_ROOM_MESSAGE)
            return
        # without a name, so that nothing is left of it when this process is killed
        with tempfile.TemporaryFile(dir=folder) as file:
            packed = await self._fill(claimed, sources, file)
            if not packed:
                await self._archives.fail(claimed, "nothing_left", NOTHING_MESSAGE)
                return
            await self._keep(claimed, file, packed)

    async def _sources(self, claimed: ClaimedArchive) -> list[_Source]:
        """Return the covers of an archive that are still there, in the order asked for."""
        query = (
            select(Cover.id, Cover.title, Cover.created_at, *FILE_COLUMNS)
            .join(PictureFile, PictureFile.picture_id == Cover.picture_id)
            .where(
                Cover.id.in_(claimed.cover_ids),
                Cover.user_id == claimed.user_id,
                Cover.deleted_at.is_(None),
                PictureFile.form == "original",
            )
        )
        async with self._database.scan() as connection:
            rows = {row.id: row for row in (await connection.execute(query)).all()}
            marks = await marks_of(connection, self._registry, rows.keys())
        found = [rows[cover_id] for cover_id in claimed.cover_ids if cover_id in marks]
        return [
            _Source(
                title=row.title,
                made=row.created_at,
                ref=FileRef(**{name: getattr(row, name) for name in FileRef.__struct_fields__}),
                about=marks[row.id],
            )
            for row in found
        ]

    async def _fill(self, claimed: ClaimedArchive, sources: list[_Source], file: IO[bytes]) -> int:
        """Write the covers into the file and return how many there are: one removed meanwhile is left out."""
        extension = "jpg" if claimed.format == "jpeg" else claimed.format
        names, packed = names_of([source.title for source in sources], extension), 0
        async with self._database.scan() as connection:
            longest_px = (await self._downloads.allowed(connection, claimed.user_id)).longest_px
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:  # pictures do not get any smaller
            for number, (name, source) in enumerate(zip(names, sources, strict=True), 1):
                entry = zipfile.ZipInfo(name, source.made.timetuple()[:6])
                try:
                    await self._write(archive, entry, source, claimed, longest_px)
                    packed += 1
                except (NotFound, Absent):
                    log.info("a cover of archive %s is gone", claimed.id)
                if not await self._archives.record_progress(claimed, number):
                    raise LostArchive
                if number == 1:
                    faultpoint("archive_begun")
        return packed

    async def _write(
        self,
        archive: zipfile.ZipFile,
        entry: zipfile.ZipInfo,
        source: _Source,
        claimed: ClaimedArchive,
        longest_px: int | None,
    ) -> None:
        """Write one cover: as it is kept in pieces; in another format or size, or signed, one whole picture at a time.

        A thread writes, and holds the open file: a cancellation waits for it.
        """
        credentials = await self._files.credentials()
        if claimed.format != "png" or longest_px is not None or credentials is not None:
            original = await self._pictures.read(source.ref)
            data = await convert(original, claimed.format, longest_px=longest_px)
            finished = await self._files.finish(data, claimed.format, source.about, credentials)
            await run_to_end(asyncio.to_thread(archive.writestr, entry, finished.data))
            return
        chunks = marked_chunks(self._pictures, source.ref, png_chunk(packet_of(source.about.mark)), None)
        first = await anext(chunks)  # a missing object is noticed here, before anything is written
        with archive.open(entry, "w") as target:
            await run_to_end(asyncio.to_thread(target.write, first))
            async for chunk in chunks:
                await run_to_end(asyncio.to_thread(target.write, chunk))

    async def _keep(self, claimed: ClaimedArchive, file: IO[bytes], packed: int) -> None:
        """Store the file and end the archive with it; a file that nobody waits for any more is removed again."""
        size, sha256 = await asyncio.to_thread(_measure, file)
        key = f"archive-{claimed.id}/{claimed.fence}-{sha256[:16]}.zip"
        ref = await self._pictures.put_archive(key, lambda: _chunks(file), size=size, sha256=sha256)
        faultpoint("archive_stored")
        await run_to_end(self._end(claimed, ref, packed))

    async def _end(self, claimed: ClaimedArchive, ref: FileRef, packed: int) -> None:
        """End the archive, or remove its file. Not to be broken off: nobody else knows of the file."""
        if not await self._archives.complete(claimed, ref, packed):
            await self._pictures.erase([ref])


def names_of(titles: list[str], extension: str) -> list[str]:
    """Return a file name for each title, as a single download has it; those that are equal are numbered."""
    used: set[str] = set()
    names = []
    for title in titles:
        stem = file_name(title, "").removesuffix(".").encode()[:LONGEST_STEM_BYTES].decode(errors="ignore")
        number, name = 1, stem
        while name in used:
            number += 1
            name = f"{stem}_{number}"
        used.add(name)
        names.append(f"{name}.{extension}")
    return names


def _measure(file: IO[bytes]) -> tuple[int, str]:
    """Return how long the file is and the digest of its bytes."""
    digest = hashlib.sha256()
    size = 0
    for block in _blocks(file):
        digest.update(block)
        size += len(block)
    return size, digest.hexdigest()


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    while block := file.read(CHUNK_BYTES):
        yield block


async def _chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    blocks: Any = _blocks(file)
    while (block := await asyncio.to_thread(next, blocks, b"")) != b"":
        yield block
