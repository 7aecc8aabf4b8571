"""A site with accounts only: real database, real Valkey, the real password provider, used over HTTP."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar, get, post
from litestar.di import NamedDependency
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from redis.asyncio import Redis
from sqlalchemy import text, update

from kernel.accounts.admin.admins import create_admin
from kernel.accounts.auth.dependencies import REQUEST_DEPENDENCIES
from kernel.accounts.auth.middleware import SessionMiddleware, SessionParts
from kernel.accounts.models import User
from kernel.accounts.owned_data import AccountData, AllOwnedData
from kernel.accounts.routes import ROUTES
from kernel.accounts.user_summary import PlainUserSummaries
from kernel.accounts.wiring import Accounts, open_accounts
from kernel.core.config import Config, load_config
from kernel.core.data.database import Database
from kernel.core.errors import error_response
from kernel.core.queue.server import QueueServer
from kernel.core.queue.throttle import Throttle
from kernel.core.vault import open_vault
from kernel.core.web.access import ADMIN, PUBLIC, USER, AccessMiddleware, require_access_metadata
from kernel.core.web.request_middleware import RequestMiddleware, check_body
from kernel.core.wiring import HandlerDependency, service_dependencies
from kernel.mail.transactional.delivery import EmailDelivery
from kernel.providers import Registry, load_plugins
from kernel.spi import EmailMessage, SendResult
from kernel.spi.testing import Loopback
from tests.mail.stub_email import Documents
from tests.support.databases import BACKENDS, Databases
from tests.support.environment import environment
from tests.support.valkey import valkey_server
from tests.vendors.evil_issuer import Issuer

GOOD_PASSWORD = "amber kettle 41 violin"
ORIGIN = "http://localhost:8000"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    with valkey_server() as address:
        yield address


class Clock:
    """Shifts the time of the site."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def advance(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0) -> None:
        offset = float(self._path.read_text() or 0) + seconds + 60 * minutes + 3600 * hours + 86_400 * days
        self._path.write_text(str(offset))


@pytest.fixture
def time(tmp_path: Path) -> Iterator[Clock]:
    path = tmp_path / "clock"
    path.write_text("0")
    with environment({"COVERWRIGHT_ENV": "test", "COVERWRIGHT_CLOCK_FILE": str(path)}):
        yield Clock(path)


class Mailbox:
    """Replaces the email services and keeps every email."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []

    async def send(self, message: EmailMessage, *, asked_for: bool = False) -> SendResult:
        self.received.append(message)
        return SendResult(state="sent")


class NoGreetings:
    """Replaces the templates: these tests are about emails with links."""

    async def welcome(self, *_: object) -> None:
        """Return no greeting."""


def token_in(letter: EmailMessage) -> str:
    """Return the token of the link in an email."""
    found = re.search(r"#token=([\w-]{43})$", letter.text, re.MULTILINE)
    assert found, letter.text
    return found.group(1)


@dataclass
class Site:
    """A running site and clients for it."""

    config: Config
    database: Database
    registry: Registry
    app: Any
    gate: "Gate"
    clients: AsyncExitStack

    async def new_client(self, *, ip: str = "127.0.0.1", **headers: Any) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self.app, client=(ip, 40_000))
        client = httpx.AsyncClient(transport=transport, base_url=self.config.public_url, headers=headers)
        return await self.clients.enter_async_context(client)

    async def register(self, email: str = "ada@example.com", password: str = GOOD_PASSWORD) -> httpx.AsyncClient:
        client = await self.new_client()
        answer = await client.post("/api/auth/register", json={"email": email, "password": password})
        assert answer.status_code == 201, answer.text
        return client

    async def admin(self, email: str = "root@example.com", password: str = GOOD_PASSWORD) -> httpx.AsyncClient:
        await create_admin(self.database, self.registry, email, password)
        client = await self.new_client()
        assert (await sign_in(client, email, password)).status_code == 200
        return client

    async def rows(self, query: str, **values: Any) -> list[dict[str, Any]]:
        async with self.database.read() as connection:
            return [dict(row) for row in (await connection.execute(text(query), values)).mappings()]

    async def letters(self) -> list[EmailMessage]:
        """Run the worker once and return the emails it sent."""
        mailbox = Mailbox()
        delivery = EmailDelivery(self.config, self.database, mailbox, NoGreetings(), Documents())  # type: ignore[arg-type]
        await delivery.send_due()
        return mailbox.received

    async def link(self) -> str:
        """Return the token in the only email that is due."""
        (letter,) = await self.letters()
        return token_in(letter)

    async def change_user(self, email: str, **values: Any) -> None:
        """Change a user directly, as an administrator's page would."""
        async with self.database.write() as session:
            await session.execute(update(User).where(User.email_norm == email).values(**values))


def cookie(client: httpx.AsyncClient) -> str:
    """Return the session token a client holds."""
    return next(value for name, value in client.cookies.items() if name in ("coverwright", "__Host-coverwright"))


async def sign_in(client: httpx.AsyncClient, email: str, password: str = GOOD_PASSWORD) -> httpx.Response:
    return await client.post("/api/auth/sign-in", json={"email": email, "password": password})


@get("/api/admin/probe", opt=ADMIN, operation_id="probeAdmin")
async def admin_probe() -> dict[str, bool]:
    return {"ok": True}


@post("/api/probe", opt=USER, operation_id="probe", status_code=200)
async def probe() -> dict[str, bool]:
    return {"ok": True}


