"""The covers that administrators put on the landing page."""

import base64
import io
import os
from collections.abc import Callable, Iterator
from typing import Any, Final
from uuid import uuid4

import pytest
from PIL import Image

from tests.api.test_storage_move import site_folder
from tests.person import Person, fault
from tests.product import Product
from tests.support.drawings import SECRET, base64_of, data_url, picture, telling_photo
from tests.support.processes import wait_until

PATH: Final = "/api/admin/carousel"
MAX_BYTES: Final = 10 * 1024 * 1024

Add = Callable[..., dict[str, Any]]


def body(**fields: Any) -> dict[str, Any]:
    """Return the body of a new cover; `fields` are those of the API."""
    return {"title": uuid4().hex, "genre": "Fantasy", "imageData": data_url(picture())} | fields


@pytest.fixture
def add(admin: Person) -> Iterator[Add]:
    """Add a cover to the carousel; all of them are removed afterwards."""
    made: list[int] = []

    def post(path: str = PATH, **fields: Any) -> dict[str, Any]:
        answer = admin.post(path, json=fields if path != PATH else body(**fields))
        assert answer.status_code == 201, answer.text
        slide: dict[str, Any] = answer.json()
        made.append(slide["id"])
        return slide

    yield post
    for slide_id in made:
        assert admin.delete(f"{PATH}/{slide_id}").status_code in (204, 404)


def listed(person: Person, *slides: dict[str, Any], path: str = PATH) -> list[dict[str, Any]]:
    """Return these covers as a list shows them, in its order."""
    wanted = {slide["id"] for slide in slides}
    return [slide for slide in person.get(path).json() if slide["id"] in wanted]


def kept(product: Product, slide: dict[str, Any]) -> list[str]:
    """Return the keys of a cover's files."""
    query = (
        "SELECT object_key FROM picture_file f JOIN carousel_cover c ON c.picture_id = f.picture_id WHERE c.id = :id"
    )
    return [row["object_key"] for row in product.sql(query, id=slide["id"])]


def stored(product: Product, keys: list[str]) -> list[bool]:
    """Return for each key whether there is an object."""
    return [(product.data / "instances" / "disk" / "objects" / key).exists() for key in keys]


def test_a_new_cover_is_seen_by_everybody(visitor: Person, admin: Person, add: Add) -> None:
    slide = add(title="  The  Salt Year ", genre="Adventure", imageData=data_url(picture(size=(1000, 1500))))
    assert slide["title"] == "The Salt Year" and slide["genre"] == "Adventure"
    assert slide["isActive"] is True and slide["displayOrder"] == 0
    shown_fields = {"id", "title", "genre", "description", "imageUrl", "thumbnailUrl"}
    assert set(slide) == {*shown_fields, "isActive", "displayOrder", "createdAt"}
    assert listed(admin, slide) == [slide]
    shown = listed(visitor, slide, path="/api/carousel")
    assert shown == [{name: slide[name] for name in shown_fields}]
    image, thumbnail = visitor.get(slide["imageUrl"]), visitor.get(slide["thumbnailUrl"])
    assert image.status_code == 200 and image.headers["cache-control"].startswith("public")
    with Image.open(io.BytesIO(image.content)) as shown_image:
        assert shown_image.format == "WEBP" and shown_image.size == (960, 1440)
    with Image.open(io.BytesIO(thumbnail.content)) as small:
        assert small.format == "WEBP" and small.size == (320, 480)
    assert visitor.get(f"{slide['imageUrl']}&size=original").status_code == 422


def test_what_a_cover_shows_can_be_said_and_changed(visitor: Person, admin: Person, add: Add) -> None:
    slide = add(description="  A lighthouse  in a storm. ")
    assert slide["description"] == "A lighthouse in a storm."
    assert listed(visitor, slide, path="/api/carousel")[0]["description"] == slide["description"]
    address = f"{PATH}/{slide['id']}"
    assert admin.put(address, json={"title": "Gull"}).json()["description"] == slide["description"]
    assert admin.put(address, json={"description": ""}).json()["description"] == ""
    long = admin.put(address, json={"description": "x" * 501})
    assert long.status_code == 422 and fault(long)["fieldCodes"]["description"]["code"] == "too_long"
    assert admin.put(address, json={"description": "two\nlines"}).status_code == 422


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_pictures_of_three_kinds_are_taken_plain_or_as_data_url(visitor: Person, add: Add, kind: str) -> None:
    data = picture(kind)
    for image_data in (data_url(data, kind.lower()), base64_of(data)):
        assert visitor.get(add(imageData=image_data)["imageUrl"]).status_code == 200


def test_a_public_picture_says_nothing_about_where_it_was_taken(product: Product, add: Add) -> None:
    slide = add(imageData=data_url(telling_photo(), "jpeg"))
    folder = product.data / "instances" / "disk" / "objects"
    keys = kept(product, slide)
    assert len(keys) == 3
    assert not any(SECRET.encode() in (folder / key).read_bytes() for key in keys)


