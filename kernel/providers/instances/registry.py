"""The instances and their failover order: an immutable snapshot, replaced as a whole."""

import os
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, cast

from kernel.core.config import Config
from kernel.providers.instances.instance import Declaration, Instance
from kernel.providers.kinds import KINDS, C, KindOf, P
from kernel.providers.plugins.loader import Plugins, load_plugins
from kernel.spi import Kind


class NoProviderAvailable(Exception):
    """No instance of this kind can be used now.

    `reasons` maps instances to the reason, for administrators; `retry_after` is in seconds, None when waiting does not
    help. `paused`: an administrator has paused one that could have been used.
    """

    def __init__(
        self, kind: Kind, reasons: Mapping[str, str], retry_after: float | None = None, *, paused: bool = False
    ) -> None:
        listed = "; ".join(f"{instance}: {why}" for instance, why in reasons.items())
        super().__init__(f"no {kind} provider is available ({listed or 'none is set up'})")
        self.kind = kind
        self.reasons = dict(reasons)
        self.retry_after = retry_after
        self.paused = paused


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The instances and failover orders of one revision. `user_choice`: may users choose among a kind's instances?"""

    revision: int
    instances: Mapping[str, Instance[Any, Any]]
    failover_orders: Mapping[Kind, tuple[str, ...]]
    user_choice: Mapping[Kind, bool]


def declared_in(config: Config) -> tuple[Declaration, ...]:
    """Return the instances of the configuration file."""
    return tuple(
        Declaration(
            id=entry.id,
            kind=entry.kind,
            provider=entry.provider,
            label=entry.label,
            settings=entry.settings,
            filed=frozenset(entry.settings),
        )
        for entry in config.instances
    )


def failover_orders_in(config: Config) -> dict[Kind, tuple[str, ...]]:
    """Return the failover orders of the configuration file."""
    return {kind: tuple(getattr(config.routes, kind)) for kind in KINDS}


