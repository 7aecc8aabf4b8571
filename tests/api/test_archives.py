"""Archives: many covers packed into one file by a worker, kept for a day."""

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from PIL import Image

from kernel.covers.archives.worker import names_of
from tests.api.test_marks import pixels
from tests.person import Person, fault
from tests.product import Product
from tests.shelf import clear, shelve
from tests.support.files import files_below
from tests.support.processes import wait_until

FIELDS = {"id", "status", "paused", "done", "total", "bytes", "createdAt", "expiresAt", "downloadUrl", "error"}


def covers(person: Person, *titles: str) -> list[int]:
    """Make covers of these titles and return their ids."""
    started = [person.generate(title=title) for title in titles]
    return [person.finished(generation_id)["result"]["id"] for generation_id in started]


def pack(person: Person, ids: list[int], form: str = "png") -> dict[str, Any]:
    """Request an archive and return it when it is finished."""
    answer = person.post("/api/archives", json={"coverIds": ids, "format": form})
    assert answer.status_code == 202, answer.text
    assert set(answer.json()) == FIELDS and answer.json()["total"] == len(set(ids))
    return person.packed(answer.json()["id"])


def opened(person: Person, archive: dict[str, Any]) -> zipfile.ZipFile:
    """Download an archive and open it."""
    answer = person.get(archive["downloadUrl"])
    assert answer.status_code == 200
    assert int(answer.headers["content-length"]) == len(answer.content) == archive["bytes"]
    packed = zipfile.ZipFile(io.BytesIO(answer.content))
    assert packed.testzip() is None
    return packed


def objects(product: Product, archive_id: str) -> list[Path]:
    """Return the stored files of an archive."""
    return files_below(product.data, archive_id)


@pytest.fixture
def held(product: Product, ada: Person) -> Any:
    """Ada's cover, with all workers stopped until the end of the test."""
    cover = ada.cover()["id"]
    product.pause_worker()
    yield cover
    product.resume_worker()


def test_covers_come_in_one_file_named_after_their_titles(product: Product) -> None:
    ada = product.user(pro=True)
    ids = covers(ada, "The Salt Year", "Émile!", "the salt year")
    archive = pack(ada, [*ids, ids[0]])
    assert (archive["status"], archive["done"], archive["total"], archive["error"]) == ("completed", 3, 3, None)
    packed = opened(ada, archive)
    assert packed.namelist() == ["the_salt_year.png", "émile_.png", "the_salt_year_2.png"]
    for cover_id, name in zip(ids, packed.namelist(), strict=True):
        assert pixels(packed.read(name)) == pixels(ada.get(f"/api/covers/{cover_id}/image").content)
    disposition = ada.get(archive["downloadUrl"]).headers["content-disposition"]
    assert disposition.startswith('attachment; filename="covers-') and ".zip" in disposition
    assert product.doctor() == ""


@pytest.mark.parametrize(("form", "extension", "kind"), [("jpeg", "jpg", "JPEG"), ("webp", "webp", "WEBP")])
def test_covers_are_packed_in_the_format_asked_for(product: Product, form: str, extension: str, kind: str) -> None:
    ada = product.user(pro=True)
    packed = opened(ada, pack(ada, covers(ada, "Kiln"), form))
    assert packed.namelist() == [f"kiln.{extension}"]
    with packed.open(packed.namelist()[0]) as file, Image.open(io.BytesIO(file.read())) as picture:
        assert picture.format == kind and picture.size == (1024, 1792)


def test_names_stay_apart_and_fit_a_file_system() -> None:
    assert names_of(["", "", "a", "a", "a_2", "A"], "png") == [
        "cover.png",
        "cover_2.png",
        "a.png",
        "a_2.png",
        "a_2_2.png",
        "a_3.png",
    ]
    long = names_of(["ж" * 100 + "😀" * 100] * 2, "webp")
    assert len(set(long)) == 2 and all(len(name.encode()) < 255 for name in long)


def test_an_archive_is_its_owners_alone(ada: Person, bob: Person, visitor: Person) -> None:
    archive = pack(ada, covers(ada, "Kiln"))
    for path in (f"/api/archives/{archive['id']}", archive["downloadUrl"]):
        assert bob.get(path).status_code == 404 and visitor.get(path).status_code == 401
    assert bob.delete(f"/api/archives/{archive['id']}").status_code == 404
    assert ada.get(f"/api/archives/{archive['id']}").json() == archive


