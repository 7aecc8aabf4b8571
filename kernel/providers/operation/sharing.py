"""Health that all processes share: written when a circuit changes, read every other second, never during a call."""

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core.database import Database, insert_into
from kernel.providers.health import Circuit, Health
from kernel.providers.instances import Instance
from kernel.providers.operation.models import InstanceHealth
from kernel.providers.registry import Registry

_COLUMNS: Final = tuple(getattr(InstanceHealth, name) for name in Circuit.__struct_fields__)


class SharedHealth:
    """Keeps the circuits of this process and those of the others alike."""

    def __init__(self, registry: Registry, database: Database) -> None:
        self._registry = registry
        self._database = database
        self._known: dict[str, Health] = {}

    async def exchange(self) -> None:
        """Tell the others what changed here, then take over what changed there."""
        await self.tell()
        async with self._database.read() as connection:
            circuits = await read_circuits(connection)
        for instance_id, circuit in circuits.items():
            if (instance := self._registry.instance(instance_id)) is not None:
                instance.health.adopt(circuit)

    async def tell(self) -> None:
        """Tell the others what changed here; mostly there is nothing to tell."""
        instances = self._registry.snapshot.instances
        self._renew(instances.values())
        changed = [instance for instance in instances.values() if instance.health.unshared]
        if changed:
            told = [(instance, instance.health.circuit()) for instance in changed]
            async with self._database.write() as session:
                for instance, circuit in sorted(told, key=lambda pair: pair[0].id):
                    await session.execute(_upsert(session, instance.id, circuit))
            for instance, circuit in told:
                if instance.health.stamp_us == circuit.stamp_us:  # else it changed again while we wrote
                    instance.health.unshared = False

    def _renew(self, instances: Iterable[Instance[Any, Any]]) -> None:
        """An instance with new settings starts afresh, everywhere; what was known of the old one does not hold."""
        seen: dict[str, Health] = {}
        for instance in instances:
            seen[instance.id] = instance.health
            replaced = self._known.get(instance.id, instance.health) is not instance.health
            if replaced and not instance.health.stamp_us:
                instance.health.reset()
        self._known = seen


async def read_circuits(connection: AsyncConnection) -> dict[str, Circuit]:
    """Return what is known of each instance."""
    rows = await connection.execute(select(InstanceHealth.instance_id, *_COLUMNS))
    return {row[0]: Circuit(**dict(zip(Circuit.__struct_fields__, row[1:], strict=True))) for row in rows}


async def forget(session: AsyncSession, known: list[Instance[Any, Any]]) -> None:
    """Remove what is kept of instances that are no more."""
    ids = [instance.id for instance in known]
    await session.execute(delete(InstanceHealth).where(InstanceHealth.instance_id.not_in(ids)))


def _upsert(session: AsyncSession, instance_id: str, circuit: Circuit) -> Any:
    """Write a circuit, unless another process has written a later one."""
    values = {name: getattr(circuit, name) for name in Circuit.__struct_fields__}
    statement = insert_into(session, InstanceHealth).values(instance_id=instance_id, **values)
    return statement.on_conflict_do_update(
        index_elements=["instance_id"], set_=values, where=InstanceHealth.stamp_us < circuit.stamp_us
    )
