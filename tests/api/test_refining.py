"""Refining: a finished picture is changed with words and becomes the cover's next version; nothing is lost."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

import pytest
from PIL import Image, ImageChops

from tests.api.test_lettering import differ, lettering, renamed, texts
from tests.api.test_lettering import picture as fetched
from tests.person import Person, fault
from tests.product import PASSWORD, Product
from tests.stub_image.control import Stub
from tests.stub_services import LETTERED, SIZE, UNLETTERED, drawn_by
from tests.support.databases import BACKENDS, Databases
from tests.support.drawings import base64_of, picture
from tests.support.processes import wait_until

PLAIN: Final = {"plain": {"letters": False, "sizes": ["640x960"], "edits": False}}
BOOK: Final = {"title": "Salt and Cedar", "author": "Ada Marlow", **SIZE}


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Stub:
    """The control of the services."""
    return Stub(tmp_path_factory.mktemp("painter") / "control")


@pytest.fixture(scope="module", params=BACKENDS)
def painted(request: pytest.FixtureRequest, databases: Databases, control: Stub) -> Iterator[Product]:
    """A product whose first image service takes no references, and whose second takes them and masks."""
    with drawn_by({**PLAIN, **UNLETTERED}, databases, control, request.param) as product:
        yield product


@pytest.fixture
def stub(control: Stub) -> Stub:
    control.does("ok")
    return control


@pytest.fixture
def ada(painted: Product, stub: Stub) -> Person:
    return painted.user()


def versions(person: Person, cover_id: int) -> dict[str, Any]:
    answer = person.get(f"/api/covers/{cover_id}/versions")
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()
    return shown


def asked(person: Person, cover_id: int, change: str = "darker", *, version: int = 1, **more: Any) -> str:
    """Ask for a refinement and return the generation's id."""
    body = {"change": change, "version": version, **more}
    answer = person.post(f"/api/covers/{cover_id}/refine", json=body)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["generationId"])


def refined(person: Person, cover_id: int, change: str = "darker", **more: Any) -> dict[str, Any]:
    """Refine a cover and return its pictures."""
    status = person.finished(asked(person, cover_id, change, **more))
    assert status["status"] == "completed", status
    assert status["result"]["id"] == cover_id
    return versions(person, cover_id)


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def mask(size: tuple[int, int] = (320, 480), hole: tuple[int, int, int, int] | None = (0, 0, 160, 240)) -> str:
    """Return a mask with a hole, as a browser sends it."""
    image = Image.new("RGBA", size, (255, 0, 0, 255))
    if hole:
        image.paste((0, 0, 0, 0), hole)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return base64_of(buffer.getvalue())


def test_a_refined_picture_is_the_next_version_of_its_cover_with_the_same_words(
    painted: Product, stub: Stub, ada: Person
) -> None:
    cover = ada.cover(**BOOK)
    first, before = lettering(ada, cover["id"]), fetched(ada, cover["imageUrl"])
    artwork = fetched(ada, f"/api/covers/{cover['id']}/artwork")
    generation_id = asked(ada, cover["id"], "move the lighthouse left")
    assert ada.finished(generation_id)["result"]["id"] == cover["id"]
    assert ada.used() == 2, "it counts like any other cover"
    (reference,) = map(opened, stub.given(generation_id))
    loss = ImageChops.difference(reference.convert("RGB"), artwork).getextrema()
    assert max(most for _, most in loss) < 16, "the picture without letters is what is changed"
    call = next(one for one in stub.calls() if one["key"] == generation_id)
    assert call["instance"] == "painter" and "move the lighthouse left" in call["prompt"] and call["title"] == ""
    assert "Salt and Cedar" not in call["prompt"] and "no words" in call["prompt"]
    pictures = versions(ada, cover["id"])
    assert [(one["asked"], one["isShown"]) for one in pictures["pictures"]] == [
        (None, False),
        ("move the lighthouse left", True),
    ]
    second = lettering(ada, cover["id"])
    assert (second["version"], second["lettering"]) == (2, first["lettering"]) and second["isArtworkApart"]
    assert [one["id"] for one in ada.get("/api/covers").json()] == [cover["id"]], "no other cover was made"
    shown = fetched(ada, second["cover"]["imageUrl"])
    assert shown.size == before.size and differ(shown, before)
    assert differ(fetched(ada, f"/api/covers/{cover['id']}/artwork"), artwork)
    assert not differ(fetched(ada, pictures["pictures"][0]["previewUrl"].replace("960", "original")), before)
    assert painted.doctor() == ""


