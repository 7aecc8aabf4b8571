"""How a cover's words will be set by a service that sets them itself, seen while they are typed."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from tests.person import Person, fault
from tests.product import Product
from tests.stub_image.control import Stub
from tests.stub_services import LETTERED, SAYING_HOW, SIZE, drawn_by
from tests.support.databases import Databases

BOOK: dict[str, Any] = {"prompt": "An owl", "title": "Salt", "author": "Ines Okafor", "seed": 4711, **SIZE}
SKETCHING = {name: {**settings, "sketches": True} for name, settings in SAYING_HOW.items()}


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Stub:
    return Stub(tmp_path_factory.mktemp("artist") / "control")


@pytest.fixture(scope="module")
def drawn(databases: Databases, stub: Stub) -> Iterator[Product]:
    with drawn_by(SKETCHING, databases, stub) as product:
        yield product


@pytest.fixture
def ada(drawn: Product) -> Person:
    person = drawn.user()
    person.subscribe()
    return person


def sketch(person: Person, **change: Any) -> Any:
    return person.post("/api/generate-cover/sketch", json=BOOK | change)


def test_what_was_seen_while_typing_is_what_the_cover_has(ada: Person) -> None:
    assert ada.get("/api/capabilities").json()["image"]["sketches"] is True
    answer = sketch(ada)
    assert answer.status_code == 200, answer.text
    seen = answer.json()
    assert seen["picture"].startswith("data:image/png;base64,") and "<path" in seen["svg"]
    cover = ada.cover(**BOOK)
    assert ada.get(f"/api/covers/{cover['id']}/lettering").json()["lettering"] == seen["lettering"]
    assert len(ada.get("/api/generations").json()) == 1, "a sketch is no generation"


def test_a_cover_after_others_is_seen_as_it_is_made(ada: Person, stub: Stub) -> None:
    """The next of a series: of its theme, and after its last cover."""
    first = ada.cover(**BOOK | {"seed": 1})
    theme = ada.post("/api/themes", json={"name": "Tides", "stylePrompt": "linocut"}).json()
    order = {"themeId": theme["id"], "themeStylePrompt": "woodcut", "referenceImageIds": [first["id"]]}
    plain, seen = sketch(ada).json(), sketch(ada, **order)
    assert seen.status_code == 200, seen.text
    assert seen.json()["picture"] != plain["picture"], "it was not made after the other"
    assert sketch(ada, **order).json() == seen.json()
    begun = ada.post("/api/generate-cover-with-references", json=BOOK | order)
    generation_id = begun.json()["generationId"]
    cover = ada.finished(generation_id)["result"]
    assert ada.get(f"/api/covers/{cover['id']}/lettering").json()["lettering"] == seen.json()["lettering"]

    (given,) = stub.given(generation_id)
    with Image.open(io.BytesIO(given)) as artwork:
        shades = artwork.convert("RGB").getextrema()
    assert all(highest - lowest < 8 for lowest, highest in shades), "the words of the first book were given along"


def test_nobody_sees_a_cover_after_those_of_others(ada: Person, drawn: Product) -> None:
    theirs = drawn.user().cover(**BOOK)["id"]
    assert sketch(ada, referenceImageIds=[theirs]).status_code == 404


def test_a_sketch_is_refused_as_the_request_would_be(ada: Person) -> None:
    assert sketch(ada, prompt="").status_code == 422
    answer = sketch(ada, title="T" * 101, letteringStyle="no such style")
    assert answer.status_code == 422 and "title" in fault(answer)["fields"]
    assert sketch(ada, themeId=2**40).status_code == 404


@pytest.mark.parametrize("change", [{"subtitle": "A novel"}, {"letteringStyle": "headline"}])
def test_words_that_our_press_sets_are_not_sketched_by_the_service(ada: Person, change: dict[str, str]) -> None:
    answer = sketch(ada, **change)
    assert answer.status_code == 422 and fault(answer)["code"] == "unsupported"


def test_a_service_that_fails_to_sketch_is_asked_later(ada: Person) -> None:
    answer = sketch(ada, prompt="sketch fails")
    assert answer.status_code == 503 and answer.headers["retry-after"]
    assert sketch(ada).status_code == 200


def test_words_that_are_painted_into_the_picture_are_seen_in_it(databases: Databases, stub: Stub) -> None:
    painting = {name: {**settings, "sketches": True} for name, settings in LETTERED.items()}
    with drawn_by(painting, databases, stub) as product:
        seen = sketch(product.user()).json()
        assert seen["lettering"] is None and seen["svg"] is None and seen["picture"]


def test_a_service_that_does_not_say_is_not_asked(databases: Databases, stub: Stub) -> None:
    with drawn_by(SAYING_HOW, databases, stub) as product:
        assert product.user().get("/api/capabilities").json()["image"]["sketches"] is False
        assert sketch(product.user()).status_code == 422
