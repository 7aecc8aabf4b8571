"""Downloads by plan: some formats in standard quality on the free one, everything for Pro and administrators."""

import asyncio
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from kernel.accounts.user_summary import EVERYTHING
from kernel.core.config import ConfigError, load_config
from kernel.pictures.ingest import convert
from kernel.plans.download_policy import DownloadPolicy
from tests.person import Person, fault
from tests.product import Product

FULL = (1024, 1792)
STANDARD = (914, 1600)
FREE = {"formats": ["png", "jpeg"], "longestPx": 1600}
ALL = {"formats": ["png", "jpeg", "webp"], "longestPx": None}


@dataclass
class Reader:
    """A user on a plan, the formats of the plan, and the size of their cover as a file."""

    person: Person
    downloads: dict[str, Any]
    size: tuple[int, int]


@pytest.fixture(params=["free", "pro", "admin"])
def reader(request: pytest.FixtureRequest, product: Product) -> Reader:
    """A user on each plan, and the administrator, who has none."""
    match request.param:
        case "free":
            return Reader(product.user(), FREE, STANDARD)
        case "pro":
            return Reader(product.user(pro=True), ALL, FULL)
        case _:
            return Reader(product.admin(), ALL, FULL)


def download(person: Person, cover_id: int, kind: str = "png", **headers: str) -> httpx.Response:
    """Download a cover."""
    return person.get(f"/api/covers/{cover_id}/download?format={kind}", headers=headers)


def shape(data: bytes) -> tuple[str | None, tuple[int, int]]:
    """Return format and size of a picture."""
    with Image.open(io.BytesIO(data)) as picture:
        picture.load()
        return picture.format, picture.size


def test_the_user_object_tells_what_may_be_downloaded(reader: Reader) -> None:
    assert reader.person.get("/api/auth/user").json()["downloads"] == reader.downloads


def test_a_download_has_the_size_and_the_formats_of_the_plan(reader: Reader) -> None:
    cover_id = reader.person.cover()["id"]
    for kind in ("png", "jpeg", "webp"):
        answer = download(reader.person, cover_id, kind)
        if kind in reader.downloads["formats"]:
            assert answer.status_code == 200, answer.text
            assert shape(answer.content) == (kind.upper(), reader.size)
        else:
            error = fault(answer)
            assert (answer.status_code, error["code"]) == (402, "plan_required")
            assert error["message"] == "Upgrade to Pro to download WebP, or choose PNG or JPEG."


def test_an_archive_has_the_size_and_the_formats_of_the_plan(reader: Reader) -> None:
    cover_id = reader.person.cover()["id"]
    for kind in ("png", "jpeg", "webp"):
        answer = reader.person.post("/api/archives", json={"coverIds": [cover_id], "format": kind})
        if kind not in reader.downloads["formats"]:
            assert (answer.status_code, fault(answer)["code"]) == (402, "plan_required")
            continue
        archive = reader.person.packed(answer.json()["id"])
        with zipfile.ZipFile(io.BytesIO(reader.person.get(archive["downloadUrl"]).content)) as packed:
            (name,) = packed.namelist()
            assert shape(packed.read(name)) == (kind.upper(), reader.size)


def test_what_is_seen_and_what_is_exported_stays_as_it_was_made(ada: Person) -> None:
    cover = ada.cover()
    seen = ada.get(cover["imageUrl"]).content
    assert shape(seen) == ("PNG", FULL)
    with zipfile.ZipFile(io.BytesIO(ada.get("/api/account/export").content)) as export:
        assert seen in [export.read(name) for name in export.namelist() if name.endswith(".png")]


def test_a_browser_never_takes_the_smaller_file_for_the_larger_one(ada: Person) -> None:
    cover_id = ada.cover()["id"]
    for kind in ("png", "jpeg"):
        standard = download(ada, cover_id, kind)
        etag = standard.headers["etag"]
        assert standard.headers["cache-control"] == "private, no-cache"
        again = download(ada, cover_id, kind, **{"if-none-match": etag})
        assert again.status_code == 304 and again.content == b"" and again.headers["etag"] == etag
    known = download(ada, cover_id).headers["etag"]
    ada.subscribe()
    full = download(ada, cover_id, **{"if-none-match": known})
    assert full.status_code == 200 and shape(full.content) == ("PNG", FULL)
    kinds = {kind: download(ada, cover_id, kind).headers["etag"] for kind in ("png", "jpeg", "webp")}
    assert len({known, *kinds.values()}) == 4
    assert download(ada, cover_id, "webp", **{"if-none-match": kinds["webp"]}).status_code == 304


def test_somebody_elses_cover_is_not_there_in_any_format(ada: Person, bob: Person) -> None:
    cover_id = ada.cover()["id"]
    for kind in ("png", "webp"):
        assert download(bob, cover_id, kind).status_code == 404


def test_a_picture_that_is_small_enough_is_not_touched() -> None:
    file = io.BytesIO()
    Image.new("RGB", (300, 200), "teal").save(file, "PNG")
    original = file.getvalue()
    assert asyncio.run(convert(original, "png", longest_px=300)) == original
    assert shape(asyncio.run(convert(original, "jpeg", longest_px=300))) == ("JPEG", (300, 200))
    assert shape(asyncio.run(convert(original, "png", longest_px=100))) == ("PNG", (100, 67))


def configured(folder: Path, text: str) -> DownloadPolicy:
    """Return the download rules of an operator's file."""
    file = folder / "own.toml"
    file.write_text(f"[plans]\n{text}\n")
    return DownloadPolicy(load_config({"COVERWRIGHT_CONFIG": str(file)}).plans)


def test_the_operator_says_what_is_free(tmp_path: Path) -> None:
    rules = configured(tmp_path, 'free_download_formats = ["webp", "png"]\nfree_download_longest_px = 0')
    free = rules.of(is_pro=False, is_admin=False)
    assert (free.formats, free.longest_px) == (["png", "webp"], None)
    assert rules.of(is_pro=True, is_admin=False) == rules.of(is_pro=False, is_admin=True) == EVERYTHING


@pytest.mark.parametrize(
    "text", ["free_download_formats = []", 'free_download_formats = ["bmp"]', "free_download_longest_px = -1"]
)
def test_a_free_plan_that_makes_no_sense_is_refused_at_start(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match=text.split(" =", maxsplit=1)[0]):
        configured(tmp_path, text)