def test_an_inactive_cover_is_seen_by_administrators_alone(
    visitor: Person, ada: Person, admin: Person, add: Add
) -> None:
    slide = add(isActive=False)
    assert slide["isActive"] is False
    for person in (visitor, ada):
        assert person.get(slide["imageUrl"]).status_code == 404
        assert listed(person, slide, path="/api/carousel") == []
    image = admin.get(slide["imageUrl"])
    assert image.status_code == 200 and image.headers["cache-control"].startswith("private")
    assert admin.put(f"{PATH}/{slide['id']}", json={"isActive": True}).json() == slide | {"isActive": True}
    assert visitor.get(slide["imageUrl"]).status_code == 200
    assert admin.put(f"{PATH}/{slide['id']}", json={"isActive": False}).json() == slide
    assert visitor.get(slide["imageUrl"]).status_code == 404


def test_everything_that_is_wrong_is_said_at_once(admin: Person) -> None:
    before = admin.get(PATH).json()
    answer = admin.post(PATH, json={"title": "  ", "displayOrder": -1})
    assert answer.status_code == 422
    assert fault(answer)["fields"] == {
        "title": "Title is required",
        "genre": "Genre is required",
        "displayOrder": "Must be at least 0.",
        "imageData": "Please select an image file",
    }
    codes = {name: about["code"] for name, about in fault(answer)["fieldCodes"].items()}
    assert codes == {"title": "no_title", "genre": "no_genre", "displayOrder": "too_small", "imageData": "no_image"}
    long = admin.post(PATH, json=body(title="x" * 101, genre="x" * 51, imageData=data_url(b"x"), displayOrder=10**9))
    assert set(fault(long)["fields"]) == {"title", "genre", "imageData", "displayOrder"}
    assert admin.get(PATH).json() == before


@pytest.mark.parametrize(
    ("image_data", "status"),
    [
        ("data:image/svg+xml;base64,PHN2Zy8+", 422),
        ("no base64 at all", 422),
        (base64.b64encode(b"just text").decode(), 415),
        (data_url(picture("PNG"), "jpeg"), 415),
        (data_url(picture()[:40]), 422),
    ],
)
def test_what_is_no_picture_is_refused(admin: Person, image_data: str, status: int) -> None:
    answer = admin.post(PATH, json=body(imageData=image_data))
    assert answer.status_code == status and set(fault(answer)["fields"]) == {"imageData"}


def test_a_picture_has_ten_megabytes_at_most(admin: Person, add: Add) -> None:
    padded = picture() + b"\0" * (MAX_BYTES - len(picture()))
    assert len(padded) == MAX_BYTES
    add(imageData=data_url(padded))
    answer = admin.post(PATH, json=body(imageData=data_url(padded + b"\0")))
    assert answer.status_code == 413
    assert fault(answer)["fields"] == {"imageData": "Please upload an image smaller than 10MB."}


def test_without_another_picture_a_cover_keeps_its_own(product: Product, admin: Person, add: Add) -> None:
    slide, address = add(), f"{PATH}/"
    address += str(slide["id"])
    keys = kept(product, slide)
    for more in ({}, {"imageUrl": slide["imageUrl"]}, {"imageData": None}, {"imageData": ""}):
        title = uuid4().hex
        changed = admin.put(address, json={"title": title, "genre": "Mystery", "displayOrder": 7, **more})
        assert changed.status_code == 200, changed.text
        assert changed.json() == slide | {"title": title, "genre": "Mystery", "displayOrder": 7}
    assert kept(product, slide) == keys and all(stored(product, keys))


def test_another_picture_takes_the_place_of_the_first(
    product: Product, visitor: Person, admin: Person, add: Add
) -> None:
    slide = add()
    keys = kept(product, slide)
    changed = admin.put(f"{PATH}/{slide['id']}", json={"imageData": data_url(picture(color="#cc2211"))}).json()
    assert changed["imageUrl"] != slide["imageUrl"]
    assert visitor.get(changed["imageUrl"]).status_code == 200
    now = kept(product, slide)
    assert not set(now) & set(keys) and all(stored(product, now))
    assert not any(stored(product, keys)), "the first picture is gone"


@pytest.mark.parametrize("address", ["https://example.org/a.png", "/api/carousel/999999/image", "/api/covers/1/image"])
def test_no_other_address_can_be_given_for_a_picture(admin: Person, add: Add, address: str) -> None:
    slide = add()
    answer = admin.put(f"{PATH}/{slide['id']}", json={"title": "", "imageUrl": address})
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {"title", "imageUrl"}
    assert listed(admin, slide) == [slide]


def test_a_deleted_cover_takes_its_picture_along(product: Product, visitor: Person, admin: Person, add: Add) -> None:
    slide = add()
    keys = kept(product, slide)
    assert admin.delete(f"{PATH}/{slide['id']}").status_code == 204
    assert listed(admin, slide) == [] and visitor.get(slide["imageUrl"]).status_code == 404
    assert not any(stored(product, keys))
    assert admin.delete(f"{PATH}/{slide['id']}").status_code == 404
    assert admin.put(f"{PATH}/{slide['id']}", json={"imageData": data_url(picture())}).status_code == 404


