"""Administrators' calls about the restart of all processes."""

from litestar import Controller, get, post
from litestar.di import NamedDependency

from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN, RECENT_SIGN_IN
from kernel.operation.restart.schemas import RestartOut
from kernel.operation.restart.service import RestartService


class RestartController(Controller):
    """All processes, started anew one after the other."""

    path = "/api/admin/restart"
    tags = ("Administration",)
    opt = ADMIN

    @get("/", operation_id="getRestart")
    async def state(self, restart_service: NamedDependency[RestartService]) -> RestartOut:
        """Return which plugins were installed or removed since the processes started, and how the restart goes."""
        return await restart_service.state()

    @post("/", operation_id="beginRestart", opt=RECENT_SIGN_IN, status_code=202)
    async def begin(
        self, actor: NamedDependency[Actor], restart_service: NamedDependency[RestartService]
    ) -> RestartOut:
        """Start all processes of `coverwright run` anew, each when the one that takes its place is ready."""
        await restart_service.begin(actor)
        return await restart_service.state()
