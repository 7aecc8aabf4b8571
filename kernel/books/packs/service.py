"""The life cycle of an edition pack: accepted, made by a worker, kept for some days.

    queued -> running -> completed | failed | canceled,   running -> queued for another attempt

As with a generation, every claim raises the row's fence, and only the holder of the current one may change a running
pack. What it is made of is read when it is asked for, and kept with it: every attempt makes the same bytes.
"""

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.accounts.pro_override import pro_override
from kernel.accounts.profile.deletion import hold_account
from kernel.billing.entitlement import Entitlement
from kernel.books.book_rows import book_row, editions_of
from kernel.books.editions import forms, problems_of
from kernel.books.models import EditionPack
from kernel.books.packs.ordering import OrderedPack, PackPictures, facts_of, read_front, side_of_back
from kernel.books.packs.pack_read import ABSENT_PACK, find_pack
from kernel.books.packs.schemas import PackedFile, PackIn, PackOut
from kernel.books.packs.volumes import read_volumes
from kernel.core import clock
from kernel.core.config import GenerationConfig
from kernel.core.data.database import Database, ReadConnection, changed_rows
from kernel.core.data.ids import new_uuid
from kernel.core.data.job_table import OPEN_STATES, JobTable
from kernel.core.errors import Absent, Conflict, InvalidFields, TooMany
from kernel.core.field_errors import FieldError
from kernel.core.queue.job_loop import Waiting
from kernel.core.text.languages import spoken
from kernel.covers.provenance.marking import manifests_of
from kernel.covers.provenance.origin import origin_of, painted_beyond
from kernel.pictures.models import EditionPackFile
from kernel.pictures.store import FileRef, PictureStore
from kernel.plans.download_policy import DownloadPolicy
from kernel.plans.service import PlanService
from kernel.providers import Registry

OPEN_AT_ONCE: Final = 2
KEPT: Final = timedelta(days=7)
MAX_ATTEMPTS: Final = 3
EXPIRED_AT_A_TIME: Final = 100
CLAIM_FROM: Final = 5
"""So many packs are looked at for a claim: other workers may be quicker with the first ones."""

LOST_MESSAGE: Final = "The files could not be made. Please try again."

_FILE_COLUMNS: Final = tuple(getattr(EditionPackFile, name) for name in FileRef.__struct_fields__)


class AcceptedPack(msgspec.Struct, frozen=True, kw_only=True):
    """The pack; `replayed` when the same files are being made already, or are made."""

    pack: PackOut
    replayed: bool


class ClaimedPack(msgspec.Struct, frozen=True, kw_only=True):
    """A pack that this worker makes."""

    id: UUID
    attempts: int
    fence: int
    user_id: int
    ordered: dict[str, Any]


