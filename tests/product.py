"""A whole product, with stubs for image and payment services and a clock that tests control, and those who use it.

Two kinds: `LocalProduct` (tests/local_product.py) runs inside the tests' own process, `RunningProduct`
(tests/running_product.py) as users run it, for tests in which processes are the point.
"""

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self

import httpx
from sqlalchemy import text

from kernel.core.data.database import Database
from kernel.core.web.access import RECENT
from tests.person import Person
from tests.stub_image.control import Stub
from tests.stub_payment.bank import Bank
from tests.support.forked_commands import commands
from tests.support.processes import wait_until

ADMIN_EMAIL: Final = "root@example.com"
PASSWORD: Final = "amber kettle 41 violin"
PLENTY: Final = 100_000

PEOPLE_AND_MAIL: Final = """
[[instances]]
id = "password"
kind = "signin"
provider = "password"
label = "Email and password"
settings = {{}}

[[instances]]
id = "outbox"
kind = "email"
provider = "outbox"
label = "Outbox"
settings = {{}}
"""
"""Sign-in by password, and emails that are kept: instances, as part of a template of settings."""

SETTINGS: Final = (
    """
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
drain_s = {drain_s}
sweep_s = {sweep_s}

[pictures]
min_free_bytes = 1000000
thumbnail_widths = {thumbnails}

[[instances]]
id = "stub"
kind = "image"
provider = "stub"
label = "Stub"
settings = {{ control = "{control}/stub", deadline_s = 30.0, previews = true }}

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

"""
    + PEOPLE_AND_MAIL
    + """[[instances]]
id = "bank"
kind = "payment"
provider = "stub-pay"
label = "Bank"
settings = {{ control = "{control}/bank" }}

[routes]
image = {route}
payment = ["bank"]
storage = {storage}
signin = ["password"]
"""
)


class Product:
    """One data folder and what runs on it. Everybody starts healthy.

    `route` orders the image instances: `stub` answers within 30 s, `spare` within 1.5 s.
    """

    port = 8000
    log: Path
    """File with what the product logs."""

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
        drain_s: float = 0,
        workers: int = 1,
        route: tuple[str, ...] = ("stub", "spare"),
        storage: tuple[str, ...] = ("disk",),
        thumbnails: tuple[int, ...] = (320, 960),
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cw-")).resolve()
        self.data = self.folder / "data"
        self.url = f"http://127.0.0.1:{self.port}"
        self.stub = Stub(self.folder / "stub")
        self.spare = Stub(self.folder / "spare")
        self.bank = Bank(self.folder / "bank")
        self._clock = self.clock_file()
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
                drain_s=drain_s,
                route=json.dumps(route),
                storage=json.dumps(storage),
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
            "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image,tests.stub_payment",
            "COVERWRIGHT_TEST_SHORTCUTS": "1",
            "COVERWRIGHT_CLOCK_FILE": str(self._clock),
            "COVERWRIGHT_FAULTPOINTS": str(self._faults),
            "COVERWRIGHT_ADMIN_EMAIL": ADMIN_EMAIL,
            "COVERWRIGHT_ADMIN_PASSWORD": PASSWORD,
            "COVERWRIGHT_WORKERS": str(workers),
            "COVERWRIGHT_LOG_LEVEL": "info",
            "PORT": str(self.port),
            **(env or {}),
        }
        self.log = self.folder / "log"
        self._people: list[Person] = []
        self._admin: Person | None = None
        self._proven_at = datetime.min.replace(tzinfo=UTC)

    def start(self) -> Self:
        """Start the product and return when it answers."""
        raise NotImplementedError

    def close(self) -> None:
        """End everything and remove the data."""
        if self._admin:
            self._admin.close()
            self._admin = None
        self.calm()
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self) -> None:
        """End what runs."""
        raise NotImplementedError

    def clock_file(self) -> Path:
        """Return the file that holds how far the product's clock is ahead, in seconds."""
        raise NotImplementedError

    def transport(self) -> httpx.BaseTransport:
        """Return a new way to reach the product over HTTP."""
        raise NotImplementedError

    def plant(self, point: str, what: str = "kill") -> None:
        """Plant a fault in the next process that comes by, see kernel/core/fault_points.py."""
        (self._faults / point).write_text(what)

    def struck(self, point: str) -> None:
        """Wait until a planted fault has struck."""
        wait_until(lambda: not (self._faults / point).exists(), f"fault {point}", 30)

    def command(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a `coverwright` command on the product's data."""
        return commands().run(*arguments, env=self.env, timeout=120)

    def doctor(self) -> str:
        """Return what `coverwright doctor` finds broken: nothing when all promises are kept."""
        done = self.command("doctor")
        assert (done.returncode == 0) == ("BROKEN" not in done.stdout), done.stdout + done.stderr
        return "" if done.returncode == 0 else done.stdout + done.stderr

    def pause_worker(self) -> None:
        """Keep the worker from taking jobs until `resume_worker`."""
        raise NotImplementedError

    def resume_worker(self) -> None:
        """Let the worker go on."""
        raise NotImplementedError

    @contextmanager
    def later(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> Iterator[None]:
        """Run a block in the future, and come back."""
        before = float(self._clock.read_text())
        self.advance(days * 86_400 + hours * 3600 + seconds)
        try:
            yield
        finally:
            self._set_clock(before)
            if days or hours:  # or a sweeper would not notice that time went back before the next test moves it on
                time.sleep(0.7)

    def advance(self, seconds: float) -> None:
        """Let time pass, for good."""
        self._set_clock(float(self._clock.read_text()) + seconds)

    def _set_clock(self, offset_s: float) -> None:
        """Move the product's clock at one stroke: it is read all the time."""
        fresh = self._clock.with_suffix(".new")
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
        person = Person(self.url, headers, self.transport())
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
        """Return the administrator, signed in recently enough for every call."""
        if self._admin is None or self._admin.get("/api/auth/user").status_code == 401:
            self._admin = self.visitor()
            self._admin.sign_in(ADMIN_EMAIL, PASSWORD)
            self._proven_at = self.now()
        elif not timedelta(0) <= self.now() - self._proven_at < RECENT / 2:
            self._admin.reauthenticate(PASSWORD)
            self._proven_at = self.now()
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
