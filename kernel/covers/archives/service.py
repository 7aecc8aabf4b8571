"""The life cycle of an archive: accepted, packed by a worker, kept for a day.

    queued -> running -> completed | failed | canceled,   running -> queued for another attempt

As with a generation, every claim raises the row's fence, and only the holder of the current one may change a running
archive.
"""

import hashlib
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.config import GenerationConfig, PictureFormat
from kernel.core.data.database import Database, ReadConnection, changed_rows
from kernel.core.data.ids import new_uuid
from kernel.core.data.job_pause import is_paused
from kernel.core.data.job_table import OPEN_STATES, JobTable
from kernel.core.errors import Absent, TooMany
from kernel.core.queue.job_loop import Waiting
from kernel.core.web.idempotency import check_key, made_before
from kernel.covers.archives.models import Archive
from kernel.covers.archives.schemas import ArchiveIn, ArchiveOut
from kernel.covers.cover_read import STATUS
from kernel.covers.gallery.download_service import DownloadService
from kernel.covers.models import Cover
from kernel.pictures.models import ArchiveFile
from kernel.pictures.store import FileRef, PictureStore

OPEN_AT_ONCE: Final = 2
KEPT: Final = timedelta(hours=24)
MAX_ATTEMPTS: Final = 3
RETRY_S: Final = 5.0
EXPIRED_AT_A_TIME: Final = 100
CLAIM_FROM: Final = 5
"""So many archives are looked at for a claim: other workers may be quicker with the first ones."""

LOST_MESSAGE: Final = "The archive could not be made. Please try again."

_FILE_COLUMNS: Final = tuple(getattr(ArchiveFile, name) for name in FileRef.__struct_fields__)


class AcceptedArchive(msgspec.Struct, frozen=True, kw_only=True):
    """The archive; `replayed` when an earlier request had the same key and content."""

    archive: ArchiveOut
    replayed: bool


class ClaimedArchive(msgspec.Struct, frozen=True, kw_only=True):
    """An archive that this worker packs."""

    id: UUID
    attempts: int
    fence: int
    user_id: int
    cover_ids: list[int]
    format: PictureFormat


