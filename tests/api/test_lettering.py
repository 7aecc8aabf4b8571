"""Words on pictures: set by the press where the image service sets none, changed at any time, and taken back."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from tests.person import Person
from tests.product import Product
from tests.stub_image.control import Stub
from tests.stub_services import LETTERED, SAYING_HOW, SIZE, drawn_by
from tests.support.databases import BACKENDS, Databases


@pytest.fixture(scope="module", params=BACKENDS)
def drawn(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Product]:
    """A product whose image service sets the words, and returns the picture without them, too."""
    stub = Stub(tmp_path_factory.mktemp("artist") / "control")
    with drawn_by(LETTERED, databases, stub, request.param) as product:
        yield product


@pytest.fixture
def ada(painted: Product) -> Person:
    return painted.user()


def picture(person: Person, address: str) -> Image.Image:
    """Return a picture of the product."""
    answer = person.get(address)
    assert answer.status_code == 200, answer.text
    return Image.open(io.BytesIO(answer.content)).convert("RGB")


def differ(first: Image.Image, second: Image.Image) -> bool:
    return first.size != second.size or ImageChops.difference(first, second).getbbox() is not None


def lettering(person: Person, cover_id: int) -> dict[str, Any]:
    """Return the words on a cover, as the API gives them."""
    answer = person.get(f"/api/covers/{cover_id}/lettering")
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()
    return shown


def texts(shown: dict[str, Any]) -> dict[str, str]:
    return {block["role"]: block["text"] for block in shown["lettering"]["blocks"]}


def renamed(shown: dict[str, Any], title: str) -> dict[str, Any]:
    """Return a change that sets another title."""
    blocks = [block | {"text": title} if block["role"] == "title" else block for block in shown["lettering"]["blocks"]]
    return {"version": shown["version"], "lettering": shown["lettering"] | {"blocks": blocks}}


def test_a_service_without_type_makes_the_artwork_and_the_press_sets_the_words(ada: Person) -> None:
    cover = ada.cover(title="Salt and Cedar", author="Ada Marlow", **SIZE)
    shown = lettering(ada, cover["id"])
    assert texts(shown) == {"title": "Salt and Cedar", "author": "Ada Marlow"}
    assert (shown["version"], len(shown["versions"])) == (1, 1)
    bare, lettered = picture(ada, f"/api/covers/{cover['id']}/artwork"), picture(ada, cover["imageUrl"])
    assert (bare.size, lettered.size) == ((640, 960), (1200, 1800))
    assert differ(bare.resize((320, 480)), lettered.resize((320, 480)))
    details = ada.get(f"/api/covers/{cover['id']}/details").json()
    assert (details["nativeWidth"], details["nativeHeight"]) == (640, 960)
    assert "no words" in details["composedPrompt"] and "Salt and Cedar" not in details["composedPrompt"]


def test_the_picture_s_own_model_draws_the_words_where_that_is_asked_for(ada: Person) -> None:
    cover = ada.cover(title="Salt and Cedar", author="Ada Marlow", lettering="model", **SIZE)
    shown = lettering(ada, cover["id"])
    assert shown["lettering"] is None and shown["versions"][0]["isPartOfPicture"]
    assert "spelled exactly: Salt and Cedar" in ada.get(f"/api/covers/{cover['id']}/details").json()["composedPrompt"]


def test_other_words_are_another_version_and_cost_nothing(painted: Product, ada: Person) -> None:
    cover = ada.cover(title="Salt and Cedar", author="Ada Marlow", **SIZE)
    used, first = ada.used(), lettering(ada, cover["id"])
    before = picture(ada, cover["imageUrl"])
    saved = ada.put(f"/api/covers/{cover['id']}/lettering", json=renamed(first, "The Weiße Nacht"))
    assert saved.status_code == 200, saved.text
    state = saved.json()
    assert state["version"] == 2 and [known["number"] for known in state["versions"]] == [2, 1]
    assert state["cover"]["title"] == "The Weiße Nacht" and state["cover"]["imageUrl"] != cover["imageUrl"]
    details = ada.get(f"/api/covers/{cover['id']}/details").json()
    assert (details["nativeWidth"], details["nativeHeight"]) == (640, 960), "as the service made it"
    after = picture(ada, state["cover"]["imageUrl"])
    assert differ(before, after) and ada.used() == used
    back = ada.post(f"/api/covers/{cover['id']}/lettering/versions/1/restore", json={"version": 2})
    assert back.status_code == 200, back.text
    assert back.json()["version"] == 3 and texts(back.json()) == texts(first)
    assert not differ(before, picture(ada, back.json()["cover"]["imageUrl"]))
    assert painted.doctor() == ""


def test_a_change_of_an_old_version_is_refused_and_loses_nothing(ada: Person) -> None:
    cover = ada.cover(title="Salt", **SIZE)
    first = lettering(ada, cover["id"])
    address = f"/api/covers/{cover['id']}/lettering"
    assert ada.put(address, json=renamed(first, "Mine")).status_code == 200
    late = ada.put(address, json=renamed(first, "Theirs"))
    assert (late.status_code, late.json()["error"]["code"]) == (409, "version_conflict")
    assert texts(lettering(ada, cover["id"]))["title"] == "Mine"


def test_words_are_set_over_a_picture_that_has_its_own_and_taken_away_again(ada: Person) -> None:
    cover = ada.cover(title="Salt", lettering="model", **SIZE)
    address = f"/api/covers/{cover['id']}/lettering"
    before = picture(ada, cover["imageUrl"])
    suggested = ada.post(f"{address}/suggestion", json={"words": {"title": "Over it", "tagline": "A tale"}})
    assert suggested.status_code == 200, suggested.text
    assert {block["text"] for block in suggested.json()["blocks"]} == {"Over it", "A tale"}
    saved = ada.put(address, json={"version": 1, "lettering": suggested.json()}).json()
    assert [known["isPartOfPicture"] for known in saved["versions"]] == [False, True]
    assert differ(before, picture(ada, saved["cover"]["imageUrl"]))
    plain = ada.put(address, json={"version": 2, "lettering": None}).json()
    assert plain["lettering"] is None and not plain["isArtworkApart"], "its only picture has words of its own"
    assert not differ(before, picture(ada, plain["cover"]["imageUrl"]))


def test_words_that_came_with_a_picture_are_set_anew_on_it_and_brought_back(drawn: Product) -> None:
    eve = drawn.user()
    cover = eve.cover(title="Salt", author="Eve", **SIZE)
    address = f"/api/covers/{cover['id']}/lettering"
    first = lettering(eve, cover["id"])
    assert first["lettering"] is None and first["isArtworkApart"] and first["versions"][0]["isPartOfPicture"]
    finished, bare = picture(eve, cover["imageUrl"]), picture(eve, f"/api/covers/{cover['id']}/artwork")
    assert differ(finished, bare)
    suggested = eve.post(f"{address}/suggestion", json={}).json()
    assert {block["text"] for block in suggested["blocks"]} == {"Salt", "Eve"}
    anew = eve.put(address, json={"version": 1, "lettering": suggested}).json()
    shown = picture(eve, anew["cover"]["imageUrl"])
    assert differ(shown, finished) and differ(shown, bare)
    assert shown.getpixel((2, 2)) == bare.getpixel((2, 2)), "it is drawn over the artwork"
    back = eve.post(f"{address}/versions/1/restore", json={"version": 2}).json()
    assert back["lettering"] is None and not differ(finished, picture(eve, back["cover"]["imageUrl"]))
    assert eve.put(address, json={"version": 3, "lettering": suggested}).status_code == 200
    assert drawn.doctor() == ""
    eve.delete(f"/api/covers/{cover['id']}")
    assert eve.delete(f"/api/covers/{cover['id']}/forever").status_code == 204
    assert drawn.sql("SELECT 1 FROM picture") == [] and drawn.doctor() == ""


@pytest.mark.parametrize("face", ["cinzel", "papyrus"])
def test_words_are_changed_as_their_service_has_set_them(databases: Databases, tmp_path: Path, face: str) -> None:
    how = {"artist": SAYING_HOW["artist"] | {"lettering": face}}
    with drawn_by(how, databases, Stub(tmp_path / "control")) as product:
        eve = product.user()
        cover = eve.cover(title="Salt", author="Eve", **SIZE)
        address = f"/api/covers/{cover['id']}/lettering"
        first = lettering(eve, cover["id"])
        assert first["isArtworkApart"]
        if face == "papyrus":
            assert first["lettering"] is None, "a face that the press does not have"
            return
        assert texts(first) == {"title": "Salt", "author": "Eve"} and not first["versions"][0]["isPartOfPicture"]
        finished = picture(eve, cover["imageUrl"])
        anew = eve.put(address, json=renamed(first, "Pepper")).json()
        assert {block["font"] for block in anew["lettering"]["blocks"]} == {"cinzel"}
        back = eve.post(f"{address}/versions/1/restore", json={"version": 2}).json()
        assert texts(back) == texts(first) and not differ(finished, picture(eve, back["cover"]["imageUrl"]))
        assert product.doctor() == ""


def test_styles_are_seen_on_the_cover_s_own_picture(ada: Person) -> None:
    cover = ada.cover(title="Salt", **SIZE)
    styles = [style["id"] for style in ada.get("/api/lettering/styles").json()]
    assert len(styles) >= 40 and len(set(styles)) == len(styles)
    first = lettering(ada, cover["id"])["lettering"]
    body = {"lettering": first, "styles": styles[:3]}
    seen = ada.post(f"/api/covers/{cover['id']}/lettering/previews", json=body).json()
    assert [preview["style"] for preview in seen] == styles[:3]
    assert all(preview["svg"].startswith("<svg") and "<text" not in preview["svg"] for preview in seen)
    assert {block["text"] for preview in seen for block in preview["lettering"]["blocks"]} == {"Salt"}


def test_the_outline_of_a_lettering_is_drawn_without_a_cover(ada: Person) -> None:
    cover = ada.cover(title="Salt", **SIZE)
    body = {"lettering": lettering(ada, cover["id"])["lettering"], "width": 600, "height": 900}
    svg = ada.post("/api/lettering/layout", json=body).json()["svg"]
    assert 'viewBox="0 0 600 900"' in svg and "<path" in svg


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"font": "comic"}, "lettering.blocks[0].font"),
        ({"color": "red"}, "lettering.blocks"),
        ({"area": {"left": 0, "top": 0, "width": 2, "height": 1}}, "lettering.blocks"),
    ],
)
def test_a_lettering_that_cannot_be_set_is_refused(ada: Person, change: dict[str, Any], field: str) -> None:
    cover = ada.cover(title="Salt", **SIZE)
    shown = lettering(ada, cover["id"])
    broken = shown["lettering"] | {"blocks": [shown["lettering"]["blocks"][0] | change]}
    refused = ada.put(f"/api/covers/{cover['id']}/lettering", json={"version": 1, "lettering": broken})
    assert refused.status_code == 422 and list(refused.json()["error"]["fields"]) == [field]
    many = shown["lettering"] | {"blocks": shown["lettering"]["blocks"] * 13}
    refused = ada.put(f"/api/covers/{cover['id']}/lettering", json={"version": 1, "lettering": many})
    assert refused.status_code == 422 and list(refused.json()["error"]["fields"]) == ["lettering.blocks"]
    assert lettering(ada, cover["id"])["version"] == 1


def test_a_lettered_cover_leaves_nothing_behind_when_it_is_removed(painted: Product, ada: Person) -> None:
    cover = ada.cover(title="Salt", **SIZE)
    assert (
        ada.put(f"/api/covers/{cover['id']}/lettering", json=renamed(lettering(ada, cover["id"]), "Pepper")).status_code
        == 200
    )
    ada.delete(f"/api/covers/{cover['id']}")
    assert ada.delete(f"/api/covers/{cover['id']}/forever").status_code == 204
    assert painted.sql("SELECT 1 FROM cover_version WHERE cover_id = :id", id=cover["id"]) == []
    assert painted.doctor() == ""


def test_saves_of_one_step_of_work_leave_one_version(painted: Product, ada: Person) -> None:
    cover = ada.cover(title="Salt", **SIZE)
    address = f"/api/covers/{cover['id']}/lettering"
    state = lettering(ada, cover["id"])
    kept = []
    for title, continues in (("One", True), ("Two", True), ("Three", False), ("Four", True)):
        saved = ada.put(address, json=renamed(state, title) | {"continues": continues})
        assert saved.status_code == 200, saved.text
        state = saved.json()
        kept.append([known["number"] for known in state["versions"]])
    assert kept == [[2, 1], [3, 1], [4, 3, 1], [5, 3, 1]], "the first is what the cover was made with"
    gone = ada.post(f"{address}/versions/2/restore", json={"version": 5})
    assert gone.status_code == 404
    back = ada.post(f"{address}/versions/3/restore", json={"version": 5}).json()
    assert texts(back)["title"] == "Two" and painted.doctor() == ""


def test_the_artwork_is_viewed_otherwise_and_stays_as_it_is(ada: Person) -> None:
    cover = ada.cover(title="Salt", **SIZE)
    address = f"/api/covers/{cover['id']}"
    first = lettering(ada, cover["id"])
    bare, before = picture(ada, f"{address}/artwork"), picture(ada, cover["imageUrl"])
    viewed = first["lettering"] | {"blocks": [], "artwork": {"zoom": 2.0, "x": 1.0, "y": 1.0, "darken": 0.5}}
    saved = ada.put(f"{address}/lettering", json={"version": 1, "lettering": viewed}).json()
    assert saved["lettering"]["artwork"]["zoom"] == 2.0 and saved["lettering"]["blocks"] == []
    shown = picture(ada, saved["cover"]["imageUrl"])
    assert differ(before, shown) and not differ(bare, picture(ada, f"{address}/artwork"))
    corner, of = shown.getpixel((1196, 1796)), bare.getpixel((638, 958))
    assert all(abs(half - whole / 2) < 12 for half, whole in zip(corner, of, strict=True)), (
        "darkened, and cropped there"
    )


def test_words_are_measured_on_request_and_a_remedy_mends_them(ada: Person) -> None:
    cover = ada.cover(title="Salt", author="Ada", **SIZE)
    address = f"/api/covers/{cover['id']}/lettering"
    shown = lettering(ada, cover["id"])["lettering"]
    measures = ada.post(f"{address}/measure", json={"lettering": shown}).json()
    assert [found["role"] for found in measures["blocks"]] == [block["role"] for block in shown["blocks"]]
    assert all(found["contrast"] >= found["needed"] for found in measures["blocks"])
    assert all(color.startswith("#") for color in measures["palette"])
    grey = [block | {"color": "#7f7f7f", "effect": {"kind": "plate", "color": "#808080", "amount": 1.0}}
            for block in shown["blocks"]]  # fmt: skip
    (bad, *_) = ada.post(f"{address}/measure", json={"lettering": shown | {"blocks": grey}}).json()["blocks"]
    assert bad["contrast"] < bad["needed"]
    mended = shown | {"blocks": [bad["remedies"][0]["block"], *grey[1:]]}
    (good, *_) = ada.post(f"{address}/measure", json={"lettering": mended}).json()["blocks"]
    assert good["contrast"] >= good["needed"] and good["contrast"] == bad["remedies"][0]["contrast"]


def test_what_was_set_by_hand_is_kept_until_it_is_handed_back(ada: Person) -> None:
    cover = ada.cover(title="Salt", **SIZE)
    address = f"/api/covers/{cover['id']}/lettering"
    shown = lettering(ada, cover["id"])["lettering"]
    by_hand = shown | {"blocks": [shown["blocks"][0] | {"color": "#ff2266", "held": ["color"]}]}
    restyled = ada.post(f"{address}/suggestion", json={"lettering": by_hand, "style": "wanted"}).json()
    assert (restyled["blocks"][0]["color"], restyled["blocks"][0]["held"]) == ("#ff2266", ["color"])
    freed = {"lettering": restyled, "freed": {"index": 0, "properties": ["color"]}}
    free = ada.post(f"{address}/suggestion", json=freed).json()
    assert free["blocks"][0]["color"] != "#ff2266" and free["blocks"][0]["held"] == []
    nowhere = ada.post(f"{address}/suggestion", json={**freed, "freed": {"index": 3, "properties": ["color"]}})
    assert nowhere.status_code == 422 and list(nowhere.json()["error"]["fields"]) == ["freed.index"]


def test_faces_are_offered_for_the_script_of_a_text(ada: Person) -> None:
    faces = ada.post("/api/lettering/faces", json={"text": "حديقة القمر", "language": "ar"}).json()
    assert {"Amiri", "Cairo"} <= {face["family"] for face in faces}
    assert all(face["svg"].startswith("<svg") for face in faces)


def test_the_layout_says_where_the_ink_is(ada: Person) -> None:
    cover = ada.cover(title="Salt", **SIZE)
    shown = lettering(ada, cover["id"])["lettering"]
    blurred = [block | {"effect": {"kind": "blur", "color": "#000000", "amount": 0.8}} for block in shown["blocks"]]
    body = {"lettering": shown | {"blocks": blurred}, "width": 600, "height": 900}
    laid_out = ada.post("/api/lettering/layout", json=body).json()
    (ink,) = laid_out["blocks"]
    assert ink["role"] == "title" and 0 < ink["left"] < ink["left"] + ink["width"] < 1 and 0 < ink["size"] < 1
    assert len(laid_out["soft"]) == 1 and laid_out["soft"][0]["sigma"] > 0