class PackService:
    """Packs of one user at a time; another user's does not exist. Each method is one short transaction."""

    def __init__(
        self,
        config: GenerationConfig,
        database: Database,
        registry: Registry,
        pictures: PictureStore,
        plans: PlanService,
        entitlement: Entitlement,
    ) -> None:
        self._database = database
        self._registry = registry
        self._pictures = pictures
        self._plans = plans
        self._entitlement = entitlement
        self._jobs = JobTable(EditionPack, ClaimedPack, lease_s=config.lease_s)
        self._waiting = Waiting(database, self._jobs.open)

    async def accept(self, user_id: int, book_id: int, wanted: PackIn, *, language: str | None) -> AcceptedPack:
        """Store a request for the files of a book, or return the pack that has them or will have them.

        Raises Absent, InvalidFields for editions that are not there or lack something, TooMany, and Conflict:
        `book_without_cover`, `no_edition_ready`, and `plan_has_no_files` where the plan gives nothing of these.
        """
        async with self._database.write() as session:
            await hold_account(session, user_id)
            # two concurrent requests must not both count one pack less
            await session.execute(select(User.id).where(User.id == user_id).with_for_update())
            row = await book_row(session, user_id, book_id)
            ordered = await self._ordered(session, user_id, row, wanted, language)
            content = msgspec.json.encode(ordered, order="deterministic")
            digest = hashlib.sha256(content).hexdigest()
            if known := await _same(session, user_id, digest):
                return AcceptedPack(pack=await find_pack(session, user_id, known), replayed=True)
            mine = select(func.count()).where(EditionPack.user_id == user_id, _open())
            if (await session.execute(mine)).scalar_one() >= OPEN_AT_ONCE:
                raise TooMany("Please wait until one of your books is ready.", code="too_many_packs", retry_after=5.0)
            pack_id, moment = new_uuid(), clock.now()
            made = insert(EditionPack).values(
                id=pack_id,
                user_id=user_id,
                book_id=book_id,
                book_version=row.version,
                digest=digest,
                ordered=msgspec.json.decode(content),
                state="queued",
                attempts=0,
                fence=0,
                run_after=moment,
                done=0,
                total=len(ordered.editions),
                created_at=moment,
            )
            await session.execute(made)
            return AcceptedPack(pack=await find_pack(session, user_id, pack_id), replayed=False)

    async def _ordered(
        self, session: AsyncSession, user_id: int, row: Any, wanted: PackIn, language: str | None
    ) -> OrderedPack:
        stored = {one.name: one for one in (await editions_of(session, [row.id]))[row.id]}
        side = side_of_back(row.direction, stored.values())
        front = await read_front(session, user_id, row.cover_id, painted=side)
        lacking = {name for name, one in stored.items() if problems_of(one, pages=row.pages, direction=row.direction)}
        names: Sequence[str] = wanted.editions if wanted.editions is not None else [*stored.keys() - lacking]
        if bad := [name for name in names if name not in stored or name in lacking]:
            words = f"The edition {bad[0]} cannot be made yet." if bad[0] in stored else "There is no such edition."
            raise InvalidFields({"editions": FieldError("edition_not_ready", words)})
        if not names:
            raise Conflict("No edition of this book can be made yet.", code="no_edition_ready")
        proof = not await self._has_print_files(session, user_id)
        chosen = tuple(stored[name] for name in forms() if name in names)
        origin = await origin_of(session, self._registry, row.cover_id)
        if front.painted_by is not None and side_of_back(row.direction, chosen):
            origin = await painted_beyond(session, self._registry, origin, front.painted_by)
        is_beside_others = any(forms()[one.name].kind == "mockups" for one in chosen)
        ordered = OrderedPack(
            book=facts_of(row),
            front=front,
            editions=chosen,
            origin=origin,
            proof=proof,
            language=spoken(language),
            made=row.updated_at,
            mark_id=row.mark_id,
            back_picture_id=row.back_picture_id,
            volumes=await read_volumes(session, user_id, row.cover_id, row.number) if is_beside_others else (),
        )
        given = tuple(one for one in chosen if ordered.kinds(ordered.order(one, PackPictures())))
        if not given:
            raise Conflict("Upgrade to Pro for the files of these editions.", code="plan_has_no_files")
        return msgspec.structs.replace(ordered, editions=given)

    async def _has_print_files(self, session: AsyncSession, user_id: int) -> bool:
        query = select(User.is_admin, pro_override().label("pro_override")).where(User.id == user_id)
        user = (await session.execute(query)).one()
        connection = await session.connection()
        is_pro = await self._entitlement.is_pro_in(connection, user_id, user.pro_override)
        is_free = await self._plans.has_free_print_files_in(session)
        return DownloadPolicy.has_print_files(is_pro=is_pro, is_admin=user.is_admin, is_free=is_free)

    async def get(self, user_id: int, pack_id: UUID) -> PackOut:
        """Return where a pack stands. Raises Absent."""
        async with self._database.read() as connection:
            return await find_pack(connection, user_id, pack_id)

    async def file(self, user_id: int, pack_id: UUID) -> tuple[FileRef, str]:
        """Find the file of a finished pack, and the title of its book. Raises Absent."""
        query = (
            select(*_FILE_COLUMNS, EditionPack.ordered)
            .join(EditionPack, EditionPack.id == EditionPackFile.pack_id)
            .where(EditionPack.id == pack_id, EditionPack.user_id == user_id, EditionPack.expires_at > clock.now())
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise Absent(ABSENT_PACK)
        ref = FileRef(**{name: getattr(row, name) for name in FileRef.__struct_fields__})
        return ref, str(row.ordered["book"]["title"])

    async def remove(self, user_id: int, pack_id: UUID) -> None:
        """Cancel a pack that is being made, or remove one that has ended. Raises Absent."""
        mine = (EditionPack.id == pack_id, EditionPack.user_id == user_id)
        async with self._database.write() as session:
            if await self._jobs.end(session, *mine, **_ending("canceled")):
                return
            refs = await self._forget(session, *mine)
        if refs is None:
            raise Absent(ABSENT_PACK)
        await self._pictures.erase(refs)

    async def cancel_in(self, session: AsyncSession, pack_id: UUID) -> bool:
        """Cancel anybody's pack in the caller's transaction; False when it has ended."""
        return bool(await self._jobs.end(session, EditionPack.id == pack_id, **_ending("canceled")))

    async def cancel_all(self, user_id: int) -> None:
        """Cancel what is being made for a user who leaves."""
        async with self._database.write() as session:
            await self._jobs.end(session, EditionPack.user_id == user_id, **_ending("canceled", kept=timedelta()))

    async def claim(self) -> ClaimedPack | None:
        """Take the pack that has waited longest, or one whose worker died; None when there is nothing to take.

        One that is out of attempts ends as failed instead.
        """
        if not await self._waiting.worth_a_look():
            return None
        async with self._database.read() as connection:
            due = await self._jobs.due_ids(connection, limit=CLAIM_FROM)
        for pack_id in due:
            async with self._database.write() as session:
                claimed = await self._jobs.claim(session, pack_id)
                if claimed is None:
                    continue
                if claimed.attempts <= MAX_ATTEMPTS:
                    return claimed
                await self._fail_in(session, claimed, "internal", LOST_MESSAGE)
        return None

    async def renew_lease(self, pack: ClaimedPack) -> bool:
        """Extend the lease; False when the claim is no longer valid."""
        async with self._database.write() as session:
            return await self._jobs.renew(session, pack)

    async def record_progress(self, pack: ClaimedPack, done: int) -> bool:
        """Store how many editions are made; False when the claim is no longer valid."""
        async with self._database.write() as session:
            return await self._jobs.update(session, pack, done=done)

    async def put_back(self, pack: ClaimedPack, *, after_s: float = 0.0, counts: bool = True) -> bool:
        """Put the pack back into the queue; False when the claim is no longer valid or no attempt is left.

        An attempt that does not `count` (this worker stops) leaves the attempts as they were.
        """
        if counts and pack.attempts >= MAX_ATTEMPTS:
            return False
        async with self._database.write() as session:
            return await self._jobs.put_back(session, pack, after_s=after_s, counts=counts, done=0)

    async def complete(self, pack: ClaimedPack, ref: FileRef, files: Sequence[PackedFile]) -> bool:
        """End the pack with its file and what is in it; False when the claim is no longer valid.

        The earlier packs of the same book are removed: one book has one pack that can be downloaded.
        """
        async with self._database.write() as session:
            values = _ending("completed") | {"contents": msgspec.to_builtins(list(files))}
            ended = await self._jobs.end(
                session, self._jobs.held(pack), returning=(EditionPack.book_id,), **values, done=EditionPack.total
            )
            if not ended:
                return False
            await session.execute(insert(EditionPackFile).values(pack_id=pack.id, **msgspec.structs.asdict(ref)))
            earlier = (EditionPack.book_id == ended[0].book_id, EditionPack.id != pack.id, ~_open())
            refs = await self._forget(session, *earlier)
        await self._pictures.erase(refs or [])
        return True

    async def fail(self, pack: ClaimedPack, code: str, message: str) -> bool:
        """End the pack without a file: a code for machines, a sentence for the user."""
        async with self._database.write() as session:
            return await self._fail_in(session, pack, code, message)

    async def _fail_in(self, session: AsyncSession, pack: ClaimedPack, code: str, message: str) -> bool:
        return bool(await self._jobs.end(session, self._jobs.held(pack), **_ending("failed", code, message)))

    async def expire(self) -> int:
        """Delete expired packs, rows first and then objects; return how many."""
        async with self._database.write() as session:
            old = select(EditionPack.id).where(EditionPack.expires_at <= clock.now()).limit(EXPIRED_AT_A_TIME)
            ids = list((await session.execute(old)).scalars())
            refs = await self._forget(session, EditionPack.id.in_(ids)) or []
        await self._pictures.erase(refs)
        return len(ids)

    async def open_among(self, pack_ids: set[UUID]) -> set[UUID]:
        """Return those of the packs that are not ended."""
        query = select(EditionPack.id).where(EditionPack.id.in_(pack_ids), _open())
        async with self._database.read() as connection:
            return set((await connection.execute(query)).scalars())

    async def artwork(self, picture_id: int) -> tuple[FileRef, FileRef | None]:
        """Find the picture of a pack, and the manifest it came with. Raises Absent when it was removed since."""
        async with self._database.read() as connection:
            manifests = await manifests_of(connection, [picture_id])
            return await self._pictures.file(connection, picture_id, "original"), manifests.get(picture_id)

    async def _forget(self, session: AsyncSession, *which: ColumnElement[bool]) -> list[FileRef] | None:
        """Delete rows in the caller's transaction; return what `erase` then removes, None when there was no row."""
        files = select(*_FILE_COLUMNS).join(EditionPack, EditionPack.id == EditionPackFile.pack_id).where(*which)
        refs = [FileRef(**row._asdict()) for row in (await session.execute(files)).all()]
        return refs if await changed_rows(session, delete(EditionPack).where(*which)) else None


async def _same(reader: ReadConnection | AsyncSession, user_id: int, digest: str) -> UUID | None:
    """Return a pack of the same content that is being made, or can be downloaded."""
    there = (EditionPack.state == "completed") & (EditionPack.expires_at > clock.now())
    query = (
        select(EditionPack.id)
        .where(EditionPack.user_id == user_id, EditionPack.digest == digest, _open() | there)
        .order_by(EditionPack.id.desc())
        .limit(1)
    )
    found: UUID | None = (await reader.execute(query)).scalar_one_or_none()
    return found


def _open() -> ColumnElement[bool]:
    return EditionPack.state.in_(OPEN_STATES)


def _ending(
    state: str, code: str | None = None, message: str | None = None, *, kept: timedelta = KEPT
) -> dict[str, Any]:
    return {"state": state, "error_code": code, "error_message": message, "expires_at": clock.now() + kept}
