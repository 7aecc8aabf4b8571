"""Knows which processes have to be started anew, and asks their launchers to do it."""

from datetime import UTC, datetime

import msgspec

from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database
from kernel.core.errors import Conflict
from kernel.core.process import restart_files
from kernel.core.queue.heartbeat import Beat, Heartbeats
from kernel.core.queue.server import QueueServerAway
from kernel.operation.restart.schemas import HostRestartOut, ManualRestartOut, RestartOut
from kernel.operation.schemas import PluginChangeOut
from kernel.providers import Registry


class RestartService:
    """The restart of all processes."""

    def __init__(self, database: Database, registry: Registry, heartbeats: Heartbeats) -> None:
        self._database = database
        self._registry = registry
        self._heartbeats = heartbeats

    async def state(self) -> RestartOut:
        """Return what has changed since the processes have started, and what became of the last restart."""
        beats, complete = await self._beats()
        changed = {
            (change.distribution, change.loaded or "", change.installed or ""): change
            for beat in beats
            for change in beat.changes
        }
        manual = [beat for beat in beats if beat.changes and not beat.launched]
        return RestartOut(
            needed=bool(changed),
            available=any(beat.launched for beat in beats),
            complete=complete,
            changes=[PluginChangeOut(**msgspec.structs.asdict(change)) for _, change in sorted(changed.items())],
            manual=[ManualRestartOut(name=beat.name, role=beat.role, host=beat.host) for beat in manual],
            hosts=_hosts(beats),
        )

    async def begin(self, actor: Actor) -> None:
        """Ask all launchers to start their processes anew, one after the other. Raises Conflict when there is none."""
        beats, _ = await self._beats()
        if not any(beat.launched for beat in beats):
            raise Conflict("No process of this site can be started anew from here: ask what runs them to do it.")
        broken = tuple(one.name for one in self._registry.plugins.records if one.state in ("broken", "incompatible"))
        async with self._database.write() as session:
            audit(session, "plugin.restart", actor_id=actor.id, ip=actor.ip, object="plugins")
        await self._heartbeats.restart(restart_files.new_order(broken))

    async def _beats(self) -> tuple[list[Beat], bool]:
        """Return the processes that are alive, this one as it is now; and whether that are all."""
        own = await self._heartbeats.own("web")
        try:
            others = [beat for beat in await self._heartbeats.all() if not beat.is_lost and beat.name != own.name]
        except QueueServerAway:
            return [own], False
        return [own, *others], True


def _hosts(beats: list[Beat]) -> list[HostRestartOut]:
    """Return the newest restart of each host."""
    newest: dict[str, HostRestartOut] = {}
    for beat in beats:
        if (told := beat.restart) is None:
            continue
        at = datetime.fromtimestamp(told.at, UTC)
        known = newest.get(beat.host)
        if known is None or known.at < at:
            newest[beat.host] = HostRestartOut(
                host=beat.host, state=told.state, done=told.done, of=told.of, error=told.error, at=at
            )
    return [newest[host] for host in sorted(newest)]
