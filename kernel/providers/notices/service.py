"""Notices to administrators: one per incident, resolved when its cause has ended.

kind                opened when                                                       resolved when
instance_down       the circuit opens, or for long at a rate limit; a check fails     it closes; the next good check
needs_attention     key or settings are not accepted; it cannot be built              a call or check succeeds
quota_exhausted     the account at the vendor is empty                                a call or check succeeds
provider_bug        a plugin breaks its contract                                      later calls succeeded
fallback_used       another instance had to answer for it                             later calls succeeded
model_retiring      60, 30 and 7 days before a model ends, and after                  the model is not used any more
budget_reached      80 % of a month's budget are spent, and when it is exhausted      the budget allows calls again
update_failed       saved settings are not in use                                     they are
webhook_rejected    many calls to the webhook were not authentic                      a day without any
plugin_clash        a plugin claims a provider or name of another one, and is left out     it is gone or blocked
disk_full           there is less room in the data folder than a cover needs          there is room again
payment_disputed    a user disputed a payment at their bank; `code` is which          three weeks after the last
signing_failed      a downloaded file could not be signed                             a day without any
certificate_ending  30 and 7 days before the signing certificate ends, and after      another one is in use
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import case, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.data.database import Database, ReadConnection, changed_rows, insert_into
from kernel.core.errors import Absent
from kernel.core.text.storable import storable
from kernel.providers.instances.instance import Instance
from kernel.providers.models import IS_OPEN, Notice
from kernel.spi import ProviderError, QuotaExhausted, RateLimited

NoticeKind = Literal[
    "instance_down",
    "needs_attention",
    "fallback_used",
    "quota_exhausted",
    "provider_bug",
    "model_retiring",
    "budget_reached",
    "update_failed",
    "webhook_rejected",
    "plugin_clash",
    "disk_full",
    "payment_disputed",
    "signing_failed",
    "certificate_ending",
]
Params = Mapping[str, str]
Key = tuple[str, str]
"""Kind and instance, '' for the site: what identifies an incident."""

PARAM_CHARS: Final = 300
CODE_CHARS: Final = 40
MOST_WAITING: Final = 1000
KEPT_FOR: Final = timedelta(days=90)
LONG_LIMIT_S: Final = 300.0
"""Users wait for a rate limit that ends sooner; their covers fail at one that lasts longer."""


class NewNotice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice to open: its kind, a code, and a few values to show."""

    code: str
    params: Params
    times: int = 1


class OpenNotice(msgspec.Struct, frozen=True, kw_only=True):
    """An incident that continues."""

    id: int
    kind: str
    instance_id: str
    code: str
    last_at: datetime

    @property
    def key(self) -> Key:
        """Return what identifies the incident."""
        return self.kind, self.instance_id


class Notices:
    """Collects what happens in this process until `flush`, so that no call waits for it."""

    def __init__(self, database: Database | None) -> None:
        self._database = database
        self._pending: dict[Key, NewNotice] = {}

    def add(self, kind: NoticeKind, instance_id: str, code: str, **params: str) -> None:
        """Open a notice, or count one more of the same incident."""
        key = (kind, instance_id)
        before = self._pending.get(key)
        if before is None and len(self._pending) >= MOST_WAITING:
            return
        self._pending[key] = _new_notice(code, params, times=before.times + 1 if before else 1)

    def add_open_circuit(self, instance: Instance[Any, Any], error: ProviderError) -> None:
        """Open the notice that fits a circuit that this error has just opened."""
        about = {"label": instance.label, "provider": instance.provider_id, "detail": str(error.detail)}
        long = isinstance(error, RateLimited) and (error.retry_after or 0.0) >= LONG_LIMIT_S
        if instance.health.state == "down" or long:
            self.add("instance_down", instance.id, error.code, **about)
        elif isinstance(error, QuotaExhausted):
            self.add("quota_exhausted", instance.id, error.code, **about)
        elif instance.health.state == "attention":
            self.add("needs_attention", instance.id, error.code, **about)

    async def flush(self) -> None:
        """Store the collected notices. What cannot be written is tried again next time."""
        if self._database is None or not self._pending:
            return
        pending, self._pending = self._pending, {}
        try:
            async with self._database.write() as session:
                for (kind, instance_id), notice in sorted(pending.items()):
                    await session.execute(_upsert(session, kind, instance_id, notice))
        except BaseException:
            self._pending = pending | self._pending
            raise


async def open_notice(session: AsyncSession, kind: NoticeKind, instance_id: str, code: str, **params: str) -> None:
    """Open a notice, or count one more of the same incident, in the transaction of its cause."""
    await session.execute(_upsert(session, kind, instance_id, _new_notice(code, params)))


async def open_notices(connection: ReadConnection) -> list[OpenNotice]:
    """Return all incidents that continue, dismissed or not."""
    columns = (Notice.id, Notice.kind, Notice.instance_id, Notice.code, Notice.last_at)
    rows = await connection.execute(select(*columns).where(Notice.resolved_at.is_(None)))
    return [OpenNotice(**row._asdict()) for row in rows]


async def resolve(session: AsyncSession, ids: Iterable[int]) -> None:
    """Resolve incidents."""
    ending = update(Notice).where(Notice.id.in_(list(ids)), Notice.resolved_at.is_(None))
    await session.execute(ending.values(resolved_at=clock.now()))


async def delete_old(session: AsyncSession) -> None:
    """Delete notices that were resolved longer than KEPT_FOR ago."""
    await session.execute(delete(Notice).where(Notice.resolved_at < clock.now() - KEPT_FOR))


async def dismiss(session: AsyncSession, notice_id: int) -> None:
    """Hide a notice until its cause has ended or become worse. Raises Absent."""
    hiding = update(Notice).where(Notice.id == notice_id).values(dismissed_at=clock.now())
    if not await changed_rows(session, hiding):
        raise Absent("This notice does not exist.")


def _new_notice(code: str, params: Params, *, times: int = 1) -> NewNotice:
    short = {name: storable(text, PARAM_CHARS) for name, text in params.items()}
    return NewNotice(code=storable(code, CODE_CHARS), params=short, times=times)


def _upsert(session: AsyncSession, kind: str, instance_id: str, notice: NewNotice) -> Any:
    """Insert a row or increment its count; a dismissed one is shown again when its code has changed."""
    moment = clock.now()
    statement = insert_into(session, Notice).values(
        kind=kind,
        instance_id=instance_id,
        code=notice.code,
        params=dict(notice.params),
        opened_at=moment,
        last_at=moment,
        count=notice.times,
        created_at=moment,
    )
    return statement.on_conflict_do_update(
        index_elements=["kind", "instance_id"],
        index_where=IS_OPEN["sqlite_where"],
        set_={
            "code": statement.excluded.code,
            "params": statement.excluded.params,
            "last_at": moment,
            "count": Notice.count + notice.times,
            "dismissed_at": case((Notice.code == statement.excluded.code, Notice.dismissed_at), else_=None),
        },
    )
