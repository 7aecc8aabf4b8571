"""Logos, page icon, and the figures of the landing page: set by administrators, seen by everyone."""

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image, ImageDraw

from tests.person import Person, fault
from tests.product import Product
from tests.support.drawings import SECRET, picture, telling_photo
from tests.support.files import files_below
from tests.support.processes import wait_until

KEYS = {"logo": "logo_url", "favicon": "favicon_url", "footer-logo": "footer_logo_url"}
FIELDS = {"logo": "logoUrl", "favicon": "faviconUrl", "footer-logo": "footerLogoUrl"}
FIGURES = ("authors", "covers", "rating")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
PLAIN = "/api/admin/settings"


@pytest.fixture(autouse=True)
def afterwards(product: Product) -> Iterator[None]:
    """Remove what a test has uploaded."""
    yield
    admin = product.admin()
    for key in KEYS.values():
        assert admin.put(f"{PLAIN}/{key}", json={"textValue": None}).status_code == 200
    for name in FIGURES:
        assert admin.put(f"{PLAIN}/stats_{name}", json={"textValue": None}).status_code == 200


def mark(size: tuple[int, int] = (600, 200), kind: str = "PNG") -> bytes:
    """Return a logo: a red disc on a transparent background."""
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    ImageDraw.Draw(image).ellipse((size[0] // 4, 0, size[0] // 2, size[1] - 1), fill="#b03020")
    buffer = io.BytesIO()
    image.save(buffer, kind, lossless=True)
    return buffer.getvalue()


def upload(person: Person, use: str | None, data: bytes | None, name: str = "logo.png") -> httpx.Response:
    """Send the form; None fields are left out."""
    parts: dict[str, Any] = {}
    if use is not None:
        parts["type"] = (None, use)
    if data is not None:
        parts["file"] = (name, data, "image/png")
    return person.post("/api/admin/upload-branding", files=parts or {"other": (None, "x")})


def seen(person: Person, address: str) -> Image.Image:
    """Fetch a picture and decode it."""
    answer = person.get(address)
    assert answer.status_code == 200, answer.text
    return Image.open(io.BytesIO(answer.content))


@pytest.mark.parametrize("use", KEYS)
def test_an_uploaded_picture_is_branding_for_everyone(visitor: Person, admin: Person, use: str) -> None:
    answer = upload(admin, use, mark())
    assert answer.status_code == 200, answer.text
    url = answer.json()["url"]
    assert set(answer.json()) == {"url"} and url.startswith(f"/api/branding/{use}/image?v=")
    assert visitor.get("/api/branding").json() == {
        "name": "Coverwright",
        **{field: url if name == use else None for name, field in FIELDS.items()},
    }
    setting = admin.get(f"{PLAIN}/{KEYS[use]}").json()
    assert setting["settingKey"] == KEYS[use] and setting["textValue"] == url
    listed = {entry["settingKey"]: entry for entry in admin.get(PLAIN).json()}
    assert listed[KEYS[use]] == setting
    assert {*KEYS.values(), "standard_prompt", "theme_prompt"} <= listed.keys()
    picture_answer = visitor.get(url)
    assert picture_answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert picture_answer.headers["x-content-type-options"] == "nosniff"
    known = visitor.get(url, headers={"if-none-match": picture_answer.headers["etag"]})
    assert known.status_code == 304


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_what_is_transparent_stays_so(visitor: Person, admin: Person, kind: str) -> None:
    kept = seen(visitor, upload(admin, "logo", mark(kind=kind)).json()["url"]).convert("RGBA")
    assert kept.getpixel((0, 0))[3] == 0  # type: ignore[index]
    assert kept.getpixel((225, 100)) == (176, 48, 32, 255)


def test_a_logo_is_scaled_down_and_never_up(visitor: Person, admin: Person) -> None:
    large = seen(visitor, upload(admin, "logo", mark((3000, 900))).json()["url"])
    assert large.size == (853, 256) and large.format == "WEBP"
    assert seen(visitor, upload(admin, "footer-logo", mark((300, 90))).json()["url"]).size == (300, 90)


def test_a_page_icon_is_a_small_square_png(visitor: Person, admin: Person) -> None:
    icon = seen(visitor, upload(admin, "favicon", mark((800, 400))).json()["url"])
    assert icon.size == (256, 256) and icon.format == "PNG"
    assert icon.convert("RGBA").getpixel((128, 10))[3] == 0  # type: ignore[index]


def test_a_photo_tells_nothing_of_its_maker_and_stands_upright(visitor: Person, admin: Person) -> None:
    url = upload(admin, "logo", telling_photo((40, 20))).json()["url"]
    assert SECRET.encode() not in visitor.get(url).content
    assert seen(visitor, url).size == (20, 40)


def test_another_picture_takes_the_place_of_the_first(product: Product, visitor: Person, admin: Person) -> None:
    before = files(product)
    first = upload(admin, "logo", mark()).json()["url"]
    second = upload(admin, "logo", picture("JPEG")).json()["url"]
    assert first != second and visitor.get("/api/branding").json()["logoUrl"] == second
    old = visitor.get(first)
    assert old.status_code == 200 and old.headers["cache-control"] == "public, max-age=300"
    assert len(files(product) - before) == 1, "the first one's file is gone"


def test_uploads_at_the_same_time_leave_one_picture(product: Product, visitor: Person, admin: Person) -> None:
    before = files(product)
    colors = ["#aa0000", "#00aa00", "#0000aa", "#aaaa00"]
    with ThreadPoolExecutor(len(colors)) as pool:
        answers = list(pool.map(lambda color: upload(admin, "logo", picture(color=color)), colors))
    assert [answer.status_code for answer in answers] == [200] * len(colors)
    assert visitor.get("/api/branding").json()["logoUrl"] in [answer.json()["url"] for answer in answers]
    assert len(files(product) - before) == 1
    assert product.sql("SELECT COUNT(*) AS pictures FROM setting WHERE picture_id IS NOT NULL")[0]["pictures"] == 1


def test_without_a_text_the_default_shows_again(product: Product, visitor: Person, admin: Person) -> None:
    before = files(product)
    url = upload(admin, "logo", mark()).json()["url"]
    assert admin.put(f"{PLAIN}/logo_url", json={"textValue": url}).json()["textValue"] == url
    assert visitor.get("/api/branding").json()["logoUrl"] == url
    assert admin.put(f"{PLAIN}/logo_url", json={"textValue": ""}).json()["textValue"] is None
    assert visitor.get("/api/branding").json()["logoUrl"] is None
    assert visitor.get(url).status_code == 404
    assert files(product) == before


@pytest.mark.parametrize(
    ("key", "body", "fields"),
    [
        ("logo_url", {"textValue": "https://elsewhere.example/logo.png"}, {"textValue"}),
        ("logo_url", {"textValue": "/api/branding/logo/image?v=0000000000000000"}, {"textValue"}),
        ("logo_url", {"settingKey": "favicon_url", "promptTemplate": "x"}, {"settingKey", "promptTemplate"}),
        ("stats_rating", {"textValue": "5" * 41}, {"textValue"}),
        ("stats_rating", {"textValue": "5", "showGenreCheckbox": True}, {"showGenreCheckbox"}),
        ("standard_prompt", {"textValue": "x"}, {"textValue"}),
    ],
)
def test_a_setting_takes_what_belongs_to_it_only(
    visitor: Person, admin: Person, key: str, body: dict[str, Any], fields: set[str]
) -> None:
    before = admin.get(PLAIN).json()
    answer = admin.put(f"{PLAIN}/{key}", json=body)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == fields
    assert admin.get(PLAIN).json() == before


@pytest.mark.parametrize(
    ("use", "data", "status", "fields"),
    [
        ("logo", SVG, 415, {"file"}),
        ("logo", b"GIF89a" + b"0" * 40, 415, {"file"}),
        ("logo", b"\x89PNG\r\n\x1a\n" + b"0" * 40, 422, {"file"}),
        ("logo", b"\xff\xd8\xff" + b"0" * (10 * 1024 * 1024), 413, {"file"}),
        ("banner", mark((8, 8)), 422, {"type"}),
        ("banner", SVG, 422, {"type", "file"}),
        (None, None, 422, {"type", "file"}),
        ("logo", b"", 422, {"file"}),
    ],
)
def test_other_files_are_refused_by_their_fields(
    visitor: Person, admin: Person, use: str | None, data: bytes | None, status: int, fields: set[str]
) -> None:
    answer = upload(admin, use, data, "logo.svg")
    assert answer.status_code == status and set(fault(answer)["fields"]) == fields
    assert visitor.get("/api/branding").json()["logoUrl"] is None


def test_svg_is_refused_with_its_reason(admin: Person) -> None:
    said = fault(upload(admin, "logo", SVG, "logo.svg"))
    assert "SVG" in said["fields"]["file"] and said["fieldCodes"]["file"]["code"] == "not_a_logo"


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{}", 415),
        ("multipart/form-data", b"--x--", 400),
        ("multipart/form-data; boundary=x", b"", 422),
        ("multipart/form-data; boundary=x", b"no form", 400),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="type"\r\n\r\n\xff\r\n--x--',
            400,
        ),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="type"\r\nContent-Type: a/b; charset=zz\r\n\r\na\r\n--x--',
            400,
        ),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\na\r\n--x--',
            422,
        ),
        ("multipart/form-data; boundary=x", b"0" * (16 * 1024 * 1024), 413),
    ],
)
def test_a_malformed_form_is_refused(admin: Person, kind: str, body: bytes, status: int) -> None:
    answer = admin.post("/api/admin/upload-branding", content=body, headers={"content-type": kind})
    assert answer.status_code == status, answer.text
    fault(answer)


