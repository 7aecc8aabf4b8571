"""What a worker does with edition packs: one at a time, edition by edition, through a folder on its own disk."""

import asyncio
import hashlib
import logging
import shutil
import zipfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec

from kernel.books.editions import EditionSettings
from kernel.books.models import EditionPack
from kernel.books.packs.disclosure import disclosure
from kernel.books.packs.ordering import OrderedPack, PackPictures
from kernel.books.packs.preflight_report import FileInPack, preflight_report
from kernel.books.packs.proof_words import proof_words
from kernel.books.packs.schemas import PackedFile
from kernel.books.packs.service import LOST_MESSAGE, ClaimedPack, PackService
from kernel.books.press import EditionPress, PressRefused
from kernel.core.config import Config
from kernel.core.errors import Absent, AppError
from kernel.core.fault_points import faultpoint
from kernel.core.process.job_scope import working_on
from kernel.core.queue.job_loop import run_to_end, until_next
from kernel.core.queue.lease import hold_lease
from kernel.core.queue.pubsub import PubSub
from kernel.covers.provenance.files import MarkedFiles
from kernel.covers.provenance.marking import CoverMark
from kernel.pictures.encoding import FORMATS
from kernel.pictures.marks.open_raster import MEDIA_TYPE as OPEN_RASTER
from kernel.pictures.store import FileRef, PictureStore
from kernel.press.editions import MakeFile, Picture
from kernel.providers import NoProviderAvailable
from kernel.spi import NotFound, ProviderError

log = logging.getLogger(__name__)

CHANNEL: Final = "packs"
CHUNK_BYTES: Final = 1_048_576
RETRY_S: Final = 5.0
NEEDED_BYTES: Final = 300_000_000
"""Room on the disk for the files of one book, once here and once in storage: the largest allowed PDF has 40 MB."""

NO_ROOM_MESSAGE: Final = "There is no room to make these files at the moment."
GONE_MESSAGE: Final = "The picture of this cover was changed meanwhile. Please make the files again."
REFUSED_MESSAGE: Final = "The files of this edition cannot be made from this cover."
REPORT_NAME: Final = "Preflight.json"
DISCLOSURE_NAME: Final = "Disclosure.txt"


class LostPack(Exception):
    """The pack was canceled or went to another worker: the files are not needed any more."""