def test_any_picture_is_shown_again_with_its_words_and_nothing_is_lost(painted: Product, ada: Person) -> None:
    cover = ada.cover(**BOOK)
    address = f"/api/covers/{cover['id']}/lettering"
    first = fetched(ada, cover["imageUrl"])
    refined(ada, cover["id"], "darker")
    assert ada.put(address, json=renamed(lettering(ada, cover["id"]), "Pepper")).json()["version"] == 3
    peppered = fetched(ada, lettering(ada, cover["id"])["cover"]["imageUrl"])
    back = ada.post(f"{address}/versions/1/restore", json={"version": 3})
    assert back.status_code == 200, back.text
    assert texts(back.json())["title"] == back.json()["cover"]["title"] == "Salt and Cedar"
    assert not differ(fetched(ada, back.json()["cover"]["imageUrl"]), first)
    line = versions(ada, cover["id"])["pictures"]
    assert [(one["asked"], one["number"], one["isShown"]) for one in line] == [(None, 4, True), ("darker", 3, False)]
    assert not differ(fetched(ada, line[1]["previewUrl"].replace("960", "original")), peppered)
    again = ada.post(f"{address}/versions/3/restore", json={"version": 4}).json()
    assert texts(again)["title"] == "Pepper" and not differ(fetched(ada, again["cover"]["imageUrl"]), peppered)
    assert ada.put(address, json=renamed(again, "Cumin")).status_code == 200
    assert len(versions(ada, cover["id"])["pictures"]) == 2
    assert painted.doctor() == ""
    ada.delete(f"/api/covers/{cover['id']}")
    assert ada.delete(f"/api/covers/{cover['id']}/forever").status_code == 204
    assert painted.sql("SELECT 1 FROM cover_version WHERE cover_id = :id", id=cover["id"]) == []
    assert painted.doctor() == ""


def test_the_pictures_of_a_cover_that_is_often_changed_are_all_kept(painted: Product, ada: Person) -> None:
    cover = ada.cover(**BOOK)
    refined(ada, cover["id"], "darker")
    state = lettering(ada, cover["id"])
    for number in range(55):
        answer = ada.put(f"/api/covers/{cover['id']}/lettering", json=renamed(state, f"Title {number}"))
        assert answer.status_code == 200, answer.text
        state = answer.json()
    assert [one["asked"] for one in versions(ada, cover["id"])["pictures"]] == [None, "darker"]
    assert painted.doctor() == ""


def test_words_that_are_changed_while_a_picture_is_refined_stay(painted: Product, stub: Stub, ada: Person) -> None:
    cover = ada.cover(**BOOK)
    stub.holds()
    generation_id = asked(ada, cover["id"])
    ada.reaches(generation_id, phase="drawing")
    (running,) = versions(ada, cover["id"])["running"]
    assert running == {"id": generation_id, "asked": "darker", "status": "processing"}
    changed = ada.put(f"/api/covers/{cover['id']}/lettering", json=renamed(lettering(ada, cover["id"]), "Pepper"))
    assert changed.json()["version"] == 2
    stub.releases()
    assert ada.finished(generation_id)["status"] == "completed"
    state = lettering(ada, cover["id"])
    assert (state["version"], texts(state)["title"], state["cover"]["title"]) == (3, "Pepper", "Pepper")
    late = ada.post(f"/api/covers/{cover['id']}/refine", json={"change": "x", "version": 2})
    assert (late.status_code, fault(late)["code"]) == (409, "version_conflict")
    assert painted.doctor() == ""


def test_two_refinements_at_once_are_two_versions(painted: Product, ada: Person) -> None:
    cover = ada.cover(**BOOK)
    jobs = [asked(ada, cover["id"], change) for change in ("darker", "lighter")]
    assert {ada.finished(job)["status"] for job in jobs} == {"completed"}
    line = versions(ada, cover["id"])
    assert line["version"] == 3 and {one["asked"] for one in line["pictures"]} == {None, "darker", "lighter"}
    assert [one["isShown"] for one in line["pictures"]] == [False, False, True]
    assert painted.doctor() == ""