def test_only_administrators_change_it(visitor: Person, ada: Person) -> None:
    for person, status in ((visitor, 401), (ada, 403)):
        assert upload(person, "logo", mark()).status_code == status
        assert person.put(f"{PLAIN}/logo_url", json={"textValue": ""}).status_code == status
    assert visitor.get("/api/branding").json()["logoUrl"] is None


def test_what_was_done_is_in_the_audit(product: Product, admin: Person) -> None:
    upload(admin, "favicon", mark())
    admin.put(f"{PLAIN}/stats_covers", json={"textValue": "12,000"})
    rows = product.sql(
        "SELECT object, keys, actor_id FROM audit WHERE action = 'setting.save' ORDER BY id DESC LIMIT 2"
    )
    assert [row["object"] for row in rows] == ["setting:stats_covers", "setting:favicon_url"]
    assert {row["actor_id"] for row in rows} == {admin.id} and all("textValue" in str(row["keys"]) for row in rows)


def test_the_doctor_finds_an_address_for_each_file(product: Product, admin: Person) -> None:
    upload(admin, "logo", mark())
    assert "setting logo_url" not in product.doctor()
    product.sql("UPDATE setting SET text_value = NULL WHERE setting_key = 'logo_url'")
    assert "setting logo_url" in product.doctor()


