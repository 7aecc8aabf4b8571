"""The life of an archive: accepted, packed by a worker, kept for a day.

    queued -> running -> completed | failed | canceled,   running -> queued for another try

As with a generation, every claim raises the row's fence, and only the holder of the current one may change a running
archive.
"""

import hashlib
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.config import GenerationConfig, PictureFormat
from kernel.core.database import Database, changed_rows
from kernel.core.errors import Absent, TooMany
from kernel.core.idempotency import check_key, made_before
from kernel.core.ids import new_uuid
from kernel.covers.accept import OPEN_STATES
from kernel.covers.archive_models import Archive
from kernel.covers.downloads import DownloadService
from kernel.covers.gallery_schemas import ArchiveIn, ArchiveOut
from kernel.covers.models import Cover
from kernel.covers.views import STATUS
from kernel.pictures.models import ArchiveFile
from kernel.pictures.store import FileRef, PictureStore

OPEN_AT_ONCE: Final = 2
KEPT: Final = timedelta(hours=24)
MAX_ATTEMPTS: Final = 3
RETRY_S: Final = 5.0
EXPIRED_AT_A_TIME: Final = 100
LOST_MESSAGE: Final = "The archive could not be made. Please try again."

_FILE_COLUMNS: Final = tuple(getattr(ArchiveFile, name) for name in FileRef.__struct_fields__)


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """The archive; `replayed` when the key had been seen before with the same request."""

    archive: ArchiveOut
    replayed: bool


class Packing(msgspec.Struct, frozen=True, kw_only=True):
    """A claimed archive: what to pack, and the fence that proves the claim."""

    id: UUID
    user_id: int
    cover_ids: list[int]
    format: PictureFormat
    attempts: int
    fence: int


_PACKING_COLUMNS: Final = tuple(getattr(Archive, name) for name in Packing.__struct_fields__)


