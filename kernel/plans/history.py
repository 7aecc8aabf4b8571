"""What administrators changed of limits, to be shown and put back."""

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.stored_rows import Values
from kernel.plans.schemas import FreeFilesIn, PlanLimitsIn
from kernel.plans.service import PlanService


class LimitHistory:
    """The monthly limits of both plans."""

    def __init__(self, plans: PlanService) -> None:
        self._plans = plans

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return the limits that hold."""
        return msgspec.structs.asdict(await self._plans.limits_in(session))

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Store earlier limits; they hold from the next generation on."""
        await self._plans.save_limits_in(session, PlanLimitsIn(**values))


class FreeFilesHistory:
    """Whether the free plan gets the files that printers take."""

    def __init__(self, plans: PlanService) -> None:
        self._plans = plans

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return whether it does."""
        return {"free_print_files": await self._plans.has_free_print_files_in(session)}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Store what held earlier; it holds from the next files on."""
        await self._plans.save_free_files_in(session, FreeFilesIn(**values))
