"""What the files that people download tell machines of their origin: each kind of file, and no other one."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest
from PIL import Image

from tests.api.test_packs import make, opened, printable
from tests.person import Person
from tests.product import Product
from tests.support.marks import source_of, told

BARE: Final = "trainedAlgorithmicMedia"
COMPOSED: Final = "compositeWithTrainedAlgorithmicMedia"
FORMATS: Final = ("png", "jpeg", "webp")


def download(person: Person, cover: dict[str, Any], kind: str = "png", **headers: str) -> httpx.Response:
    """Download a cover."""
    return person.get(f"/api/covers/{cover['id']}/download?format={kind}", headers=headers)


def pixels(data: bytes) -> bytes:
    """Return the decoded pixels."""
    with Image.open(io.BytesIO(data)) as opened:
        return opened.convert("RGB").tobytes()


def lettered(person: Person, cover: dict[str, Any]) -> None:
    """Set words on a cover whose model made no difference between words and picture."""
    path = f"/api/covers/{cover['id']}/lettering"
    suggested = person.post(f"{path}/suggestion", json={"words": {"title": "Over it"}})
    version = person.get(path).json()["version"]
    answer = person.put(path, json={"version": version, "lettering": suggested.json()})
    assert answer.status_code == 200, answer.text


@pytest.fixture
def reader(product: Product) -> Person:
    """Somebody who may download everything."""
    return product.user(pro=True)


def test_a_file_tells_where_it_comes_from_and_nothing_of_a_person(reader: Person) -> None:
    cover = reader.cover(prompt="a very private wish", title="A Secret")
    for kind in FORMATS:
        data = download(reader, cover, kind).content
        notes = told(data)
        assert {name for name in notes if not name.startswith("xmlns")} <= {
            "about",
            "DigitalSourceType",
            "CreatorTool",
            "CreateDate",
        }
        assert notes["CreatorTool"] == "Coverwright" and notes["CreateDate"].endswith("Z")
        assert source_of(data) in (BARE, COMPOSED)
        assert b"private wish" not in data and b"Secret" not in data


def test_a_models_bare_picture_is_another_source_than_one_with_words_on_it(reader: Person) -> None:
    cover = reader.cover()
    bare = download(reader, cover)
    assert source_of(bare.content) == BARE
    lettered(reader, cover)
    composed = download(reader, cover)
    assert source_of(composed.content) == COMPOSED
    assert composed.headers["etag"] != bare.headers["etag"]


@pytest.fixture
def unsigned(product: Product) -> Iterator[None]:
    """A site that marks its files and does not sign them."""
    product.admin().put("/api/admin/signing", json={"isOn": False})
    yield
    product.admin().put("/api/admin/signing", json={"isOn": True})


@pytest.mark.usefixtures("unsigned")
def test_the_pixels_that_are_kept_and_shown_stay_as_they_are(reader: Person) -> None:
    cover = reader.cover()
    kept = reader.get(cover["imageUrl"]).content
    marked = download(reader, cover).content
    assert len(marked) > len(kept) and pixels(marked) == pixels(kept)
    assert marked[:33] == kept[:33] and marked.endswith(kept[33:])
    assert source_of(kept) is None
    assert source_of(reader.get(cover["thumbnailUrl"]).content) is None


@pytest.mark.usefixtures("unsigned")
def test_a_marked_file_is_sent_in_any_pieces(reader: Person) -> None:
    cover = reader.cover()
    whole = download(reader, cover)
    data, etag = whole.content, whole.headers["etag"]
    size = len(data)
    assert whole.headers["content-length"] == str(size) and whole.headers["accept-ranges"] == "bytes"
    mark = data.index(b"</x:xmpmeta>")
    spans = [(0, 9), (10, 40), (30, 33), (33, 60), (40, mark), (mark, size - 1), (0, size - 1), (size - 7, size - 1)]
    for first, last in spans:
        part = download(reader, cover, range=f"bytes={first}-{last}", **{"if-range": etag})
        assert part.status_code == 206
        assert part.headers["content-range"] == f"bytes {first}-{last}/{size}"
        assert part.content == data[first : last + 1]
    assert download(reader, cover, range=f"bytes={size}-").status_code == 416
    assert download(reader, cover, **{"if-none-match": etag}).status_code == 304


def test_covers_in_an_archive_are_marked_each_as_it_is(reader: Person) -> None:
    composed, plain = reader.cover(title="Lettered"), reader.cover(title="Plain")
    lettered(reader, composed)
    for kind in FORMATS:
        answer = reader.post("/api/archives", json={"coverIds": [composed["id"], plain["id"]], "format": kind})
        archive = reader.packed(answer.json()["id"])
        with zipfile.ZipFile(io.BytesIO(reader.get(archive["downloadUrl"]).content)) as packed:
            assert packed.testzip() is None
            sources = [source_of(packed.read(name)) for name in packed.namelist()]
        assert sources == [COMPOSED, BARE]


def test_the_pictures_of_a_book_are_marked_and_what_is_printed_is_not(reader: Person) -> None:
    book = printable(reader)
    for edition in ("audiobook", "social", "mockups", "layers"):
        book = reader.put(f"/api/books/{book['id']}/editions/{edition}", json={"version": book["version"]}).json()
    pack = make(reader, book)
    packed = opened(reader, pack)
    files = {name: packed.read(name) for name in packed.namelist()}
    sources = {name: source_of(data) for name, data in files.items() if name.endswith((".jpg", ".png"))}
    assert len(sources) == 8 + 5
    with zipfile.ZipFile(io.BytesIO(files["Salt-Year_layers.ora"])) as layers:
        assert source_of(layers.read("mergedimage.png")) == COMPOSED
    assert {name for name, source in sources.items() if source == BARE} == {"Salt-Year_ebook_1600x2560.jpg"}
    assert {source for name, source in sources.items() if "ebook" not in name} == {COMPOSED}
    pages = [data for name, data in files.items() if name.endswith(".pdf")]
    assert pages and not [data for data in pages if b"digitalsourcetype" in data]
    sizes = {file["name"]: file["bytes"] for file in pack["files"]}
    assert {name: len(data) for name, data in files.items()} == sizes


def test_what_a_program_drew_is_no_models_with_words_and_without(drawn_here: Product) -> None:
    ada = drawn_here.user(pro=True)
    cover = ada.cover()
    assert source_of(download(ada, cover).content) == "algorithmicMedia"
    version = ada.get(f"/api/covers/{cover['id']}/lettering").json()["version"]
    ada.put(f"/api/covers/{cover['id']}/lettering", json={"version": version, "lettering": None})
    assert source_of(download(ada, cover).content) == "algorithmicMedia"
