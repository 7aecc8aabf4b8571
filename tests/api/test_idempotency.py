"""The Idempotency-Key: one click is one cover, however often it is sent."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from tests.person import Person, fault


def test_the_same_key_sent_many_times_at_once_makes_one_cover(ada: Person) -> None:
    key = uuid4().hex
    with ThreadPoolExecutor(30) as pool:
        answers = list(pool.map(lambda _: ada.start(key=key), range(30)))
    assert {answer.status_code for answer in answers} == {202}
    ids = {answer.json()["generationId"] for answer in answers}
    assert len(ids) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
    assert ada.finished(ids.pop())["status"] == "completed"
    assert ada.used() == 1 and len(ada.get("/api/covers").json()) == 1


def test_a_replay_says_so_even_when_the_cover_is_finished(ada: Person) -> None:
    key = uuid4().hex
    first = ada.start(key=key)
    ada.finished(first.json()["generationId"])
    again = ada.start(key=key)
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true" and "idempotent-replayed" not in first.headers


def test_the_same_key_with_another_request_is_refused(ada: Person) -> None:
    key = uuid4().hex
    generation_id = ada.generate(key=key)
    answer = ada.start(key=key, title="Another")
    assert answer.status_code == 422 and fault(answer)["code"] == "idempotency_conflict"
    assert ada.finished(generation_id)["status"] == "completed" and ada.used() == 1


def test_a_refused_request_does_not_use_up_its_key(ada: Person) -> None:
    key = uuid4().hex
    assert ada.start(key=key, prompt=" ").status_code == 422
    assert ada.finished(ada.generate(key=key))["status"] == "completed"


def test_keys_of_different_users_have_nothing_to_do_with_each_other(ada: Person, bob: Person) -> None:
    key = uuid4().hex
    assert ada.generate(key=key) != bob.generate(key=key)


@pytest.mark.parametrize("key", ["x" * 256, "x" * 4000])
def test_a_key_that_is_too_long_is_refused(ada: Person, key: str) -> None:
    answer = ada.start(key=key)
    assert answer.status_code == 422 and "Idempotency-Key" in fault(answer)["fields"]
