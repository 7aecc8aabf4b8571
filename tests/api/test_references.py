"""POST /api/generate-cover-with-references: which pictures are accepted, what a service gets, what is stored."""

import hashlib
import io
import random
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from PIL import Image

from tests.conftest import Limits
from tests.person import SMALL, Person, fault
from tests.product import Product
from tests.support.drawings import SECRET, base64_of, data_url, picture, telling_photo, telling_png
from tests.support.files import files_below
from tests.support.processes import wait_until

MAX_BYTES: Final = 10 * 1024 * 1024
PATH: Final = "/api/generate-cover-with-references"


def upload(data: bytes, name: str = "a.png") -> dict[str, str]:
    return {"id": uuid4().hex, "base64": base64_of(data), "name": name}


def asked(**fields: Any) -> dict[str, Any]:
    """Return a request; `fields` are those of the API."""
    return {"prompt": "a lighthouse in a storm", "title": uuid4().hex, "dimensions": SMALL} | fields


def started(person: Person, **fields: Any) -> str:
    """Request a cover and return the generation's id."""
    answer = person.post(PATH, json=asked(**fields))
    assert answer.status_code == 202, answer.text
    return str(answer.json()["generationId"])


def made(person: Person, **fields: Any) -> str:
    """Make a cover and return the generation's id."""
    generation_id = started(person, **fields)
    assert person.finished(generation_id)["status"] == "completed"
    return generation_id


def received(product: Product, generation_id: str) -> list[bytes]:
    """Return the pictures that the image service received for a job, in their order."""
    return [path.read_bytes() for path in sorted((product.folder / "stub" / "references").glob(f"{generation_id}-*"))]


def kept(product: Product, generation_id: str = "") -> list[Path]:
    """Return the stored files of references."""
    return files_below(product.data, f"{generation_id}/reference-")


def noise(side: int) -> bytes:
    """Return a PNG that no encoder makes smaller."""
    buffer = io.BytesIO()
    Image.frombytes("RGB", (side, side), random.Random(1).randbytes(side * side * 3)).save(buffer, "PNG")
    return buffer.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def test_a_cover_is_made_after_own_covers_and_uploads(product: Product, ada: Person) -> None:
    mine = ada.cover()
    generation_id = made(
        ada, referenceImageIds=[mine["id"]], uploadedImages=[upload(picture("WEBP", (300, 200), "#ff0000"))]
    )
    cover, uploaded = map(opened, received(product, generation_id))
    assert cover.size == (1024, 1792) and uploaded.size == (300, 200)
    red, green, blue = uploaded.convert("RGB").resize((1, 1)).tobytes()
    assert red > 245 and green < 10 and blue < 10
    assert ada.used() == 2


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
@pytest.mark.parametrize("write", [base64_of, data_url], ids=["plain", "data-url"])
def test_each_kind_of_picture_is_taken_plain_and_as_a_data_url(shared_product: Product, kind: str, write: Any) -> None:
    text = write(picture(kind.upper()), *([kind] if write is data_url else []))
    person = shared_product.user()
    generation_id = made(person, uploadedImages=[{"id": "1", "base64": text, "name": "x" * 255}])
    (given,) = received(shared_product, generation_id)
    assert opened(given).format == "JPEG" and opened(given).size == (64, 96)


def test_nothing_but_the_picture_reaches_the_service(shared_product: Product) -> None:
    person = shared_product.user()
    uploads = [upload(telling_photo((40, 20))), upload(telling_png())]
    photo, drawing = received(shared_product, made(person, uploadedImages=uploads))
    for given in (photo, drawing):
        assert SECRET.encode() not in given and b"script" not in given and not opened(given).getexif()
    assert opened(photo).size == (20, 40)


def test_a_large_picture_is_scaled_down(shared_product: Product) -> None:
    person = shared_product.user()
    (given,) = received(shared_product, made(person, uploadedImages=[upload(picture("JPEG", (4000, 1000)))]))
    assert opened(given).size == (2048, 512)


def test_four_pictures_of_the_greatest_size_are_taken(shared_product: Product) -> None:
    person = shared_product.user()
    largest = picture("PNG").ljust(MAX_BYTES, b"\0")
    assert len(received(shared_product, made(person, uploadedImages=[upload(largest)] * 4))) == 4


def test_more_than_four_pictures_of_the_greatest_size_is_not_even_read(shared_product: Product) -> None:
    person = shared_product.user()
    body = asked(uploadedImages=[{"id": "1", "name": "a.png", "base64": "A" * (60 * 1024 * 1024)}])
    assert person.post(PATH, json=body).status_code == 413


