"""A process is killed at the worst moments of a cover's life: nothing is lost, nothing is counted twice."""

from uuid import uuid4

import httpx
import pytest

from tests.faults.conftest import Patient
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

CALLS = {
    "claimed": 1,
    "before_provider": 1,
    "after_provider": 2,
    "half_stored": 2,
    "stored": 2,
    "inside_settle": 2,
    "settled": 1,
}
"""Where a worker is killed → how often the image service is asked in all."""
TRANSACTIONS = ("claimed", "inside_settle", "settled")


def survive_worker(patient: Patient, point: str) -> None:
    """Kill a worker at a point of one cover's life, and expect the cover."""
    product, reader, title = patient.product, patient.reader(), uuid4().hex
    product.plant(point)
    generation_id = reader.generate(title=title)
    product.struck(point)
    assert patient.ended(reader, [generation_id]) == {generation_id: "completed"}
    assert len(product.stub.calls(title)) == CALLS[point]
    assert patient.row(generation_id)["attempts"] == (1 if point == "settled" else 2)


@pytest.mark.parametrize("point", TRANSACTIONS)
def test_a_cover_survives_a_worker_killed_around_a_transaction(patient: Patient, point: str) -> None:
    survive_worker(patient, point)


@pytest.mark.parametrize("point", [point for point in CALLS if point not in TRANSACTIONS])
def test_a_cover_survives_a_worker_killed_while_making_it(small_patient: Patient, point: str) -> None:
    survive_worker(small_patient, point)


def test_a_worker_killed_in_every_try_ends_the_cover_at_no_cost(small_patient: Patient) -> None:
    patient, reader = small_patient, small_patient.reader()
    patient.product.stub.does("crash")
    generation_id = reader.generate()
    assert reader.finished(generation_id)["errorCode"] == "attempts_exhausted"
    assert patient.ended(reader, [generation_id]) == {generation_id: "failed"}
    assert len([call for call in patient.product.stub.calls() if call["key"] == generation_id]) == 3
    patient.product.stub.does("ok")
    reader.cover()


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("point", "replayed"), [("before_accept_commit", False), ("accepted", True)])
def test_a_request_survives_the_web_server(patient: Patient, point: str, replayed: bool, count: int) -> None:
    product, reader, key = patient.product, patient.reader(), uuid4().hex
    with patient.prober.outage():
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
    assert patient.ended(reader, ids) == dict.fromkeys(ids, "completed")
    assert len(product.sql("SELECT id FROM generation WHERE user_id = :id", id=reader.id)) == count
