"""Pictures of covers: forms, validators, ranges, privacy and downloads."""

import base64
import io
from urllib.parse import unquote

import httpx
import pytest
from PIL import Image

from tests.person import Person, fault
from tests.product import Product


def opened(answer: httpx.Response) -> Image.Image:
    """Return the picture in a response."""
    return Image.open(io.BytesIO(answer.content))


def test_a_cover_comes_in_three_forms(ada: Person) -> None:
    cover = ada.cover(dimensions="custom", customWidth=4, customHeight=6)
    forms = (
        ("imageUrl", (1200, 1800), "PNG"),
        ("previewUrl", (960, 1440), "WEBP"),
        ("thumbnailUrl", (320, 480), "WEBP"),
    )
    for name, size, kind in forms:
        answer = ada.get(cover[name])
        assert answer.status_code == 200
        picture = opened(answer)
        assert (picture.size, picture.format) == (size, kind)
        assert answer.headers["content-type"] == f"image/{kind.lower()}"
        assert int(answer.headers["content-length"]) == len(answer.content)
    assert ada.get(f"/api/covers/{cover['id']}/image").content == ada.get(cover["imageUrl"]).content
    assert ada.get(f"/api/covers/{cover['id']}/image?size=640").status_code == 422


def test_a_cover_comes_with_its_placeholder(ada: Person) -> None:
    cover = ada.cover()
    kind, _, data = cover["placeholder"].partition(",")
    assert kind == "data:image/webp;base64" and len(cover["placeholder"]) < 300
    shown = opened(ada.get(cover["thumbnailUrl"]))
    with Image.open(io.BytesIO(base64.b64decode(data))) as tiny:
        assert tiny.width / tiny.height == pytest.approx(shown.width / shown.height, rel=0.05)


def test_addresses_are_of_our_own_origin_and_hold_the_contents_hash(ada: Person) -> None:
    cover = ada.cover(seed=1)
    addresses = [cover[name] for name in ("imageUrl", "previewUrl", "thumbnailUrl")]
    assert all(address.startswith(f"/api/covers/{cover['id']}/image?") for address in addresses)
    assert len({address.split("v=")[1] for address in addresses}) == 1
    assert ada.cover(seed=2)["imageUrl"].split("v=")[1] != addresses[0].split("v=")[1]


def test_a_picture_is_private_and_kept_for_as_long_as_its_address_names_its_hash(ada: Person) -> None:
    cover = ada.cover()
    hashed = ada.get(cover["thumbnailUrl"])
    assert hashed.headers["cache-control"] == "private, max-age=31536000, immutable"
    plain = ada.get(f"/api/covers/{cover['id']}/image?size=320")
    assert plain.headers["cache-control"] == "private, no-cache"
    assert plain.headers["etag"] == hashed.headers["etag"]


def test_a_cached_picture_is_answered_with_304(ada: Person) -> None:
    cover = ada.cover()
    etag = ada.get(cover["thumbnailUrl"]).headers["etag"]
    for known in (etag, f"W/{etag}", f'"other", {etag}'):
        answer = ada.get(cover["thumbnailUrl"], headers={"if-none-match": known})
        assert answer.status_code == 304 and answer.content == b"" and answer.headers["etag"] == etag
    assert ada.get(cover["thumbnailUrl"], headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("asked", "first", "last"), [("bytes=0-99", 0, 99), ("bytes=100-", 100, -1), ("bytes=-50", -50, -1)]
)
def test_parts_of_a_picture_can_be_asked_for(ada: Person, asked: str, first: int, last: int) -> None:
    cover = ada.cover()
    whole = ada.get(cover["imageUrl"])
    assert whole.headers["accept-ranges"] == "bytes"
    size = len(whole.content)
    part = ada.get(cover["imageUrl"], headers={"range": asked})
    assert part.status_code == 206
    start, end = first % size, last % size
    assert part.headers["content-range"] == f"bytes {start}-{end}/{size}"
    assert part.content == whole.content[start : end + 1]