def test_figures_are_shown_as_an_administrator_wrote_them(visitor: Person, admin: Person) -> None:
    assert visitor.get("/api/site-stats").json() == dict.fromkeys(FIGURES)
    saved = admin.put(f"{PLAIN}/stats_authors", json={"textValue": "  1,200  + "})
    assert saved.status_code == 200 and saved.json()["textValue"] == "1,200 +"
    assert visitor.get("/api/site-stats").json() == {"authors": "1,200 +", "covers": None, "rating": None}
    admin.put(f"{PLAIN}/stats_authors", json={"textValue": ""})
    assert visitor.get("/api/site-stats").json()["authors"] is None


def test_pages_name_the_uploaded_icon(visitor: Person, admin: Person) -> None:
    url = upload(admin, "favicon", mark()).json()["url"]
    wait_until(lambda: f'<link rel="icon" href="{url}"' in visitor.get("/").text, "the icon is in the page")


def files(product: Product) -> set[Path]:
    """Return the files of the data folder's storage."""
    return set(files_below(product.data, "/objects/"))


def test_the_icon_is_found_where_browsers_look_for_one(admin: Person, visitor: Person) -> None:
    def icon() -> Any:
        answer = visitor.get("/favicon.ico")
        assert answer.status_code == 200 and answer.headers["content-type"].startswith("image/")
        return answer.content

    wait_until(lambda: icon()[:4] == b"\0\0\1\0", "the product's own icon")
    url = upload(admin, "favicon", mark()).json()["url"]
    wait_until(lambda: icon() == visitor.get(url).content, "the site's own icon")