@pytest.mark.parametrize("end", ["canceled", "failed"])
def test_a_refinement_that_comes_to_nothing_costs_nothing(painted: Product, stub: Stub, ada: Person, end: str) -> None:
    cover = ada.cover(**BOOK)
    if end == "canceled":
        stub.holds()
    else:
        stub.does("refused")
    generation_id = asked(ada, cover["id"])
    if end == "canceled":
        ada.reaches(generation_id, phase="drawing")
        ada.delete(f"/api/generations/{generation_id}")
        stub.releases()
    assert ada.finished(generation_id)["status"] == end and ada.used() == 1
    assert len(versions(ada, cover["id"])["pictures"]) == 1 and lettering(ada, cover["id"])["version"] == 1
    assert painted.doctor() == ""


def test_a_cover_that_is_removed_while_it_is_refined_takes_the_picture_along(
    painted: Product, stub: Stub, ada: Person
) -> None:
    gone, binned = ada.cover(**BOOK), ada.cover(**BOOK)
    stub.holds()
    jobs = [asked(ada, cover["id"]) for cover in (gone, binned)]
    for job in jobs:
        ada.reaches(job, phase="drawing")
    for cover in (gone, binned):
        ada.delete(f"/api/covers/{cover['id']}")
    assert ada.delete(f"/api/covers/{gone['id']}/forever").status_code == 204
    stub.releases()
    ended = [ada.finished(job) for job in jobs]
    assert [(one["status"], one["errorCode"]) for one in ended] == [("failed", "cover_gone"), ("completed", None)]
    assert ada.used() == 3
    assert ada.post(f"/api/covers/{binned['id']}/restore").status_code == 200
    assert [one["asked"] for one in versions(ada, binned["id"])["pictures"]] == [None, "darker"]
    assert painted.doctor() == ""


def test_only_what_is_marked_changes_where_the_service_can_do_that(stub: Stub, ada: Person) -> None:
    cover = ada.cover(**BOOK)
    generation_id = asked(ada, cover["id"], "a full moon", mask=mask())
    assert ada.finished(generation_id)["status"] == "completed"
    (reference,), got = map(opened, stub.given(generation_id)), opened(stub.masked(generation_id))
    assert (reference.format, got.format, got.mode) == ("PNG", "PNG", "RGBA") and got.size == reference.size
    alpha = got.getchannel("A")
    assert alpha.getpixel((5, 5)) == 0 and alpha.getpixel((630, 5)) == alpha.getpixel((5, 950)) == 255
    assert set(alpha.get_flattened_data()) == {0, 255}
    call = next(one for one in stub.calls() if one["key"] == generation_id)
    assert call["references"] == 1 and "marked region" in call["prompt"]
    row = ada.get("/api/generations").json()[0]
    assert (row["refinedCoverId"], row["referenceCount"], row["cover"]["id"]) == (cover["id"], 1, cover["id"])
    assert ada.post(f"/api/generations/{generation_id}/retry", json={}).status_code == 422


@pytest.mark.parametrize(
    ("body", "status", "field", "code"),
    [
        ({"change": "  "}, 422, "change", "no_change"),
        ({"change": "x" * 501}, 422, "change", None),
        ({"change": "x", "mask": mask((480, 320))}, 422, "mask", "mask_shape"),
        ({"change": "x", "mask": mask(hole=None)}, 422, "mask", "nothing_marked"),
        ({"change": "x", "mask": base64_of(picture("JPEG", (320, 480)))}, 422, "mask", "nothing_marked"),
        ({"change": "x", "mask": base64_of(b"<svg/>")}, 415, "mask", "not_an_image"),
        ({"change": "x", "mask": "%%%"}, 422, "mask", "unreadable_image"),
    ],
)
def test_what_cannot_be_refined_is_refused_at_its_field(
    ada: Person, body: dict[str, Any], status: int, field: str, code: str | None
) -> None:
    cover = ada.cover(**BOOK)
    answer = ada.post(f"/api/covers/{cover['id']}/refine", json={"version": 1, **body})
    assert answer.status_code == status, answer.text
    assert list(fault(answer)["fields"]) == [field]
    assert code is None or fault(answer)["fieldCodes"][field]["code"] == code
    assert ada.used() == 1


