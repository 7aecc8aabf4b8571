"""The product on its hosts: web servers, workers, and how they are started, stopped and asked."""

import asyncio
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx
from redis.asyncio import Redis
from sqlalchemy import text

from kernel.core.config import PROJECT_ROOT
from kernel.core.data.database import Database
from kernel.core.queue.heartbeat import PROCESSES
from tests.cluster.hosts import Host, Network
from tests.cluster.servers import BUCKET, OBJECTS_PORT, WEB_PORT, HAProxy, Objects, PostgreSQL, Valkey
from tests.product import PEOPLE_AND_MAIL
from tests.stub_image.control import Stub
from tests.support.processes import wait_until

START_S: Final = 60.0
LIBFAKETIME: Final = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"

SITE: Final = (
    """
[accounts]
registrations_per_address = 100000

[plans]
free_monthly_limit = 1000000

[generation]
deadline_s = 120
lease_s = {lease_s}
retry_base_s = 0.1
retry_max_s = 1.0
in_flight_per_user = 1000
queue_limit = 100000
drain_s = 10
sweep_s = {sweep_s}

[pictures]
min_free_bytes = 1000000
thumbnail_widths = [320]

[[instances]]
id = "stub"
kind = "image"
provider = "stub"
label = "Stub"
settings = {{ control = "{control}", deadline_s = 20.0 }}

[[instances]]
id = "objects"
kind = "storage"
provider = "s3"
label = "Objects"
settings = {{ bucket = "{bucket}", endpoint = "{endpoint}" }}

"""
    + PEOPLE_AND_MAIL
    + """[routes]
image = ["stub"]
storage = ["objects"]
signin = ["password"]
email = ["outbox"]
payment = []
"""
)


