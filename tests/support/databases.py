"""Databases with the newest schema, of every kind that the product runs on: copies of one that was migrated once.

Processes of one test run share a PostgreSQL server and the two templates; the first one makes them (`publish`).
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kernel.core.config import load_config
from kernel.migrations.upgrade import migrate_now
from tests.support.postgres import VARIABLE, PostgresServer, is_available

SQLITE_TEMPLATE: Final = "COVERWRIGHT_TEST_SQLITE_TEMPLATE"
POSTGRES_TEMPLATE: Final = "COVERWRIGHT_TEST_POSTGRES_TEMPLATE"
FILE: Final = "coverwright.db"

BACKENDS: Final = ("sqlite", "postgresql") if is_available() else ("sqlite",)


def copy_sqlite_template(folder: Path) -> None:
    """Put a database with the newest schema into a data folder, if one has been made for the run."""
    folder.mkdir(parents=True, exist_ok=True)
    if SQLITE_TEMPLATE in os.environ:
        shutil.copyfile(os.environ[SQLITE_TEMPLATE], folder / FILE)


class Databases:
    """Makes databases; what it needs for that is there when it is first asked for."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._server: PostgresServer | None = None

    def empty(self, backend: str) -> str:
        """Return the address of a database without tables; '' is SQLite in the product's data folder."""
        return "" if backend == "sqlite" else self._postgres().new_database()

    def migrated(self, backend: str, folder: Path) -> str:
        """Return the address of a database with the newest schema; SQLite lies in a data folder, as products expect."""
        if backend == "postgresql":
            return self._postgres().new_database(self._postgres_template())
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self._sqlite_template(), folder / FILE)
        return ""

    def for_product(self, backend: str) -> str:
        """Return the address of a database for a product that makes its own tables if it has none."""
        return self.migrated(backend, Path()) if backend == "postgresql" else ""

    def publish(self) -> None:
        """Make everything now, and let processes that are started from here on share it."""
        os.environ[SQLITE_TEMPLATE] = str(self._sqlite_template())
        if "postgresql" in BACKENDS:
            os.environ[POSTGRES_TEMPLATE] = self._postgres_template()
            os.environ[VARIABLE] = self._postgres().url

    def close(self) -> None:
        """Remove everything."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._server:
            self._server.stop()

    def _postgres(self) -> PostgresServer:
        if self._server is None:
            self._server = PostgresServer()
        return self._server

    def _postgres_template(self) -> str:
        if POSTGRES_TEMPLATE not in os.environ:
            url = self._postgres().new_database()
            migrate_now(load_config({"COVERWRIGHT_DATA": str(self._own_folder()), "COVERWRIGHT_DATABASE_URL": url}))
            os.environ[POSTGRES_TEMPLATE] = url
        return os.environ[POSTGRES_TEMPLATE]

    def _sqlite_template(self) -> Path:
        if SQLITE_TEMPLATE not in os.environ:
            folder = self._own_folder()
            migrate_now(load_config({"COVERWRIGHT_DATA": str(folder)}))
            os.environ[SQLITE_TEMPLATE] = str(folder / FILE)
        return Path(os.environ[SQLITE_TEMPLATE])

    def _own_folder(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="cw-templates-"))
        return self._folder


def sqlalchemy_url(address: str, folder: Path) -> str:
    """Return what SQLAlchemy calls the database at an address of `Databases`."""
    return address.replace("postgresql://", "postgresql+asyncpg://") or f"sqlite+aiosqlite:///{folder / FILE}"


@contextmanager
def opened() -> Iterator[Databases]:
    """Give out databases for the length of the block."""
    databases = Databases()
    try:
        yield databases
    finally:
        databases.close()
