"""Whether this release may work with the schema that a database has: nobody serves on one that it does not know.

A revision's id is `0040`, or `0040.0038` where programs up from revision 0038 still work with the schema (see README.md
beside this file).
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, NoReturn

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from kernel.core.data.database import Database
from kernel.core.errors import NoProvider
from kernel.migrations.quick_check import known_revisions

log = logging.getLogger(__name__)

SOON_S: Final = 2.0
"""How often one looks while the schema does not fit, or the database is away."""
LOOK_S: Final = 30.0
"""How often one looks while it fits: another release may change it at any time."""

TABLE_ON_SQLITE: Final = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
TABLE: Final = (
    "SELECT 1 FROM pg_tables WHERE tablename = 'alembic_version' AND schemaname = ANY (current_schemas(false))"
)


def fault_of(revision: str | None) -> str:
    """Return why this release must not work with the schema of a revision, and what to do; '' where it may."""
    *older, newest = known_revisions()
    if revision is None:
        return f"The database has not been set up: run `coverwright migrate` (revision {newest})."
    if revision in older:
        return f"The database is at revision {revision}, not at {newest}: run `coverwright migrate`."
    if revision == newest or is_for(revision, newest):
        return ""
    return (
        f"The database is at revision {revision}, which this release does not know: it ends at {newest}. A newer "
        "release has changed the database: run that one, or restore a backup that is older than the change."
    )


def is_for(revision: str, newest: str) -> bool:
    """Return whether a revision that we do not know says that programs up to our newest one may work with it."""
    _, _, oldest = revision.partition(".")
    return bool(oldest) and oldest <= newest.partition(".")[0]


async def revision_of(database: Database) -> str | None:
    """Return the revision of a database's schema; None without one. Raises SQLAlchemyError when it cannot be read."""
    try:
        async with database.read() as connection:
            found = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar()
    except SQLAlchemyError:
        async with database.read() as connection:  # only a table that is not there means that there is no schema
            if (await connection.execute(text(TABLE_ON_SQLITE if database.sqlite else TABLE))).first() is None:
                return None
        raise
    return None if found is None else str(found)


class SchemaGate:
    """What one process knows of its database's schema."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.fault: str | None = None
        """Why not to serve; '' when the schema fits, and None until that is known."""
        self.can_be_migrated = False

    async def look(self) -> str:
        """Look now, and return the fault or ''. Raises SQLAlchemyError or OSError when the database is away."""
        revision = await revision_of(self._database)
        fault = fault_of(revision)
        self.can_be_migrated = revision is None or revision in known_revisions()[:-1]
        if fault and fault != self.fault:
            log.error("%s", fault)
        elif self.fault and not fault:
            log.info("the schema of the database fits now")
        self.fault = fault
        return fault

    async def require(self) -> None:
        """Raise NoProvider while the schema does not fit. What is not known is found out, if the database is there."""
        if self.fault is None:
            try:
                await self.look()
            except (SQLAlchemyError, OSError):
                return  # what needs the database says so itself
        if self.fault:
            raise NoProvider(self.fault, retry_after=SOON_S)

    async def wait(self) -> str:
        """Return as soon as the schema fits, or is one that no migration of ours makes fit: then the fault."""
        while True:
            try:
                fault = await self.look()
            except (SQLAlchemyError, OSError) as error:
                log.warning("the schema of the database cannot be read: %s", type(error).__name__)
            else:
                if not fault or not self.can_be_migrated:
                    return fault
            await asyncio.sleep(SOON_S)

    async def follow(self, unfit: Callable[[], None] = lambda: None) -> NoReturn:
        """Look again and again until canceled; call `unfit` when the schema no longer fits."""
        while True:
            try:
                if await self.look():
                    unfit()
            except (SQLAlchemyError, OSError) as error:
                log.debug("the schema of the database cannot be read: %s", type(error).__name__)
            await asyncio.sleep(LOOK_S if self.fault == "" else SOON_S)
