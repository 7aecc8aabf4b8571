"""The databases that tests of state run on: SQLite always, PostgreSQL where its programs are installed."""

import asyncio
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

import asyncpg

from tests.support.processes import GuardedProcess, free_port, wait_until

ROOT: Final = 0


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest one installed, or None."""
    found = [Path(path).resolve().parent for name in ("postgres", "pg_ctl") if (path := shutil.which(name))]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found += sorted(Path("/opt/homebrew/opt").glob("postgresql*/bin"), reverse=True)
    return next((path for path in found if (path / "initdb").exists() and (path / "postgres").exists()), None)


BACKENDS: Final = ("sqlite", "postgresql") if programs() else ("sqlite",)


class PostgresServer:
    """A server of its own on a free port; as root it runs as the user `postgres`, because it refuses to be root."""

    def __init__(self) -> None:
        bin_folder = programs()
        assert bin_folder is not None
        user = "postgres" if os.getuid() == ROOT else None
        self.folder = Path(tempfile.mkdtemp(prefix="cw-pg-"))
        if user:
            shutil.chown(self.folder, user, user)
        data = self.folder / "data"
        subprocess.run(
            [bin_folder / "initdb", "-D", data, "-U", "cover", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"],
            check=True,
            capture_output=True,
            user=user,
            cwd="/",
        )
        self.port = free_port()
        quick = ("fsync=off", "full_page_writes=off", "max_connections=300", "shared_buffers=32MB")
        settings = [word for item in quick for word in ("-c", item)]
        self._process = GuardedProcess(
            [str(bin_folder / "postgres"), "-D", str(data), "-p", str(self.port), "-k", str(self.folder), *settings],
            user=user,
        )
        wait_until(self._answers, "PostgreSQL", 30)

    def _answers(self) -> bool:
        async def ask() -> None:
            await (await asyncpg.connect(self._url("postgres"))).close()

        with suppress(OSError, asyncpg.PostgresError):
            asyncio.run(ask())
            return True
        return False

    def _url(self, database: str) -> str:
        return f"postgresql://cover@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """Make an empty database and return its address."""
        name = f"cover_{uuid4().hex[:12]}"

        async def create() -> None:
            connection = await asyncpg.connect(self._url("postgres"))
            try:
                await connection.execute(f"CREATE DATABASE {name}")
            finally:
                await connection.close()

        asyncio.run(create())
        return self._url(name)

    def stop(self) -> None:
        """End the server and remove its data."""
        self._process.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
