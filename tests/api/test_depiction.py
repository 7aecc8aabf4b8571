"""What a cover will show: read from the words, seen and changed before it is drawn, kept with it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.person import Person, fault
from tests.product import Product
from tests.stub_image.control import Stub
from tests.stub_services import SIZE, drawn_by
from tests.support.databases import BACKENDS, Databases

FOX = {"kind": "subject", "id": "fox", "label": "fox", "count": 1, "color": "red"}
MOONS = {"kind": "subject", "id": "moon", "label": "", "count": 4, "color": ""}


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Stub:
    return Stub(tmp_path_factory.mktemp("artist") / "control")


@pytest.fixture(scope="module", params=BACKENDS)
def drawn(request: pytest.FixtureRequest, databases: Databases, stub: Stub) -> Iterator[Product]:
    """A product whose first service says what it draws, and whose second does not."""
    with drawn_by({"artist": {"depicts": True}, "other": {}}, databases, stub, request.param) as product:
        yield product


@pytest.fixture
def ada(drawn: Product) -> Person:
    return drawn.user()


def depiction(person: Person, **words: Any) -> dict[str, Any]:
    answer = person.post("/api/depiction", json=words)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_what_the_words_name_is_told_in_the_readers_language(ada: Person) -> None:
    assert ada.get("/api/capabilities").json()["image"]["depicts"] is True
    ada.post("/api/set-language", json={"language": "fr"})
    found = depiction(ada, prompt="4 moons over a dragon", title="The Fox")
    assert [(one["id"], one["count"], one["label"]) for one in found["elements"]] == [
        ("fox", 1, "fox (fr)"),
        ("moon", 4, "moon (fr)"),
    ]
    assert found["missing"] == [{"word": "dragon", "nearest": FOX | {"color": ""}}]
    assert depiction(ada) == {"elements": [], "missing": []}
    assert [one["id"] for one in ada.get("/api/depiction/elements", params={"text": "OO"}).json()] == ["moon"]
    assert len(ada.get("/api/depiction/elements").json()) == 4


def test_what_was_chosen_is_drawn_kept_and_drawn_again(ada: Person, stub: Stub) -> None:
    ada.subscribe()
    chosen = ada.cover(prompt="an owl", title="Chosen", elements=[FOX, MOONS], **SIZE)
    details = ada.get(f"/api/covers/{chosen['id']}/details").json()
    assert stub.calls("Chosen")[-1]["elements"] == ["fox", "moon"]
    assert details["elements"] == details["madeElements"] == [FOX, MOONS]
    answer = ada.post(f"/api/generations/{details['generationId']}/retry", json={})
    ada.finished(answer.json()["generationId"])
    assert ada.get("/api/generations").json()[0]["elements"] == [FOX, MOONS]
    assert [call["elements"] for call in stub.calls("Chosen")[-2:]] == [["fox", "moon"]] * 2
    nothing = ada.cover(prompt="an owl", title="Nothing", elements=[], **SIZE)
    assert stub.calls("Nothing")[-1]["elements"] == []
    assert ada.get(f"/api/covers/{nothing['id']}/details").json()["madeElements"] == []
    read = ada.cover(prompt="an owl", title="Read", **SIZE)
    assert stub.calls("Read")[-1]["elements"] is None
    assert ada.get(f"/api/covers/{read['id']}/details").json()["elements"] is None


def test_bad_elements_are_refused_at_their_fields(ada: Person) -> None:
    for change in ({"kind": "smell"}, {"count": 13}, {"id": "Red Fox"}, {"color": "mauve"}, {"label": "a\nb"}):
        answer = ada.start(elements=[FOX, FOX | change], **SIZE)
        assert answer.status_code == 422, change
        assert set(fault(answer)["fields"]) == {"elements"}
    assert ada.start(elements=[FOX] * 17, **SIZE).status_code == 422
    assert ada.post("/api/depiction", json={"prompt": "p" * 501}).status_code == 422


def test_a_service_that_does_not_say_finds_nothing(databases: Databases, stub: Stub) -> None:
    with drawn_by({"other": {}, "artist": {"depicts": True}}, databases, stub) as product:
        person = product.user()
        assert person.get("/api/capabilities").json()["image"]["depicts"] is False
        assert depiction(person, prompt="a fox") == {"elements": [], "missing": []}
        assert person.get("/api/depiction/elements", params={"text": "fox"}).json() == []
