"""The whole product as users run it, with a stub for an image service, a clock and faults that tests control."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import httpx
from sqlalchemy import text

from kernel.core.config import PROJECT_ROOT
from kernel.core.database import Database
from tests.person import Person
from tests.stub_payment.bank import Bank
from tests.support.processes import free_port, is_alive, processes_of, wait_until

ADMIN_EMAIL: Final = "root@example.com"
PASSWORD: Final = "amber kettle 41 violin"
START_S: Final = 60.0
PLENTY: Final = 100_000

SETTINGS: Final = """
[accounts]
registrations_per_address = 100000

[plans]
free_monthly_limit = {limit}
pro_monthly_limit = {limit}

[generation]
deadline_s = 120
max_attempts = 3
lease_s = {lease_s}
retry_base_s = 0.05
retry_max_s = 0.2
in_flight_per_user = {in_flight}
queue_limit = 500
sweep_s = {sweep_s}

[pictures]
min_free_bytes = 1000000
thumbnail_widths = {thumbnails}

[[instances]]
id = "stub"
kind = "image"
provider = "stub"
label = "Stub"
settings = {{ control = "{control}/stub", deadline_s = 30.0 }}

[[instances]]
id = "spare"
kind = "image"
provider = "stub"
label = "Spare"
settings = {{ control = "{control}/spare", deadline_s = 1.5 }}

[[instances]]
id = "disk"
kind = "storage"
provider = "disk"
label = "Data folder"
settings = {{}}

[[instances]]
id = "password"
kind = "signin"
provider = "password"
label = "E-mail and password"
settings = {{}}

[[instances]]
id = "outbox"
kind = "email"
provider = "outbox"
label = "Outbox"
settings = {{}}

[[instances]]
id = "bank"
kind = "payment"
provider = "stub-pay"
label = "Bank"
settings = {{ control = "{control}/bank" }}

[routes]
image = {route}
payment = ["bank"]
storage = ["disk"]
signin = ["password"]
"""


class Stub:
    """What one image instance does next, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True)

    def does(self, *modes: str) -> None:
        """Set the coming modes, see tests/stub_image/provider.py; the last one stays."""
        fresh = self._folder / "mode.new"
        fresh.write_text(" ".join(modes))
        fresh.replace(self._folder / "mode")

    def holds(self) -> None:
        """Hold every call until `releases`."""
        (self._folder / "release").unlink(missing_ok=True)
        self.does("hold")

    def releases(self) -> None:
        """Let held calls, and all that come, go on."""
        (self._folder / "release").touch()

    def calls(self, title: str | None = None) -> list[dict[str, Any]]:
        """Return the calls so far, those for one title if it is named."""
        path = self._folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        calls = [json.loads(line) for line in lines]
        return [call for call in calls if title is None or call["title"] == title]

    def forget(self) -> None:
        """Forget the calls so far."""
        (self._folder / "calls").unlink(missing_ok=True)

    def count(self) -> int:
        """Return how many calls there were so far, without reading them."""
        path = self._folder / "calls"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def called(self, title: str, times: int = 1) -> list[dict[str, Any]]:
        """Wait until there were so many calls for a title."""

        def look() -> list[dict[str, Any]]:
            calls = self.calls(title)
            return calls if len(calls) >= times else []

        return wait_until(look, f"{times} calls for {title}", 30)


