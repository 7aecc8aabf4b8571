"""The prompt history: past requests, running one again, and how a cover was made."""

from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import Limits
from tests.person import SMALL, Person, fault, next_page
from tests.product import Product
from tests.support.drawings import base64_of, picture

LINE = {
    "id",
    "batchId",
    "status",
    "prompt",
    "title",
    "author",
    "genre",
    "subtitle",
    "series",
    "number",
    "tagline",
    "letteringStyle",
    "elements",
    "refinedCoverId",
    "dimensions",
    "customWidth",
    "customHeight",
    "themeId",
    "themeName",
    "referenceCount",
    "provider",
    "model",
    "seed",
    "createdAt",
    "finishedAt",
    "error",
    "errorCode",
    "cover",
}
DETAILS = {
    "cover",
    "generationId",
    "batchId",
    "letteringStyle",
    "elements",
    "madeElements",
    "prompt",
    "composedPrompt",
    "provider",
    "model",
    "seed",
    "dimensions",
    "customWidth",
    "customHeight",
    "width",
    "height",
    "nativeWidth",
    "nativeHeight",
    "themeName",
    "referenceCount",
    "durationMs",
    "createdAt",
}


def history(person: Person, **query: Any) -> list[dict[str, Any]]:
    answer = person.get("/api/generations", params=query)
    assert answer.status_code == 200, answer.text
    lines: list[dict[str, Any]] = answer.json()
    return lines


def again(person: Person, generation_id: str, **body: Any) -> list[str]:
    answer = person.post(f"/api/generations/{generation_id}/retry", json=body)
    assert answer.status_code == 202, answer.text
    ids: list[str] = answer.json()["generationIds"]
    for one in ids:
        person.finished(one)
    return ids


def with_references(person: Person, **fields: Any) -> str:
    body = {"prompt": "a lighthouse", "title": "The Light", "dimensions": SMALL} | fields
    answer = person.post("/api/generate-cover-with-references", json=body)
    assert answer.status_code == 202, answer.text
    generation_id = str(answer.json()["generationId"])
    assert person.finished(generation_id)["status"] == "completed"
    return generation_id


def theme_of(person: Person) -> int:
    body = {"name": "Harbours", "colors": ["#112233"], "stylePrompt": "linocut"}
    return int(person.post("/api/themes", json=body).json()["id"])


def test_a_line_says_what_was_asked_for_and_what_came_of_it(ada: Person) -> None:
    theme = theme_of(ada)
    words = {"prompt": "A fox at sea", "title": "Fox", "author": "A. Reed", "genre": "Fable"}
    custom = {"dimensions": "custom", "customWidth": 5.25, "customHeight": 8}
    cover = ada.cover(**words, **custom, themeId=theme, seed=42)
    (line,) = history(ada)
    assert set(line) == LINE
    expected = words | custom | {"themeId": theme, "themeName": "Harbours", "seed": 42, "referenceCount": 0}
    assert {name: line[name] for name in expected} == expected
    assert line["status"] == "completed" and line["provider"] == "Stub" and line["model"]
    assert line["createdAt"] <= line["finishedAt"] and line["batchId"] == line["id"]
    assert line["cover"] == cover and line["error"] is None


def test_the_newest_stands_first_and_pages_follow_without_gap(ada: Person) -> None:
    ids = [ada.generate(title=f"{number}") for number in range(4)]
    seen: list[str] = []
    address: str | None = "/api/generations?limit=2"
    while address:
        answer = ada.get(address)
        seen += [line["id"] for line in answer.json()]
        address = next_page(answer)
    assert seen == ids[::-1]
    for generation_id in ids:
        ada.finished(generation_id)


def test_prompts_titles_and_authors_are_searched_without_case_in_every_script(ada: Person) -> None:
    wanted = ada.generate(prompt="Ein STRASSENKÖTER am Hafen", title="Полночь", author="Mo 100%")
    other = ada.generate(prompt="a fox", title="Fox", author="")
    for word in ("strassenköter", "ПОЛНОЧЬ", "100%", "straßenköter"):
        assert [line["id"] for line in history(ada, search=word)] == [wanted], word
    assert history(ada, search="1%0") == [] and history(ada, search="_") == []
    assert [line["id"] for line in history(ada, search="FOX")] == [other]
    for generation_id in (wanted, other):
        ada.finished(generation_id)


def test_a_failed_generation_says_why(unreliable: Product, ada: Person) -> None:
    unreliable.stub.does("refused")
    ada.finished(ada.generate())
    (line,) = history(ada)
    assert line["status"] == "failed" and line["errorCode"] == "content_refused" and line["cover"] is None
    assert line["error"].startswith("The image service declined this description.")


def test_a_cover_in_the_bin_leaves_its_line(ada: Person) -> None:
    cover = ada.cover()
    assert ada.delete(f"/api/covers/{cover['id']}").status_code == 204
    (line,) = history(ada)
    assert line["status"] == "completed" and line["cover"] is None


@pytest.mark.parametrize("cursor", ["nonsense", "YQ", "%00"])
def test_a_foreign_cursor_is_refused(ada: Person, cursor: str) -> None:
    answer = ada.get("/api/generations", params={"cursor": cursor})
    assert answer.status_code == 422 and "cursor" in fault(answer)["fields"]


def test_the_history_is_ones_own(ada: Person, bob: Person) -> None:
    generation_id = bob.generate()
    bob.finished(generation_id)
    assert history(ada) == []
    assert ada.post(f"/api/generations/{generation_id}/retry", json={}).status_code == 404


