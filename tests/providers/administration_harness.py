"""The administration without HTTP: a database, a registry and everything between, in this process."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.core.audit import Actor, Audit
from kernel.core.data.database import Base, Database
from kernel.core.queue.pubsub import Follower, PubSub
from kernel.core.queue.server import QueueServer
from kernel.core.vault import Vault
from kernel.providers import Instance, Plugins, Registry
from kernel.providers import models as _tables  # noqa: F401  (registers the tables)
from kernel.providers.administration import Administration, InstanceStore, ProviderUsage, RevisionFollower, UsageCounter
from kernel.providers.administration.schemas import DraftIn, InstanceChange, InstanceIn, InstanceOut
from kernel.spi import Size
from tests.providers.conftest import StubInstances

ACTOR = Actor(id=1, ip="127.0.0.1")
TABLES = (
    "provider_instance",
    "provider_secret",
    "provider_route",
    "provider_revision",
    "provider_check",
    "provider_pin",
    "model_price",
)


class NoPubSub(PubSub):
    """Messages that are always lost: code that relies on them hangs."""

    def __init__(self) -> None:
        super().__init__(None, QueueServer(None))

    async def publish(self, channel: str, message: bytes) -> None:
        pass

    @asynccontextmanager
    async def follow(self, channel: str) -> AsyncIterator[Follower]:
        follower = Follower(None)
        follower.deaf = True
        yield follower


async def nobody_counts(_connection: AsyncConnection, _instance_id: str, /) -> int:
    return 0


async def everybody_enters(_connection: AsyncConnection, _instance: Instance[Any, Any]) -> bool:
    return True


class AdministrationHarness:
    """One process of several on the same database."""

    def __init__(
        self,
        stubs: StubInstances,
        database: Database,
        *,
        vault: Vault | None = None,
        plugins: Plugins | None = None,
        env: Mapping[str, str] | None = None,
        instances: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        config = stubs.config(instances or {"one": {}})
        self.database = database
        self.registry = Registry.from_config(config, plugins or stubs.plugins, env or {})
        stubs.registries.append(self.registry)
        self.vault = vault or Vault(b"k" * 32)
        self.store = InstanceStore(self.registry, self.vault)
        self.following = RevisionFollower(database, self.registry, self.store, NoPubSub())
        uses = ProviderUsage(
            counted={"image": UsageCounter(what="", count=nobody_counts)},
            is_admin_signin=everybody_enters,
            usual_size=lambda can: Size(1000, 1500),
        )
        self.administration = Administration(database, self.registry, self.store, self.vault, self.following, uses)

    async def make(self, label: str, *, provider: str = "stub", **settings: Any) -> InstanceOut:
        """Make an image instance by force."""
        wanted = InstanceIn(kind="image", provider=provider, label=label, settings=settings, force=True)
        return await self.administration.create(wanted, ACTOR)

    async def set(self, instance_id: str, **settings: Any) -> InstanceOut:
        """Change settings by force."""
        return await self.administration.change(instance_id, InstanceChange(settings=settings, force=True), ACTOR)

    async def check(self, provider: str = "stub", instance_id: str | None = None, **settings: Any) -> Any:
        """Check a draft."""
        wanted = DraftIn(kind="image", provider=provider, settings=settings, id=instance_id)
        return await self.administration.check(await self.administration.trial(wanted), ACTOR)


async def make_tables(database: Database) -> None:
    """Create the tables in an empty database."""
    async with database.write() as session:
        connection = await session.connection()
        for name in (*TABLES, Audit.__tablename__):
            await connection.run_sync(Base.metadata.tables[name].create, checkfirst=True)
