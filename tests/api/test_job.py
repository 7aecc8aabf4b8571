"""A running generation: its events, the queue, and canceling."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from tests.person import TERMINAL, Person, fault
from tests.product import Product

FIELDS = {
    "id",
    "batchId",
    "status",
    "phase",
    "progress",
    "queuePosition",
    "elapsedMs",
    "expectedMs",
    "provider",
    "preview",
    "result",
    "error",
    "errorCode",
}


def test_the_event_stream_reports_every_phase(product: Product, ada: Person) -> None:
    product.stub.holds()
    title = uuid4().hex
    generation_id = ada.generate(title=title)
    told = []
    for status in ada.events(generation_id):
        assert set(status) == FIELDS
        told.append(status)
        if status["phase"] == "drawing":
            product.stub.releases()
    phases = [status["phase"] for status in told]
    assert phases == sorted(phases, key=["queued", "preparing", "drawing", "saving", "done"].index)
    assert {"drawing", "done"} <= set(phases)
    assert [status["status"] for status in told if status["status"] in TERMINAL] == ["completed"]
    last = told[-1]
    assert last["provider"] == "Stub" and last["result"]["title"] == title
    assert [status["elapsedMs"] for status in told] == sorted(status["elapsedMs"] for status in told)
    assert ada.status(generation_id) == last, "an ended job does not change any more"


def test_who_comes_late_is_told_the_end_at_once(ada: Person) -> None:
    generation_id = ada.generate()
    last = ada.finished(generation_id)
    assert list(ada.events(generation_id)) == [last]


def test_waiting_jobs_know_their_place_in_the_queue(ada: Person, pause: Callable[[], None]) -> None:
    ids = [ada.generate(title=f"{number}") for number in range(3)]
    waiting = [ada.status(generation_id) for generation_id in ids]
    assert [status["queuePosition"] for status in waiting] == [1, 2, 3]
    assert {status["status"] for status in waiting} == {"pending"}
    assert {status["phase"] for status in waiting} == {"queued"}
    pause()
    for generation_id in ids:
        assert ada.finished(generation_id)["queuePosition"] is None


def test_who_waits_at_the_vendors_knows_the_place_in_its_queue(product: Product, ada: Person) -> None:
    product.stub.holds()
    product.stub.does("queue:4")
    generation_id = ada.generate()
    places = []
    for status in ada.events(generation_id):
        places.append((status["status"], status["phase"], status["queuePosition"]))
        if status["phase"] == "queued" and status["status"] == "processing":
            product.stub.releases()
    assert ("processing", "queued", 4) in places
    assert places[-1] == ("completed", "done", None)


def test_a_waiting_job_can_be_cancelled_before_anybody_works_on_it(
    product: Product, ada: Person, pause: Callable[[], None]
) -> None:
    title = uuid4().hex
    generation_id = ada.generate(title=title)
    assert ada.delete(f"/api/generations/{generation_id}").json()["status"] == "canceled"
    pause()
    ada.cover()
    assert product.stub.calls(title) == []
    assert ada.status(generation_id)["status"] == "canceled"


def test_a_running_job_can_be_cancelled_and_leaves_nothing(product: Product, ada: Person) -> None:
    product.stub.holds()
    title = uuid4().hex
    generation_id = ada.generate(title=title)
    product.stub.called(title)
    canceled = ada.delete(f"/api/generations/{generation_id}")
    assert canceled.status_code == 200 and canceled.json()["status"] == "canceled"
    assert canceled.json()["result"] is None and canceled.json()["error"] is None
    assert ada.used() == 0
    product.stub.releases()
    cover = ada.cover()
    assert ada.get("/api/covers").json() == [cover]
    assert ada.status(generation_id)["status"] == "canceled"


def test_followers_hear_of_a_cancellation(product: Product, ada: Person) -> None:
    product.stub.holds()
    generation_id = ada.generate()
    told = []
    for status in ada.events(generation_id):
        told.append(status["status"])
        if status["phase"] == "drawing":
            ada.delete(f"/api/generations/{generation_id}")
    assert told[-1] == "canceled"


def test_cancelling_what_has_ended_changes_nothing(ada: Person) -> None:
    generation_id = ada.generate()
    done = ada.finished(generation_id)
    answer = ada.delete(f"/api/generations/{generation_id}")
    assert answer.status_code == 200 and answer.json() == done
    assert ada.used() == 1


def test_more_jobs_at_once_than_one_user_may_have_are_refused(
    product: Product, ada: Person, bob: Person, pause: Callable[[], None]
) -> None:
    ids = [ada.generate() for _ in range(6)]
    answer = ada.start()
    assert answer.status_code == 429 and int(answer.headers["retry-after"]) > 0
    assert fault(answer)["code"] == "too_many_in_flight"
    assert ada.used() == 6, "what was refused is not counted"
    waiting = bob.generate()
    for person, generation_id in [*((ada, generation_id) for generation_id in ids), (bob, waiting)]:
        person.delete(f"/api/generations/{generation_id}")
    again = ada.generate()
    pause()
    assert ada.finished(again)["status"] == "completed"


@pytest.mark.parametrize("method", ["GET", "DELETE", "EVENTS"])
def test_another_users_generation_does_not_exist(ada: Person, bob: Person, visitor: Person, method: str) -> None:
    generation_id = bob.generate()
    bob.finished(generation_id)
    path = {
        "GET": "/api/generation-status/{}",
        "DELETE": "/api/generations/{}",
        "EVENTS": "/api/generation-events/{}",
    }[method]
    verb = "DELETE" if method == "DELETE" else "GET"
    theirs = ada.request(verb, path.format(generation_id))
    nobodys = ada.request(verb, path.format("01890000-0000-7000-8000-000000000000"))
    assert theirs.status_code == nobodys.status_code == 404
    assert fault(theirs)["message"] == fault(nobodys)["message"]
    assert ada.request(verb, path.format("not-an-id")).status_code == 404
    assert visitor.request(verb, path.format(generation_id)).status_code == 401
    assert bob.status(generation_id)["status"] == "completed"
