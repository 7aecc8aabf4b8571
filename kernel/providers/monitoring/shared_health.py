"""Health that all processes share: written when a circuit changes, read every other second, never during a call."""

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.data.database import Database, ReadConnection, insert_into
from kernel.providers.instances.circuit_breaker import Circuit, Health
from kernel.providers.instances.instance import Instance
from kernel.providers.instances.registry import Registry, Snapshot
from kernel.providers.models import InstanceHealth

_COLUMNS: Final = tuple(getattr(InstanceHealth, name) for name in Circuit.__struct_fields__)


class SharedHealth:
    """Synchronizes the circuits of this process with those of the others."""

    def __init__(self, registry: Registry, database: Database) -> None:
        self._registry = registry
        self._database = database
        self._known: dict[str, Health] = {}
        self._read_at: object | None = None
        self._read_for: Snapshot | None = None

    async def exchange(self) -> None:
        """Write this process's changes, then take over those of the others."""
        await self.publish()
        version, snapshot = self._database.version(), self._registry.snapshot
        if version is not None and version == self._read_at and snapshot is self._read_for:
            return  # the same circuits for the same instances
        async with self._database.read() as connection:
            circuits = await read_circuits(connection)
        self._read_at, self._read_for = version, snapshot
        for instance_id, circuit in circuits.items():
            if (instance := self._registry.instance(instance_id)) is not None:
                instance.health.adopt(circuit)

    async def publish(self) -> None:
        """Write this process's changes, if there are any."""
        instances = self._registry.snapshot.instances
        self._renew(instances.values())
        changed = [instance for instance in instances.values() if instance.health.unshared]
        if changed:
            circuits = [(instance, instance.health.circuit()) for instance in changed]
            async with self._database.write() as session:
                for instance, circuit in sorted(circuits, key=lambda pair: pair[0].id):
                    await session.execute(_upsert(session, instance.id, circuit))
            for instance, circuit in circuits:
                if instance.health.stamp_us == circuit.stamp_us:  # else it changed again during the write
                    instance.health.unshared = False

    def _renew(self, instances: Iterable[Instance[Any, Any]]) -> None:
        """Reset the health of instances with new settings, in all processes; the old state does not apply to them."""
        seen: dict[str, Health] = {}
        for instance in instances:
            seen[instance.id] = instance.health
            replaced = self._known.get(instance.id, instance.health) is not instance.health
            if replaced and not instance.health.stamp_us:
                instance.health.reset()
        self._known = seen


async def read_circuits(connection: ReadConnection) -> dict[str, Circuit]:
    """Return the stored circuit of each instance."""
    rows = await connection.execute(select(InstanceHealth.instance_id, *_COLUMNS))
    circuits = [row._asdict() for row in rows]
    return {values.pop("instance_id"): Circuit(**values) for values in circuits}


async def delete_others(session: AsyncSession, known: list[Instance[Any, Any]]) -> None:
    """Delete the circuits of removed instances."""
    ids = [instance.id for instance in known]
    await session.execute(delete(InstanceHealth).where(InstanceHealth.instance_id.not_in(ids)))


def _upsert(session: AsyncSession, instance_id: str, circuit: Circuit) -> Any:
    """Write a circuit, unless another process has written a later one."""
    values = {name: getattr(circuit, name) for name in Circuit.__struct_fields__}
    statement = insert_into(session, InstanceHealth).values(instance_id=instance_id, **values)
    return statement.on_conflict_do_update(
        index_elements=["instance_id"], set_=values, where=InstanceHealth.stamp_us < circuit.stamp_us
    )
