"""A PostgreSQL for tests: `$COVERWRIGHT_TEST_POSTGRES`, or a server of our own in a temporary folder.

    server = PostgresServer()
    url = server.new_database()  # postgresql://…
    server.stop()

Our own server listens on a loopback port, does not wait for the disk, and ends even if the tests are killed.
"""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]

from tests.support.processes import GuardedProcess, free_port, group_of, wait_until

VARIABLE: Final = "COVERWRIGHT_TEST_POSTGRES"
QUICK: Final = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=300",
    "shared_buffers=32MB",
)


def is_available() -> bool:
    """Tell whether there is a PostgreSQL: a named one, or programs to start one."""
    try:
        return bool(os.environ.get(VARIABLE) or binaries())
    except RuntimeError:
        return False


class PostgresServer:
    """A server for one test session. Start it once: that takes a second or two."""

    def __init__(self) -> None:
        """Start the server, or use the named one. Raises RuntimeError saying what to install when there is none."""
        self._process: GuardedProcess | None = None
        self._made: list[str] = []
        self.url = os.environ.get(VARIABLE) or self._start()

    def new_database(self, template: str = "") -> str:
        """Make a database and return its address (`postgresql://…`): a copy of `template`, or an empty one."""
        name = f"coverwright_{uuid4().hex[:12]}"
        source = f' TEMPLATE "{urlsplit(template).path[1:]}"' if template else ""
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
        programs, user = binaries(), other_user()
        self._folder = Path(tempfile.mkdtemp(prefix="cw-pg-", dir="/tmp"))  # short, and open to another user
        if user:
            shutil.chown(self._folder, user)
        data = self._folder / "data"
        made = subprocess.run(
            [programs / "initdb", "-D", data, "-U", "cover", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            user=user,
            group=group_of(user),
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
        self._process = GuardedProcess([str(programs / "postgres"), *options, *settings], user=user)
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


def other_user() -> str | None:
    """Return who may run the server when we are root, which PostgreSQL refuses."""
    if os.getuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def binaries() -> Path:
    """Return the folder of the programs: the one on PATH, else the newest where Debian and Homebrew put them."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent

    def version(path: Path) -> int:
        return int("0" + "".join(filter(str.isdigit, path.parts[-3])))

    installed = [
        *Path("/usr/lib/postgresql").glob("*/bin/initdb"),
        *Path("/opt/homebrew/opt").glob("postgresql*/bin/initdb"),
    ]
    if not installed:
        raise RuntimeError(f"The tests need PostgreSQL: install postgresql, or name a server in {VARIABLE}.")
    return max(installed, key=version).parent
