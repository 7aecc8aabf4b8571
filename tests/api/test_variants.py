"""Several variants of one cover: accepted together or not at all, each a separate generation."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import Limits
from tests.person import SMALL, Person, fault
from tests.product import Product
from tests.support.drawings import base64_of, picture

MOST = 2**31 - 1


def variants(person: Person, count: int, **fields: Any) -> list[str]:
    """Request variants and return the ids of their generations."""
    answer = person.start(count=count, **fields)
    assert answer.status_code == 202, answer.text
    ids: list[str] = answer.json()["generationIds"]
    assert answer.json()["generationId"] == ids[0] and len(set(ids)) == count
    return ids


def test_every_variant_becomes_a_cover_and_takes_a_unit(ada: Person) -> None:
    ids = variants(ada, 4)
    ended = [ada.finished(generation_id) for generation_id in ids]
    assert [status["status"] for status in ended] == ["completed"] * 4
    assert {status["batchId"] for status in ended} == {ids[0]}
    assert {cover["id"] for cover in ada.get("/api/covers").json()} == {status["result"]["id"] for status in ended}
    assert len({status["result"]["imageUrl"].split("v=")[1] for status in ended}) == 4, "no two look the same"
    assert ada.used() == 4


def test_a_single_cover_is_its_own_batch(ada: Person) -> None:
    generation_id = ada.generate()
    assert ada.status(generation_id)["batchId"] == generation_id


def test_the_first_variant_has_the_wished_seed_and_each_next_one_the_next(product: Product, ada: Person) -> None:
    title = uuid4().hex
    ids = variants(ada, 3, title=title, seed=MOST - 1)
    for generation_id in ids:
        ada.finished(generation_id)
    seeds = {call["key"]: call["seed"] for call in product.stub.calls(title)}
    assert [seeds[generation_id] for generation_id in ids] == [MOST - 1, MOST, 0]


def test_the_same_seed_makes_the_same_picture(ada: Person) -> None:
    first, second = (ada.cover(seed=7)["imageUrl"].split("v=")[1] for _ in range(2))
    assert first == second


@pytest.mark.parametrize(("field", "value"), [("count", 0), ("count", 5), ("seed", -1), ("seed", MOST + 1)])
def test_numbers_out_of_bounds_are_refused(ada: Person, field: str, value: int) -> None:
    wish: dict[str, Any] = {field: value}
    answer = ada.start(**wish)
    assert answer.status_code == 422 and field in fault(answer)["fields"]
    assert ada.used() == 0


def test_what_one_request_may_ask_for_is_told(visitor: Person) -> None:
    assert visitor.get("/api/capabilities").json()["image"]["maxVariants"] == 4


@pytest.mark.parametrize(("left", "words"), [(1, "Only 1 generation is"), (2, "Only 2 generations are")])
def test_too_few_left_are_told_and_none_is_started(ada: Person, limits: Limits, left: int, words: str) -> None:
    limits(free=left)
    answer = ada.start(count=4)
    assert answer.status_code == 402
    assert fault(answer)["code"] == "too_few_left"
    assert fault(answer)["message"] == f"{words} left this month, and you asked for 4."
    assert ada.used() == 0 and ada.get("/api/generations").json() == []
    for generation_id in variants(ada, left):
        ada.finished(generation_id)
    assert ada.used() == left


def test_the_quota_message_is_the_specified_one(ada: Person, limits: Limits) -> None:
    limits(free=0, pro=15)
    answer = ada.start(count=2)
    assert answer.status_code == 402
    assert fault(answer)["code"] == "generation_limit_reached"
    assert fault(answer)["message"] == "Upgrade to Pro for 15 generations."


def test_more_than_may_be_under_way_are_refused_together(
    product: Product, ada: Person, pause: Callable[[], None]
) -> None:
    variants(ada, 4)
    answer = ada.start(count=3)
    assert answer.status_code == 429 and fault(answer)["code"] == "too_many_in_flight"
    assert ada.used() == 4
    assert len(variants(ada, 2)) == 2
    pause()


def test_a_repeated_key_answers_all_ids_again(ada: Person) -> None:
    key = uuid4().hex
    first = ada.start(key=key, count=3)
    again = ada.start(key=key, count=3)
    assert again.json() == first.json() and again.headers["idempotent-replayed"] == "true"
    other = ada.start(key=key, count=2)
    assert other.status_code == 422 and fault(other)["code"] == "idempotency_conflict"
    for generation_id in first.json()["generationIds"]:
        ada.finished(generation_id)
    assert ada.used() == 3


def test_one_variant_can_fail_while_the_others_are_made(product: Product, ada: Person) -> None:
    product.stub.does("refused", "ok")
    ids = variants(ada, 3)
    ends = sorted(ada.finished(generation_id)["status"] for generation_id in ids)
    assert ends == ["completed", "completed", "failed"]
    assert ada.used() == 2


def test_one_variant_can_be_cancelled_or_all(product: Product, ada: Person) -> None:
    product.stub.holds()
    ids = variants(ada, 3)
    assert ada.delete(f"/api/generations/{ids[1]}").json()["status"] == "canceled"
    assert [ada.status(one)["status"] == "canceled" for one in ids] == [False, True, False]
    assert ada.used() == 2
    for generation_id in (ids[0], ids[2]):
        ada.delete(f"/api/generations/{generation_id}")
    assert ada.used() == 0
    product.stub.releases()


def test_one_stream_tells_of_all_variants_until_all_have_ended(product: Product, ada: Person, bob: Person) -> None:
    product.stub.does("refused", "ok")
    ids = variants(ada, 3)
    ends = {}
    with ada.stream("GET", f"/api/generation-events/{ids[0]}", params={"also": ids[1:]}, timeout=60) as answer:
        for line in answer.iter_lines():
            if line.startswith("data:"):
                status = json.loads(line.removeprefix("data:"))
                ends[status["id"]] = status["status"]
    assert sorted(ends) == sorted(ids)
    assert sorted(ends.values()) == ["completed", "completed", "failed"]
    theirs = bob.generate()
    assert ada.get(f"/api/generation-events/{ids[0]}", params={"also": [theirs]}).status_code == 404
    assert ada.get(f"/api/generation-events/{ids[0]}", params={"also": [ids[0]] * 8}).status_code == 422
    bob.finished(theirs)


def test_every_variant_gets_the_references(product: Product, ada: Person) -> None:
    title = uuid4().hex
    body = {
        "prompt": "a lighthouse",
        "title": title,
        "dimensions": SMALL,
        "uploadedImages": [{"id": "1", "name": "a.png", "base64": base64_of(picture())}],
        "count": 2,
    }
    answer = ada.post("/api/generate-cover-with-references", json=body)
    assert answer.status_code == 202, answer.text
    for generation_id in answer.json()["generationIds"]:
        assert ada.finished(generation_id)["status"] == "completed"
    assert [call["references"] for call in product.stub.calls(title)] == [1, 1]


def test_a_theme_counts_every_variant(ada: Person) -> None:
    body = {"name": "Harbours", "colors": ["#112233"], "stylePrompt": "linocut"}
    theme = ada.post("/api/themes", json=body).json()["id"]
    for generation_id in variants(ada, 2, themeId=theme):
        ada.finished(generation_id)
    assert ada.get(f"/api/themes/{theme}").json()["usageCount"] == 2


def test_batches_keep_the_promises_of_the_ledger(product: Product, ada: Person) -> None:
    for generation_id in variants(ada, 3):
        ada.finished(generation_id)
    found = product.sql(
        "SELECT e.state AS state FROM quota_entry e JOIN generation g ON g.id = e.generation_id WHERE g.user_id = :id",
        id=ada.id,
    )
    assert [row["state"] for row in found] == ["committed"] * 3
    assert product.doctor() == ""