@post("/api/hook", opt={**PUBLIC, "csrf_exempt": True}, operation_id="hook", status_code=200)
async def hook() -> dict[str, bool]:
    return {"ok": True}


@dataclass
class Gate:
    """Holds a request inside its handler."""

    entered: asyncio.Event = field(default_factory=asyncio.Event)
    leave: asyncio.Event = field(default_factory=asyncio.Event)


@get("/api/slow", opt=USER, operation_id="slow")
async def slow(gate: NamedDependency[Gate]) -> dict[str, bool]:
    gate.entered.set()
    await gate.leave.wait()
    return {"ok": True}


@get("/page", opt=PUBLIC, operation_id="page")
async def page() -> str:
    return "page"


OpenSite = Callable[..., Awaitable[Site]]


@pytest.fixture(scope="session")
def prepared_databases(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Databases:
    """The maker of databases once it has migrated one, which it cannot do where an event loop runs."""
    databases.migrated("sqlite", tmp_path_factory.mktemp("schema"))
    return databases


@pytest.fixture(params=BACKENDS)
def site_database_url(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> str:
    """The address of a database with the newest schema for a site, of every kind: '' is SQLite in its data folder."""
    return databases.migrated(request.param, tmp_path / "data")


@pytest.fixture
async def open_site(prepared_databases: Databases, tmp_path: Path, valkey: str, time: Clock) -> AsyncIterator[OpenSite]:
    """Open sites with settings of their own: `open_site(public_url=…, toml="[accounts]…")`."""
    async with AsyncExitStack() as stack:

        async def build(*, public_url: str = ORIGIN, toml: str = "", **env: str) -> Site:
            data = tmp_path / "data"
            shutil.rmtree(data, ignore_errors=True)  # the next site of a test starts anew
            extra = tmp_path / "extra.toml"
            extra.write_text(toml)
            config = load_config(
                {
                    "COVERWRIGHT_CONFIG": str(extra),
                    "COVERWRIGHT_DATA": str(data),
                    "COVERWRIGHT_DATABASE_URL": prepared_databases.migrated("sqlite", data),
                    "COVERWRIGHT_REDIS_URL": valkey,
                    "COVERWRIGHT_PUBLIC_URL": public_url,
                    "COVERWRIGHT_ENV": "test",
                    **env,
                }
            )
            return await stack.enter_async_context(_running(config))

        yield build


@asynccontextmanager
async def _running(config: Config) -> AsyncIterator[Site]:
    async with AsyncExitStack() as stack:
        database = Database(config.database_url)
        stack.push_async_callback(database.aclose)
        redis: Redis = Redis.from_url(config.data.redis_url)
        stack.push_async_callback(redis.aclose)
        await redis.flushdb()
        registry = Registry.from_config(config, plugins=load_plugins({}), env={})
        stack.push_async_callback(registry.aclose)
        vault = open_vault(config)
        accounts = open_accounts(
            config,
            database,
            registry,
            Throttle(QueueServer(redis)),
            vault,
            user_summaries=PlainUserSummaries(),
            owned_data=AllOwnedData(AccountData(database)),
            histories={},
        )
        gate, session_parts = Gate(), SessionParts(database, config)
        parts = Parts(config, registry, accounts, gate, SessionMiddleware(lambda: session_parts))
        clients = await stack.enter_async_context(AsyncExitStack())
        yield Site(config, database, registry, RequestMiddleware(_served_by(parts), config), gate, clients)


@dataclass(frozen=True)
class Parts:
    """What the application of one site gives to its handlers."""

    config: Config
    registry: Registry
    accounts: Accounts
    gate: Gate
    sessions: SessionMiddleware


PARTS: ContextVar[Parts] = ContextVar("parts")


class SessionsOfSite(ASGIMiddleware):
    """Finds users in the database of the site that is asked."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass the request on by way of that site's own middleware."""
        await PARTS.get().sessions.handle(scope, receive, send, next_app)


@cache
def _application() -> Litestar:
    """Return the application of all sites: to build one takes longer than a test. Requests bring their site's parts."""
    app = Litestar(
        route_handlers=[*ROUTES, admin_probe, probe, hook, slow, page],
        middleware=[SessionsOfSite(), AccessMiddleware()],
        before_request=check_body,
        openapi_config=None,
        exception_handlers={Exception: error_response},
        dependencies={
            **service_dependencies(Accounts, lambda: PARTS.get().accounts),
            **REQUEST_DEPENDENCIES,
            "config": HandlerDependency(lambda: PARTS.get().config),
            "registry": HandlerDependency(lambda: PARTS.get().registry),
            "gate": HandlerDependency(lambda: PARTS.get().gate),
        },
    )
    require_access_metadata(app)
    return app


def _served_by(parts: Parts) -> ASGIApp:
    app = _application()

    async def serve(scope: Any, receive: Receive, send: Send) -> None:
        PARTS.set(parts)
        await app(scope, receive, send)

    return serve


@pytest.fixture
async def site(open_site: OpenSite) -> Site:
    return await open_site()


@pytest.fixture
async def client(site: Site) -> httpx.AsyncClient:
    return await site.new_client()


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    """An issuer on this machine; Ada signs in there unless the test says otherwise."""
    with Loopback(lambda request: issuer(request)) as server:
        issuer = Issuer(server.url)
        issuer.person("ada", email="ada@example.com", email_verified=True, given_name="Ada", family_name="Lovelace")
        yield issuer
