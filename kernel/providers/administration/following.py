"""Every process follows the revision: what was saved in one is used in all, without a restart."""

import asyncio
import logging
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from kernel.core.database import Database
from kernel.core.pubsub import PubSub
from kernel.providers.administration.store import Kept, Store
from kernel.providers.registry import Registry

log = logging.getLogger(__name__)

CHANNEL: Final = "providers"
LOOK_S: Final = 1.0
"""Messages may be lost, so the revision is read this often all the same."""
LIMIT_S: Final = 10.0


class Following:
    """Keeps the registry of this process at the newest revision."""

    def __init__(self, database: Database, registry: Registry, store: Store, pubsub: PubSub) -> None:
        self._database = database
        self._registry = registry
        self._store = store
        self._pubsub = pubsub
        self._kept: Kept | None = None
        self._turn = asyncio.Lock()

    async def now(self) -> Kept:
        """Return what is stored, once this process uses it."""
        async with self._turn:
            async with self._database.read() as connection:
                if self._kept is not None and await self._store.revision(connection) == self._kept.revision:
                    return self._kept
                kept = await self._store.load(connection)
            await self._use(kept)
            self._kept = kept
            return kept

    async def announce(self) -> Kept:
        """Use what was just committed, here at once and elsewhere as soon as it is heard."""
        kept = await self.now()
        await self._pubsub.publish(CHANNEL, str(kept.revision).encode())
        return kept

    async def begin(self) -> None:
        """Use what is stored, if that can be read; what the file declares is in use already."""
        try:
            await asyncio.wait_for(self.now(), LIMIT_S)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            log.warning("stored instances cannot be read yet: %s", type(error).__name__)

    async def run(self) -> None:
        """Follow until cancelled."""
        while True:
            async with self._pubsub.follow(CHANNEL) as follower:
                while True:
                    try:
                        await self.now()
                    except Exception:
                        log.exception("cannot follow the stored instances; trying again")
                    await follower.next(timeout_s=LOOK_S)
                    if follower.deaf:
                        break

    async def _use(self, kept: Kept) -> None:
        """Build in a thread, where a heavy client may be imported, and publish. Nothing that fails here ends more than
        its own instance.
        """
        declarations = [held.declaration for held in kept.instances.values()]
        routes = {kind: route.instances for kind, route in kept.routes.items()}
        choice = {kind: route.user_choice for kind, route in kept.routes.items()}
        later = self._kept is not None  # what the file alone declares was never meant to run beside what is stored
        snapshot = await asyncio.to_thread(
            self._registry.build_snapshot, declarations, routes, choice, keep_running=later
        )
        self._registry.publish(snapshot)
        if any(held.upgraded for held in kept.instances.values()):
            try:
                async with self._database.write() as session:
                    await self._store.next_revision(session)
                    await self._store.save_upgrades(session, kept)
            except (SQLAlchemyError, OSError):
                log.exception("settings that were brought to a newer version are not saved")
