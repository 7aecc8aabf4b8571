"""`coverwright doctor`: does what is stored keep its promises? Reads only."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import msgspec
from sqlalchemy import CompoundSelect, case, func, or_, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.leaving import is_leaving
from kernel.accounts.models import User
from kernel.billing.promises import (
    one_live_subscription,
    operations_have_ended,
    removals_pending,
    subscriptions_have_customers,
)
from kernel.core import clock
from kernel.core.letters import Letter
from kernel.covers.archive_models import Archive
from kernel.covers.models import Cover, Generation
from kernel.mail.promises import ended_campaigns_are_settled, ledgers_add_up, messages_in_hand_have_batches
from kernel.pictures.models import ArchiveFile, GenerationReference, Picture, PictureFile
from kernel.pictures.store import HOLDING, ORPHAN_AGE, PREFIX, FileRef, orphan_horizon_unix
from kernel.plans.models import Quota, QuotaEntry
from kernel.providers import STORAGE
from kernel.providers.models import Attempt
from kernel.providers.operation.promises import events_have_one_row, spending_adds_up, spending_is_not_negative
from kernel.runtime import Runtime
from kernel.site.models import CarouselCover
from kernel.site.promises import logos_have_files
from kernel.spi import ProviderError

ENTRY_STATE: Final = {
    "queued": "reserved",
    "running": "reserved",
    "completed": "committed",
    "failed": "released",
    "canceled": "released",
}
OVERDUE_GRACE: Final = timedelta(seconds=30)
LETTER_GRACE: Final = timedelta(hours=1)
"""No worker ran, or none looked at letters, for so long."""
SHOWN: Final = 5
REMOVALS: Final = "customers of deleted accounts are deleted at the payment provider, sooner or later"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One promise and what breaks it; nothing in `broken` means that it holds. `notes` are only worth knowing."""

    promise: str
    broken: tuple[str, ...]
    notes: tuple[str, ...] = ()


Check = Callable[[AsyncConnection], Awaitable[list[str]]]


async def examine(runtime: Runtime, *, read_objects: bool = True) -> list[Finding]:
    """Check every promise. `read_objects` also reads and hashes every stored picture."""
    checks: dict[str, Check] = {
        "every job has one quota entry, in the matching state": _entries_match,
        "counters equal the entries they count": _counters_match,
        "0 ≤ reserved and used, and their sum is within the limit": _counters_in_bounds,
        "every completed job has one cover, and only completed jobs have one": _covers_match,
        "every picture has all its files": _pictures_complete,
        "every uploaded logo has an address and a file": logos_have_files,
        "every job ends by its deadline": _nothing_overdue,
        "no idempotency key made two jobs": _keys_unique,
        "an ended job holds no lease, and a running one holds one": _leases_match,
        "pictures to be taken as a model are kept for open jobs only": _references_needed,
        "an archive has a file when it is completed and a lease when it runs, and only then": _archives_match,
        "no attempt was made for a job that does not exist": _attempts_have_jobs,
        "what was spent is the sum of its attempts, and what is reserved that of its calls": spending_adds_up,
        "no counter of spending is below zero": spending_is_not_negative,
        "every webhook event has one row": events_have_one_row,
        "nobody has two subscriptions that go on": one_live_subscription,
        "every subscription that goes on has its customer": subscriptions_have_customers,
        "no call to a payment provider has been under way for an hour": operations_have_ended,
        "every letter is sent or given up in time": _letters_go,
        "the ledger of every e-mail to many has one row for each person of its audience": ledgers_add_up,
        "nobody waits for an e-mail that has ended": ended_campaigns_are_settled,
        "every message that is being handed over is in a batch that is seen to": messages_in_hand_have_batches,
        "a deleted account keeps nothing that says whose it was": _leavers_nameless,
        "there is an administrator who can sign in, or nobody has registered": _somebody_rules,
    }
    findings = []
    async with runtime.database.read() as connection:
        for promise, check in checks.items():
            findings.append(Finding(promise=promise, broken=tuple(await check(connection))))
        pending = tuple(await removals_pending(connection))
        findings.append(Finding(promise=REMOVALS, broken=(), notes=pending))
    if read_objects:
        findings.append(await _objects(runtime))
        findings.append(await _orphans(runtime))
    return findings


def report(findings: list[Finding]) -> str:
    """Return the findings as lines for people."""
    lines = []
    for finding in findings:
        lines.append(f"{'ok    ' if not finding.broken else 'BROKEN'} {finding.promise}")
        lines += [f"       {item}" for item in finding.broken[:SHOWN]]
        lines += [f"       still to do: {item}" for item in finding.notes[:SHOWN]]
        if len(finding.broken) > SHOWN:
            lines.append(f"       … and {len(finding.broken) - SHOWN} more")
    return "\n".join(lines)


