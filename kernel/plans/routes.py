"""Calls about plans."""

from typing import Any

from litestar import Controller, Request, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.core.access import ADMIN, PUBLIC, Viewer
from kernel.core.audit import audit, ip_of
from kernel.core.database import Database
from kernel.plans.schemas import PlanLimits, PlanLimitsIn, ResetDone
from kernel.plans.service import PlanService

AdminRequest = Request[Viewer, Any, Any]


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
        self,
        request: AdminRequest,
        data: JSONBody[PlanLimitsIn],
        database: NamedDependency[Database],
        plans: NamedDependency[PlanService],
    ) -> PlanLimits:
        """Store new limits."""
        async with database.write() as session:
            audit(
                session,
                "limits.save",
                actor_id=request.user.id,
                ip=ip_of(request),
                object="limits",
                keys=("proUnlimited", "proMonthlyLimit", "freeMonthlyLimit"),
            )
            return await plans.save_limits(session, data)

    @post("/reset-all-generations", operation_id="resetAllGenerations", opt=ADMIN, status_code=200)
    async def reset(
        self, request: AdminRequest, database: NamedDependency[Database], plans: NamedDependency[PlanService]
    ) -> ResetDone:
        """Set every user's counter of this month to zero."""
        async with database.write() as session:
            audit(session, "limits.reset", actor_id=request.user.id, ip=ip_of(request), object="limits")
            return ResetDone(users=await plans.reset_month(session))
