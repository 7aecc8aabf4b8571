"""Wire of the job desk."""

from datetime import datetime
from typing import Literal

from kernel.core.queue.heartbeat import Role
from kernel.core.schemas import Out

JobKind = Literal[
    "generation",
    "archive",
    "edition_pack",
    "account_email",
    "campaign",
    "webhook",
    "payment_resync",
    "customer_deletion",
    "customer_backfill",
    "price_move",
    "account_deletion",
    "backup",
]
JobState = Literal["waiting", "running", "completed", "failed", "canceled"]


class JobOut(Out, frozen=True, kw_only=True):
    """A job. `id` is its kind and its key. `about` says more of what it does, where there is more to say. `worker` is
    the process that holds or held it. `runAfter` is the time before which nobody begins it; `progress` is from 0 to 1.
    """

    id: str
    kind: JobKind
    state: JobState
    about: str | None
    phase: str | None
    progress: float | None
    attempts: int
    worker: str | None
    owner_id: int | None
    owner: str | None
    instance_id: str | None
    error: str | None
    created_at: datetime
    run_after: datetime | None
    lease_until: datetime | None
    finished_at: datetime | None
    can_retry: bool
    can_cancel: bool


class JobKindOut(Out, frozen=True, kw_only=True):
    """How many jobs of a kind are open. `oldestAt` is when the oldest of them was asked for."""

    kind: JobKind
    waiting: int
    running: int
    oldest_at: datetime | None
    paused_at: datetime | None


class JobInstanceOut(Out, frozen=True, kw_only=True):
    """An image service that can be paused."""

    instance_id: str
    label: str
    paused_at: datetime | None


class PluginChangeOut(Out, frozen=True, kw_only=True):
    """A distribution that a process has not loaded as it is installed; a version is null where there is none. Both are
    the same when it was installed again.
    """

    distribution: str
    loaded: str | None
    installed: str | None


class ProcessOut(Out, frozen=True, kw_only=True):
    """A process. `load` is its host's of the last minute; `clockAheadS` is how far the host's own clock is ahead of the
    database's. A lost one was not heard for a while. `running` are the jobs that it holds. `launched`: by
    `coverwright run`. With `changes` it has to be started anew.
    """

    name: str
    role: Role
    host: str
    version: str
    started_at: datetime
    seen_at: datetime
    load: float
    cpus: int
    clock_ahead_s: float
    drained: bool
    lost: bool
    running: int
    launched: bool
    changes: list[PluginChangeOut]


class JobOverviewOut(Out, frozen=True, kw_only=True):
    """All kinds, services that can be paused, and processes; these are null while the queue server is out of reach."""

    kinds: list[JobKindOut]
    instances: list[JobInstanceOut]
    processes: list[ProcessOut] | None
