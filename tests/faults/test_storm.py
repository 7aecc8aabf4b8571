"""A storm: workers and queue server killed at random under load. Every job ends, and everything adds up."""

import random
import signal
import time
from collections import Counter
from contextlib import suppress

import pytest

from tests.faults.conftest import Launch, watched
from tests.product import Product

pytestmark = pytest.mark.fault

PEOPLE, EACH = 10, 6
STORM_S = 6.0


@pytest.mark.parametrize("backend", ["sqlite"])
def test_all_jobs_end_and_all_counts_agree_after_a_storm(launch: Launch, backend: str) -> None:
    product = launch(backend, workers=3, lease_s=1.5, in_flight=EACH)
    product.stub.does("slow:0.2")
    people = [product.user() for _ in range(PEOPLE)]
    chance = random.Random(4)
    with watched(product) as watch:
        jobs = [(person, person.generate(title=f"{number}")) for number in range(EACH) for person in people]
        until = time.monotonic() + STORM_S
        strikes = 0
        while time.monotonic() < until:
            strikes += _strike(product, "valkey" if strikes == 5 else f"worker-{chance.randint(1, 3)}")
            time.sleep(chance.uniform(0.1, 0.7))  # the storm itself: there is nothing to wait for
        ends = [person.finished(generation_id) for person, generation_id in jobs]
    watch.approve()
    assert strikes > 5
    states = Counter(end["status"] for end in ends)
    assert set(states) <= {"completed", "failed"} and states["completed"] > 0
    assert {end["errorCode"] for end in ends if end["status"] == "failed"} <= {"attempts_exhausted"}
    for person in people:
        mine = [end for (somebody, _), end in zip(jobs, ends, strict=True) if somebody is person]
        completed = [end["result"]["id"] for end in mine if end["status"] == "completed"]
        assert sorted(cover["id"] for cover in person.get("/api/covers").json()) == sorted(completed)
        assert person.used() == len(completed)
    assert product.doctor() == ""


def _strike(product: Product, name: str) -> int:
    """Kill one process, if it runs."""
    with suppress(KeyError, ProcessLookupError):
        product.signal(name, signal.SIGKILL)
        return 1
    return 0