def test_ranges_beyond_the_picture_are_refused_and_odd_ones_ignored(ada: Person) -> None:
    cover = ada.cover()
    whole = ada.get(cover["thumbnailUrl"])
    size = len(whole.content)
    beyond = ada.get(cover["thumbnailUrl"], headers={"range": f"bytes={size}-"})
    assert beyond.status_code == 416 and beyond.headers["content-range"] == f"bytes */{size}"
    for odd in ("bytes=5-2,7-9", "lines=1-2", "bytes=-", "bytes=x-y"):
        assert ada.get(cover["thumbnailUrl"], headers={"range": odd}).content == whole.content
    stale = {"range": "bytes=0-9", "if-range": '"older"'}
    assert ada.get(cover["thumbnailUrl"], headers=stale).status_code == 200
    fresh = {"range": "bytes=0-9", "if-range": whole.headers["etag"]}
    assert ada.get(cover["thumbnailUrl"], headers=fresh).status_code == 206


def test_a_picture_can_do_nothing_but_be_shown(ada: Person) -> None:
    headers = ada.get(ada.cover()["imageUrl"]).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_a_picture_is_its_owners_alone(ada: Person, bob: Person, visitor: Person, admin: Person) -> None:
    cover = ada.cover()
    for path in (cover["imageUrl"], cover["thumbnailUrl"], f"/api/covers/{cover['id']}/download"):
        assert visitor.get(path).status_code == 401
        for other in (bob, admin):
            answer = other.get(path)
            assert answer.status_code == 404
            assert fault(answer)["message"] == fault(other.get("/api/covers/9007199254740991/image"))["message"]


@pytest.mark.parametrize(("kind", "extension"), [("png", "png"), ("jpeg", "jpg"), ("webp", "webp")])
def test_a_cover_is_downloaded_at_print_size_without_notes_of_its_maker(
    product: Product, kind: str, extension: str
) -> None:
    ada = product.user(pro=True)
    cover = ada.cover(title="The Light!")
    answer = ada.get(f"/api/covers/{cover['id']}/download?format={kind}")
    assert answer.status_code == 200 and answer.headers["content-type"] == f"image/{kind}"
    assert f'filename="the_light_.{extension}"' in answer.headers["content-disposition"]
    assert answer.headers["cache-control"] == "private, no-cache"
    picture = opened(answer)
    assert picture.format == kind.upper() and picture.size == (1024, 1792)
    assert not picture.getexif() and not {"comment", "exif", "Software"} & set(picture.info)
    if kind != "webp":
        assert [round(dots) for dots in picture.info["dpi"]] == [300, 300]
    assert ada.get(f"/api/covers/{cover['id']}/download?format=tiff").status_code == 422


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("منارة العاصفة", "منارة_العاصفة.png"),
        ("Über die Köpfe", "über_die_köpfe.png"),
        ('a"; filename="evil.exe', "a___filename__evil_exe.png"),
        ("../../etc/passwd", "______etc_passwd.png"),
        ("灯台の光", "灯台の光.png"),
        ("", "cover.png"),
    ],
)
def test_a_download_is_named_after_the_cover(ada: Person, title: str, name: str) -> None:
    cover = ada.cover(title=title)
    disposition = ada.get(f"/api/covers/{cover['id']}/download").headers["content-disposition"]
    plain, _, encoded = disposition.partition("; filename*=UTF-8''")
    assert unquote(encoded) == name
    assert plain.isascii() and plain.startswith('attachment; filename="') and plain.count('"') == 2


def test_a_title_cannot_write_headers(ada: Person) -> None:
    cover = ada.cover()
    path = f"/api/covers/{cover['id']}"
    assert ada.patch(path, json={"title": "x\r\nSet-Cookie: a=b"}).status_code == 422
    assert ada.patch(path, json={"title": "x\u202e; Set-Cookie: a=b"}).status_code == 200
    answer = ada.get(f"/api/covers/{cover['id']}/download")
    assert answer.status_code == 200 and "set-cookie" not in answer.headers
    assert len(answer.headers.get_list("content-disposition")) == 1


def test_a_picture_whose_file_is_gone_is_absent_and_no_error_of_ours(product: Product, ada: Person) -> None:
    cover = ada.cover()
    originals = [path for path in product.data.rglob("*original*") if path.is_file()]
    for path in originals:
        path.rename(path.with_name(f"away-{path.name}"))
    try:
        assert ada.get(cover["imageUrl"]).status_code == 404
        assert ada.get(f"/api/covers/{cover['id']}/download").status_code == 404
        assert ada.get(cover["thumbnailUrl"]).status_code == 200
    finally:
        for path in originals:
            path.with_name(f"away-{path.name}").rename(path)
