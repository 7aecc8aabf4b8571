"""Workers are stopped while they make covers: a stop cancels nothing at the vendor, and buys nothing twice."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from tests.faults.conftest import LEASE_S, SWEEP_S, FaultHarness
from tests.running_product import RunningProduct
from tests.support.databases import BACKENDS
from tests.support.processes import wait_until
from tests.support.standstill import stands_still

pytestmark = pytest.mark.fault

JOBS = 6
VENDOR_S = 3
"""How long the image service takes."""

DRAIN_S = 20
STOP_S = 10.0


@pytest.fixture(scope="module")
def draining_product(new_database: Callable[[str], str], alone: None) -> Iterator[FaultHarness]:
    product = RunningProduct(
        database_url=new_database("sqlite"), lease_s=LEASE_S, sweep_s=SWEEP_S, drain_s=DRAIN_S, workers=2
    )
    harness = FaultHarness(product.start())
    yield harness
    product.close()


@pytest.fixture
def draining(draining_product: FaultHarness) -> Iterator[FaultHarness]:
    """A product whose workers finish their covers before they end."""
    with draining_product.watched() as harness:
        yield harness


@pytest.fixture
def handing_over(new_database: Callable[[str], str], alone: None) -> Iterator[FaultHarness]:
    """A product whose workers end at once, and whose image service can resume.

    On PostgreSQL where there is one: a worker that is stopped amid a write locks nothing there but its own row.
    """
    product = RunningProduct(
        database_url=new_database(BACKENDS[-1]),
        lease_s=LEASE_S,
        sweep_s=SWEEP_S,
        workers=2,
        route=("stub",),
        env={"COVERWRIGHT_INSTANCE_STUB_RESUMABLE": "true"},
    )
    with FaultHarness(product.start()).watched() as harness:
        yield harness
    product.close()


def operations(harness: FaultHarness, title: str) -> Counter[str]:
    """Return how often which operation of the image service was called."""
    return Counter(call["operation"] for call in harness.product.stub.calls(title))


def test_a_rolling_restart_calls_the_vendor_once_for_each_cover(draining: FaultHarness) -> None:
    product, reader, title = draining.product, draining.reader(), uuid4().hex
    product.stub.does(f"slow:{VENDOR_S}")
    generation_ids = [reader.generate(title=title) for _ in range(JOBS)]
    product.stub.called(title, JOBS)
    for name in ("worker-1", "worker-2"):
        product.restarted(name, product.signal(name, signal.SIGTERM))
    assert set(draining.ended(reader, generation_ids).values()) == {"completed"}
    assert operations(draining, title) == {"generate": JOBS}


def test_a_stop_of_the_whole_product_waits_for_the_covers(draining: FaultHarness) -> None:
    product, reader, title = draining.product, draining.reader(), uuid4().hex
    product.stub.does(f"slow:{VENDOR_S}")
    generation_ids = [reader.generate(title=title) for _ in range(2)]
    product.stub.called(title, 2)
    with draining.prober.outage():
        assert product.terminate() < VENDOR_S + STOP_S
        states = product.sql("SELECT state FROM generation WHERE user_id = :id", id=reader.id)
        assert [row["state"] for row in states] == ["completed"] * 2
        product.start()
    assert set(draining.ended(reader, generation_ids).values()) == {"completed"}
    assert operations(draining, title) == {"generate": 2}


def test_what_is_not_finished_in_time_is_handed_over_and_not_cancelled(handing_over: FaultHarness) -> None:
    product, reader, title = handing_over.product, handing_over.reader(), uuid4().hex
    product.stub.holds()
    generation_ids = [reader.generate(title=title) for _ in range(JOBS)]
    product.stub.called(title, JOBS)
    for name in ("worker-1", "worker-2"):
        product.restarted(name, product.signal(name, signal.SIGTERM))
    product.stub.releases()
    assert set(handing_over.ended(reader, generation_ids).values()) == {"completed"}
    called = operations(handing_over, title)
    assert (called["generate"], called["cancel"]) == (JOBS, 0)


def test_the_vendor_is_told_of_what_a_user_cancels(handing_over: FaultHarness) -> None:
    product, reader, title = handing_over.product, handing_over.reader(), uuid4().hex
    product.stub.holds()
    generation_id = reader.generate(title=title)
    product.stub.called(title, 1)
    assert reader.delete(f"/api/generations/{generation_id}").status_code == 200
    wait_until(lambda: operations(handing_over, title)["cancel"] == 1, "the cancellation at the vendor", 10)


def test_the_vendor_is_told_of_what_is_cancelled_while_its_number_is_stored(handing_over: FaultHarness) -> None:
    product, reader, title = handing_over.product, handing_over.reader(), uuid4().hex
    product.stub.holds()
    product.plant("vendor_accepted", "stop")
    generation_id = reader.generate(title=title)
    (call,) = product.stub.called(title, 1)
    wait_until(lambda: stands_still(call["pid"]), "the worker stands still", 10)
    assert reader.delete(f"/api/generations/{generation_id}").status_code == 200
    os.kill(call["pid"], signal.SIGCONT)
    wait_until(lambda: operations(handing_over, title)["cancel"] == 1, "the cancellation at the vendor", 10)


def test_the_vendor_is_told_of_what_a_user_cancels_between_two_tries(handing_over: FaultHarness) -> None:
    product, reader, title = handing_over.product, handing_over.reader(), uuid4().hex
    product.stub.does("cut", "rate_limited:60")
    generation_id = reader.generate(title=title)
    product.stub.called(title, 2)
    wait_until(lambda: handing_over.row(generation_id)["state"] == "queued", "the wait for the vendor", 10)
    assert reader.delete(f"/api/generations/{generation_id}").status_code == 200
    wait_until(lambda: operations(handing_over, title)["cancel"] == 1, "the cancellation at the vendor", 10)
