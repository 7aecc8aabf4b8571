"""Without the queue server everything is slower and nothing is lost."""

import signal
from collections.abc import Iterator
from typing import Final

import httpx
import pytest

from tests.faults.conftest import LEASE_S, SWEEP_S
from tests.product import PASSWORD
from tests.running_product import RunningProduct
from tests.support.processes import free_port

pytestmark = pytest.mark.fault

ANSWERED_S: Final = 3.0


@pytest.fixture(scope="module")
def deaf(alone: None) -> Iterator[RunningProduct]:
    """A product whose queue server is never reachable."""
    deaf = RunningProduct(
        lease_s=LEASE_S, sweep_s=SWEEP_S, env={"COVERWRIGHT_REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    )
    yield deaf.start()
    deaf.close()


def test_without_a_queue_server_the_site_is_ready_but_slower(deaf: RunningProduct) -> None:
    answer = deaf.visitor().get("/readyz")
    assert answer.status_code == 200 and answer.json()["degraded"] == ["queue"]
    assert deaf.visitor().get("/healthz").status_code == 200


def test_people_register_and_sign_in(deaf: RunningProduct) -> None:
    email = deaf.user().user["email"]
    visitor = deaf.visitor()
    visitor.sign_in(email, PASSWORD)
    assert visitor.get("/api/auth/user").json()["email"] == email


def test_passwords_are_still_not_guessed_without_end(deaf: RunningProduct) -> None:
    email, visitor = deaf.user().user["email"], deaf.visitor()
    answers = [
        visitor.post("/api/auth/sign-in", json={"email": email, "password": f"guess number {guess}"}).status_code
        for guess in range(12)
    ]
    assert set(answers) == {401, 429} and answers == sorted(answers)


def test_covers_are_made_one_after_the_other(deaf: RunningProduct) -> None:
    reader = deaf.user()
    generation_ids = [reader.generate() for _ in range(3)]
    assert {reader.finished(generation_id)["status"] for generation_id in generation_ids} == {"completed"}
    assert len(reader.get("/api/covers").json()) == reader.used() == 3
    assert deaf.doctor() == ""


def test_a_cover_can_be_cancelled(deaf: RunningProduct) -> None:
    reader = deaf.user()
    deaf.stub.holds()
    generation_id = reader.generate(title=reader.user["email"])
    deaf.stub.called(reader.user["email"])
    assert reader.delete(f"/api/generations/{generation_id}").json()["status"] == "canceled"
    deaf.stub.releases()
    reader.cover()
    assert reader.used() == 1
    assert deaf.doctor() == ""


@pytest.fixture
def stopped(alone: None) -> Iterator[RunningProduct]:
    """A product whose queue server stands still: it takes connections, and answers nothing."""
    product = RunningProduct(lease_s=LEASE_S, sweep_s=SWEEP_S).start()
    product.signal("valkey", signal.SIGSTOP)
    try:
        yield product
    finally:
        product.signal("valkey", signal.SIGCONT)
        product.close()


def test_nobody_waits_for_a_queue_server_that_stands_still(stopped: RunningProduct) -> None:
    said = len(stopped.log.read_text())
    email = stopped.user().user["email"]
    visitor = stopped.visitor()
    visitor.timeout = httpx.Timeout(ANSWERED_S)
    visitor.sign_in(email, PASSWORD)
    assert visitor.get("/api/covers").json() == []
    assert visitor.get("/readyz").json()["degraded"] == ["queue"]
    assert visitor.finished(visitor.generate())["status"] == "completed"
    with visitor.stream("GET", f"/api/generation-events/{visitor.generate()}") as events:
        assert next(events.iter_text()).startswith("event: status")
    lines = stopped.log.read_text()[said:].splitlines()
    assert 1 <= sum("queue server out of reach" in line for line in lines) <= 2, "one line of web, one of the worker"


def test_limits_hold_when_the_queue_server_stops(stopped: RunningProduct) -> None:
    stopped.signal("valkey", signal.SIGCONT)
    email, visitor = stopped.user().user["email"], stopped.visitor()

    def guess() -> int:
        return visitor.post("/api/auth/sign-in", json={"email": email, "password": "not this one"}).status_code

    before = [guess() for _ in range(6)]
    stopped.signal("valkey", signal.SIGSTOP)
    after = [guess() for _ in range(6)]
    assert set(before) == {401} and after == sorted(after) and set(after) == {401, 429}