def test_running_again_asks_for_the_same_with_another_seed(product: Product, ada: Person) -> None:
    theme, title = theme_of(ada), uuid4().hex
    asked = {"prompt": "A fox", "title": title, "author": "A. Reed", "genre": "Fable", "themeId": theme}
    first = ada.generate(**asked, dimensions="custom", customWidth=4.3333, customHeight=6)
    ada.finished(first)
    (second,) = again(ada, first)
    lines = {line["id"]: line for line in history(ada)}
    same = ("prompt", "title", "author", "genre", "themeId", "dimensions", "customWidth", "customHeight")
    assert {name: lines[first][name] for name in same} == {name: lines[second][name] for name in same}
    assert lines[first]["seed"] != lines[second]["seed"]
    assert len({call["prompt"] for call in product.stub.calls(title)}) == 1
    assert ada.used() == 2


def test_running_again_can_keep_the_seed_and_make_several(ada: Person) -> None:
    first = ada.generate(seed=11)
    ada.finished(first)
    ids = again(ada, first, count=3, keepSeed=True)
    seeds = {line["id"]: line["seed"] for line in history(ada)}
    assert [seeds[one] for one in ids] == [11, 12, 13]
    assert {line["batchId"] for line in history(ada)} == {first, ids[0]}


def test_a_failed_one_can_be_run_again(unreliable: Product, ada: Person) -> None:
    unreliable.stub.does("refused", "ok")
    first = ada.generate()
    assert ada.finished(first)["status"] == "failed"
    (second,) = again(ada, first)
    assert ada.status(second)["status"] == "completed"


def test_running_again_does_without_a_theme_that_is_gone(ada: Person) -> None:
    theme = theme_of(ada)
    first = ada.generate(themeId=theme)
    ada.finished(first)
    assert ada.delete(f"/api/themes/{theme}").status_code in (200, 204)
    (second,) = again(ada, first)
    assert ada.status(second)["status"] == "completed"


def test_running_again_after_ones_own_covers_uses_them_again(product: Product, ada: Person) -> None:
    mine, title = ada.cover(), uuid4().hex
    first = with_references(ada, title=title, referenceImageIds=[mine["id"]], themeStylePrompt="linocut")
    again(ada, first)
    assert [call["references"] for call in product.stub.calls(title)] == [1, 1]
    assert [call["style"] for call in product.stub.calls(title)] == ["linocut", "linocut"]


def test_running_again_is_refused_when_the_references_are_gone(ada: Person) -> None:
    mine = ada.cover()
    upload = {"id": "1", "name": "a.png", "base64": base64_of(picture())}
    uploaded = with_references(ada, uploadedImages=[upload], referenceImageIds=[mine["id"]])
    chosen = with_references(ada, referenceImageIds=[mine["id"]])
    ada.delete(f"/api/covers/{mine['id']}")
    used = ada.used()
    for generation_id in (uploaded, chosen):
        answer = ada.post(f"/api/generations/{generation_id}/retry", json={})
        assert answer.status_code == 422 and fault(answer)["code"] == "references_gone"
    assert ada.used() == used


def test_running_again_keeps_to_the_limit(ada: Person, limits: Limits) -> None:
    limits(free=1, pro=15)
    generation_id = ada.generate()
    ada.finished(generation_id)
    answer = ada.post(f"/api/generations/{generation_id}/retry", json={})
    assert answer.status_code == 402 and fault(answer)["message"] == "Upgrade to Pro for 15 generations."


def test_retrying_twice_with_one_key_starts_one_job(ada: Person) -> None:
    generation_id = ada.generate()
    key = {"idempotency-key": uuid4().hex}
    path = f"/api/generations/{generation_id}/retry"
    first, second = (ada.post(path, json={"count": 2}, headers=key) for _ in range(2))
    assert second.json() == first.json() and second.headers["idempotent-replayed"] == "true"
    for one in [generation_id, *first.json()["generationIds"]]:
        ada.finished(one)
    assert ada.used() == 3


def test_details_say_how_a_cover_was_made(product: Product, ada: Person) -> None:
    theme, title = theme_of(ada), uuid4().hex
    generation_id = ada.generate(prompt="A fox", title=title, themeId=theme, seed=5, dimensions="6x9")
    cover = ada.finished(generation_id)["result"]
    details = ada.get(f"/api/covers/{cover['id']}/details").json()
    assert set(details) == DETAILS
    assert details["cover"] == cover and details["generationId"] == details["batchId"] == generation_id
    assert details["prompt"] == "A fox" and details["seed"] == 5 and details["themeName"] == "Harbours"
    (call,) = product.stub.calls(title)
    assert details["composedPrompt"] == call["prompt"] and "linocut" in call["prompt"]
    assert (details["width"], details["height"]) == (1800, 2700)
    assert f"{details['nativeWidth']}x{details['nativeHeight']}" == call["size"]
    assert details["durationMs"] > 0 and details["referenceCount"] == 0


def test_details_of_another_users_cover_or_one_in_the_bin_do_not_exist(ada: Person, bob: Person) -> None:
    cover = bob.cover()
    path = f"/api/covers/{cover['id']}/details"
    assert ada.get(path).status_code == 404
    bob.delete(f"/api/covers/{cover['id']}")
    assert bob.get(path).status_code == 404
