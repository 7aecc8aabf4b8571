"""Calls about plans."""

from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN, PUBLIC, RECENT_SIGN_IN, SHARED
from kernel.core.web.paging import PathId
from kernel.plans.credits import CreditIn, CreditService, CreditsOut
from kernel.plans.schemas import FreeFiles, FreeFilesIn, PlanLimits, PlanLimitsIn, ResetDone
from kernel.plans.service import PlanService


class PlanController(Controller):
    """The limits everyone may see."""

    path = "/api"
    tags = ("Plans",)

    @get("/plan-limits", operation_id="getPlanLimits", opt=PUBLIC | SHARED)
    async def get_limits(self, plans: NamedDependency[PlanService]) -> PlanLimits:
        """Return the monthly limits of both plans."""
        return await plans.limits()


class AdminPlanController(Controller):
    """The limits as administrators set them."""

    path = "/api/admin"
    tags = ("Administration",)

    @get("/plan-limits", operation_id="getAdminPlanLimits", opt=ADMIN)
    async def get_limits(self, plans: NamedDependency[PlanService]) -> PlanLimits:
        """Return the monthly limits of both plans."""
        return await plans.limits()

    @post("/plan-limits", operation_id="savePlanLimits", opt=ADMIN | RECENT_SIGN_IN, status_code=200)
    async def save_limits(
        self, actor: NamedDependency[Actor], data: JSONBody[PlanLimitsIn], plans: NamedDependency[PlanService]
    ) -> PlanLimits:
        """Store new limits."""
        return await plans.save_limits(data, actor)

    @get("/free-files", operation_id="getFreeFiles", opt=ADMIN)
    async def get_free_files(self, plans: NamedDependency[PlanService]) -> FreeFiles:
        """Return whether the free plan gets the files that printers take."""
        return await plans.free_files()

    @put("/free-files", operation_id="saveFreeFiles", opt=ADMIN | RECENT_SIGN_IN)
    async def save_free_files(
        self, actor: NamedDependency[Actor], data: JSONBody[FreeFilesIn], plans: NamedDependency[PlanService]
    ) -> FreeFiles:
        """Store whether it does."""
        return await plans.save_free_files(data, actor)

    @post("/reset-all-generations", operation_id="resetAllGenerations", opt=ADMIN | RECENT_SIGN_IN, status_code=200)
    async def reset(self, actor: NamedDependency[Actor], plans: NamedDependency[PlanService]) -> ResetDone:
        """Set every user's counter of this month to zero."""
        return ResetDone(users=await plans.reset_month(actor))

    @post("/users/{user_id:int}/credits", operation_id="giveCredits", opt=ADMIN | RECENT_SIGN_IN, status_code=200)
    async def give_credits(
        self,
        user_id: PathId,
        actor: NamedDependency[Actor],
        data: JSONBody[CreditIn],
        credit_service: NamedDependency[CreditService],
    ) -> CreditsOut:
        """Give a user covers beyond the month's limit."""
        return await credit_service.give(user_id, data, actor)