async def _entries_match(connection: AsyncConnection) -> list[str]:
    expected = case(ENTRY_STATE, value=Generation.state)
    wrong = (
        select(Generation.id, Generation.state, QuotaEntry.state.label("entry"))
        .outerjoin(QuotaEntry, QuotaEntry.generation_id == Generation.id)
        .where((QuotaEntry.state.is_(None)) | (QuotaEntry.state != expected))
    )
    lonely = (
        select(QuotaEntry.generation_id)
        .outerjoin(Generation, Generation.id == QuotaEntry.generation_id)
        .where(Generation.id.is_(None))
    )
    broken = [f"job {row.id} is {row.state}, its entry {row.entry}" for row in await connection.execute(wrong)]
    return broken + [f"entry {row.generation_id} without a job" for row in await connection.execute(lonely)]


async def _counters_match(connection: AsyncConnection) -> list[str]:
    counted = select(
        QuotaEntry.user_id,
        QuotaEntry.period,
        func.sum(case((QuotaEntry.state == "reserved", 1), else_=0)),
        func.sum(case((QuotaEntry.state == "committed", 1), else_=0)),
    ).where(QuotaEntry.counted)
    entries = {
        (user, period): (reserved, used)
        for user, period, reserved, used in await connection.execute(
            counted.group_by(QuotaEntry.user_id, QuotaEntry.period)
        )
    }
    rows = await connection.execute(select(Quota.user_id, Quota.period, Quota.reserved, Quota.used))
    counters = {(user, period): (reserved, used) for user, period, reserved, used in rows}
    none = (0, 0)
    return [
        f"user {key[0]} in {key[1]}: counter {counters.get(key, none)}, entries {entries.get(key, none)}"
        for key in sorted(entries.keys() | counters.keys())
        if entries.get(key, none) != counters.get(key, none)
    ]


async def _counters_in_bounds(connection: AsyncConnection) -> list[str]:
    query = select(Quota.user_id, Quota.period, Quota.reserved, Quota.used, Quota.limit_seen).where(
        (Quota.reserved < 0) | (Quota.used < 0) | (Quota.reserved + Quota.used > Quota.limit_seen)
    )
    return [f"user {row.user_id} in {row.period}: {row.reserved}+{row.used}" for row in await connection.execute(query)]


async def _covers_match(connection: AsyncConnection) -> list[str]:
    joined = select(Generation.id, Generation.state, Cover.id.label("cover")).outerjoin(
        Cover, Cover.generation_id == Generation.id
    )
    expected = (Generation.state == "completed") & Generation.purged_at.is_(None)
    wrong = joined.where(expected != Cover.id.is_not(None))
    return [f"job {row.id} is {row.state} and its cover is {row.cover}" for row in await connection.execute(wrong)]


async def _pictures_complete(connection: AsyncConnection) -> list[str]:
    query = (
        select(Cover.id, func.count(PictureFile.form))
        .outerjoin(Picture, Picture.id == Cover.picture_id)
        .outerjoin(PictureFile, PictureFile.picture_id == Picture.id)
        .group_by(Cover.id)
        .having(func.count(PictureFile.form) < 2)
    )
    covers = [f"cover {cover} has {count} files" for cover, count in await connection.execute(query)]
    slides = (
        select(CarouselCover.id, func.count(PictureFile.form))
        .outerjoin(PictureFile, PictureFile.picture_id == CarouselCover.picture_id)
        .group_by(CarouselCover.id)
        .having(func.count(PictureFile.form) < 2)
    )
    return covers + [f"carousel {slide} has {count} files" for slide, count in await connection.execute(slides)]


async def _nothing_overdue(connection: AsyncConnection) -> list[str]:
    query = select(Generation.id, Generation.state).where(
        Generation.state.in_(("queued", "running")), Generation.deadline < clock.now() - OVERDUE_GRACE
    )
    return [f"job {row.id} is still {row.state}" for row in await connection.execute(query)]


async def _keys_unique(connection: AsyncConnection) -> list[str]:
    query = (
        select(Generation.user_id, Generation.idempotency_key)
        .where(Generation.idempotency_key.is_not(None))
        .group_by(Generation.user_id, Generation.idempotency_key)
        .having(func.count() > 1)
    )
    return [f"user {user}, key {key}" for user, key in await connection.execute(query)]


async def _leases_match(connection: AsyncConnection) -> list[str]:
    running = Generation.state == "running"
    query = select(Generation.id, Generation.state).where(
        (running & Generation.lease_until.is_(None)) | (~running & Generation.lease_until.is_not(None))
    )
    return [f"job {row.id} is {row.state}" for row in await connection.execute(query)]


