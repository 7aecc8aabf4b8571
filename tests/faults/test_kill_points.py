"""A process is killed at the worst points of a cover's life: nothing is lost, nothing is counted twice."""

from uuid import uuid4

import httpx
import pytest

from tests.faults.conftest import FaultHarness
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

POINTS = ("claimed", "before_provider", "after_provider", "half_stored", "stored", "inside_settle", "settled")
"""Where a worker is killed. The image service is called once all the same: what it has made is kept."""
TRANSACTIONS = ("claimed", "inside_settle", "settled")


def survive_worker(harness: FaultHarness, point: str) -> None:
    """Kill a worker at a point of one cover's life, and expect the cover."""
    product, reader, title = harness.product, harness.reader(), uuid4().hex
    product.plant(point)
    generation_id = reader.generate(title=title)
    product.struck(point)
    assert harness.ended(reader, [generation_id]) == {generation_id: "completed"}
    assert len(product.stub.calls(title)) == 1
    assert harness.row(generation_id)["attempts"] == (1 if point == "settled" else 2)


@pytest.mark.parametrize("point", TRANSACTIONS)
def test_a_cover_survives_a_worker_killed_around_a_transaction(harness: FaultHarness, point: str) -> None:
    survive_worker(harness, point)


@pytest.mark.parametrize("point", [point for point in POINTS if point not in TRANSACTIONS])
def test_a_cover_survives_a_worker_killed_while_making_it(small_harness: FaultHarness, point: str) -> None:
    survive_worker(small_harness, point)


def test_a_refinement_survives_a_worker_killed_before_it_is_stored(small_harness: FaultHarness) -> None:
    product, reader = small_harness.product, small_harness.reader()
    cover = reader.cover()
    product.plant("stored")
    answer = reader.post(f"/api/covers/{cover['id']}/refine", json={"change": "darker", "version": 1})
    generation_id = answer.json()["generationId"]
    product.struck("stored")
    assert reader.finished(generation_id)["status"] == "completed" and reader.used() == 2
    assert len([call for call in product.stub.calls() if call["key"] == generation_id]) == 1
    assert reader.get(f"/api/covers/{cover['id']}/versions").json()["version"] == 2


def test_a_worker_killed_in_every_try_ends_the_cover_at_no_cost(small_harness: FaultHarness) -> None:
    harness, reader = small_harness, small_harness.reader()
    harness.product.stub.does("crash")
    generation_id = reader.generate()
    assert reader.finished(generation_id)["errorCode"] == "attempts_exhausted"
    assert harness.ended(reader, [generation_id]) == {generation_id: "failed"}
    assert len([call for call in harness.product.stub.calls() if call["key"] == generation_id]) == 3
    harness.product.stub.does("ok")
    reader.cover()


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("point", "replayed"), [("before_accept_commit", False), ("accepted", True)])
def test_a_request_survives_the_web_server(harness: FaultHarness, point: str, replayed: bool, count: int) -> None:
    product, reader, key = harness.product, harness.reader(), uuid4().hex
    with harness.prober.outage():
        product.plant(point)
        with pytest.raises(httpx.TransportError):
            reader.start(key=key, count=count)
        product.struck(point)

    def again() -> httpx.Response | None:
        try:
            return reader.start(key=key, count=count)
        except httpx.TransportError:
            return None

    answer = wait_until(again, "an answer", 20)
    assert answer is not None and answer.status_code == 202
    assert ("idempotent-replayed" in answer.headers) == replayed
    ids = answer.json()["generationIds"]
    assert len(ids) == count
    assert reader.start(key=key, count=count).json()["generationIds"] == ids
    assert harness.ended(reader, ids) == dict.fromkeys(ids, "completed")
    assert len(product.sql("SELECT id FROM generation WHERE user_id = :id", id=reader.id)) == count
