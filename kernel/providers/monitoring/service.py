"""How providers do, what they cost and what administrators should know, as their pages ask for it."""

from datetime import date
from typing import Any, Final

from sqlalchemy import select

from kernel.core.audit import Actor
from kernel.core.data.database import Database
from kernel.core.web.paging import DEFAULT_LIMIT
from kernel.providers.instances.registry import Registry
from kernel.providers.models import Notice
from kernel.providers.monitoring.budget_settings import change_budgets, show_budgets
from kernel.providers.monitoring.schemas import (
    AttemptOut,
    BudgetsIn,
    BudgetsOut,
    HealthOut,
    NoticeOut,
    UsageBy,
    UsageOut,
)
from kernel.providers.monitoring.statistics import UserLabels, attempts_page, health_strip, usage
from kernel.providers.notices.service import dismiss
from kernel.providers.spending.budgets import Budgets

_NOTICE_COLUMNS: Final = tuple(getattr(Notice, name) for name in NoticeOut.__struct_fields__)


class MonitoringService:
    """Operation as administrators see it. `user_labels` knows what users are called."""

    def __init__(self, database: Database, registry: Registry, budgets: Budgets, user_labels: UserLabels) -> None:
        self._database = database
        self._registry = registry
        self._budgets = budgets
        self._user_labels = user_labels

    async def health(self) -> list[HealthOut]:
        """Return how every instance does."""
        async with self._database.scan() as connection:
            return await health_strip(connection, self._registry)

    async def attempts(
        self, *, kind: str | None, instance: str | None, outcome: str | None, cursor: str | None, limit: int
    ) -> tuple[list[AttemptOut], str | None]:
        """Return one page of calls, newest first, and the cursor of the next. Raises InvalidFields."""
        async with self._database.scan() as connection:
            return await attempts_page(
                connection, kind=kind, instance=instance, outcome=outcome, cursor=cursor, limit=limit
            )

    async def usage(self, *, by: UsageBy, since: date | None, until: date | None) -> UsageOut:
        """Return what was used between two UTC days, this month by default. Raises InvalidFields."""
        async with self._database.scan() as connection:
            return await usage(connection, self._registry, self._user_labels, by=by, since=since, until=until)

    async def budgets(self) -> BudgetsOut:
        """Return all limits and what was spent this month."""
        async with self._database.scan() as connection:
            return await show_budgets(connection, self._registry)

    async def save_budgets(self, wanted: BudgetsIn, actor: Actor) -> BudgetsOut:
        """Replace all limits; they hold in this process at once. Raises InvalidFields."""
        async with self._database.write() as session:
            shown = await change_budgets(session, self._registry, wanted, actor)
        await self._budgets.refresh()
        return shown

    async def notices(self, *, only_open: bool) -> list[NoticeOut]:
        """Return notices, newest first: those that matter now, or the latest hundred."""
        query = select(*_NOTICE_COLUMNS).order_by(Notice.last_at.desc(), Notice.id.desc()).limit(DEFAULT_LIMIT)
        if only_open:
            query = query.where(Notice.resolved_at.is_(None), Notice.dismissed_at.is_(None))
        async with self._database.read() as connection:
            rows = await connection.execute(query)
            return [_notice(row) for row in rows]

    async def dismiss_notice(self, notice_id: int) -> None:
        """Put a notice out of sight until its cause has ended or got worse. Raises Absent."""
        async with self._database.write() as session:
            await dismiss(session, notice_id)


def _notice(row: Any) -> NoticeOut:
    values = row._asdict()
    return NoticeOut(**values | {"instance_id": row.instance_id or None})
