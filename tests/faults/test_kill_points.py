"""A process is killed at the worst moments of a cover's life: nothing is lost, nothing is counted twice."""

from uuid import uuid4

import httpx
import pytest

from tests.faults.conftest import Patient
from tests.person import Person
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

PROVIDER_CALLS = {
    "claimed": 1,
    "before_provider": 1,
    "after_provider": 2,
    "half_stored": 2,
    "stored": 2,
    "inside_settle": 2,
    "settled": 1,
}
"""Where a worker is killed → how often the image service is asked in all."""


@pytest.mark.parametrize("point", PROVIDER_CALLS)
def test_a_cover_survives_its_worker(patient: Patient, reader: Person, point: str) -> None:
    product = patient.product
    product.plant(point)
    title = uuid4().hex
    generation_id = reader.generate(title=title)
    product.struck(point)
    assert patient.ended(reader, [generation_id]) == {generation_id: "completed"}
    assert len(product.stub.calls(title)) == PROVIDER_CALLS[point]
    assert patient.row(generation_id)["attempts"] == (1 if point == "settled" else 2)


def test_a_worker_killed_in_every_try_ends_the_cover_at_no_cost(patient: Patient, reader: Person) -> None:
    patient.product.stub.does("crash")
    generation_id = reader.generate()
    assert reader.finished(generation_id)["errorCode"] == "attempts_exhausted"
    assert patient.ended(reader, [generation_id]) == {generation_id: "failed"}
    assert len([call for call in patient.product.stub.calls() if call["key"] == generation_id]) == 3
    patient.product.stub.does("ok")
    reader.cover()


@pytest.mark.parametrize(("point", "replayed"), [("before_accept_commit", False), ("accepted", True)])
def test_a_request_survives_the_web_server(patient: Patient, reader: Person, point: str, replayed: bool) -> None:
    product, key = patient.product, uuid4().hex
    with patient.prober.outage():
        product.plant(point)
        with pytest.raises(httpx.TransportError):
            reader.start(key=key)
        product.struck(point)

    def again() -> httpx.Response | None:
        try:
            return reader.start(key=key)
        except httpx.TransportError:
            return None

    answer = wait_until(again, "an answer", 20)
    assert answer is not None and answer.status_code == 202
    assert ("idempotent-replayed" in answer.headers) == replayed
    generation_id = answer.json()["generationId"]
    assert reader.generate(key=key) == generation_id
    assert patient.ended(reader, [generation_id]) == {generation_id: "completed"}
    assert len(product.sql("SELECT id FROM generation WHERE user_id = :id", id=reader.id)) == 1
