"""`coverwright status`: the state of everything that the site runs on, as the page *System* shows it."""

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from kernel.core.config import Config
from kernel.operation.schemas import PluginChangeOut, ProcessOut
from kernel.operation.system_schemas import BackupStateOut, SystemOut, SystemWarning
from kernel.runtime import open_runtime

UNITS: Final = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
SPANS: Final = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))
WARNINGS: Final[dict[SystemWarning, str]] = {
    "schema": "the database has another schema than this version: run `coverwright migrate`, or finish the upgrade",
    "queue_away": "the queue server cannot be reached: jobs begin later, and processes are not known",
    "no_worker": "no worker is running: no job begins",
    "versions_differ": "processes of different versions are running",
    "restart_needed": "processes have not loaded the plugins as they are installed: restart them, see the page Plugins",
    "clocks_differ": "the clock of a host differs from the database's",
    "disk_low": "the disk of the data folder is almost full: no cover is made",
    "backups_missed": "scheduled backups were missed",
    "paused": "jobs or services are paused",
    "jobs_wait": "jobs have been waiting for more than ten minutes",
    "notices": "there are notices for administrators",
}


async def status(config: Config, *, as_json: bool) -> int:
    """Print the state; return 1 when there is something to look at, 2 when the database cannot be read."""
    try:
        async with open_runtime(config) as runtime:
            state = await runtime.operation.system_service.state()
    except (SQLAlchemyError, OSError) as error:
        print(f"The database cannot be read: {error}", file=sys.stderr)
        return 2
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(state), indent=2).decode())
    else:
        for name, words in _lines(state):
            print(f"{name:<10} {words}".rstrip())
        for warning in state.warnings:
            print(f"WARNING    {WARNINGS[warning]}")
    return int(bool(state.warnings))


def _lines(state: SystemOut) -> Iterator[tuple[str, str]]:
    """Return what is printed: a name and a line for each part."""
    base, queue, disk, jobs = state.database, state.queue, state.disk, state.jobs
    yield "version", f"{state.version}, Python {state.python}"
    newest = "newest" if base.revision == base.newest_revision else f"newest is {base.newest_revision}"
    yield "database", f"{base.kind} {base.version}, {size(base.bytes)}, schema {base.revision or 'none'} ({newest})"
    yield "queue", f"{queue.version}, {size(queue.bytes)}, {queue.rings} rings" if queue else "out of reach"
    if disk:
        yield "disk", f"{size(disk.free)} of {size(disk.total)} free"
    oldest = f" (oldest {_ago(jobs.oldest_at, state.now)})" if jobs.oldest_at else ""
    paused = f"; paused: {', '.join(jobs.paused)}" if jobs.paused else ""
    yield "jobs", f"{jobs.waiting} waiting{oldest}, {jobs.running} running{paused}"
    if state.sweeps:
        swept, cleaned = state.sweeps.jobs_at, state.sweeps.cleaned_at
        yield "sweeps", f"{_ago(swept, state.now)}; cleaned {_ago(cleaned, state.now)}"
    yield "backup", _backup(state.backup)
    yield "notices", f"{state.notices} open"
    for one in state.processes or ():
        yield one.role, _process(one, state.now)
    for words in sorted({_change(change) for one in state.processes or () if not one.lost for change in one.changes}):
        yield "restart", words


def _backup(backup: BackupStateOut) -> str:
    last = "none yet"
    if backup.at is not None:
        last = f"{backup.at:%Y-%m-%d %H:%M} UTC, {size(backup.bytes or 0)}, in {backup.place}"
    failed = f"; the latest one failed: {backup.error}" if backup.error else ""
    if backup.scheduled_to is None:
        return f"{last}{failed}; none is scheduled"
    return f"{last}{failed}; every {backup.every_hours} h to {backup.scheduled_to}, {backup.missed} missed"


def _process(one: ProcessOut, now: datetime) -> str:
    state = "lost" if one.lost else "drained" if one.drained else "running"
    clock = f", clock {one.clock_ahead_s:+.1f} s" if abs(one.clock_ahead_s) >= 1 else ""
    seen = _ago(one.seen_at, now)
    return f"{one.name} {one.version}, {state}, {one.running} jobs, load {one.load:g} of {one.cpus}, seen {seen}{clock}"


def _change(change: PluginChangeOut) -> str:
    loaded, installed = (version or "none" for version in (change.loaded, change.installed))
    return f"needed for {change.distribution}: loaded {loaded}, installed {installed}"


def _ago(moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return "not yet"
    seconds = max(0, round((now - moment).total_seconds()))
    size_s, unit = next(((size_s, unit) for size_s, unit in SPANS if seconds >= size_s), SPANS[-1])
    return f"{seconds // size_s} {unit} ago"


def size(count: int) -> str:
    """Return a number of bytes for people: `12.3 MB`."""
    unit_size, unit = next(((unit_size, unit) for unit_size, unit in UNITS if count >= unit_size), (1.0, "bytes"))
    return f"{count / unit_size:.1f} {unit}" if unit_size > 1 else f"{count} {unit}"
