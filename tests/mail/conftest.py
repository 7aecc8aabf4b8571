"""A mail room with stub providers and a database of each kind."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest

from kernel.core.config import Config, InstanceConfig, RoutesConfig, load_config
from kernel.core.database import Base, Database
from kernel.core.vault import Vault
from kernel.mail.campaigns import CampaignService
from kernel.mail.promises import ended_campaigns_are_settled, ledgers_add_up, messages_in_hand_have_batches
from kernel.mail.sending import CampaignRoom
from kernel.mail.service import Mailer
from kernel.mail.templates import TemplateService
from kernel.mail.unsubscribing import Unsubscribing
from kernel.providers import Caller, Plugins, Registry, load_plugins
from tests.conftest import BACKENDS
from tests.mail.stub_email import NEXT, SENT

ENV = {
    "COVERWRIGHT_ENV": "test",
    "COVERWRIGHT_PLUGINS": "stub_email",
    "COVERWRIGHT_EXTRA_PLUGINS": "tests.mail.stub_email",
}

MailRoom = Callable[..., Mailer]


VAULT = Vault(b"a key for tests, and for nothing else")


def templates_of(config: Config, database: Database, mailer: Mailer) -> TemplateService:
    """Return the templates of a site."""
    return TemplateService(config, database, mailer, Unsubscribing(database, VAULT))


@pytest.fixture(scope="session")
def plugins() -> Plugins:
    return load_plugins(ENV)


@pytest.fixture(autouse=True)
def _nothing_sent() -> Iterator[None]:
    SENT.clear()
    NEXT.clear()
    yield
    SENT.clear()
    NEXT.clear()


@pytest.fixture(params=BACKENDS)
def database_url(request: pytest.FixtureRequest, new_database: Callable[[str], str], tmp_path: Path) -> str:
    """The address of an empty database, of every kind."""
    url = new_database(request.param)
    return url.replace("postgresql://", "postgresql+asyncpg://") or f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_url)
    async with database.write() as session:
        await (await session.connection()).run_sync(Base.metadata.create_all)
    yield database
    await database.aclose()


@pytest.fixture
async def mail_room(tmp_path: Path, plugins: Plugins, database: Database) -> AsyncIterator[MailRoom]:
    """Open mail rooms: `mail_room(first="lost_answer", second="ok")` is a route of two stub instances."""
    async with AsyncExitStack() as closing:

        def open_room(*, env: dict[str, str] | None = None, **modes: str) -> Mailer:
            config = _config(tmp_path, env or {}, modes)
            registry = Registry.from_config(config, plugins, {})
            caller = Caller(registry, database)
            closing.push_async_callback(registry.aclose)
            closing.push_async_callback(caller.aclose)
            return Mailer(config, database, caller)

        yield open_room


class PostOffice:
    """All that e-mails to many need, as one process has it."""

    def __init__(self, config: Config, database: Database, registry: Registry, caller: Caller) -> None:
        mailer = Mailer(config, database, caller)
        self.templates = templates_of(config, database, mailer)
        self.unsubscribing = Unsubscribing(database, VAULT)
        self.campaigns = CampaignService(database, registry, self.templates)
        self.room = CampaignRoom(config, database, caller, mailer, self.templates, self.unsubscribing)


OpenOffice = Callable[..., PostOffice]


@pytest.fixture
async def post_office(tmp_path: Path, plugins: Plugins, database: Database) -> AsyncIterator[OpenOffice]:
    """Open post offices: `post_office(first="lists")`; when they close, every promise about ledgers must be kept."""
    async with AsyncExitStack() as closing:

        def open_office(**modes: str) -> PostOffice:
            env = {"COVERWRIGHT_PUBLIC_URL": "https://covers.example"}
            config = _config(tmp_path, env, modes)
            registry = Registry.from_config(config, plugins, {})
            caller = Caller(registry, database)
            closing.push_async_callback(registry.aclose)
            closing.push_async_callback(caller.aclose)
            return PostOffice(config, database, registry, caller)

        yield open_office
    async with database.read() as connection:
        for promise in (ledgers_add_up, ended_campaigns_are_settled, messages_in_hand_have_batches):
            assert await promise(connection) == []


def _config(folder: Path, env: dict[str, str], modes: dict[str, str]) -> Config:
    base = load_config({"COVERWRIGHT_ENV": "test", "COVERWRIGHT_DATA": str(folder), **env})
    declared = tuple(
        InstanceConfig(id=name, kind="email", provider="stub-email", label=name, settings={"mode": mode})
        for name, mode in modes.items()
    )
    routes = RoutesConfig(image=(), storage=(), signin=(), payment=(), email=tuple(modes))
    return msgspec.structs.replace(base, instances=declared, routes=routes)