def test_carousel_covers_keep_their_order(visitor: Person, admin: Person, add: Add) -> None:
    first, second, third = add(displayOrder=5), add(displayOrder=3), add(displayOrder=5)
    assert [slide["id"] for slide in listed(admin, first, second, third)] == [second["id"], first["id"], third["id"]]
    wanted = [third["id"], first["id"], second["id"]]
    ordered = admin.put(f"{PATH}/order", json={"ids": wanted})
    assert ordered.status_code == 200, ordered.text
    assert [slide["id"] for slide in ordered.json()][:3] == wanted
    for person, path in ((admin, PATH), (visitor, "/api/carousel")):
        assert [slide["id"] for slide in listed(person, first, second, third, path=path)] == wanted
    admin.put(f"{PATH}/order", json={"ids": [second["id"]]})
    assert listed(admin, first, second, third)[0]["id"] == second["id"], "those that are not named come last"


def test_an_order_names_covers_that_there_are_and_each_once(admin: Person, add: Add) -> None:
    slide = add()
    for ids in ([slide["id"], slide["id"]], [slide["id"], 999_999_999]):
        answer = admin.put(f"{PATH}/order", json={"ids": ids})
        assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"ids"}


def test_an_own_cover_can_be_copied_and_then_deleted(product: Product, visitor: Person, add: Add) -> None:
    me = product.admin()
    cover = me.cover(title="Night Orchard", genre="Fantasy")
    assert visitor.get(cover["imageUrl"]).status_code == 401
    slide = add(f"{PATH}/from-cover", coverId=cover["id"], displayOrder=2)
    assert (slide["title"], slide["genre"], slide["displayOrder"]) == ("Night Orchard", "Fantasy", 2)
    other = add(f"{PATH}/from-cover", coverId=cover["id"], title="Low Orbit", genre="Sci-Fi", isActive=False)
    assert (other["title"], other["genre"], other["isActive"]) == ("Low Orbit", "Sci-Fi", False)
    me.delete(f"/api/covers/{cover['id']}")
    assert me.delete(f"/api/covers/{cover['id']}/forever").status_code == 204
    assert visitor.get(slide["imageUrl"]).status_code == 200
    assert me.get(other["imageUrl"]).status_code == 200


def test_nobody_elses_cover_can_be_copied(ada: Person, admin: Person) -> None:
    cover = ada.cover()
    assert admin.post(f"{PATH}/from-cover", json={"coverId": cover["id"]}).status_code == 404
    mine = admin.cover(title="", genre="")
    answer = admin.post(f"{PATH}/from-cover", json={"coverId": mine["id"], "displayOrder": -1})
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {"title", "genre", "displayOrder"}


def test_a_hundred_covers_are_enough(product: Product, admin: Person, add: Add) -> None:
    slide = add()
    fill = (
        "INSERT INTO carousel_cover (title, genre, picture_id, is_active, display_order, created_at) "
        "SELECT 'one of many', genre, picture_id, is_active, display_order, created_at FROM carousel_cover "
        "WHERE id = :id"
    )
    for _ in range(100 - len(admin.get(PATH).json())):
        product.sql(fill, id=slide["id"])
    try:
        answer = admin.post(PATH, json=body())
        assert answer.status_code == 409 and fault(answer)["code"] == "carousel_full"
    finally:
        product.sql("DELETE FROM carousel_cover WHERE title = 'one of many'")


def test_what_administrators_do_is_written_down(product: Product, admin: Person, add: Add) -> None:
    slide = add()
    address = f"{PATH}/{slide['id']}"
    admin.put(address, json={"title": "Another", "displayOrder": 1, "imageData": data_url(picture())})
    admin.put(f"{PATH}/order", json={"ids": [slide["id"]]})
    admin.delete(address)
    trail = admin.get("/api/admin/audit", params={"limit": 4}).json()
    assert [(row["action"], row["object"]) for row in trail] == [
        ("carousel.delete", f"carousel:{slide['id']}"),
        ("carousel.order", "carousel"),
        ("carousel.change", f"carousel:{slide['id']}"),
        ("carousel.create", f"carousel:{slide['id']}"),
    ]
    assert trail[2]["keys"] == ["displayOrder", "imageData", "title"]


def test_pictures_of_the_carousel_are_no_strays(product: Product, visitor: Person, add: Add) -> None:
    slide, hidden = add(), add(isActive=False)
    stray = site_folder(product, product.data / "instances" / "disk" / "objects") / f"{uuid4()}.png"
    foreign = stray.parent.with_name("holidays.png")
    for file in (stray, foreign):
        file.write_bytes(b"stray")
        os.utime(file, (0, 0))
    with product.later(hours=6 if product.database_url else 3):  # one clock for both, and one look an hour
        wait_until(lambda: not stray.exists(), "the stray to be removed", 90)
    assert foreign.read_bytes() == b"stray", "a file that is not ours"
    foreign.unlink()
    assert visitor.get(slide["imageUrl"]).status_code == 200
    assert all(stored(product, kept(product, slide) + kept(product, hidden)))
    assert product.doctor() == ""
