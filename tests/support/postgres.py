"""A PostgreSQL for tests: `$COVERWRIGHT_TEST_POSTGRES`, or a server of our own in a temporary folder.

    server = PostgresServer()
    server.make_template(migrate)   # optional: migrate(url) runs once, later databases are copies
    url = server.new_database()     # postgresql://…
    server.stop()

Our own server listens on a loopback port, does not wait for the disk, and ends even if the tests are killed.
"""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]

from tests.support.processes import GuardedProcess, free_port, wait_until

VARIABLE: Final = "COVERWRIGHT_TEST_POSTGRES"
DEBIAN_BINARIES: Final = Path("/usr/lib/postgresql")
INSTALL: Final = Path(__file__).resolve().parents[2] / ".ci" / "debian.sh"
QUICK: Final = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=300",
    "shared_buffers=32MB",
)


class PostgresServer:
    """A server for one test session. Start it once: that takes a second or two."""

    def __init__(self) -> None:
        """Start the server, or use the named one. Raises RuntimeError saying what to install when there is none."""
        self._process: GuardedProcess | None = None
        self._template: str | None = None
        self._made: list[str] = []
        self.url = os.environ.get(VARIABLE) or self._start()

    def make_template(self, migrate: Callable[[str], None]) -> None:
        """Make the database that later ones are copies of: `migrate` gets its address and must close what it opens."""
        url = self.new_database()
        migrate(url)
        self._template = urlsplit(url).path.strip("/")

    def new_database(self) -> str:
        """Make a database, a copy of the template when there is one, and return its address (`postgresql://…`)."""
        name = f"coverwright_{uuid4().hex[:12]}"
        source = f' TEMPLATE "{self._template}"' if self._template else ""
        asyncio.run(self._execute(f'CREATE DATABASE "{name}"{source}'))
        self._made.append(name)
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{name}"))

    def stop(self) -> None:
        """End our own server and remove its data; from a named one, drop what was made."""
        if self._process:
            self._process.stop()
            shutil.rmtree(self._folder, ignore_errors=True)
            return
        for name in self._made:
            asyncio.run(self._execute(f'DROP DATABASE "{name}" WITH (FORCE)'))

    def _start(self) -> str:
        binaries, user = _binaries(), _other_user()
        self._folder = Path(tempfile.mkdtemp(prefix="cw-pg-", dir="/tmp"))  # short, and open to another user
        if user:
            shutil.chown(self._folder, user, user)
        data = self._folder / "data"
        made = subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "cover", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            user=user,
            group=user,
            extra_groups=[] if user else None,
            cwd="/",
            capture_output=True,
            text=True,
        )
        if made.returncode:
            shutil.rmtree(self._folder)
            raise RuntimeError(f"initdb: {made.stderr.strip()}")
        port = free_port()
        options = ["-D", str(data), "-p", str(port), "-k", str(self._folder), "-h", "127.0.0.1"]
        settings = [word for setting in QUICK for word in ("-c", setting)]
        self._process = GuardedProcess([str(binaries / "postgres"), *options, *settings], user=user)
        self.url = f"postgresql://cover@127.0.0.1:{port}/postgres"
        wait_until(self._answers, "PostgreSQL", within_s=30)
        return self.url

    def _answers(self) -> bool:
        try:
            asyncio.run(self._execute("SELECT 1"))
        except (OSError, asyncpg.PostgresError):
            return False
        return True

    async def _execute(self, statement: str) -> None:
        connection = await asyncpg.connect(self.url, timeout=5)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


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