class PackWorker:
    """A plain loop in every worker. The row in the database is the job; a message only wakes the loop sooner."""

    def __init__(
        self,
        config: Config,
        packs: PackService,
        press: EditionPress,
        pictures: PictureStore,
        marked_files: MarkedFiles,
        pubsub: PubSub,
    ) -> None:
        self._config = config
        self._packs = packs
        self._press = press
        self._pictures = pictures
        self._marked_files = marked_files
        self._pubsub = pubsub
        self._folder = config.data_dir / "packs"

    async def run(self) -> None:
        """Make packs until cancelled; one failure does not end the loop."""
        pause = self._config.generation.sweep_s
        while True:
            async with self._pubsub.follow(CHANNEL) as follower:
                await self._make_all()
                while not follower.deaf:
                    await follower.next(timeout_s=until_next(pause))
                    await self._make_all()
            await asyncio.sleep(pause)

    async def clean(self) -> None:
        """Remove the folders of packs that have ended: a worker that was killed left its own behind."""
        found = await asyncio.to_thread(self._folders)
        for pack_id in found.keys() - await self._packs.open_among(set(found)):
            for folder in found[pack_id]:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    def _folders(self) -> dict[UUID, list[Path]]:
        found: dict[UUID, list[Path]] = {}
        for folder in self._folder.glob("*"):
            found.setdefault(UUID(folder.name[:36]), []).append(folder)
        return found

    async def _make_all(self) -> None:
        try:
            while claimed := await self._packs.claim():
                with working_on(EditionPack.job_kind, claimed.id):
                    await self._make(claimed)
        except Exception:
            log.exception("making packs failed; the next look follows")

    async def _make(self, claimed: ClaimedPack) -> None:
        """Work on a claimed pack and end it, whatever happens on the way."""
        faultpoint("pack_claimed")
        folder = self._folder / f"{claimed.id}-{claimed.fence}"
        try:
            async with hold_lease(
                lambda: self._packs.renew_lease(claimed),
                lease_s=self._config.generation.lease_s,
                lost=LostPack,
                name=f"pack {claimed.id}",
            ):
                await self._fill(claimed, folder)
        except LostPack:
            log.info("pack %s is no longer ours", claimed.id)
        except asyncio.CancelledError:
            await self._packs.put_back(claimed, counts=False)
            raise
        except PressRefused as error:
            log.error("pack %s: %s", claimed.id, error)
            await self._packs.fail(claimed, "edition_refused", REFUSED_MESSAGE)
        except (Absent, NotFound):
            await self._packs.fail(claimed, "cover_changed", GONE_MESSAGE)
        except (ProviderError, NoProviderAvailable, AppError) as error:
            log.warning("pack %s: %s", claimed.id, type(error).__name__)
            await self._again(claimed, after_s=error.retry_after or RETRY_S)
        except Exception:
            log.exception("pack %s failed in the kernel", claimed.id)
            await self._again(claimed, after_s=RETRY_S)
        finally:
            for left in self._folder.glob(f"{claimed.id}-*"):
                await run_to_end(asyncio.to_thread(shutil.rmtree, left, ignore_errors=True))

    async def _again(self, claimed: ClaimedPack, *, after_s: float) -> None:
        if not await self._packs.put_back(claimed, after_s=after_s):
            await self._packs.fail(claimed, "internal", LOST_MESSAGE)

    async def _fill(self, claimed: ClaimedPack, folder: Path) -> None:
        ordered = msgspec.convert(claimed.ordered, OrderedPack)
        free = shutil.disk_usage(self._config.data_dir).free
        if free - NEEDED_BYTES < self._config.pictures.min_free_bytes:
            await self._packs.fail(claimed, "storage_full", NO_ROOM_MESSAGE)
            return
        await asyncio.to_thread(folder.mkdir, mode=0o700, parents=True)
        artwork, manifest = await self._fetch(ordered.front.picture_id, folder / "artwork")
        wanted = {"painted": ordered.front.painted_id, "mark": ordered.mark_id, "back": ordered.back_picture_id}
        others = {
            name: (await self._fetch(picture_id, folder / name))[0]
            for name, picture_id in wanted.items()
            if picture_id is not None
        }
        volumes = [
            (await self._fetch(front.picture_id, folder / f"volume-{place}"))[0]
            for place, front in enumerate(ordered.volumes)
        ]
        pictures = PackPictures(artwork=artwork, **others, volumes=tuple(volumes))
        made: list[FileInPack] = []
        for number, settings in enumerate(ordered.editions, 1):
            made += await self._edition(ordered, settings, pictures, manifest, folder / settings.name)
            if not await self._packs.record_progress(claimed, number):
                raise LostPack
            if number == 1:
                faultpoint("pack_begun")
        files = [file.packed for file in made]
        files += await self._report(ordered, made, folder)
        files += await asyncio.to_thread(_write_texts, ordered, made, folder)
        packed = folder / "pack.zip"
        await run_to_end(asyncio.to_thread(_zip, ordered, files, folder, packed))
        await self._keep(claimed, packed, files)

    async def _fetch(self, picture_id: int, path: Path) -> tuple[Picture, FileRef | None]:
        """Write a stored picture where the press reads it; return it with the manifest it came with. Raises Absent."""
        stored, manifest = await self._packs.artwork(picture_id)
        await asyncio.to_thread(path.write_bytes, await self._pictures.read(stored))
        return Picture(path=str(path)), manifest

    async def _edition(
        self,
        ordered: OrderedPack,
        settings: EditionSettings,
        pictures: PackPictures,
        manifest: FileRef | None,
        folder: Path,
    ) -> list[FileInPack]:
        """Make the files of one edition in a folder of its own."""
        await asyncio.to_thread(folder.mkdir, mode=0o700)
        order = ordered.order(settings, pictures)
        words = proof_words(ordered, settings, order)
        files = []
        for kind in ordered.kinds(order):
            made = await self._press.make(MakeFile(order=order, kind=kind, folder=str(folder), words=words))
            about = CoverMark(mark=ordered.mark(kind), manifest=manifest)
            size = await self._finish(folder / made.name, about, made.media_type) or made.size
            packed = PackedFile(
                name=made.name,
                edition=settings.name,
                media_type=made.media_type,
                bytes=size,
                findings=list(made.report.findings),
            )
            files.append(FileInPack(packed, made, order))
        return files

    async def _report(self, ordered: OrderedPack, made: list[FileInPack], folder: Path) -> list[PackedFile]:
        """Have the report for people set."""
        report = preflight_report(ordered, made, str(folder))
        if report is None:
            log.warning("a pack has no report for people: the interface is not built")
            return []
        size = (await self._press.report(report)).size
        return [PackedFile(name=report.name, edition="", media_type="application/pdf", bytes=size, findings=[])]

    async def _finish(self, path: Path, about: CoverMark, media_type: str) -> int | None:
        """Let a picture tell of its origin; return how long it is then. PDFs carry no metadata, as printers ask."""
        kind = FORMATS.get(media_type)
        if kind is None and media_type != OPEN_RASTER:
            return None
        data = await asyncio.to_thread(path.read_bytes)
        if kind is None:
            told = await self._marked_files.finish_layers(data, about.mark)
        else:
            credentials = await self._marked_files.credentials()
            told = (await self._marked_files.finish(data, kind, about, credentials)).data
        return await asyncio.to_thread(path.write_bytes, told)

    async def _keep(self, claimed: ClaimedPack, packed: Path, files: list[PackedFile]) -> None:
        """Store the file and end the pack with it; a file that nobody waits for any more is removed again."""
        size, sha256 = await asyncio.to_thread(_measure, packed)
        key = f"pack-{claimed.id}/{claimed.fence}-{sha256[:16]}.zip"
        ref = await self._pictures.put_archive(key, lambda: _chunks(packed), size=size, sha256=sha256)
        faultpoint("pack_stored")
        await run_to_end(self._end(claimed, ref, files))

    async def _end(self, claimed: ClaimedPack, ref: FileRef, files: list[PackedFile]) -> None:
        """End the pack, or remove its file. Not to be broken off: nobody else knows of the file."""
        if not await self._packs.complete(claimed, ref, files):
            await self._pictures.erase([ref])


