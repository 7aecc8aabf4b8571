"""Products to be ill-treated: short leases, two workers, and somebody who watches that the rest goes on."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import httpx
import pytest

from kernel.core.config import load_config
from kernel.core.valkey import open_redis
from tests.conftest import BACKENDS
from tests.faults.prober import Prober
from tests.person import Person
from tests.product import Product

LEASE_S: Final = 2.0
SWEEP_S: Final = 0.25
CROWD: Final = 500
LOG_CHARS: Final = 20_000
"""So much of what the product said is shown when a test fails."""


class Patient:
    """A product under treatment, and what must stay true whatever is done to it."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.prober: Prober
        self._watcher = product.user().cookies
        self._refused: list[str] = []

    def reader(self, *, pro: bool = False) -> Person:
        """Return a new user whose every answer is looked at, and who is not held back for asking often."""
        person = self.product.user(pro=pro)
        person.event_hooks = {"request": [], "response": [self._look]}
        valkey_command(self.product, "SET", f"coverwright:throttle:generate:{person.id}", "-10000")
        return person

    def _look(self, answer: httpx.Response) -> None:
        if answer.status_code >= 500 and answer.status_code != 503:
            self._refused.append(f"{answer.request.method} {answer.request.url.path}: {answer.status_code}")

    @contextmanager
    def watched(self) -> Iterator["Patient"]:
        """Probe while the block runs; afterwards every promise must be kept and nothing may have been late or wrong."""
        product = self.product
        self._refused.clear()
        said = product.log.stat().st_size
        watcher = Person(product.url)
        watcher.cookies = self._watcher
        self.prober = Prober(watcher)
        self.prober.start()
        try:
            yield self
        finally:
            self.prober.stop()
            watcher.close()
            for pid in product.left():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
            product.calm()
            print(product.log.read_text(errors="replace")[said:][-LOG_CHARS:])
        assert self._refused == []
        assert self.prober.complaints() == []
        assert product.doctor() == ""

    def ended(self, person: Person, generation_ids: list[str]) -> dict[str, str]:
        """Wait for the end of all and return id → how; count, gallery and files agree with it."""
        ends = {generation_id: person.finished(generation_id)["status"] for generation_id in generation_ids}
        completed = [generation_id for generation_id, end in ends.items() if end == "completed"]
        assert person.used() == len(completed)
        made = self.product.sql(
            "SELECT generation_id FROM cover WHERE user_id = :id AND deleted_at IS NULL", id=person.id
        )
        assert sorted(str(row["generation_id"]).replace("-", "") for row in made) == sorted(
            generation_id.replace("-", "") for generation_id in completed
        )
        return ends

    def files(self, generation_id: str) -> list[str]:
        """Return the names of the objects that are stored for a generation."""
        folders = list(self.product.data.rglob(f"objects/covers/{generation_id}"))
        return sorted(path.name for folder in folders for path in folder.iterdir())

    def row(self, generation_id: str) -> dict[str, object]:
        """Return state, attempts and fence of a generation as they are stored."""
        form = generation_id if self.product.database_url else generation_id.replace("-", "")
        rows = self.product.sql("SELECT state, attempts, fence FROM generation WHERE CAST(id AS TEXT) = :id", id=form)
        return rows[0]


def valkey_command(product: Product, *words: str) -> object:
    """Send one command to the product's queue server and return its answer."""

    async def send() -> object:
        client = open_redis(load_config(product.env))
        try:
            answer: object = await client.execute_command(*words)  # type: ignore[no-untyped-call]
            return answer
        finally:
            await client.aclose()

    return asyncio.run(send())


@pytest.fixture(scope="session")
def hospital(new_database: Callable[[str], str]) -> Iterator[Callable[[str], Patient]]:
    """Return the running product of a backend, with two workers; started when first asked for."""
    running: dict[str, Patient] = {}

    def get(backend: str) -> Patient:
        if backend not in running:
            product = Product(
                database_url=new_database(backend),
                in_flight=CROWD,
                lease_s=LEASE_S,
                sweep_s=SWEEP_S,
                workers=2,
                route=("stub",),
            )
            running[backend] = Patient(product.start())
        return running[backend]

    yield get
    for patient in running.values():
        patient.product.close()


@pytest.fixture(params=BACKENDS)
def patient(request: pytest.FixtureRequest, hospital: Callable[[str], Patient]) -> Iterator[Patient]:
    """The product, watched; on every database."""
    with hospital(request.param).watched() as patient:
        yield patient


@pytest.fixture
def small_patient(hospital: Callable[[str], Patient]) -> Iterator[Patient]:
    """The same on SQLite only, for faults in which the database plays no part."""
    with hospital("sqlite").watched() as patient:
        yield patient
