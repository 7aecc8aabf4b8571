"""Extending: an image service paints how a cover's picture goes on, over the spine and the back of a printed book."""

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest
from PIL import Image

from tests.api.test_books import put
from tests.api.test_lettering import picture as fetched
from tests.api.test_packs import PRINTED, make, opened, printable
from tests.api.test_refining import refined
from tests.person import Person, fault
from tests.product import Product
from tests.stub_image.control import Stub
from tests.stub_services import SIZE, UNLETTERED, drawn_by
from tests.support.databases import BACKENDS, Databases

WIDE: Final = {"painter": {"letters": False, "sizes": ["640x960", "1440x960"]}}
BOOK: Final = {"title": "Salt and Cedar", "author": "Ada Marlow", **SIZE}


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Stub:
    """The control of the service."""
    return Stub(tmp_path_factory.mktemp("painter") / "control")


@pytest.fixture(scope="module", params=BACKENDS)
def painted(request: pytest.FixtureRequest, databases: Databases, control: Stub) -> Iterator[Product]:
    """A product whose image service paints wide pictures, too."""
    with drawn_by(WIDE, databases, control, request.param) as product:
        yield product


@pytest.fixture
def stub(control: Stub) -> Stub:
    control.does("ok")
    return control


@pytest.fixture
def ada(painted: Product, stub: Stub) -> Person:
    return painted.user(pro=True)


def extensions(person: Person, cover_id: int) -> dict[str, Any]:
    answer = person.get(f"/api/covers/{cover_id}/extensions")
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def extended(person: Person, cover_id: int, side: str = "left", *, version: int = 1) -> str:
    """Let a cover's picture go on beyond a side and return the generation's id."""
    answer = person.post(f"/api/covers/{cover_id}/extensions", json={"side": side, "version": version})
    assert answer.status_code == 202, answer.text
    generation_id = str(answer.json()["generationId"])
    status = person.finished(generation_id)
    assert status["status"] == "completed" and status["result"]["id"] == cover_id, status
    return generation_id


def preview(person: Person, book: dict[str, Any]) -> Image.Image:
    """Return the whole cover of the paperback as it is shown."""
    answer = person.get(f"/api/books/{book['id']}/editions/{PRINTED}/preview", params={"width": 800})
    assert answer.status_code == 200, answer.text
    return Image.open(io.BytesIO(base64.b64decode(answer.json()["picture"].partition(",")[2])))


def test_the_service_is_given_the_picture_on_a_wide_canvas_and_a_mask_of_the_rest(stub: Stub, ada: Person) -> None:
    cover = ada.cover(**BOOK)
    artwork = fetched(ada, f"/api/covers/{cover['id']}/artwork")
    assert extensions(ada, cover["id"])["offer"]["service"] == "Painter"
    generation_id = extended(ada, cover["id"])
    (reference,) = [Image.open(io.BytesIO(data)).convert("RGB") for data in stub.given(generation_id)]
    mask = np.asarray(Image.open(io.BytesIO(stub.masked(generation_id))))
    assert reference.size == (1440, 960) and mask.shape == (960, 1440, 4)
    assert (mask[:, :800, 3] == 0).all() and (mask[:, 800:, 3] == 255).all(), "the picture stays, on the right"
    front = np.asarray(reference.crop((800, 0, 1440, 960))).astype(int)
    assert np.abs(front - np.asarray(artwork.convert("RGB"))).max() < 16
    call = next(one for one in stub.calls() if one["key"] == generation_id)
    assert "to the left" in call["prompt"] and "Salt and Cedar" not in call["prompt"] and call["title"] == ""
    assert ada.used() == 2, "it counts like any other cover"
    assert [one["id"] for one in ada.get("/api/covers").json()] == [cover["id"]], "no other cover was made"
    assert extended(ada, cover["id"], "right") and [
        (one["side"], one["isCurrent"]) for one in extensions(ada, cover["id"])["extensions"]
    ] == [("left", True), ("right", True)]