class Product:
    """One data folder and the processes on it: launcher, queue server, web, workers. Everybody starts healthy.

    `route` orders the image instances: `stub` answers within 30 s, `spare` within 1.5 s.
    """

    def __init__(
        self,
        *,
        database_url: str = "",
        settings: str = "",
        env: Mapping[str, str] | None = None,
        limit: int = PLENTY,
        in_flight: int = 6,
        lease_s: float = 6,
        sweep_s: float = 0.3,
        workers: int = 1,
        route: tuple[str, ...] = ("stub", "spare"),
        thumbnails: tuple[int, ...] = (320, 960),
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cw-")).resolve()
        self.data = self.folder / "data"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.stub = Stub(self.folder / "stub")
        self.spare = Stub(self.folder / "spare")
        self.bank = Bank(self.folder / "bank")
        self._clock = self.folder / "clock"
        self._clock.write_text("0")
        self._faults = self.folder / "faults"
        self._faults.mkdir()
        config = self.folder / "site.toml"
        config.write_text(
            SETTINGS.format(
                control=self.folder,
                limit=limit,
                in_flight=in_flight,
                lease_s=lease_s,
                sweep_s=sweep_s,
                route=json.dumps(route),
                thumbnails=json.dumps(thumbnails),
            )
            + settings
        )
        self.database_url = database_url
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERWRIGHT_")}
        self.env = kept | {
            "COVERWRIGHT_ENV": "test",
            "COVERWRIGHT_CONFIG": str(config),
            "COVERWRIGHT_DATA": str(self.data),
            "COVERWRIGHT_DATABASE_URL": database_url,
            "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image",
            "COVERWRIGHT_CLOCK_FILE": str(self._clock),
            "COVERWRIGHT_FAULTPOINTS": str(self._faults),
            "COVERWRIGHT_ADMIN_EMAIL": ADMIN_EMAIL,
            "COVERWRIGHT_ADMIN_PASSWORD": PASSWORD,
            "COVERWRIGHT_WORKERS": str(workers),
            "COVERWRIGHT_LOG_LEVEL": "info",
            "PORT": str(self.port),
            **(env or {}),
        }
        self.env["COVERWRIGHT_EXTRA_PLUGINS"] += ",tests.stub_payment"
        self.log = self.folder / "log"
        self._launcher: subprocess.Popen[bytes] | None = None
        self._people: list[Person] = []
        self._admin: Person | None = None

    def start(self) -> "Product":
        """Start the launcher and return when it has greeted."""
        before = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._launcher = subprocess.Popen(
                [sys.executable, "-m", "kernel.cli", "run"],
                env=self.env,
                cwd=PROJECT_ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        launcher = self._launcher

        def ready() -> bool:
            if launcher.poll() is not None:
                raise AssertionError(f"the product has ended: {self.log.read_text(errors='replace')[-3000:]}")
            return b"Press Ctrl-C to stop" in self.log.read_bytes()[before:]

        wait_until(ready, "start of the product", START_S)
        return self

    @property
    def pid(self) -> int:
        """Process id of the launcher."""
        assert self._launcher is not None
        return self._launcher.pid

    def terminate(self, *, times: int = 1) -> float:
        """Send SIGTERM to the launcher, wait for its end and return how long that took, in seconds."""
        assert self._launcher is not None
        began = time.monotonic()
        for _ in range(times):
            self._launcher.send_signal(signal.SIGTERM)
        self._launcher.wait(30)
        return time.monotonic() - began

    def kill_everything(self) -> None:
        """Kill every process at once, the hard way."""
        for pid in self.left():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._launcher:
            self._launcher.wait(30)
        wait_until(lambda: not self.left(), "end of everything")

    def left(self) -> list[int]:
        """Return every living process on this data folder."""
        return processes_of(self.data)

    def pids(self) -> dict[str, int]:
        """Return name → process id of the launcher's children."""
        try:
            entries: dict[str, dict[str, Any]] = json.loads((self.data / "pids.json").read_bytes())
        except (FileNotFoundError, ValueError):
            return {}
        return {name: entry["pid"] for name, entry in entries.items()}

    def signal(self, name: str, number: signal.Signals) -> int:
        """Send a signal to one child and return its process id."""
        pid = self.pids()[name]
        os.kill(pid, number)
        return pid

    def restarted(self, name: str, before: int) -> int:
        """Wait until a child runs under another process id, and return that."""

        def look() -> int:
            now = self.pids().get(name, before)
            return now if now != before and is_alive(now) else 0

        return wait_until(look, f"restart of {name}", 30)

    def answers(self, path: str) -> int:
        """Wait for an answer of any kind and return its status."""
        visitor = self.visitor()

        def ask() -> int:
            with suppress(httpx.TransportError):
                return visitor.get(path).status_code
            return 0

        return wait_until(ask, f"an answer to {path}", 30)

    def plant(self, point: str, what: str = "kill") -> None:
        """Plant a fault, see kernel/core/faults.py."""
        (self._faults / point).write_text(what)

    def struck(self, point: str) -> None:
        """Wait until a planted fault has struck."""
        wait_until(lambda: not (self._faults / point).exists(), f"fault {point}", 30)

    def command(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a `coverwright` command on the product's data."""
        return subprocess.run(
            [sys.executable, "-m", "kernel.cli", *arguments],
            env=self.env,
            cwd=PROJECT_ROOT,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def doctor(self) -> str:
        """Return what `coverwright doctor` finds broken: nothing when all promises are kept."""
        done = self.command("doctor")
        assert (done.returncode == 0) == ("BROKEN" not in done.stdout), done.stdout + done.stderr
        return "" if done.returncode == 0 else done.stdout + done.stderr

    @contextmanager
    def later(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> Iterator[None]:
        """Run a block in the future, and come back."""
        before = float(self._clock.read_text())
        self.advance(days * 86_400 + hours * 3600 + seconds)
        try:
            yield
        finally:
            self._set_clock(before)

    def advance(self, seconds: float) -> None:
        """Let time pass, for good."""
        self._set_clock(float(self._clock.read_text()) + seconds)

    def _set_clock(self, offset_s: float) -> None:
        """Move the product's clock at one stroke: it is read all the time."""
        fresh = self.folder / "clock.new"
        fresh.write_text(str(offset_s))
        fresh.replace(self._clock)

    def now(self) -> datetime:
        """Return the product's time."""
        return datetime.fromtimestamp(time.time() + float(self._clock.read_text()), UTC)

    @property
    def sqlalchemy_url(self) -> str:
        """Address of the database for SQLAlchemy."""
        if self.database_url:
            return self.database_url.replace("postgresql://", "postgresql+asyncpg://")
        return f"sqlite+aiosqlite:///{self.data / 'coverwright.db'}"

    def sql(self, statement: str, **values: Any) -> list[dict[str, Any]]:
        """Run one statement on the product's database and return its rows."""

        async def run() -> list[dict[str, Any]]:
            database = Database(self.sqlalchemy_url, pool_size=1)
            try:
                async with database.write() as session:
                    result = await session.execute(text(statement), values)
                    return [dict(row) for row in result.mappings()] if result.returns_rows else []  # type: ignore[attr-defined]
            finally:
                await database.aclose()

        return asyncio.run(run())

    def visitor(self, **headers: str) -> Person:
        """Return somebody who is signed out."""
        person = Person(self.url, headers)
        self._people.append(person)
        return person

    def user(self, *, pro: bool = False, admin: bool = False) -> Person:
        """Return somebody new who is signed in, on the free plan and without rights unless asked otherwise."""
        person = self.visitor()
        person.register(PASSWORD)
        if pro:
            self.sql('UPDATE "user" SET pro_override = :yes WHERE id = :id', yes=True, id=person.id)
        if admin:
            self.sql('UPDATE "user" SET is_admin = :yes WHERE id = :id', yes=True, id=person.id)
        return person

    def admin(self) -> Person:
        """Return the administrator, signed in."""
        if self._admin is None or self._admin.get("/api/auth/user").status_code == 401:
            self._admin = self.visitor()
            self._admin.sign_in(ADMIN_EMAIL, PASSWORD)
        return self._admin

    def heal(self) -> None:
        """Make the image service good again, and let its circuit close as time would."""
        self.calm()
        self.advance(400)
        somebody = self.user()
        somebody.cover()
        if self.spare.calls():
            self.stub.does("unavailable", "ok")
            somebody.cover()
            self.spare.forget()
            somebody.cover()

    def calm(self) -> None:
        """Let the image service do as it should, and close the connections of everybody but the administrator."""
        for stub in (self.stub, self.spare):
            stub.does("ok")
            stub.releases()
        self.bank.does()
        for person in self._people:
            if person is not self._admin:
                person.close()
        self._people = [self._admin] if self._admin else []

    def close(self) -> None:
        """End everything and remove the data."""
        if self._admin:
            self._admin.close()
            self._admin = None
        self.calm()
        if self._launcher and self._launcher.poll() is None:
            self._launcher.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._launcher.wait(15)
        self.kill_everything()
        shutil.rmtree(self.folder, ignore_errors=True)
