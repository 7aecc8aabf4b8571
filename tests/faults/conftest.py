"""Products for fault tests: short leases, two workers, and a prober that checks that they stay available."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import httpx
import pytest

from kernel.core.config import load_config
from kernel.core.queue.valkey import open_redis
from tests.faults.prober import Prober
from tests.person import Person
from tests.running_product import RunningProduct
from tests.support.databases import BACKENDS
from tests.support.files import files_below

LEASE_S: Final = 2.0
SWEEP_S: Final = 0.25
CROWD: Final = 500
LOG_CHARS: Final = 20_000
"""How much of the product's output is shown when a test fails."""


class FaultHarness:
    """A product under faults, and what must stay true during them."""

    def __init__(self, product: RunningProduct) -> None:
        self.product = product
        self.prober: Prober
        self._watcher = product.user().cookies
        self._refused: list[str] = []

    def reader(self, *, pro: bool = False) -> Person:
        """Return a new user whose every response is checked, and who has no rate limits."""
        person = self.product.user(pro=pro)
        person.event_hooks = {"request": [], "response": [self._look]}
        valkey_command(self.product, "SET", f"coverwright:throttle:generate:{person.id}", "-10000")
        return person

    def _look(self, answer: httpx.Response) -> None:
        if answer.status_code >= 500 and answer.status_code != 503:
            self._refused.append(f"{answer.request.method} {answer.request.url.path}: {answer.status_code}")

    @contextmanager
    def watched(self) -> Iterator["FaultHarness"]:
        """Probe while the block runs; then every invariant must hold and no response may have been late or wrong."""
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
        """Wait for the end of all and return id → state; count, gallery and files agree with it."""
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
        return sorted(path.name for path in files_below(self.product.data, f"/{generation_id}/"))

    def row(self, generation_id: str) -> dict[str, object]:
        """Return state, attempts and fence of a generation as they are stored."""
        form = generation_id if self.product.database_url else generation_id.replace("-", "")
        rows = self.product.sql("SELECT state, attempts, fence FROM generation WHERE CAST(id AS TEXT) = :id", id=form)
        return rows[0]


def valkey_command(product: RunningProduct, *words: str) -> object:
    """Send one command to the product's queue server and return its answer."""

    async def send() -> object:
        client = open_redis(load_config(product.env))
        try:
            answer: object = await client.execute_command(*words)  # type: ignore[no-untyped-call]
            return answer
        finally:
            await client.aclose()

    return asyncio.run(send())


class SharedHarnesses:
    """The running products that several files share: one for each backend, started on first use."""

    def __init__(self, new_database: Callable[[str], str]) -> None:
        self._new_database = new_database
        self._running: dict[str, FaultHarness] = {}

    def get(self, backend: str) -> FaultHarness:
        """Return the product of a backend, with two workers."""
        if backend not in self._running:
            product = RunningProduct(
                database_url=self._new_database(backend),
                in_flight=CROWD,
                lease_s=LEASE_S,
                sweep_s=SWEEP_S,
                workers=2,
                route=("stub",),
            )
            self._running[backend] = FaultHarness(product.start())
        return self._running[backend]

    def close(self) -> None:
        """End them all."""
        for harness in self._running.values():
            harness.product.close()
        self._running.clear()


@pytest.fixture(scope="package")
def shared_harnesses(new_database: Callable[[str], str]) -> Iterator[SharedHarnesses]:
    """The products that files without a product of their own share."""
    shared = SharedHarnesses(new_database)
    yield shared
    shared.close()


@pytest.fixture(scope="module")
def alone(shared_harnesses: SharedHarnesses) -> None:
    """End the shared products: even idle ones take time from those of a file's own."""
    shared_harnesses.close()


@pytest.fixture(params=BACKENDS)
def harness(request: pytest.FixtureRequest, shared_harnesses: SharedHarnesses) -> Iterator[FaultHarness]:
    """The product, probed; on every database."""
    with shared_harnesses.get(request.param).watched() as harness:
        yield harness


@pytest.fixture
def small_harness(shared_harnesses: SharedHarnesses) -> Iterator[FaultHarness]:
    """The same on SQLite only, for faults that do not depend on the database."""
    with shared_harnesses.get("sqlite").watched() as harness:
        yield harness
