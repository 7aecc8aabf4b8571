"""A PostgreSQL for tests: `$COVERWRIGHT_TEST_POSTGRES`, or a server of our own in a temporary folder.

    with postgres_server() as server:      # once per test session; a second or two
        server.make_template(migrate)      # migrate(url) runs once; later databases are copies, made in about 50 ms
        with server.database() as url:     # postgresql://…, dropped at the end
            ...

Our own server listens on a loopback port, does not wait for the disk, and ends even if the tests are killed.
"""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg

from tests.support.processes import GuardedProcess, free_port, wait_until

VARIABLE: Final = "COVERWRIGHT_TEST_POSTGRES"
DEBIAN_BINARIES: Final = Path("/usr/lib/postgresql")
INSTALL: Final = Path(__file__).resolve().parents[2] / ".ci" / "debian.sh"
QUICK: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200")


class PostgresServer:
    """A running server. `url` names its maintenance database."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._template: str | None = None

    def make_template(self, migrate: Callable[[str], None]) -> None:
        """Make the database that later ones are copies of: `migrate` gets its address and must close what it opens."""
        name = _fresh_name("template")
        self._execute(f'CREATE DATABASE "{name}"')
        migrate(self._url_of(name))
        self._template = name

    @contextmanager
    def database(self) -> Iterator[str]:
        """Give the address of a fresh database, a copy of the template when there is one; drop it at the end."""
        name = _fresh_name("test")
        source = f' TEMPLATE "{self._template}"' if self._template else ""
        self._execute(f'CREATE DATABASE "{name}"{source}')
        try:
            yield self._url_of(name)
        finally:
            self._execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def close(self) -> None:
        """Drop the template."""
        if self._template:
            self._execute(f'DROP DATABASE "{self._template}" WITH (FORCE)')
            self._template = None

    def answers(self) -> bool:
        """Tell whether the server takes connections."""
        try:
            self._execute("SELECT 1")
        except (OSError, asyncpg.PostgresError):
            return False
        return True

    def _url_of(self, name: str) -> str:
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{name}"))

    def _execute(self, statement: str) -> None:
        async def execute() -> None:
            connection = await asyncpg.connect(self.url, timeout=5)
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        asyncio.run(execute())


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Give a server for the length of a test session.

    Raises RuntimeError saying what to install when there is none and we may not install it.
    """
    if url := os.environ.get(VARIABLE):
        server = PostgresServer(url)
        try:
            yield server
        finally:
            server.close()
        return
    binaries = _binaries()
    folder = Path(tempfile.mkdtemp(prefix="cw-postgres-", dir="/tmp"))  # short, and open to another user
    user = _other_user()
    try:
        if user:
            shutil.chown(folder, user, user)
        command = (binaries / "initdb", "--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8")
        done = subprocess.run(
            [*command, "--locale=C", "--pgdata", folder / "data"],
            user=user,
            group=user,
            extra_groups=[] if user else None,
            cwd="/",
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"initdb: {done.stderr.strip()}")
        port = free_port()
        settings = [part for setting in QUICK for part in ("-c", setting)]
        options = ["-D", str(folder / "data"), "-p", str(port), "-k", str(folder), "-h", "127.0.0.1", *settings]
        process = GuardedProcess([str(binaries / "postgres"), *options], user=user)
        try:
            server = PostgresServer(f"postgresql://postgres@127.0.0.1:{port}/postgres")
            wait_until(server.answers, "PostgreSQL", within_s=30)
            yield server
        finally:
            process.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fresh_name(purpose: str) -> str:
    return f"coverwright_{purpose}_{uuid4().hex[:12]}"


def _other_user() -> str | None:
    """Return who may run the server when we are root, which PostgreSQL refuses."""
    if os.getuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def _binaries() -> Path:
    if found := _find_binaries():
        return found
    words = "install postgresql (its initdb and postgres on PATH), or name a server in " + VARIABLE
    if os.getuid() != 0 or not shutil.which("apt-get"):
        raise RuntimeError(f"The tests need PostgreSQL: {words}.")
    subprocess.run([INSTALL, "PostgreSQL", "postgresql"], check=True)
    if found := _find_binaries():
        return found
    raise RuntimeError(f"The tests need PostgreSQL: {words}.")


def _find_binaries() -> Path | None:
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(DEBIAN_BINARIES.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return versions[-1].parent if versions else None