class ArchiveService:
    """Archives of one user at a time; another user's does not exist. Each method is one short transaction."""

    def __init__(
        self, config: GenerationConfig, database: Database, pictures: PictureStore, downloads: DownloadService
    ) -> None:
        self._config = config
        self._database = database
        self._pictures = pictures
        self._downloads = downloads

    async def accept(self, user_id: int, wanted: ArchiveIn, *, key: str | None) -> Accepted:
        """Store the wish for an archive, or return the one that this key already made.

        Raises InvalidFields, IdempotencyConflict, PlanRequired, Absent (a cover that is not in the user's gallery)
        and TooMany.
        """
        check_key(key)
        digest = hashlib.sha256(msgspec.json.encode(wanted)).hexdigest()
        if known := await self._by_key(user_id, key, digest):
            return known
        async with self._database.read() as connection:
            await self._downloads.allowed_as(connection, user_id, wanted.format)
        try:
            async with self._database.write() as session:
                archive_id = await self._store(session, user_id, wanted, key, digest)
                return Accepted(archive=await self.get(session, user_id, archive_id), replayed=False)
        except IntegrityError:
            if known := await self._by_key(user_id, key, digest):
                return known
            raise

    async def get(self, reader: AsyncConnection | AsyncSession, user_id: int, archive_id: UUID) -> ArchiveOut:
        """Return where an archive stands. Raises Absent."""
        query = _archives_query().where(Archive.id == archive_id, Archive.user_id == user_id)
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This archive does not exist.")
        return _archive_out(row)

    async def file(self, reader: AsyncConnection, user_id: int, archive_id: UUID) -> FileRef:
        """Find the file of a finished archive. Raises Absent."""
        query = (
            select(*_FILE_COLUMNS)
            .join(Archive, Archive.id == ArchiveFile.archive_id)
            .where(Archive.id == archive_id, Archive.user_id == user_id, Archive.expires_at > clock.now())
        )
        row = (await reader.execute(query)).one_or_none()
        if row is None:
            raise Absent("This archive does not exist.")
        return FileRef(**row._asdict())

    async def remove(self, user_id: int, archive_id: UUID) -> None:
        """Cancel an archive that is being made, or remove one that has ended. Raises Absent."""
        mine = (Archive.id == archive_id, Archive.user_id == user_id)
        async with self._database.write() as session:
            if await changed_rows(session, update(Archive).where(*mine, _open()).values(**_end("canceled"))):
                return
            refs = await self._forget(session, *mine)
        if refs is None:
            raise Absent("This archive does not exist.")
        await self._pictures.erase(refs)

    async def claim(self) -> Packing | None:
        """Take the archive that has waited longest, or one whose holder fell silent; None when there is none to take.

        One that is out of attempts ends as failed instead.
        """
        moment = clock.now()
        async with self._database.read() as connection:  # most of the time there is nothing, and no reason to write
            if (await connection.execute(select(Archive.id).where(_due(moment)).limit(1))).first() is None:
                return None
        async with self._database.write() as session:
            worn_out = update(Archive).where(_due(moment), Archive.attempts >= MAX_ATTEMPTS)
            await session.execute(worn_out.values(**_end("failed", "attempts_exhausted", LOST_MESSAGE)))
            oldest = select(Archive.id).where(_due(moment)).order_by(Archive.run_after).limit(1)
            archive_id = (await session.execute(oldest.with_for_update(skip_locked=True))).scalar_one_or_none()
            if archive_id is None:
                return None
            values = {
                "state": "running",
                "attempts": Archive.attempts + 1,
                "fence": Archive.fence + 1,
                "lease_until": moment + timedelta(seconds=self._config.lease_s),
                "done": 0,
            }
            claimed = update(Archive).where(Archive.id == archive_id, _due(moment)).values(**values)
            row = (await session.execute(claimed.returning(*_PACKING_COLUMNS))).one_or_none()
            return Packing(**row._asdict()) if row else None

    async def keep(self, packing: Packing) -> bool:
        """Extend the lease; False when the archive is no longer ours."""
        return await self._change(packing, {"lease_until": clock.now() + timedelta(seconds=self._config.lease_s)})

    async def note(self, packing: Packing, done: int) -> bool:
        """Store how many covers are packed; False when the archive is no longer ours."""
        return await self._change(packing, {"done": done})

    async def put_back(self, packing: Packing, *, after_s: float = 0.0, counts: bool = True) -> bool:
        """Put the archive back into the queue; False when it is no longer ours or may not be tried again.

        A try that does not `count` (we were told to stop) leaves the attempts as they were.
        """
        if counts and packing.attempts >= MAX_ATTEMPTS:
            return False
        attempts = packing.attempts if counts else packing.attempts - 1
        run_after = clock.now() + timedelta(seconds=after_s)
        values = {"state": "queued", "run_after": run_after, "lease_until": None, "attempts": attempts, "done": 0}
        return await self._change(packing, values)

    async def complete(self, packing: Packing, ref: FileRef, packed: int) -> bool:
        """End the archive with its file and the number of covers in it; False when it is no longer ours."""
        async with self._database.write() as session:
            values = _end("completed") | {"done": packed, "total": packed}
            if not await changed_rows(session, update(Archive).where(*_held(packing)).values(**values)):
                return False
            await session.execute(insert(ArchiveFile).values(archive_id=packing.id, **msgspec.structs.asdict(ref)))
        return True

    async def fail(self, packing: Packing, code: str, message: str) -> bool:
        """End the archive without one: a code for machines, a sentence for the user."""
        return await self._change(packing, _end("failed", code, message))

    async def expire(self) -> int:
        """Forget archives that have been kept for long enough, rows first and then objects; return how many."""
        async with self._database.write() as session:
            old = select(Archive.id).where(Archive.expires_at <= clock.now()).limit(EXPIRED_AT_A_TIME)
            ids = list((await session.execute(old)).scalars())
            refs = await self._forget(session, Archive.id.in_(ids)) or []
        await self._pictures.erase(refs)
        return len(ids)

    async def _by_key(self, user_id: int, key: str | None, digest: str) -> Accepted | None:
        if key is None:
            return None
        query = select(Archive.id, Archive.request_hash).where(
            Archive.user_id == user_id, Archive.idempotency_key == key
        )
        async with self._database.read() as connection:
            made = await made_before(connection, query, digest)
            return None if made is None else Accepted(archive=await self.get(connection, user_id, made), replayed=True)

    async def _store(
        self, session: AsyncSession, user_id: int, wanted: ArchiveIn, key: str | None, digest: str
    ) -> UUID:
        ids = list(dict.fromkeys(wanted.cover_ids))
        # two requests at once must not both see one archive fewer
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

    async def _change(self, packing: Packing, values: dict[str, Any]) -> bool:
        async with self._database.write() as session:
            return await changed_rows(session, update(Archive).where(*_held(packing)).values(**values)) == 1

    async def _forget(self, session: AsyncSession, *which: ColumnElement[bool]) -> list[FileRef] | None:
        """Delete rows in the caller's transaction; return what `erase` then removes, None when there was no row."""
        files = select(*_FILE_COLUMNS).join(Archive, Archive.id == ArchiveFile.archive_id).where(*which)
        refs = [FileRef(**row._asdict()) for row in (await session.execute(files)).all()]
        return refs if await changed_rows(session, delete(Archive).where(*which)) else None


def _archives_query() -> Any:
    return select(
        Archive.id,
        Archive.state,
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


def _due(moment: datetime) -> ColumnElement[bool]:
    """Match archives that may be claimed: waiting and due, or running under a lease that has ended."""
    waiting = (Archive.state == "queued") & (Archive.run_after <= moment)
    silent = (Archive.state == "running") & (Archive.lease_until <= moment)
    return or_(waiting, silent)


def _held(packing: Packing) -> tuple[ColumnElement[bool], ...]:
    return (Archive.id == packing.id, Archive.state == "running", Archive.fence == packing.fence)


def _end(state: str, code: str | None = None, message: str | None = None) -> dict[str, Any]:
    moment = clock.now()
    return {
        "state": state,
        "fence": Archive.fence + 1,
        "lease_until": None,
        "error_code": code,
        "error_message": message,
        "finished_at": moment,
        "expires_at": moment + KEPT,
    }
