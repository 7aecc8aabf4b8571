"""What all hosts of the product share, each on a host of its own: PostgreSQL, Valkey, S3 and HAProxy."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import asyncpg  # type: ignore[import-untyped]
import httpx

from kernel.core.config import PROJECT_ROOT
from kernel.launch.embedded import binary
from tests.cluster.hosts import Host
from tests.support.postgres import binaries, other_user
from tests.support.processes import wait_until

START_S: Final = 30.0
DATABASE_PORT: Final = 5432
QUEUE_PORT: Final = 6379
OBJECTS_PORT: Final = 9000
WEB_PORT: Final = 8000
BUCKET: Final = "covers"

HAPROXY: Final = """
global
    maxconn 2000
    stats socket {folder}/admin mode 600 level admin

defaults
    mode http
    timeout connect 1s
    timeout client 75s
    timeout server 75s
    timeout queue 10s
    timeout check 3s
    option forwardfor
    option redispatch 1
    retries 3
    # What another server can do as well: reading, and what carries a key that makes it happen once.
    retry-on conn-failure empty-response 503

frontend site
    bind {address}:{port}
    http-request disable-l7-retry unless METH_GET or {{ req.hdr(idempotency-key) -m found }}
    default_backend web

backend web
    balance leastconn
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host {address}
    http-check expect status 200
    default-server inter 1s fastinter 500ms fall 3 rise 1 on-marked-down shutdown-sessions
{servers}
"""


class PostgreSQL:
    """The database. It keeps what it has when it is stopped; it does not wait for disks."""

    SETTINGS: Final = ("fsync=off", "max_connections=300", "shared_buffers=64MB", "listen_addresses=*")

    def __init__(self, host: Host) -> None:
        self.host = host
        self.url = f"postgresql://cover@{host.address}:{DATABASE_PORT}/postgres"
        self._user = other_user() or ""
        shutil.chown(host.data, self._user)
        self._data = host.data / "data"
        words = ["-D", str(self._data), "-U", "cover", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"]
        initdb = [str(binaries() / "initdb"), *words]
        subprocess.run(initdb, check=True, capture_output=True, user=self._user, extra_groups=[], cwd="/")
        with (self._data / "pg_hba.conf").open("a") as access:
            access.write("host all all 0.0.0.0/0 trust\n")
        self.start()

    def start(self) -> None:
        """Start, and return when it answers."""
        settings = [word for setting in self.SETTINGS for word in ("-c", setting)]
        program = str(binaries() / "postgres")
        self.host.start(program, "-D", str(self._data), "-k", str(self.host.data), *settings, user=self._user)
        wait_until(self._answers, "PostgreSQL", START_S)

    def stop(self) -> None:
        """Stop; whoever is connected is cut off."""
        self.host.stop(signal.SIGINT)

    def _answers(self) -> bool:
        async def ask() -> None:
            connection = await asyncpg.connect(self.url, timeout=2)
            await connection.close()

        with suppress(OSError, TimeoutError, asyncpg.PostgresError):
            asyncio.run(ask())
            return True
        return False


class Valkey:
    """The queue server."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.url = f"redis://{host.address}:{QUEUE_PORT}/0"
        self.start()

    def start(self) -> None:
        """Start, and return when it answers."""
        words = ("--bind", self.host.address, "--port", str(QUEUE_PORT), "--protected-mode", "no", "--save", "")
        self.host.start(binary(), *words, "--dir", str(self.host.data), "--appendonly", "yes")
        wait_until(lambda: listens(self.host.address, QUEUE_PORT), "Valkey", START_S)

    def stop(self) -> None:
        """Stop it."""
        self.host.stop()


class Objects:
    """The S3-compatible store with one bucket."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.url = f"http://{host.address}:{OBJECTS_PORT}"
        self.start()
        httpx.put(f"{self.url}/{BUCKET}", trust_env=False).raise_for_status()

    def start(self) -> None:
        """Start, and return when it answers."""
        words = ("-m", "tests.cluster.objects", self.host.address, str(OBJECTS_PORT), str(self.host.data / "objects"))
        env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT_ROOT)}
        self.host.start(sys.executable, *words, env=env, cwd=PROJECT_ROOT)
        wait_until(lambda: listens(self.host.address, OBJECTS_PORT), "S3", START_S)

    def stop(self) -> None:
        """Stop it."""
        self.host.stop()


class HAProxy:
    """The load balancer in front of the web servers."""

    def __init__(self, host: Host, web: Sequence[Host]) -> None:
        self.host = host
        self.url = f"http://{host.address}:{WEB_PORT}"
        self._configuration = host.data / "haproxy.cfg"
        servers = "\n".join(f"    server {each.name} {each.address}:{WEB_PORT} check" for each in web)
        self._configuration.write_text(
            HAPROXY.format(folder=host.data, address=host.address, port=WEB_PORT, servers=servers)
        )
        self.start()

    def start(self) -> None:
        """Start, and return when it listens."""
        self.host.start(shutil.which("haproxy", path="/usr/sbin:/usr/bin") or "haproxy", "-f", str(self._configuration))
        wait_until(lambda: listens(self.host.address, WEB_PORT), "HAProxy", START_S)

    def stop(self) -> None:
        """Stop it; open connections are cut off."""
        self.host.stop()

    def drain(self, web: Host) -> None:
        """Send a web server nothing new, and return when it has answered what it had; streams of events may go on."""
        self._command(f"set server web/{web.name} state drain")

    def restore(self, web: Host) -> None:
        """Send it requests again, and return when it is up."""
        self._command(f"set server web/{web.name} state ready")
        wait_until(lambda: self.is_up(web), f"{web.name} behind HAProxy", START_S)

    def is_up(self, web: Host) -> bool:
        """Return whether a web server gets requests."""
        state = self._column(web, "status")
        return state.startswith("UP")

    def is_idle(self, web: Host) -> bool:
        """Return whether a web server has no requests."""
        return self._column(web, "scur") == "0"

    def _column(self, web: Host, name: str) -> str:
        lines = self._command("show stat").removeprefix("# ").splitlines()
        names = lines[0].split(",")
        for line in lines[1:]:
            values = dict(zip(names, line.split(","), strict=False))
            if values.get("pxname") == "web" and values.get("svname") == web.name:
                return values[name]
        return ""

    def _command(self, words: str) -> str:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.host.data / "admin"))
            connection.sendall(words.encode() + b"\n")
            answer = b""
            while data := connection.recv(65_536):
                answer += data
        return answer.decode()


def listens(address: str, port: int) -> bool:
    """Return whether connections are taken there."""
    with suppress(OSError), socket.create_connection((address, port), timeout=1):
        return True
    return False
