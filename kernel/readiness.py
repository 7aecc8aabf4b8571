"""Whether a process may be sent requests: what it cannot work without, apart from what only makes it faster."""

import asyncio
import logging
import os
from collections.abc import Mapping
from typing import Final, Literal

from litestar import get
from litestar.di import NamedDependency
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from kernel.accounts.admin.admins import has_admin
from kernel.accounts.admin.setup import make_named_administrator, names_administrator
from kernel.core.config import ConfigError
from kernel.core.data.database import Database
from kernel.core.errors import NoProvider
from kernel.core.queue.server import QueueServer, QueueServerAway
from kernel.core.schemas import Out
from kernel.core.web.access import PUBLIC
from kernel.migrations.quick_check import known_revisions
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
async def readyz(database: NamedDependency[Database], queue_server: NamedDependency[QueueServer]) -> ReadinessOut:
    """Answer 503 until the database can be reached, has its newest schema and the administrator that was named."""
    try:
        async with asyncio.timeout(ANSWER_S):
            missing = await _missing(database, os.environ)
    except (SQLAlchemyError, OSError) as error:
        raise NoProvider("The database cannot be reached.", retry_after=AGAIN_S) from error
    if missing:
        raise NoProvider(missing, retry_after=AGAIN_S)
    try:
        await queue_server.ask(queue_server.redis.ping)
    except QueueServerAway:
        return ReadinessOut(status="degraded", degraded=("queue",))
    return ReadinessOut(status="ready", degraded=())


async def _missing(database: Database, env: Mapping[str, str]) -> str:
    """Return what the database lacks, or ''. A schema that is newer than ours is another host's, and fits as well."""
    *older, newest = known_revisions()
    try:
        async with database.read() as connection:
            revision = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar()
    except SQLAlchemyError:
        await database.ping()  # raises when it is the database that is missing, not the table
        revision = None
    async with database.read() as connection:
        if revision is None or revision in older:
            return f"The database is not at revision {newest}: run `coverwright migrate`."
        if names_administrator(env) and not await has_admin(connection):
            return "The administrator that the environment names has not been made yet."
    return ""


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