def _write_texts(ordered: OrderedPack, made: list[FileInPack], folder: Path) -> list[PackedFile]:
    """Write what the preflight found, for programs, and the disclosure of how the picture was made."""
    files = [file.packed for file in made]
    found = [{"file": file.name, "edition": file.edition, "findings": file.findings} for file in files]
    report = msgspec.json.format(msgspec.json.encode(found, order="deterministic"), indent=2)
    texts = {
        REPORT_NAME: ("application/json", report),
        DISCLOSURE_NAME: ("text/plain", disclosure(ordered).encode()),
    }
    written = []
    for name, (media_type, data) in texts.items():
        (folder / name).write_bytes(data)
        written.append(PackedFile(name=name, edition="", media_type=media_type, bytes=len(data), findings=[]))
    return written


def _zip(ordered: OrderedPack, files: list[PackedFile], folder: Path, packed: Path) -> None:
    """Write the files into one. The times in it are that of the order, so that the same files make the same bytes."""
    moment = ordered.made.timetuple()[:6]
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:  # pictures and PDFs do not get any smaller
        for file in files:
            entry = zipfile.ZipInfo(file.name, moment)
            with archive.open(entry, "w") as target, (folder / file.edition / file.name).open("rb") as source:
                shutil.copyfileobj(source, target, CHUNK_BYTES)


def _measure(path: Path) -> tuple[int, str]:
    """Return how long a file is and the digest of its bytes."""
    digest, size = hashlib.sha256(), 0
    for block in _blocks(path):
        digest.update(block)
        size += len(block)
    return size, digest.hexdigest()


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(CHUNK_BYTES):
            yield block


async def _chunks(path: Path) -> AsyncIterator[bytes]:
    blocks: Any = _blocks(path)
    while (block := await asyncio.to_thread(next, blocks, b"")) != b"":
        yield block
