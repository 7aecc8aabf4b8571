"""Clocks that are wrong: of one host among several, and of the only one."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest

from tests.faults.conftest import LEASE_S, SWEEP_S, FaultHarness
from tests.running_product import RunningProduct
from tests.support.databases import BACKENDS
from tests.support.forked_commands import commands
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

JOBS = 6
SKEW_S = 400
STEP_S = 7200


@pytest.fixture
def several_hosts(new_database: Callable[[str], str], alone: None) -> Iterator[FaultHarness]:
    """A product on PostgreSQL, to which tests add workers of other hosts."""
    if "postgresql" not in BACKENDS:
        pytest.skip("PostgreSQL is not installed on this machine")
    product = RunningProduct(
        database_url=new_database("postgresql"), lease_s=LEASE_S, sweep_s=SWEEP_S, route=("stub",), in_flight=JOBS
    )
    with FaultHarness(product.start()).watched() as harness:
        yield harness
    product.close()


@contextmanager
def worker_of_another_host(product: RunningProduct, skew_s: float) -> Iterator[None]:
    """Run a worker whose own clock is wrong by so much."""
    env = product.env | {"COVERWRIGHT_CLOCK_SKEW_S": str(skew_s)}
    worker = commands().start("worker", env=env, log=product.log)
    try:
        yield
    finally:
        worker.send_signal(signal.SIGTERM)
        worker.wait(30)


@pytest.mark.parametrize("skew_s", [SKEW_S, -SKEW_S])
def test_a_host_whose_clock_is_wrong_makes_covers_as_the_others_do(several_hosts: FaultHarness, skew_s: float) -> None:
    product, reader, title = several_hosts.product, several_hosts.reader(), uuid4().hex
    with worker_of_another_host(product, skew_s):
        before = product.signal("worker-1", signal.SIGSTOP)
        product.stub.does("slow:4")
        generation_ids = [reader.generate(title=title) for _ in range(JOBS)]
        product.stub.called(title, JOBS)
        product.signal("worker-1", signal.SIGCONT)
        assert set(several_hosts.ended(reader, generation_ids).values()) == {"completed"}
        assert product.pids()["worker-1"] == before
    assert len(product.stub.calls(title)) == JOBS


def test_a_dead_workers_cover_is_made_although_the_clock_was_set_back(small_harness: FaultHarness) -> None:
    product, reader, title = small_harness.product, small_harness.reader(), uuid4().hex
    with product.later(seconds=STEP_S):
        product.stub.holds()
        generation_id = reader.generate(title=title)
        product.stub.called(title)
        for name in ("worker-1", "worker-2"):
            product.signal(name, signal.SIGKILL)
    product.stub.releases()
    wait_until(lambda: reader.status(generation_id)["status"] == "completed", "the cover", 30)
    assert small_harness.ended(reader, [generation_id]) == {generation_id: "completed"}