async def _references_needed(connection: AsyncConnection) -> list[str]:
    query = (
        select(Generation.id)
        .join(GenerationReference, GenerationReference.generation_id == Generation.id)
        .where(Generation.finished_at < clock.now() - ORPHAN_AGE)
        .distinct()
    )
    return [f"job {job} has ended" for job in (await connection.execute(query)).scalars()]


async def _archives_match(connection: AsyncConnection) -> list[str]:
    filed, running = ArchiveFile.archive_id.is_not(None), Archive.state == "running"
    query = (
        select(Archive.id, Archive.state)
        .outerjoin(ArchiveFile, ArchiveFile.archive_id == Archive.id)
        .where((filed != (Archive.state == "completed")) | (Archive.lease_until.is_not(None) != running))
    )
    return [f"archive {row.id} is {row.state}" for row in await connection.execute(query)]


async def _attempts_have_jobs(connection: AsyncConnection) -> list[str]:
    known = {str(item) for item in (await connection.execute(select(Generation.id))).scalars()}
    # attempts outlive the account that they were made for, its jobs do not
    query = (
        select(Attempt.job_id)
        .join(User, User.id == Attempt.user_id)
        .where(Attempt.job_id.is_not(None), Attempt.kind == "image")
        .distinct()
    )
    return [f"job {job}" for job in (await connection.execute(query)).scalars() if job not in known]


async def _letters_go(connection: AsyncConnection) -> list[str]:
    late = select(Letter.id, Letter.kind).where(Letter.run_after < clock.now() - LETTER_GRACE)
    return [f"letter {row.id} ({row.kind}) waits" for row in await connection.execute(late)]


async def _leavers_nameless(connection: AsyncConnection) -> list[str]:
    named = or_(User.email != "", User.first_name.is_not(None), User.password_hash.is_not(None), ~User.disabled)
    found = (await connection.execute(select(User.id).where(is_leaving(), named))).scalars()
    return [f"user {user_id}" for user_id in found]


async def _somebody_rules(connection: AsyncConnection) -> list[str]:
    admins = select(func.count()).where(User.is_admin, User.disabled.is_(False))
    people = select(func.count()).where(User.is_admin)
    if (await connection.execute(people)).scalar_one() and not (await connection.execute(admins)).scalar_one():
        return ["every administrator is disabled"]
    return []


def _going() -> CompoundSelect[tuple[str]]:
    """Return the keys of deleted accounts' objects: they go before the rows that name them."""
    covers = select(PictureFile.object_key).join(Cover, Cover.picture_id == PictureFile.picture_id)
    packed = select(ArchiveFile.object_key).join(Archive, Archive.id == ArchiveFile.archive_id)
    return union_all(
        covers.join(User, User.id == Cover.user_id).where(is_leaving()),
        packed.join(User, User.id == Archive.user_id).where(is_leaving()),
    )


async def _objects(runtime: Runtime) -> Finding:
    refs: list[FileRef] = []
    async with runtime.database.read() as connection:
        for table in (PictureFile, ArchiveFile):
            columns = [getattr(table, name) for name in FileRef.__struct_fields__]
            files = select(*columns).where(table.object_key.not_in(_going()))
            refs += [FileRef(**row._asdict()) for row in await connection.execute(files)]
    broken = []
    for ref in refs:
        digest, size = hashlib.sha256(), 0
        try:
            async for chunk in runtime.pictures.chunks(ref):
                await asyncio.to_thread(digest.update, chunk)
                size += len(chunk)
        except Exception as error:
            broken.append(f"{ref.object_key}: {type(error).__name__}")
            continue
        if size != ref.size or digest.hexdigest() != ref.sha256:
            broken.append(f"{ref.object_key}: other bytes than recorded")
    return Finding(promise="every recorded file is there, with the recorded bytes", broken=tuple(broken))


async def _orphans(runtime: Runtime) -> Finding:
    promise = "no stored object older than an hour is without a row"
    horizon = orphan_horizon_unix()
    async with runtime.database.read() as connection:
        rows = [await connection.execute(select(table.object_key)) for table in HOLDING]
        named = {key for result in rows for key in result.scalars()}
    stray: list[str] = []
    for instance in runtime.registry.snapshot.instances.values():
        if instance.kind != STORAGE.name or not instance.usable:
            continue
        cursor: str | None = None
        try:
            async with runtime.registry.lease_instance(instance.id, STORAGE) as storage:
                while True:
                    page = await storage.provider.page(PREFIX, cursor=cursor, limit=500)
                    old = [item.key for item in page.objects if item.modified_unix < horizon]
                    stray += [key for key in old if key not in named]
                    cursor = page.cursor
                    if cursor is None:
                        break
        except ProviderError as error:
            stray.append(f"storage {instance.id}: {error.code}")
    return Finding(promise=promise, broken=tuple(stray))