def test_only_covers_of_ones_own_gallery_are_packed(ada: Person, bob: Person) -> None:
    mine, binned = covers(ada, "Kiln", "Gone")
    theirs = covers(bob, "Theirs")[0]
    ada.delete(f"/api/covers/{binned}")
    for other in (theirs, binned, 2**53 - 1):
        assert ada.post("/api/archives", json={"coverIds": [mine, other]}).status_code == 404


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"coverIds"}),
        ({"coverIds": []}, {"coverIds"}),
        ({"coverIds": list(range(1, 502))}, {"coverIds"}),
        ({"coverIds": ["1"], "format": "bmp", "name": "x"}, {"coverIds", "format", "name"}),
    ],
)
def test_wishes_that_make_no_sense_are_refused(ada: Person, body: dict[str, Any], fields: set[str]) -> None:
    answer = ada.post("/api/archives", json=body)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == fields


def test_the_same_key_sent_many_times_at_once_makes_one_archive(ada: Person) -> None:
    body, headers = {"coverIds": covers(ada, "Kiln")}, {"idempotency-key": uuid4().hex}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: ada.post("/api/archives", json=body, headers=headers), range(8)))
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
    other = ada.post("/api/archives", json=body | {"format": "webp"}, headers=headers)
    assert other.status_code == 422 and fault(other)["code"] == "idempotency_conflict"


def test_a_third_archive_at_once_has_to_wait(ada: Person, held: int) -> None:
    body = {"coverIds": [held]}
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: ada.post("/api/archives", json=body), range(6)))
    assert sorted(answer.status_code for answer in answers) == [202, 202, 429, 429, 429, 429]
    assert {fault(answer)["code"] for answer in answers if answer.status_code == 429} == {"too_many_archives"}
    started = [answer.json()["id"] for answer in answers if answer.status_code == 202]
    assert ada.delete(f"/api/archives/{started[0]}").status_code == 204
    assert ada.post("/api/archives", json=body).status_code == 202


def test_an_archive_can_be_cancelled_and_removed(product: Product, ada: Person, held: int) -> None:
    archive = ada.post("/api/archives", json={"coverIds": [held]}).json()
    assert archive["status"] == "pending" and archive["done"] == 0
    path = f"/api/archives/{archive['id']}"
    assert ada.delete(path).status_code == 204
    canceled = ada.get(path).json()
    assert (canceled["status"], canceled["downloadUrl"]) == ("canceled", None)
    product.resume_worker()
    done = pack(ada, [held])
    assert ada.get(path).json() == canceled and objects(product, archive["id"]) == []
    for archive_id in (archive["id"], done["id"]):
        assert ada.delete(f"/api/archives/{archive_id}").status_code == 204
        assert ada.get(f"/api/archives/{archive_id}").status_code == 404
        assert ada.delete(f"/api/archives/{archive_id}").status_code == 404
    assert objects(product, done["id"]) == []
    assert ada.get(done["downloadUrl"]).status_code == 404


def test_covers_that_went_meanwhile_are_left_out(product: Product, ada: Person, held: int) -> None:
    other = shelve(product.sqlalchemy_url, ada.id, ["Without a file", "Thrown away"])
    started = [
        ada.post("/api/archives", json={"coverIds": ids}).json()["id"] for ids in ([held, *other], [*other, other[0]])
    ]
    ada.delete(f"/api/covers/{other[1]}")
    clear(product.sqlalchemy_url)
    product.resume_worker()
    packed, failed = (ada.packed(archive_id) for archive_id in started)
    assert (packed["status"], packed["done"], packed["total"]) == ("completed", 1, 1)
    assert opened(ada, packed).namelist() == ["the_light.png"]
    assert (failed["status"], failed["downloadUrl"]) == ("failed", None)
    assert failed["error"] == "None of these covers is there any more."


def test_an_archive_is_kept_for_a_day(product: Product, ada: Person) -> None:
    archive = pack(ada, covers(ada, "Kiln"))
    stored = objects(product, archive["id"])
    assert len(stored) == 1
    with product.later(hours=23):
        assert ada.get(archive["downloadUrl"]).status_code == 200
    with product.later(hours=25):
        assert ada.get(archive["downloadUrl"]).status_code == 404
        wait_until(lambda: not stored[0].exists(), "the end of an old archive", 30)
        assert ada.get(f"/api/archives/{archive['id']}").status_code == 404