class Cluster:
    """Web servers behind HAProxy, workers, and the servers that they share. Close it."""

    def __init__(self, *, web: int = 2, workers: int = 3, release: Path = PROJECT_ROOT) -> None:
        self.release = release
        """The checkout that hosts run from the next start on."""
        self.network = network = Network()
        try:
            self.postgres = PostgreSQL(network.host("postgres"))
            self.valkey = Valkey(network.host("valkey"))
            self.objects = Objects(network.host("s3"))
            self.web = [network.host(f"web-{number + 1}") for number in range(web)]
            self.workers = [network.host(f"worker-{number + 1}") for number in range(workers)]
            balancer = network.host("haproxy")
            self.stub = Stub(network.folder / "stub")
            self.stub.does("ok")
            self._site = self._configured("site.toml", lease_s=4, sweep_s=0.5)
            self._unhurried = self._configured("unhurried.toml", lease_s=60, sweep_s=2)
            self._common = self._environment(balancer)
            self.command("migrate")
            self.haproxy = HAProxy(balancer, self.web)
        except BaseException:
            network.close()
            raise

    def _configured(self, name: str, **times: float) -> Path:
        file = self.network.folder / name
        file.write_text(SITE.format(control=self.stub.folder, bucket=BUCKET, endpoint=self.objects.url, **times))
        return file

    def _environment(self, balancer: Host) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.network.folder),
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "COVERWRIGHT_ENV": "test",
            "COVERWRIGHT_CONFIG": str(self._site),
            "COVERWRIGHT_DATABASE_URL": self.postgres.url,
            "COVERWRIGHT_REDIS_URL": self.valkey.url,
            "COVERWRIGHT_SECRET_KEY": "the same on every host of this cluster, and long enough",
            "COVERWRIGHT_PUBLIC_URL": f"http://{balancer.address}:{WEB_PORT}",
            "COVERWRIGHT_TRUSTED_PROXIES": balancer.address,
            "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": f"storage={self.objects.host.address}:{OBJECTS_PORT}",
            "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image",
            "COVERWRIGHT_TEST_SHORTCUTS": "1",
            "COVERWRIGHT_INSTANCE_OBJECTS_ACCESS_KEY_ID": "key",
            "COVERWRIGHT_INSTANCE_OBJECTS_SECRET_ACCESS_KEY": "secret",
        }

    def environment(self, host: Host) -> dict[str, str]:
        """Return what is configured on a host."""
        return self._common | {
            "COVERWRIGHT_DATA": str(host.data),
            "HOST": host.address,
            "PORT": str(WEB_PORT),
            "PYTHONPATH": str(self.release),
        }

    def start(self) -> None:
        """Start everything that is not there, and return when it serves."""
        for host in self.web:
            self.start_web(host, wait=False)
        for host in self.workers:
            self.start_worker(host, wait=False)
        for host in self.web:
            self.serves(host)
        for host in self.workers:
            self.works(host)

    def start_web(self, host: Host, *, wait: bool = True) -> None:
        """Start a web server, and return when HAProxy sends it requests."""
        self._start(host, "serve")
        if wait:
            self.serves(host)

    def start_worker(
        self, host: Host, *, wait: bool = True, clock: Path | None = None, unhurried: bool = False
    ) -> None:
        """Start a worker, and return when it works. `clock` is a file with how far the host's clock is wrong.

        An `unhurried` one has the lease and the sweeps of a site in use, not those that make faults show soon.
        """
        env = {"COVERWRIGHT_CONFIG": str(self._unhurried if unhurried else self._site)}
        if clock:
            env |= {
                "LD_PRELOAD": LIBFAKETIME,
                "FAKETIME_TIMESTAMP_FILE": str(clock),
                "FAKETIME_NO_CACHE": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            }
        self._start(host, "worker", env)
        if wait:
            self.works(host)

    def _start(self, host: Host, command: str, more: dict[str, str] | None = None) -> None:
        host.start(
            sys.executable, "-m", "kernel.cli", command, env=self.environment(host) | (more or {}), cwd=self.release
        )

    def serves(self, host: Host) -> None:
        """Wait until HAProxy sends requests to a web server."""
        self.answers(host)
        wait_until(lambda: self.haproxy.is_up(host), f"{host.name} behind HAProxy", START_S)

    def answers(self, host: Host) -> None:
        """Wait until a web server says itself that it may be sent requests."""

        def ready() -> bool:
            with suppress(httpx.TransportError):
                return httpx.get(f"http://{host.address}:{WEB_PORT}/readyz", trust_env=False).status_code == 200
            return False

        wait_until(ready, host.name, START_S)

    def works(self, host: Host) -> None:
        """Wait until the newest worker of a host has told of itself."""
        wait_until(lambda: self.tells(host), f"{host.name} among the processes", START_S)

    def tells(self, host: Host) -> dict[str, Any]:
        """Return what the newest process of a host last told of itself; nothing before it has."""
        for name, beat in self._redis("HGETALL", PROCESSES).items():
            if f":{host.name}-{host.newest_pid}-".encode() in name:
                told: dict[str, Any] = json.loads(beat)
                return told
        return {}

    def unlimited(self, user_id: int) -> None:
        """Let somebody begin as many covers in a minute as they like."""
        self._redis("SET", f"coverwright:throttle:generate:{user_id}", "-1000000")

    def _redis(self, *words: str) -> Any:
        async def ask() -> Any:
            client: Any = Redis.from_url(self.valkey.url, socket_timeout=2.0)
            try:
                return await client.execute_command(*words)
            finally:
                await client.aclose()

        return asyncio.run(ask())

    def command(self, *words: str) -> str:
        """Run a command of the product beside all hosts, and return what it says. Raises RuntimeError."""
        folder = self.network.folder / "here"
        folder.mkdir(exist_ok=True)
        env = self._common | {"COVERWRIGHT_DATA": str(folder), "PYTHONPATH": str(self.release)}
        done = subprocess.run(
            [sys.executable, "-m", "kernel.cli", *words], env=env, cwd=self.release, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"coverwright {words[0]}: {done.stdout}{done.stderr}")
        return done.stdout

    def sql(self, statement: str, **values: Any) -> list[dict[str, Any]]:
        """Run one statement on the database and return its rows."""

        async def run() -> list[dict[str, Any]]:
            database = Database(self.postgres.url.replace("postgresql://", "postgresql+asyncpg://"), pool_size=1)
            try:
                async with database.scan() as connection:
                    return [dict(row) for row in (await connection.execute(text(statement), values)).mappings()]
            finally:
                await database.aclose()

        return asyncio.run(run())

    def close(self) -> None:
        """End everything and remove it."""
        self.network.close()