NOT_AN_IMAGE: Final = "Please upload an image file."
TOO_LARGE: Final = "Please upload an image smaller than 10MB."
BAD: Final = {
    "one byte too many": (base64_of(picture("PNG").ljust(MAX_BYTES + 1, b"\0")), 413, TOO_LARGE),
    "html": (base64_of(b"<html></html>"), 415, NOT_AN_IMAGE),
    "svg": (base64_of(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), 415, NOT_AN_IMAGE),
    "gif": (base64_of(picture("GIF")), 415, NOT_AN_IMAGE),
    "pdf": (base64_of(b"%PDF-1.7"), 415, NOT_AN_IMAGE),
    "nothing": ("", 415, NOT_AN_IMAGE),
    "another type than it says": (data_url(picture("PNG"), "jpeg"), 415, NOT_AN_IMAGE),
    "svg as a data URL": ("data:image/svg+xml;base64," + base64_of(b"<svg/>"), 422, NOT_AN_IMAGE),
    "html as a data URL": ("data:text/html;base64," + base64_of(b"<p>"), 422, NOT_AN_IMAGE),
    "not base64": ("data:image/png;base64,%%%%", 422, "The picture is not valid base64."),
    "spaces in it": (base64_of(picture("PNG"))[:20] + " \n" + base64_of(picture("PNG"))[20:], 422, ""),
    "letters of other scripts": ("ä" * 40, 422, ""),
    "half a picture": (base64_of(picture("JPEG", (400, 400))[:900]), 422, "The picture cannot be read."),
    "too many pixels": (base64_of(picture("PNG", (8000, 4000))), 422, "The picture has too many pixels."),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_picture_of_ours_is_refused_at_its_field(shared_product: Product, what: str) -> None:
    person = shared_product.user()
    text, status, sentence = BAD[what]
    good = upload(picture("PNG"))
    answer = person.post(PATH, json=asked(uploadedImages=[good, {"id": "b", "base64": text, "name": "b.png"}]))
    assert answer.status_code == status, answer.text
    fields = fault(answer)["fields"]
    assert list(fields) == ["uploadedImages.1"] and sentence in fields["uploadedImages.1"]
    assert person.used() == 0


def test_a_refused_picture_says_why_by_a_code_at_its_field(shared_product: Product) -> None:
    large = upload(picture("PNG").ljust(MAX_BYTES + 1, b"\0"))
    answer = shared_product.user().post(PATH, json=asked(uploadedImages=[large, upload(b"<html></html>")]))
    assert fault(answer)["fieldCodes"] == {
        "uploadedImages.0": {"code": "large_image", "values": {"megabytes": 10}},
        "uploadedImages.1": {"code": "not_an_image"},
    }


def test_every_bad_field_is_named_at_once(shared_product: Product) -> None:
    person = shared_product.user()
    answer = person.post(
        PATH,
        json=asked(
            prompt=" ",
            dimensions="custom",
            instanceId="stub",
            uploadedImages=[upload(b"no"), upload(picture("PNG")), upload(picture("PNG").ljust(MAX_BYTES + 1, b"\0"))],
        ),
    )
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {
        "prompt",
        "customWidth",
        "customHeight",
        "instanceId",
        "uploadedImages.0",
        "uploadedImages.2",
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"referenceImageIds": [0]},
        {"referenceImageIds": ["1"]},
        {"referenceImageIds": [1, 2, 3, 4, 5]},
        {"uploadedImages": [{"id": "1", "name": "a"}]},
        {"uploadedImages": [{"id": "1", "name": "a" * 256, "base64": ""}]},
        {"uploadedImages": [{"id": "1", "name": "a", "base64": "", "url": "http://x"}]},
        {"themeStylePrompt": "x" * 1001},
    ],
)
def test_a_field_that_does_not_fit_is_named(shared_product: Product, fields: dict[str, Any]) -> None:
    answer = shared_product.user().post(PATH, json=asked(**fields))
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == set(fields)


def test_one_reference_is_needed_and_four_are_the_most(shared_product: Product) -> None:
    person = shared_product.user()
    none = person.post(PATH, json=asked())
    assert none.status_code == 422 and list(fault(none)["fields"]) == ["uploadedImages"]
    ids = [person.cover()["id"], person.cover()["id"]]
    many = person.post(PATH, json=asked(referenceImageIds=ids, uploadedImages=[upload(picture())] * 3))
    assert many.status_code == 422 and "At most 4" in fault(many)["message"]


def test_only_a_cover_in_ones_own_gallery_can_be_a_reference(product: Product, ada: Person, bob: Person) -> None:
    mine, theirs = ada.cover()["id"], bob.cover()["id"]
    wait_until(lambda: not kept(product), "removal of what other tests left")
    answers = [ada.post(PATH, json=asked(referenceImageIds=[mine, one])) for one in (theirs, 2**40)]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert fault(answers[0])["message"] == fault(answers[1])["message"]
    ada.delete(f"/api/covers/{mine}")
    assert ada.post(PATH, json=asked(referenceImageIds=[mine])).status_code == 404
    assert ada.used() == 1 and kept(product) == []


