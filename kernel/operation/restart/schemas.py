"""Wire of the restart."""

from datetime import datetime
from typing import Literal

from kernel.core.queue.heartbeat import Role
from kernel.core.schemas import Out
from kernel.operation.schemas import PluginChangeOut


class ManualRestartOut(Out, frozen=True, kw_only=True):
    """A process that nobody can start anew from here, and that has not loaded the plugins as they are installed."""

    name: str
    role: Role
    host: str


class HostRestartOut(Out, frozen=True, kw_only=True):
    """The last restart on a host: `done` of `of` programs run anew. `error` says why it failed."""

    host: str
    state: Literal["running", "done", "failed"]
    done: int
    of: int
    error: str
    at: datetime


class RestartOut(Out, frozen=True, kw_only=True):
    """Whether processes have to be started anew. `available` says that some of them can be from here; `complete` that
    all processes are known, not this one alone because the queue server is out of reach.
    """

    needed: bool
    available: bool
    complete: bool
    changes: list[PluginChangeOut]
    manual: list[ManualRestartOut]
    hosts: list[HostRestartOut]
