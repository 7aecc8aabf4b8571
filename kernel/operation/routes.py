"""Administrators' calls about jobs and the processes that do them."""

from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, PathParameter, QueryParameter

from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN, AppRequest
from kernel.core.web.paging import DEFAULT_LIMIT, Cursor, Limit, link_header
from kernel.operation.job_actions import JobActions
from kernel.operation.jobs_service import JobService
from kernel.operation.schemas import JobKind, JobOut, JobOverviewOut, JobState
from kernel.operation.system_schemas import SystemOut
from kernel.operation.system_service import SystemService

JobId = Annotated[str, PathParameter(max_length=120, description="The kind and the key of a job: `archive-…`.")]
Named = Annotated[str, PathParameter(max_length=120)]
Owner = Annotated[str | None, QueryParameter(max_length=254, description="Email address of whose jobs are wanted.")]


class JobController(Controller):
    """Jobs of every kind."""

    path = "/api/admin/jobs"
    tags = ("Administration",)
    opt = ADMIN

    @get("/", operation_id="listJobs")
    async def jobs(
        self,
        request: AppRequest,
        job_service: NamedDependency[JobService],
        kind: FromQuery[JobKind | None] = None,
        job_state: Annotated[JobState | None, QueryParameter(name="state")] = None,
        owner: Owner = None,
        cursor: Cursor = None,
        limit: Limit = DEFAULT_LIMIT,
    ) -> Response[list[JobOut]]:
        """Return jobs, newest first; without a state those that wait or run."""
        rows, following = await job_service.page(kind=kind, state=job_state, owner=owner, cursor=cursor, limit=limit)
        return Response(rows, headers=link_header(request, following))

    @get("/overview", operation_id="getJobOverview")
    async def overview(self, job_service: NamedDependency[JobService]) -> JobOverviewOut:
        """Return how many jobs of each kind are open, what is paused, and which processes there are."""
        return await job_service.overview()

    @get("/{job_id:str}", operation_id="getJob")
    async def job(self, job_id: JobId, job_service: NamedDependency[JobService]) -> JobOut:
        """Return one job."""
        return await job_service.get(job_id)

    @post("/{job_id:str}/retry", operation_id="retryJob", status_code=204)
    async def retry(
        self, job_id: JobId, actor: NamedDependency[Actor], job_actions: NamedDependency[JobActions]
    ) -> None:
        """Try a job now, without waiting for its time; one that has failed begins anew where that is possible."""
        await job_actions.retry(job_id, actor)

    @post("/{job_id:str}/cancel", operation_id="cancelJob", status_code=204)
    async def cancel(
        self, job_id: JobId, actor: NamedDependency[Actor], job_actions: NamedDependency[JobActions]
    ) -> None:
        """End a job for good. A cover's unit is given back."""
        await job_actions.cancel(job_id, actor)


class SystemController(Controller):
    """What the site runs on."""

    path = "/api/admin/system"
    tags = ("Administration",)
    opt = ADMIN

    @get("/", operation_id="getSystem")
    async def system(self, system_service: NamedDependency[SystemService]) -> SystemOut:
        """Return the state of database, queue server, disk, workers, sweeps and backups."""
        return await system_service.state()


class JobPauseController(Controller):
    """What is paused, and workers that are drained."""

    path = "/api/admin"
    tags = ("Administration",)
    opt = ADMIN

    @post("/job-kinds/{job_kind:str}/pause", operation_id="pauseJobKind", status_code=204)
    async def pause_kind(
        self, job_kind: Named, actor: NamedDependency[Actor], job_actions: NamedDependency[JobActions]
    ) -> None:
        """Begin no jobs of a kind, in no worker, until it is resumed. Those that run go on."""
        await job_actions.pause_kind(job_kind, actor)

    @post("/job-kinds/{job_kind:str}/resume", operation_id="resumeJobKind", status_code=204)
    async def resume_kind(
        self, job_kind: Named, actor: NamedDependency[Actor], job_actions: NamedDependency[JobActions]
    ) -> None:
        """Begin jobs of a kind again; the time that those that waited may take begins anew."""
        await job_actions.resume_kind(job_kind, actor)

    @post("/job-services/{service_id:str}/pause", operation_id="pauseJobService", status_code=204)
    async def pause_instance(
        self, service_id: Named, actor: NamedDependency[Actor], job_actions: NamedDependency[JobActions]
    ) -> None:
        """Give an image service no new work until it is resumed; others stand in for it where they can."""
        await job_actions.pause_instance(service_id, actor)

    @post("/job-services/{service_id:str}/resume", operation_id="resumeJobService", status_code=204)
    async def resume_instance(
        self, service_id: Named, actor: NamedDependency[Actor], job_actions: NamedDependency[JobActions]
    ) -> None:
        """Give an image service work again."""
        await job_actions.resume_instance(service_id, actor)

    @post("/workers/{worker_name:str}/drain", operation_id="drainWorker", status_code=204)
    async def drain(
        self, worker_name: Named, actor: NamedDependency[Actor], job_actions: NamedDependency[JobActions]
    ) -> None:
        """Let a worker begin no more jobs; those that it has begun go on."""
        await job_actions.drain(worker_name, True, actor)

    @post("/workers/{worker_name:str}/resume", operation_id="resumeWorker", status_code=204)
    async def resume_worker(
        self, worker_name: Named, actor: NamedDependency[Actor], job_actions: NamedDependency[JobActions]
    ) -> None:
        """Let a worker begin jobs again."""
        await job_actions.drain(worker_name, False, actor)