def test_the_same_key_refines_once_and_the_plan_is_the_limit(painted: Product, ada: Person) -> None:
    cover = ada.cover(**BOOK)
    address, body = f"/api/covers/{cover['id']}/refine", {"change": "darker", "version": 1}
    headers = {"idempotency-key": uuid4().hex}
    first, again = (ada.post(address, json=body, headers=headers) for _ in range(2))
    assert first.json() == again.json() and again.headers["idempotent-replayed"] == "true"
    ada.finished(first.json()["generationId"])
    plan = {"proUnlimited": False, "proMonthlyLimit": 100_000, "freeMonthlyLimit": 100_000}
    assert painted.admin().post("/api/admin/plan-limits", json=plan | {"freeMonthlyLimit": 2}).status_code == 200
    refused = ada.post(address, json=body | {"version": 2})
    painted.admin().post("/api/admin/plan-limits", json=plan)
    assert refused.status_code == 402


def test_where_no_service_takes_pictures_that_is_said(databases: Databases, stub: Stub) -> None:
    with drawn_by(PLAIN, databases, stub) as product:
        eve = product.user()
        cover = eve.cover(**BOOK)
        assert versions(eve, cover["id"])["offer"] == {"service": None, "maskService": None, "expectedMs": None}
        answer = eve.post(f"/api/covers/{cover['id']}/refine", json={"change": "darker", "version": 1})
        assert (answer.status_code, fault(answer)["code"]) == (422, "unsupported") and eve.used() == 1


def test_a_picture_with_words_of_its_own_is_refined_with_them(painted: Product, stub: Stub, ada: Person) -> None:
    cover = ada.cover(**BOOK | {"lettering": "model"})
    assert versions(ada, cover["id"])["words"] == "drawn"
    generation_id = asked(ada, cover["id"])
    ada.finished(generation_id)
    call = next(one for one in stub.calls() if one["key"] == generation_id)
    assert "spelled exactly: Salt and Cedar" in call["prompt"]
    state = lettering(ada, cover["id"])
    assert state["lettering"] is None and not state["isArtworkApart"]
    assert (state["cover"]["width"], state["cover"]["height"]) == (1200, 1800)
    assert painted.doctor() == ""


def test_words_that_their_service_had_set_are_set_anew_by_the_press(databases: Databases, stub: Stub) -> None:
    with drawn_by(LETTERED, databases, stub) as product:
        eve = product.user()
        cover = eve.cover(**BOOK)
        before = fetched(eve, cover["imageUrl"])
        assert versions(eve, cover["id"])["words"] == "anew"
        assert refined(eve, cover["id"])["words"] == "kept"
        state = lettering(eve, cover["id"])
        assert texts(state) == {"title": "Salt and Cedar", "author": "Ada Marlow"} and state["isArtworkApart"]
        back = eve.post(f"/api/covers/{cover['id']}/lettering/versions/1/restore", json={"version": 2}).json()
        assert back["lettering"] is None and not differ(fetched(eve, back["cover"]["imageUrl"]), before)
        assert product.doctor() == ""


def test_everything_of_a_refined_cover_goes_with_its_account(painted: Product, ada: Person) -> None:
    cover = ada.cover(**BOOK)
    refined(ada, cover["id"])
    held = painted.sql(
        "SELECT artwork_id, picture_id FROM cover_version WHERE cover_id = :id ORDER BY number", id=cover["id"]
    )
    (first, second) = held
    assert first["picture_id"] and first["artwork_id"] != second["artwork_id"]
    archive = zipfile.ZipFile(io.BytesIO(ada.get("/api/account/export").content))
    (told,) = json.loads(archive.read("covers.json"))
    assert [version["asked"] for version in told["versions"]] == [None, "darker"]
    names = {version[name] for version in told["versions"] for name in ("artwork", "picture")} - {None}
    assert len(names) == 3 and names <= set(archive.namelist())
    body = {"confirm": ada.user["email"], "currentPassword": PASSWORD}
    assert ada.request("DELETE", "/api/account", json=body).status_code == 204
    ids = {first["artwork_id"], first["picture_id"], second["artwork_id"]}

    def left() -> bool:
        rows = painted.sql("SELECT id FROM picture")
        return bool(ids & {row["id"] for row in rows})

    wait_until(lambda: not left(), "removal of all pictures of the account")
    assert painted.doctor() == ""
