"""Calls about plans."""

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.core.access import ADMIN, PUBLIC
from kernel.core.database import Database
from kernel.plans.schemas import PlanLimits, PlanLimitsIn, ResetDone
from kernel.plans.service import PlanService


class PlanController(Controller):
    """The limits everyone may see."""

    path = "/api"
    tags = ("Plans",)

    @get("/plan-limits", operation_id="getPlanLimits", opt=PUBLIC)
    async def get_limits(self, database: NamedDependency[Database], plans: NamedDependency[PlanService]) -> PlanLimits:
        """Return the monthly limits of both plans."""
        async with database.read() as connection:
            return await plans.limits(connection)


class AdminPlanController(Controller):
    """The limits as administrators set them."""

    path = "/api/admin"
    tags = ("Administration",)

    @get("/plan-limits", operation_id="getAdminPlanLimits", opt=ADMIN)
    async def get_limits(self, database: NamedDependency[Database], plans: NamedDependency[PlanService]) -> PlanLimits:
        """Return the monthly limits of both plans."""
        async with database.read() as connection:
            return await plans.limits(connection)

    @post("/plan-limits", operation_id="savePlanLimits", opt=ADMIN, status_code=200)
    async def save_limits(
        self, data: JSONBody[PlanLimitsIn], database: NamedDependency[Database], plans: NamedDependency[PlanService]
    ) -> PlanLimits:
        """Store new limits."""
        async with database.write() as session:
            return await plans.save_limits(session, data)

    @post("/reset-all-generations", operation_id="resetAllGenerations", opt=ADMIN, status_code=200)
    async def reset(self, database: NamedDependency[Database], plans: NamedDependency[PlanService]) -> ResetDone:
        """Set every user's counter of this month to zero."""
        async with database.write() as session:
            return ResetDone(users=await plans.reset_month(session))
