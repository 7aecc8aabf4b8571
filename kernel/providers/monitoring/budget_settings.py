"""Budgets as administrators see and set them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.data.database import ReadConnection
from kernel.core.data.stored_rows import Values
from kernel.core.errors import InvalidFields
from kernel.providers.instances.registry import Registry
from kernel.providers.models import Attempt, Budget, Notice, ProviderRevision, Spend
from kernel.providers.monitoring.schemas import BudgetsIn, BudgetsOut, InstanceBudget, InstanceSpent, SpentOut
from kernel.providers.monitoring.statistics import UNKNOWN_COST
from kernel.providers.spending.budgets import read_limits, save_limits
from kernel.providers.spending.counters import Scope


async def show_budgets(reader: ReadConnection | AsyncSession, registry: Registry) -> BudgetsOut:
    """Return all limits of existing instances, and what was spent this month."""
    limits = await read_limits(reader)
    month = clock.month_of(clock.now())
    query = select(Spend.scope, Spend.subject, Spend.spent_micros).where(
        Spend.period == month, Spend.scope.in_(("site_month", "instance_month"))
    )
    spent = {(row.scope, row.subject): row.spent_micros for row in await reader.execute(query)}
    begins = datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC)
    unknown_query = (
        select(Attempt.instance_id, func.count())
        .where(UNKNOWN_COST, Attempt.started_at >= begins)
        .group_by(Attempt.instance_id)
    )
    unknown = dict((await reader.execute(unknown_query)).tuples().all())
    spenders = {subject for scope, subject in spent if scope == "instance_month"} | unknown.keys()
    return BudgetsOut(
        site_month_micros=limits.get(("site_month", "")),
        user_day_micros=limits.get(("user_day", "")),
        instances=[
            InstanceBudget(instance_id=subject, month_micros=limit)
            for (scope, subject), limit in sorted(limits.items())
            if scope == "instance_month" and registry.instance(subject) is not None
        ],
        spent=SpentOut(
            site_month_micros=spent.get(("site_month", ""), 0),
            instances=[
                InstanceSpent(
                    instance_id=name,
                    month_micros=spent.get(("instance_month", name), 0),
                    unknown_calls=unknown.get(name, 0),
                )
                for name in sorted(spenders)
            ],
        ),
    )


async def change_budgets(session: AsyncSession, registry: Registry, wanted: BudgetsIn, actor: Actor) -> BudgetsOut:
    """Replace all limits. Raises InvalidFields for an unknown instance and for one named twice."""
    limits: dict[tuple[Scope, str], int] = {}
    names = [entry.instance_id for entry in wanted.instances]
    for index, entry in enumerate(wanted.instances):
        if registry.instance(entry.instance_id) is None or names.index(entry.instance_id) != index:
            raise InvalidFields({"instances": f"There is no instance `{entry.instance_id}`, or it is named twice."})
        if entry.month_micros is not None:
            limits["instance_month", entry.instance_id] = entry.month_micros
    if wanted.site_month_micros is not None:
        limits["site_month", ""] = wanted.site_month_micros
    if wanted.user_day_micros is not None:
        limits["user_day", ""] = wanted.user_day_micros
    # Two concurrent replacements are serialized: neither would see the rows the other is about to write.
    await session.execute(select(ProviderRevision.id).with_for_update())
    before = await BudgetHistory().read(session, "budget")
    await _replace(session, limits)
    audit(
        session,
        "budget.save",
        actor_id=actor.id,
        ip=actor.ip,
        object="budget",
        keys=[scope for scope, _ in limits],
        before=before,
        after=await BudgetHistory().read(session, "budget"),
    )
    return await show_budgets(session, registry)


async def _replace(session: AsyncSession, limits: Mapping[tuple[Scope, str], int]) -> None:
    await save_limits(session, limits)
    # The next review reopens what is still true; what was reached under the old limits may not be any more.
    reached = update(Notice).where(Notice.kind == "budget_reached", Notice.resolved_at.is_(None))
    await session.execute(reached.values(resolved_at=clock.now()))


class BudgetHistory:
    """All limits of spending by scope and, for an instance, its id behind a space: to be shown and put back."""

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return the limits in micros of a USD."""
        await session.execute(select(ProviderRevision.id).with_for_update())
        rows = await session.execute(select(Budget).order_by(Budget.scope, Budget.subject))
        return {f"{row.scope} {row.subject}".strip(): row.limit_micros for row in rows.scalars()}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Replace all limits by earlier ones."""
        places = {name: name.partition(" ")[::2] for name in values}
        await _replace(session, {cast(tuple[Scope, str], places[name]): micros for name, micros in values.items()})
