"""Notices to administrators: once per incident, gone when its cause is.

kind                opened when                                                       gone when
instance_down       the circuit opens, or a background check finds nobody             it closes; the next good check
needs_attention     key or settings are not accepted; it cannot be built              a call or check succeeds
quota_exhausted     the account at the vendor is empty                                a call or check succeeds
provider_bug        a plugin breaks its contract                                      later calls went well
fallback_used       another instance had to answer for it                             later calls went well
model_retiring      60, 30 and 7 days before a model ends, and after                  the model is not used any more
budget_reached      80 % of a month's budget are spent, and when there is no room     there is room again
update_failed       saved settings are not in use                                     they are
webhook_rejected    many calls to the webhook were not authentic                      a day without any
payment_disputed    somebody asked their bank for a payment back; `code` is which     three weeks after the last
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import case, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core import clock
from kernel.core.database import Database, changed_rows, insert_into
from kernel.core.errors import Absent
from kernel.core.texts import storable
from kernel.providers.instances import Instance
from kernel.providers.operation.models import IS_OPEN, Notice
from kernel.spi import ProviderError, QuotaExhausted

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
    "payment_disputed",
]
Params = Mapping[str, str]
Key = tuple[str, str]
"""Kind and instance, '' for the site: what an incident is counted by."""

PARAM_CHARS: Final = 300
CODE_CHARS: Final = 40
MOST_WAITING: Final = 1000
KEPT_FOR: Final = timedelta(days=90)


class News(msgspec.Struct, frozen=True, kw_only=True):
    """What is the matter, in one word for machines and a few values for people."""

    code: str
    params: Params
    times: int = 1


class OpenNotice(msgspec.Struct, frozen=True, kw_only=True):
    """An incident that goes on."""

    id: int
    kind: str
    instance_id: str
    code: str
    last_at: datetime

    @property
    def key(self) -> Key:
        """What it is counted by."""
        return self.kind, self.instance_id


class Notices:
    """Collects what happens in this process until `flush`, so that no call waits for it."""

    def __init__(self, database: Database | None) -> None:
        self._database = database
        self._news: dict[Key, News] = {}

    def tell(self, kind: NoticeKind, instance_id: str, code: str, **params: str) -> None:
        """Open a notice, or count one more of the same incident."""
        key = (kind, instance_id)
        before = self._news.get(key)
        if before is None and len(self._news) >= MOST_WAITING:
            return
        self._news[key] = _news(code, params, times=before.times + 1 if before else 1)

    def tell_closed(self, instance: Instance[Any, Any], error: ProviderError) -> None:
        """Open the notice that fits a circuit that this error has just closed to calls."""
        about = {"label": instance.label, "provider": instance.provider_id, "detail": str(error.detail)}
        if instance.health.state == "down":
            self.tell("instance_down", instance.id, error.code, **about)
        elif isinstance(error, QuotaExhausted):
            self.tell("quota_exhausted", instance.id, error.code, **about)
        elif instance.health.state == "attention":
            self.tell("needs_attention", instance.id, error.code, **about)

    async def flush(self) -> None:
        """Write down what has happened. What cannot be written is tried again next time."""
        if self._database is None or not self._news:
            return
        news, self._news = self._news, {}
        try:
            async with self._database.write() as session:
                for (kind, instance_id), told in sorted(news.items()):
                    await session.execute(_upsert(session, kind, instance_id, told))
        except BaseException:
            self._news = news | self._news
            raise


async def open_notice(session: AsyncSession, kind: NoticeKind, instance_id: str, code: str, **params: str) -> None:
    """Open a notice, or count one more of the same incident, in the transaction of what it tells of."""
    await session.execute(_upsert(session, kind, instance_id, _news(code, params)))


async def open_notices(connection: AsyncConnection) -> list[OpenNotice]:
    """Return all incidents that go on, dismissed or not."""
    columns = (Notice.id, Notice.kind, Notice.instance_id, Notice.code, Notice.last_at)
    rows = await connection.execute(select(*columns).where(Notice.resolved_at.is_(None)))
    return [OpenNotice(**row._asdict()) for row in rows]


async def resolve(session: AsyncSession, ids: Iterable[int]) -> None:
    """End incidents."""
    ending = update(Notice).where(Notice.id.in_(list(ids)), Notice.resolved_at.is_(None))
    await session.execute(ending.values(resolved_at=clock.now()))


async def forget_old(session: AsyncSession) -> None:
    """Remove notices that were resolved longer than KEPT_FOR ago."""
    await session.execute(delete(Notice).where(Notice.resolved_at < clock.now() - KEPT_FOR))


async def dismiss(session: AsyncSession, notice_id: int) -> None:
    """Put a notice out of sight until its cause has ended, or got worse. Raises Absent."""
    hiding = update(Notice).where(Notice.id == notice_id).values(dismissed_at=clock.now())
    if not await changed_rows(session, hiding):
        raise Absent("This notice does not exist.")


def _news(code: str, params: Params, *, times: int = 1) -> News:
    short = {name: storable(text, PARAM_CHARS) for name, text in params.items()}
    return News(code=storable(code, CODE_CHARS), params=short, times=times)


def _upsert(session: AsyncSession, kind: str, instance_id: str, told: News) -> Any:
    """Open a row or count on; a dismissed one shows again when there is another code to it."""
    moment = clock.now()
    statement = insert_into(session, Notice).values(
        kind=kind,
        instance_id=instance_id,
        code=told.code,
        params=dict(told.params),
        opened_at=moment,
        last_at=moment,
        count=told.times,
        created_at=moment,
    )
    return statement.on_conflict_do_update(
        index_elements=["kind", "instance_id"],
        index_where=IS_OPEN["sqlite_where"],
        set_={
            "code": statement.excluded.code,
            "params": statement.excluded.params,
            "last_at": moment,
            "count": Notice.count + told.times,
            "dismissed_at": case((Notice.code == statement.excluded.code, Notice.dismissed_at), else_=None),
        },
    )
