"""Every process follows the revision: what was saved in one is used in all, without a restart."""

import asyncio
import logging
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from kernel.core.data.database import Database
from kernel.core.data.job_pause import paused_instances
from kernel.core.queue.pubsub import PubSub
from kernel.providers.administration.instance_store import InstanceStore, StoredProviders
from kernel.providers.instances.registry import Registry

log = logging.getLogger(__name__)

CHANNEL: Final = "providers"
LOOK_S: Final = 1.0
"""Messages may be lost, so the revision is also read this often."""
LIMIT_S: Final = 10.0


class RevisionFollower:
    """Keeps the registry of this process at the newest revision."""

    def __init__(self, database: Database, registry: Registry, store: InstanceStore, pubsub: PubSub) -> None:
        self._database = database
        self._registry = registry
        self._store = store
        self._pubsub = pubsub
        self._current: StoredProviders | None = None
        self._turn = asyncio.Lock()

    async def now(self) -> StoredProviders:
        """Return what is stored, once this process uses it."""
        async with self._turn:
            async with self._database.read() as connection:
                if self._current is not None and await self._store.revision(connection) == self._current.revision:
                    return self._current
                stored = await self._store.load(connection)
            await self._use(stored)
            self._current = stored
            return stored

    async def announce(self) -> StoredProviders:
        """Apply what was just committed, here at once and in other processes when they receive the message."""
        stored = await self.now()
        await self._pubsub.publish(CHANNEL, str(stored.revision).encode())
        return stored

    async def follow_pauses(self) -> None:
        """Take over which instances are paused."""
        async with self._database.read() as connection:
            self._registry.paused = await paused_instances(connection)

    async def announce_pause(self) -> None:
        """Apply which instances are paused, here at once and in other processes when they receive the message."""
        await self.follow_pauses()
        await self._pubsub.publish(CHANNEL, b"paused")

    async def begin(self) -> None:
        """Apply what is stored, if that can be read; what the file declares is in use already."""
        try:
            async with asyncio.timeout(LIMIT_S):
                await self.now()
                await self.follow_pauses()
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            log.warning("stored instances cannot be read yet: %s", type(error).__name__)

    async def run(self) -> None:
        """Follow until canceled."""
        seen: object | None = None
        while True:
            async with self._pubsub.follow(CHANNEL) as follower:
                while True:
                    try:
                        version = self._database.version()
                        if version is None or version != seen:  # else nobody has written anything
                            await self.now()
                            await self.follow_pauses()
                        seen = version
                    except Exception:
                        seen = None
                        log.exception("cannot follow the stored instances; trying again")
                    await follower.next(timeout_s=LOOK_S)
                    if follower.deaf:
                        break

    async def _use(self, stored: StoredProviders) -> None:
        """Build in a thread, where a heavy client may be imported, and publish. A failure affects only its instance."""
        declarations = [held.declaration for held in stored.instances.values()]
        orders = {kind: order.instances for kind, order in stored.failover_orders.items()}
        choice = {kind: order.user_choice for kind, order in stored.failover_orders.items()}
        later = self._current is not None  # the file alone was never meant to run beside what is stored
        snapshot = await asyncio.to_thread(
            self._registry.build_snapshot, declarations, orders, choice, keep_running=later
        )
        self._registry.publish(snapshot)
        if rows := self._store.unpinned(stored):
            try:
                async with self._database.write() as session:
                    await self._store.pin(session, rows)
            except (SQLAlchemyError, OSError):
                log.exception("instances are not pinned to the distributions of their plugins")
        if any(held.upgraded for held in stored.instances.values()):
            try:
                async with self._database.write() as session:
                    await self._store.next_revision(session)
                    await self._store.save_upgrades(session, stored)
            except (SQLAlchemyError, OSError):
                log.exception("settings that were migrated to a newer version are not saved")
