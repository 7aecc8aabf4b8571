"""What a person added to the daily figures: no longer tied to them once their account is deleted."""

from collections.abc import AsyncIterator
from datetime import date

from sqlalchemy import exists, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.accounts.owned_data import ExportFile
from kernel.core import clock
from kernel.core.data.database import Database, insert_into
from kernel.insight import revenue
from kernel.insight.models import DailyFigure, DepartedUser, FigureState
from kernel.insight.rollup import BATCH, STATE, FigureKeeper
from kernel.insight.truth import count_covers


class FigureData:
    """Sums of days. They name nobody; a deleted account's share stays in them when its rows go."""

    def __init__(self, database: Database, keeper: FigureKeeper) -> None:
        self._database = database
        self._keeper = keeper

    async def export(self, user_id: int) -> AsyncIterator[ExportFile]:
        """Yield nothing: a sum is nobody's."""
        nothing: tuple[ExportFile, ...] = ()
        for file in nothing:
            yield file

    async def remove(self, user_id: int) -> None:
        """Move what the account added from what is counted to what is kept, once, before its rows are removed."""
        async with self._database.write() as session:
            await session.execute(
                insert_into(session, FigureState).values(id=STATE, fence=0, invoices="").on_conflict_do_nothing()
            )
            await session.execute(
                update(FigureState).where(FigureState.id == STATE).values(fence=FigureState.fence + 1)
            )
            known = select(User.created_at, exists().where(DepartedUser.user_id == User.id).label("departed"))
            row = (await session.execute(known.where(User.id == user_id))).one_or_none()
            if row is None or row.departed:
                return
            for values in await self._share(session, user_id, row.created_at.date()):
                add = insert_into(session, DailyFigure).values(values)
                await session.execute(
                    add.on_conflict_do_update(
                        index_elements=["day", "metric", "label"],
                        set_={
                            "departed": DailyFigure.departed + add.excluded.departed,
                            "value": DailyFigure.value - add.excluded.departed,
                        },
                    )
                )
            await session.execute(insert_into(session, DepartedUser).values(user_id=user_id))

    async def _share(self, session: AsyncSession, user_id: int, begun: date) -> list[list[dict[str, object]]]:
        """Return what one account added, as rows in batches. Whoever still paid stops with the account."""
        connection, today = await session.connection(), clock.now().date()
        figures = await count_covers(connection, begun, today, user_id)
        prices = await revenue.read_prices(connection)
        paid = await revenue.read_paid(connection, user_id)
        figures.update(revenue.count_revenue(paid, prices, self._keeper.grace, today, left=True))
        rows: list[dict[str, object]] = [
            {"day": day, "metric": metric, "label": label, "value": 0, "departed": value}
            for (day, metric, label), value in figures.items()
            if value
        ]
        return [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]

    async def left(self, session: AsyncSession, user_id: int) -> bool:
        """Return False."""
        return False