def test_the_same_key_takes_the_same_pictures_only(product: Product, ada: Person) -> None:
    body, headers = asked(uploadedImages=[upload(picture())]), {"idempotency-key": uuid4().hex}
    first, again = (ada.post(PATH, json=body, headers=headers) for _ in range(2))
    assert first.json() == again.json() and again.headers["idempotent-replayed"] == "true"
    body["uploadedImages"][0]["base64"] = base64_of(picture(color="#000000"))
    other = ada.post(PATH, json=body, headers=headers)
    assert other.status_code == 422 and fault(other)["code"] == "idempotency_conflict"
    assert ada.finished(first.json()["generationId"])["status"] == "completed" and ada.used() == 1


@pytest.mark.parametrize("end", ["completed", "canceled"])
def test_references_are_kept_until_the_job_has_ended(product: Product, ada: Person, end: str) -> None:
    wait_until(lambda: not kept(product), "removal of what other tests left")
    product.stub.holds()
    title = uuid4().hex
    generation_id = started(ada, title=title, uploadedImages=[upload(picture())] * 2)
    product.stub.called(title)
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in kept(product, generation_id)]
    rows = product.sql("SELECT sha256, media_type FROM generation_reference ORDER BY position")
    assert len(digests) == 2 and [row["sha256"] for row in rows] == digests
    assert {row["media_type"] for row in rows} == {"image/jpeg"}
    if end == "canceled":
        ada.delete(f"/api/generations/{generation_id}")
    product.stub.releases()
    assert ada.finished(generation_id)["status"] == end
    wait_until(lambda: not kept(product, generation_id), "removal of the references")
    assert product.sql("SELECT * FROM generation_reference") == []
    assert product.doctor() == ""


def test_a_try_that_failed_has_its_references_again(unreliable: Product, ada: Person) -> None:
    unreliable.stub.does("unavailable", "ok")
    unreliable.spare.does("unavailable", "ok")
    title = uuid4().hex
    made(ada, title=title, uploadedImages=[upload(picture())])
    calls = [*unreliable.stub.calls(title), *unreliable.spare.calls(title)]
    assert len(calls) == 3 and {call["references"] for call in calls} == {1}


def test_beyond_the_plans_limit_nothing_is_kept(product: Product, ada: Person, limits: Limits) -> None:
    limits(free=0)
    wait_until(lambda: not kept(product), "removal of what other tests left")
    assert ada.post(PATH, json=asked(uploadedImages=[upload(picture())])).status_code == 402
    assert kept(product) == []


def test_the_prompt_speaks_of_references_and_takes_a_style_of_ones_own(product: Product, ada: Person) -> None:
    defaults = {"referenceImagePrompt": "Keep the light.", "themeStylePrompt": "Woodcut."}
    product.admin().put("/api/admin/settings/theme_prompt", json={"defaultValues": defaults})
    theme = ada.post("/api/themes", json={"name": "n", "stylePrompt": "Oil on canvas."}).json()
    uploads = [upload(picture())]
    prompts = {}
    for name, fields in {
        "plain": {},
        "theme": {"themeId": theme["id"]},
        "own": {"themeId": theme["id"], "themeStylePrompt": "Pencil."},
        "own without a theme": {"themeStylePrompt": "Pencil."},
    }.items():
        title = uuid4().hex
        made(ada, title=title, uploadedImages=uploads, **fields)
        (prompts[name],) = [(call["prompt"], call["style"]) for call in product.stub.calls(title)]
    product.admin().put("/api/admin/settings/theme_prompt", json={"defaultValues": {}})
    for prompt, _ in prompts.values():
        assert "attached pictures" in prompt and "Keep the light." in prompt and "{{" not in prompt
    styles = {name: style for name, (_, style) in prompts.items()}
    assert styles == {
        "plain": "",
        "theme": "Oil on canvas.",
        "own": "Pencil.",
        "own without a theme": "Pencil.",
    }
    assert "Pencil." in prompts["own"][0] and "Oil" not in prompts["own"][0]
    title = uuid4().hex
    ada.cover(title=title)
    assert "attached" not in product.stub.calls(title)[0]["prompt"]


def test_a_picture_of_noise_is_taken(product: Product, ada: Person) -> None:
    generation_id = made(ada, uploadedImages=[upload(noise(512))])
    assert [opened(data).size for data in received(product, generation_id)] == [(512, 512)]