def test_spine_and_back_show_what_was_painted_until_the_front_is_another(painted: Product, ada: Person) -> None:
    book = printable(ada, **SIZE)
    cover_id = book["cover"]["id"]
    mirrored = preview(ada, book)
    book = put(ada, book, PRINTED, trim="6x9", paper="cream", background="painted")
    assert fault(ada.put(f"/api/books/{book['id']}/editions/{PRINTED}", json={"version": 9, "background": "oil"}))
    waiting = np.asarray(preview(ada, book)).astype(int)
    assert np.abs(waiting - np.asarray(mirrored)).mean() < 1, "nothing is painted yet"
    extended(ada, cover_id)
    shown = np.asarray(preview(ada, book)).astype(int)
    assert np.abs(shown[:, :300] - waiting[:, :300]).mean() > 3, "the back is another"
    assert np.abs(shown[:, 440:] - waiting[:, 440:]).mean() < 1, "the front is not"
    disclosed = opened(ada, make(ada, book)).read("Disclosure.txt").decode()
    assert disclosed.count("Painter") == 2 or disclosed.count("stub-1") == 2, disclosed
    refined(ada, cover_id, "darker")
    (left,) = extensions(ada, cover_id)["extensions"]
    assert not left["isCurrent"], "it is that of another picture"
    assert painted.doctor() == ""
    extended(ada, cover_id, version=2)
    (left,) = extensions(ada, cover_id)["extensions"]
    assert left["isCurrent"]
    assert painted.doctor() == ""


def test_an_extension_goes_with_its_cover_and_is_part_of_the_export(painted: Product, ada: Person) -> None:
    cover_id = ada.cover(**BOOK)["id"]
    extended(ada, cover_id)
    keys = painted.sql(
        "SELECT object_key FROM picture_file JOIN artwork_extension USING (picture_id) WHERE cover_id = :id",
        id=cover_id,
    )
    assert keys
    packed = zipfile.ZipFile(io.BytesIO(ada.get("/api/account/export").content))
    (told,) = [one for one in json.loads(packed.read("covers.json")) if one["id"] == cover_id]
    (side,) = told["extensions"]
    assert side["side"] == "left" and side["picture"] in packed.namelist()
    assert ada.delete(f"/api/covers/{cover_id}").status_code == 204
    assert ada.delete(f"/api/covers/{cover_id}/forever").status_code == 204
    assert painted.sql("SELECT 1 FROM artwork_extension WHERE cover_id = :id", id=cover_id) == []
    assert painted.doctor() == ""


def test_what_cannot_be_extended_is_said_and_uses_nothing(painted: Product, ada: Person, stub: Stub) -> None:
    cover_id = ada.cover(**BOOK)["id"]
    path = f"/api/covers/{cover_id}/extensions"
    changed = ada.post(path, json={"side": "left", "version": 7})
    assert (changed.status_code, changed.json()["error"]["code"]) == (409, "version_conflict")
    assert ada.post(path, json={"side": "above", "version": 1}).status_code == 422
    other = painted.user()
    assert other.get(path).status_code == other.post(path, json={"side": "left", "version": 1}).status_code == 404
    stub.does("refused")
    answer = ada.post(path, json={"side": "left", "version": 1})
    assert ada.finished(answer.json()["generationId"])["status"] == "failed"
    assert ada.used() == 1 and extensions(ada, cover_id)["extensions"] == []
    assert painted.doctor() == ""


def test_asked_twice_under_one_key_it_is_painted_once(ada: Person) -> None:
    cover_id = ada.cover(**BOOK)["id"]
    body, headers = {"side": "left", "version": 1}, {"Idempotency-Key": "one-and-the-same"}
    first, second = [ada.post(f"/api/covers/{cover_id}/extensions", json=body, headers=headers) for _ in range(2)]
    assert first.json()["generationId"] == second.json()["generationId"]
    ada.finished(first.json()["generationId"])
    assert ada.used() == 2


def test_a_service_that_paints_nothing_wide_is_not_asked(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> None:
    narrow = Stub(tmp_path_factory.mktemp("narrow") / "control")
    with drawn_by(UNLETTERED, databases, narrow) as product:
        bob = product.user()
        cover_id = bob.cover(**BOOK)["id"]
        assert extensions(bob, cover_id)["offer"] == {"service": None, "expectedMs": None}
        answer = bob.post(f"/api/covers/{cover_id}/extensions", json={"side": "left", "version": 1})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "unsupported")
        assert bob.used() == 1