class Registry:
    """Holds the current snapshot and leases its instances."""

    def __init__(self, config: Config, plugins: Plugins, env: Mapping[str, str]) -> None:
        self.config: Final = config
        self.plugins: Final = plugins
        self.env: Final = env
        self.paused: frozenset[str] = frozenset()
        """Instances that get no new work at the moment; every process follows what administrators have paused."""
        self._retired: list[Instance[Any, Any]] = []
        self._snapshot = Snapshot(0, MappingProxyType({}), MappingProxyType({}), MappingProxyType({}))

    @classmethod
    def from_config(
        cls, config: Config, plugins: Plugins | None = None, env: Mapping[str, str] | None = None
    ) -> "Registry":
        """Build the declared instances. One that fails is listed with its reason; the others work."""
        env = dict(os.environ) if env is None else env
        registry = cls(config, load_plugins(env) if plugins is None else plugins, env)
        registry._snapshot = registry.build_snapshot(declared_in(config), failover_orders_in(config))
        return registry

    @property
    def snapshot(self) -> Snapshot:
        """Return the snapshot in use."""
        return self._snapshot

    def build_snapshot(
        self,
        declarations: Iterable[Declaration],
        failover_orders: Mapping[Kind, tuple[str, ...]],
        user_choice: Mapping[Kind, bool] = MappingProxyType({}),
        *,
        keep_running: bool = True,
    ) -> Snapshot:
        """Build the next revision without using it yet.

        An instance whose declaration did not change is taken over as it is. With `keep_running`, one that cannot be
        built keeps its old settings, and its `notice` says why the new ones are not in use.
        """
        instances: dict[str, Instance[Any, Any]] = {}
        seen: set[tuple[Kind, str]] = set()
        for declaration in declarations:
            first = (declaration.kind, declaration.provider) not in seen
            seen.add((declaration.kind, declaration.provider))
            instances[declaration.id] = self._next(declaration, first=first, keep_running=keep_running)
        return Snapshot(
            self._snapshot.revision + 1,
            MappingProxyType(instances),
            MappingProxyType(dict(failover_orders)),
            MappingProxyType(dict(user_choice)),
        )

    def _next(self, declaration: Declaration, *, first: bool, keep_running: bool) -> Instance[Any, Any]:
        running = self._snapshot.instances.get(declaration.id)
        if running is not None and not declaration.accepts(running.distribution):
            running = None
        if running is not None and running.usable and running.declaration.builds_the_same(declaration):
            running.adopt(declaration)
            return running
        fresh = self.build(declaration, first=first)
        if not keep_running or fresh.state != "needs_attention" or running is None or not running.usable:
            return fresh
        if (running.kind, running.provider_id) != (fresh.kind, fresh.provider_id):
            return fresh
        running.stay(declaration, fresh)
        return running

    def build(self, declaration: Declaration, *, first: bool, folder: Path | None = None) -> Instance[Any, Any]:
        """Build one instance that belongs to no snapshot. Close it with `aclose`."""
        offer = self.plugins.offer(declaration.kind, declaration.provider)
        instance: Instance[Any, Any] = Instance(declaration, offer)
        instance.build(self.config, self.env, first=first, folder=folder)
        return instance

    def publish(self, snapshot: Snapshot) -> None:
        """Use this snapshot from now on; instances it leaves out close when they are not held. Needs a running loop."""
        before, self._snapshot = self._snapshot, snapshot
        kept = {id(instance) for instance in snapshot.instances.values()}
        for instance in before.instances.values():
            if id(instance) not in kept:
                instance.retire()
                self._retired.append(instance)
        self._retired = [instance for instance in self._retired if not instance.closed]

    def instance(self, instance_id: str) -> Instance[Any, Any] | None:
        """Return the instance of this id, whatever its state, or None."""
        return self._snapshot.instances.get(instance_id)

    def label_of(self, instance_id: str) -> str:
        """Return an instance's display name; for one that was removed, its id."""
        instance = self.instance(instance_id)
        return instance.label if instance else instance_id

    def failover_order(self, kind: KindOf[P, C]) -> tuple[Instance[P, C], ...]:
        """Return the instances of a kind in order of preference, whatever their state."""
        known = self._snapshot.instances
        ids = self._snapshot.failover_orders.get(kind.name, ())
        return tuple(cast(Instance[P, C], known[entry]) for entry in ids if entry in known)

    def user_choice(self, kind: KindOf[P, C]) -> bool:
        """Return whether users may choose among the instances of this kind's failover order."""
        return self._snapshot.user_choice.get(kind.name, False)

    def find(self, instance_id: str, kind: KindOf[P, C]) -> Instance[P, C]:
        """Return the instance of this id and kind, ready or draining. Raises NoProviderAvailable."""
        instance = self._snapshot.instances.get(instance_id)
        if instance is None or instance.kind != kind.name:
            raise NoProviderAvailable(kind.name, {instance_id: f"there is no such {kind.name} instance"})
        if not instance.usable:
            raise NoProviderAvailable(kind.name, {instance_id: instance.reason or instance.state})
        return cast(Instance[P, C], instance)

    def first(self, kind: KindOf[P, C]) -> Instance[P, C]:
        """Return the first ready instance in failover order. Raises NoProviderAvailable."""
        failover_order = self.failover_order(kind)
        chosen = next((instance for instance in failover_order if instance.state == "ready"), None)
        if chosen is None:
            raise NoProviderAvailable(kind.name, {entry.id: entry.reason or entry.state for entry in failover_order})
        return chosen

    @asynccontextmanager
    async def lease(self, kind: KindOf[P, C]) -> AsyncIterator[Instance[P, C]]:
        """Lease the first ready instance in failover order. Raises NoProviderAvailable."""
        chosen = self.first(kind)
        async with self._hold(chosen):
            yield chosen

    @asynccontextmanager
    async def lease_instance(self, instance_id: str, kind: KindOf[P, C]) -> AsyncIterator[Instance[P, C]]:
        """Lease exactly this instance, in a failover order or not. Raises NoProviderAvailable."""
        chosen = self.find(instance_id, kind)
        async with self._hold(chosen):
            yield chosen

    @asynccontextmanager
    async def _hold(self, instance: Instance[P, C]) -> AsyncIterator[None]:
        instance.acquire()
        try:
            yield
        finally:
            instance.release()

    async def aclose(self) -> None:
        """Close every instance, including those of earlier revisions."""
        for instance in (*self._snapshot.instances.values(), *self._retired):
            await instance.aclose()
