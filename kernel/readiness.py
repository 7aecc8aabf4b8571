"""Whether a process may be sent requests: what it cannot work without, apart from what only makes it faster."""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from typing import Final, Literal

from litestar import get
from litestar.di import NamedDependency
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from sqlalchemy.exc import SQLAlchemyError

from kernel.accounts.admin.admins import has_admin
from kernel.accounts.admin.setup import make_named_administrator, names_administrator
from kernel.core.config import ConfigError
from kernel.core.data.database import Database
from kernel.core.errors import NoProvider
from kernel.core.queue.server import QueueServer, QueueServerAway
from kernel.core.schemas import Out
from kernel.core.web.access import PUBLIC
from kernel.core.web.request_middleware import METRICS_PATH, PROBES
from kernel.migrations.gate import SchemaGate
from kernel.providers import Registry

log = logging.getLogger(__name__)

ANSWER_S: Final = 2.0
"""What has not answered by then counts as away."""
AGAIN_S: Final = 2.0


class ReadinessOut(Out, frozen=True, kw_only=True):
    """`degraded` lists what is away but not required: everything works without it, more slowly."""

    status: Literal["ready", "degraded"]
    degraded: tuple[Literal["queue"], ...]


@get("/healthz", operation_id="getHealth", include_in_schema=False, opt=PUBLIC, sync_to_thread=False)
def healthz() -> dict[str, str]:
    """Say that the process is alive; touches nothing."""
    return {"status": "ok"}


@get("/readyz", operation_id="getReadiness", include_in_schema=False, opt=PUBLIC)
async def readyz(
    database: NamedDependency[Database],
    queue_server: NamedDependency[QueueServer],
    schema_gate: NamedDependency[SchemaGate],
) -> ReadinessOut:
    """Answer 503 until the database can be reached, has a schema that fits and the administrator that was named."""
    try:
        async with asyncio.timeout(ANSWER_S):
            missing = await _missing(database, schema_gate, os.environ)
    except (SQLAlchemyError, OSError) as error:
        raise NoProvider("The database cannot be reached.", retry_after=AGAIN_S) from error
    if missing:
        raise NoProvider(missing, retry_after=AGAIN_S)
    try:
        await queue_server.ask(queue_server.redis.ping)
    except QueueServerAway:
        return ReadinessOut(status="degraded", degraded=("queue",))
    return ReadinessOut(status="ready", degraded=())


async def _missing(database: Database, schema_gate: SchemaGate, env: Mapping[str, str]) -> str:
    """Return what the database lacks, or ''."""
    if fault := await schema_gate.look():
        return fault
    async with database.read() as connection:
        if names_administrator(env) and not await has_admin(connection):
            return "The administrator that the environment names has not been made yet."
    return ""


class SchemaMiddleware(ASGIMiddleware):
    """Before everything that needs the database: 503, in words, while its schema does not fit this release."""

    scopes = (ScopeType.HTTP,)
    exclude_path_pattern = tuple(f"^{path}$" for path in (*sorted(PROBES), METRICS_PATH))

    def __init__(self, schema_gate: Callable[[], SchemaGate]) -> None:
        self._schema_gate = schema_gate

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Let a request pass while the schema fits. Raises NoProvider."""
        gate = self._schema_gate()
        if gate.fault != "":
            await gate.require()
        await next_app(scope, receive, send)


async def make_administrator(database: Database, registry: Registry) -> None:
    """Make the administrator that the environment names, as soon as the database is there for it."""
    while True:
        try:
            await make_named_administrator(database, registry, os.environ)
        except ConfigError as error:
            log.error("%s", error)
        except (SQLAlchemyError, OSError) as error:
            log.debug("no administrator yet: %s", type(error).__name__)
            await asyncio.sleep(AGAIN_S)
            continue
        return
