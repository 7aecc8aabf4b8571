"""Concurrent requests: the last unit is given out once, a key makes one job, a job has one end."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar
from uuid import uuid4

import httpx
import pytest

from kernel.core.web.request_body import PER_ADDRESS
from tests.faults.conftest import FaultHarness
from tests.person import Person
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

Result = TypeVar("Result")

AT_ONCE = PER_ADDRESS - 2
"""While the machine is starved, all these clients of one address are slow, and a process takes no more of them."""


def at_once(calls: Sequence[Callable[[], Result]]) -> list[Result]:
    """Make all calls at the same time, as far as one address may, and return their results, in order."""
    most = min(len(calls), AT_ONCE)
    barrier = Barrier(most)

    def call(number: int, made: Callable[[], Result]) -> Result:
        if number < most:
            barrier.wait()
        return made()

    with ThreadPoolExecutor(most) as pool:
        return list(pool.map(call, range(len(calls)), calls))


def allow(harness: FaultHarness, *, free: int) -> httpx.Response:
    """Save plan limits."""
    body = {"proUnlimited": False, "proMonthlyLimit": 100_000, "freeMonthlyLimit": free}
    return harness.product.admin().post("/api/admin/plan-limits", json=body)


@pytest.fixture
def reader(harness: FaultHarness) -> Person:
    """A new user."""
    return harness.reader()


@pytest.fixture
def limits(harness: FaultHarness) -> Callable[[int], None]:
    """Set the monthly limit of free users; it is reset afterwards."""

    def save(free: int) -> None:
        assert allow(harness, free=free).status_code == 200

    return save


def test_sixty_starts_at_once_share_exactly_ten_units(
    harness: FaultHarness, reader: Person, limits: Callable[[int], None]
) -> None:
    limits(10)
    answers = at_once([lambda: reader.start()] * 60)
    limits(100_000)
    assert Counter(answer.status_code for answer in answers) == {202: 10, 402: 50}
    started = [answer.json()["generationId"] for answer in answers if answer.status_code == 202]
    assert set(harness.ended(reader, started).values()) == {"completed"}


def test_one_key_sent_thirty_times_at_once_is_one_job(harness: FaultHarness, reader: Person) -> None:
    key = uuid4().hex
    answers = at_once([lambda: reader.start(key=key)] * 30)
    assert {answer.status_code for answer in answers} == {202}
    (generation_id,) = {answer.json()["generationId"] for answer in answers}
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
    assert harness.ended(reader, [generation_id]) == {generation_id: "completed"}
    assert len(harness.product.sql("SELECT id FROM generation WHERE user_id = :id", id=reader.id)) == 1


def test_cancelling_at_the_moment_of_success_has_one_outcome(harness: FaultHarness, reader: Person) -> None:
    product, title = harness.product, uuid4().hex
    product.stub.holds()
    started = [reader.generate(title=title) for _ in range(16)]
    product.stub.called(title, 2)
    with ThreadPoolExecutor(1) as releasing:
        releasing.submit(product.stub.releases)
        answers = at_once([partial(reader.delete, f"/api/generations/{job}") for job in started])
    assert {answer.status_code for answer in answers} == {200}
    ends = harness.ended(reader, started)
    told = {answer.json()["id"]: answer.json()["status"] for answer in answers}
    assert ends == told, "what the cancellation was answered is how it ended"
    assert set(ends.values()) <= {"completed", "canceled"}
    for generation_id, end in ends.items():
        wanted = 3 if end == "completed" else 0
        wait_until(lambda: len(harness.files(generation_id)) == wanted, "files of covers only")  # noqa: B023  # waits here


def test_limits_lowered_amid_reservations_hold_from_then_on(
    harness: FaultHarness, reader: Person, limits: Callable[[int], None]
) -> None:
    limits(30)
    answers = at_once([lambda: reader.start()] * 20 + [lambda: allow(harness, free=8)] + [lambda: reader.start()] * 20)
    assert answers[20].status_code == 200
    later = reader.start().status_code
    limits(100_000)
    starts = answers[:20] + answers[21:]
    assert {answer.status_code for answer in starts} <= {202, 402}
    started = [answer.json()["generationId"] for answer in starts if answer.status_code == 202]
    assert 8 <= len(started) <= 30
    assert later == 402
    assert set(harness.ended(reader, started).values()) == {"completed"}


def test_deleting_and_restoring_a_cover_at_once_leaves_one_cover(harness: FaultHarness, reader: Person) -> None:
    cover = reader.cover()
    path = f"/api/covers/{cover['id']}"
    answers = at_once([lambda: reader.delete(path), lambda: reader.post(f"{path}/restore")] * 15)
    assert {answer.status_code for answer in answers[::2]} <= {204, 404}
    assert {answer.status_code for answer in answers[1::2]} == {200}
    assert reader.get("/api/covers").json() in ([], [cover])
    assert reader.post(f"{path}/restore").json() == cover
    assert reader.get("/api/covers").json() == [cover]
    assert reader.used() == 1
    assert reader.get(cover["imageUrl"]).status_code == 200
