"""Without the queue server everything is slower and nothing is lost."""

from collections.abc import Iterator

import pytest

from tests.faults.conftest import LEASE_S, SWEEP_S
from tests.product import PASSWORD
from tests.running_product import RunningProduct
from tests.support.processes import free_port

pytestmark = pytest.mark.fault


@pytest.fixture(scope="module")
def deaf(alone: None) -> Iterator[RunningProduct]:
    """A product whose queue server is never reachable."""
    deaf = RunningProduct(
        lease_s=LEASE_S, sweep_s=SWEEP_S, env={"COVERWRIGHT_REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    )
    yield deaf.start()
    deaf.close()


def test_without_a_queue_server_readyz_fails_and_healthz_answers(deaf: RunningProduct) -> None:
    answer = deaf.visitor().get("/readyz")
    assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0
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