class ArchiveService:
    """Archives of one user at a time; another user's does not exist. Each method is one short transaction."""

    def __init__(
        self, config: GenerationConfig, database: Database, pictures: PictureStore, downloads: DownloadService
    ) -> None:
        self._config = config
        self._database = database
        self._pictures = pictures
        self._downloads = downloads
        self._jobs = JobTable(Archive, ClaimedArchive, lease_s=config.lease_s)
        self._waiting = Waiting(database, self._jobs.open)

    async def accept(self, user_id: int, wanted: ArchiveIn, *, key: str | None) -> AcceptedArchive:
        """Store a request for an archive, or return the one that this key already made.

        Raises InvalidFields, IdempotencyConflict, PlanRequired, Absent (a cover that is not in the user's gallery)
        and TooMany.
        """
        check_key(key)
        digest = hashlib.sha256(msgspec.json.encode(wanted)).hexdigest()
        if known := await self._by_key(user_id, key, digest):
            return known
        async with self._database.scan() as connection:
            await self._downloads.allowed_as(connection, user_id, wanted.format)
        try:
            async with self._database.write() as session:
                archive_id = await self._store(session, user_id, wanted, key, digest)
                return AcceptedArchive(archive=await self._get(session, user_id, archive_id), replayed=False)
        except IntegrityError:
            if known := await self._by_key(user_id, key, digest):
                return known
            raise

    async def get(self, user_id: int, archive_id: UUID) -> ArchiveOut:
        """Return where an archive stands. Raises Absent."""
        async with self._database.read() as connection:
            return await self._get(connection, user_id, archive_id)

    async def _get(self, reader: ReadConnection | AsyncSession, user_id: int, archive_id: UUID) -> ArchiveOut:
        query = _archives_query().where(Archive.id == archive_id, Archive.user_id == user_id)
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This archive does not exist.")
        return _archive_out(row)

    async def file(self, user_id: int, archive_id: UUID) -> FileRef:
        """Find the file of a finished archive. Raises Absent."""
        query = (
            select(*_FILE_COLUMNS)
            .join(Archive, Archive.id == ArchiveFile.archive_id)
            .where(Archive.id == archive_id, Archive.user_id == user_id, Archive.expires_at > clock.now())
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise Absent("This archive does not exist.")
        return FileRef(**row._asdict())

    async def remove(self, user_id: int, archive_id: UUID) -> None:
        """Cancel an archive that is being made, or remove one that has ended. Raises Absent."""
        mine = (Archive.id == archive_id, Archive.user_id == user_id)
        async with self._database.write() as session:
            if await self._jobs.end(session, *mine, **_ending("canceled")):
                return
            refs = await self._forget(session, *mine)
        if refs is None:
            raise Absent("This archive does not exist.")
        await self._pictures.erase(refs)

    async def cancel_in(self, session: AsyncSession, archive_id: UUID) -> bool:
        """Cancel anybody's archive in the caller's transaction; False when it has ended."""
        return bool(await self._jobs.end(session, Archive.id == archive_id, **_ending("canceled")))

    async def cancel_all(self, user_id: int) -> None:
        """Cancel what is being made for a user who leaves."""
        async with self._database.write() as session:
            await self._jobs.end(session, Archive.user_id == user_id, **_ending("canceled", kept=timedelta()))

    async def claim(self) -> ClaimedArchive | None:
        """Take the archive that has waited longest, or one whose worker died; None when there is nothing to take.

        One that is out of attempts ends as failed instead.
        """
        if not await self._waiting.worth_a_look():
            return None
        async with self._database.read() as connection:
            due = await self._jobs.due_ids(connection, limit=CLAIM_FROM)
        for archive_id in due:
            async with self._database.write() as session:
                claimed = await self._jobs.claim(session, archive_id, done=0)
                if claimed is None:
                    continue
                if claimed.attempts <= MAX_ATTEMPTS:
                    return claimed
                await self._fail_in(session, claimed, "attempts_exhausted", LOST_MESSAGE)
        return None

    async def renew_lease(self, archive: ClaimedArchive) -> bool:
        """Extend the lease; False when the claim is no longer valid."""
        async with self._database.write() as session:
            return await self._jobs.renew(session, archive)

    async def record_progress(self, archive: ClaimedArchive, done: int) -> bool:
        """Store how many covers are packed; False when the claim is no longer valid."""
        async with self._database.write() as session:
            return await self._jobs.update(session, archive, done=done)

    async def put_back(self, archive: ClaimedArchive, *, after_s: float = 0.0, counts: bool = True) -> bool:
        """Put the archive back into the queue; False when the claim is no longer valid or no attempt is left.

        An attempt that does not `count` (this worker stops) leaves the attempts as they were.
        """
        if counts and archive.attempts >= MAX_ATTEMPTS:
            return False
        async with self._database.write() as session:
            return await self._jobs.put_back(session, archive, after_s=after_s, counts=counts, done=0)

    async def complete(self, archive: ClaimedArchive, ref: FileRef, packed: int) -> bool:
        """End the archive with its file and the number of covers in it; False when the claim is no longer valid."""
        async with self._database.write() as session:
            held, values = self._jobs.held(archive), _ending("completed") | {"done": packed, "total": packed}
            if not await self._jobs.end(session, held, **values):
                return False
            await session.execute(insert(ArchiveFile).values(archive_id=archive.id, **msgspec.structs.asdict(ref)))
        return True

    async def fail(self, archive: ClaimedArchive, code: str, message: str) -> bool:
        """End the archive without a file: a code for machines, a sentence for the user."""
        async with self._database.write() as session:
            return await self._fail_in(session, archive, code, message)

    async def _fail_in(self, session: AsyncSession, archive: ClaimedArchive, code: str, message: str) -> bool:
        return bool(await self._jobs.end(session, self._jobs.held(archive), **_ending("failed", code, message)))

    async def expire(self) -> int:
        """Delete expired archives, rows first and then objects; return how many."""
        async with self._database.write() as session:
            old = select(Archive.id).where(Archive.expires_at <= clock.now()).limit(EXPIRED_AT_A_TIME)
            ids = list((await session.execute(old)).scalars())
            refs = await self._forget(session, Archive.id.in_(ids)) or []
        await self._pictures.erase(refs)
        return len(ids)

    async def _by_key(self, user_id: int, key: str | None, digest: str) -> AcceptedArchive | None:
        if key is None:
            return None
        query = select(Archive.id, Archive.request_hash).where(
            Archive.user_id == user_id, Archive.idempotency_key == key
        )
        async with self._database.read() as connection:
            made = await made_before(connection, query, digest)
            return (
                None
                if made is None
                else AcceptedArchive(archive=await self._get(connection, user_id, made), replayed=True)
            )

    async def _store(
        self, session: AsyncSession, user_id: int, wanted: ArchiveIn, key: str | None, digest: str
    ) -> UUID:
        ids = list(dict.fromkeys(wanted.cover_ids))
        # two concurrent requests must not both count one archive less
        await session.execute(select(User.id).where(User.id == user_id).with_for_update())
        shelved = (Cover.user_id == user_id, Cover.id.in_(ids), Cover.deleted_at.is_(None))
        if (await session.execute(select(func.count()).where(*shelved))).scalar_one() != len(ids):
            raise Absent("This cover does not exist.")
        mine = select(func.count()).where(Archive.user_id == user_id, _open())
        if (await session.execute(mine)).scalar_one() >= OPEN_AT_ONCE:
            raise TooMany("Please wait until one of your archives is ready.", code="too_many_archives", retry_after=5.0)
        archive_id, moment = new_uuid(), clock.now()
        await session.execute(
            insert(Archive).values(
                id=archive_id,
                user_id=user_id,
                idempotency_key=key,
                request_hash=digest,
                cover_ids=ids,
                format=wanted.format,
                state="queued",
                attempts=0,
                fence=0,
                run_after=moment,
                done=0,
                total=len(ids),
                created_at=moment,
            )
        )
        return archive_id

    async def _forget(self, session: AsyncSession, *which: ColumnElement[bool]) -> list[FileRef] | None:
        """Delete rows in the caller's transaction; return what `erase` then removes, None when there was no row."""
        files = select(*_FILE_COLUMNS).join(Archive, Archive.id == ArchiveFile.archive_id).where(*which)
        refs = [FileRef(**row._asdict()) for row in (await session.execute(files)).all()]
        return refs if await changed_rows(session, delete(Archive).where(*which)) else None


def _archives_query() -> Any:
    return select(
        Archive.id,
        Archive.state,
        is_paused(Archive.job_kind).label("paused"),
        Archive.done,
        Archive.total,
        Archive.created_at,
        Archive.expires_at,
        Archive.error_message,
        ArchiveFile.size,
    ).outerjoin(ArchiveFile, ArchiveFile.archive_id == Archive.id)


def _archive_out(row: Any) -> ArchiveOut:
    return ArchiveOut(
        id=row.id,
        status=STATUS[row.state],
        paused=row.state == "queued" and bool(row.paused),
        done=row.done,
        total=row.total,
        bytes=row.size,
        created_at=row.created_at,
        expires_at=row.expires_at,
        download_url=f"/api/archives/{row.id}/download" if row.size is not None else None,
        error=row.error_message,
    )


def _open() -> ColumnElement[bool]:
    return Archive.state.in_(OPEN_STATES)


def _ending(
    state: str, code: str | None = None, message: str | None = None, *, kept: timedelta = KEPT
) -> dict[str, Any]:
    return {"state": state, "error_code": code, "error_message": message, "expires_at": clock.now() + kept}
