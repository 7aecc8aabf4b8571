"""The signing of downloaded files: on until an administrator says otherwise, with a certificate of the site's own."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import pytest

from kernel.core.config import PictureFormat
from tests.api.test_marks import COMPOSED, download, lettered, pixels
from tests.api.test_packs import make, opened, printable
from tests.person import Person, fault
from tests.product import Product
from tests.property.test_manifests import Forge
from tests.support.marks import actions_of, active, manifests_of, source_of

ADDRESS: Final = "/api/admin/signing"
FORMATS: Final[tuple[PictureFormat, ...]] = ("png", "jpeg", "webp")


@pytest.fixture
def reader(product: Product) -> Person:
    """Somebody who may download everything."""
    return product.user(pro=True)


@pytest.fixture
def clerk(product: Product) -> Iterator[Person]:
    """The administrator, who leaves the site as it was."""
    clerk = product.admin()
    yield clerk
    clerk.put(ADDRESS, json={"isOn": True})
    clerk.post(f"{ADDRESS}/self-made")


def switched(clerk: Person, is_on: bool) -> dict[str, Any]:
    """Switch signing."""
    answer = clerk.put(ADDRESS, json={"isOn": is_on})
    assert answer.status_code == 200, answer.text
    state: dict[str, Any] = answer.json()
    return state


def notices(clerk: Person) -> list[tuple[str, str]]:
    """Return the open notices about signing."""
    found = clerk.get("/api/admin/notices?open=true").json()
    return [(one["kind"], one["code"]) for one in found if one["kind"] in ("signing_failed", "certificate_ending")]


@pytest.mark.parametrize("kind", FORMATS)
def test_a_download_is_signed_from_the_first_on(reader: Person, kind: PictureFormat) -> None:
    cover = reader.cover()
    answer = download(reader, cover, kind)
    state, found = manifests_of(answer.content, kind)
    assert state == "Valid"
    (created,) = actions_of(active(found))
    assert created["digitalSourceType"].endswith("/trainedAlgorithmicMedia")
    assert source_of(answer.content) == "trainedAlgorithmicMedia"
    assert answer.headers["content-length"] == str(len(answer.content))
    assert answer.headers["accept-ranges"] == "none" and answer.headers["cache-control"] == "private, no-cache"
    etag = answer.headers["etag"]
    assert etag.startswith('W/"')
    assert download(reader, cover, kind, **{"if-none-match": etag}).status_code == 304
    whole = download(reader, cover, kind, range="bytes=0-9")
    assert whole.status_code == 200 and len(whole.content) == len(answer.content)


def test_covers_in_an_archive_and_pictures_of_a_book_carry_both_marks(reader: Person) -> None:
    cover = reader.cover()
    lettered(reader, cover)
    for kind in FORMATS:
        answer = reader.post("/api/archives", json={"coverIds": [cover["id"]], "format": kind})
        archive = reader.packed(answer.json()["id"])
        with zipfile.ZipFile(io.BytesIO(reader.get(archive["downloadUrl"]).content)) as packed:
            (data,) = [packed.read(name) for name in packed.namelist()]
        assert manifests_of(data, kind)[0] == "Valid" and source_of(data) == COMPOSED
    files = opened(reader, make(reader, printable(reader)))
    (ebook,) = [files.read(name) for name in files.namelist() if name.endswith(".jpg")]
    assert manifests_of(ebook, "jpeg")[0] == "Valid" and source_of(ebook) is not None
    printed = [files.read(name) for name in files.namelist() if name.endswith(".pdf")]
    assert printed and not [data for data in printed if b"c2pa" in data]


def test_what_a_provider_signed_is_part_of_what_we_sign(product: Product, reader: Person) -> None:
    product.stub.does("signed")
    cover = reader.cover()
    product.stub.does("ok")
    lettered(reader, cover)
    state, found = manifests_of(download(reader, cover, "jpeg").content, "jpeg")
    assert state == "Valid"
    (ingredient,) = active(found)["ingredients"]
    assert found["manifests"][ingredient["active_manifest"]]["signature_info"]["issuer"] == "Some Provider"
    assert product.doctor() == ""


def test_signing_is_switched_off_and_on(clerk: Person, reader: Person) -> None:
    cover = reader.cover()
    signed = download(reader, cover)
    assert switched(clerk, False)["isOn"] is False
    plain = download(reader, cover)
    assert manifests_of(plain.content, "png") == ("", {}) and source_of(plain.content) is not None
    assert plain.headers["accept-ranges"] == "bytes" and pixels(plain.content) == pixels(signed.content)
    assert download(reader, cover, **{"if-none-match": signed.headers["etag"]}).status_code == 200
    assert switched(clerk, True)["isOn"] is True
    assert download(reader, cover, **{"if-none-match": plain.headers["etag"]}).status_code == 200


def test_an_operator_uploads_a_certificate_and_takes_it_back(clerk: Person, reader: Person) -> None:
    before = clerk.get(ADDRESS).json()["certificate"]
    assert before["isSelfMade"] and len(before["fingerprint"]) == 64
    forge = Forge()
    answer = clerk.put(f"{ADDRESS}/certificate", json={"certificate": forge.chain(), "key": forge.pem()})
    assert answer.status_code == 200, answer.text
    shown = answer.json()["certificate"]
    assert (shown["subject"], shown["issuer"], shown["isSelfMade"]) == ("O=Own", "O=Root", False)
    assert shown["fingerprint"] != before["fingerprint"]
    state, found = manifests_of(download(reader, reader.cover()).content, "png")
    assert state == "Valid" and active(found)["signature_info"]["issuer"] == "Own"
    again = clerk.post(f"{ADDRESS}/self-made").json()["certificate"]
    assert again["isSelfMade"] and again["fingerprint"] not in (before["fingerprint"], shown["fingerprint"])


def test_a_wrong_certificate_is_refused_with_all_its_faults(clerk: Person) -> None:
    before = clerk.get(ADDRESS).json()
    answer = clerk.put(f"{ADDRESS}/certificate", json={"certificate": "x", "key": "y"})
    assert answer.status_code == 422
    coded = {name: one["code"] for name, one in fault(answer)["fieldCodes"].items()}
    assert coded == {"certificate": "certificate_unreadable", "key": "key_unreadable"}
    assert clerk.get(ADDRESS).json() == before


def test_the_key_is_told_nobody(product: Product, clerk: Person) -> None:
    forge = Forge()
    answers = [clerk.put(f"{ADDRESS}/certificate", json={"certificate": forge.chain(), "key": forge.pem()})]
    answers += [clerk.put(f"{ADDRESS}/certificate", json={"certificate": "x", "key": forge.pem()})]
    answers += [clerk.get(ADDRESS), clerk.get("/api/admin/audit"), clerk.get("/api/admin/settings")]
    (row,) = product.sql("SELECT sealed, chain FROM signing_certificate")
    told = "".join(answer.text for answer in answers) + row["sealed"] + row["chain"] + product.log.read_text()
    secret = forge.pem().splitlines()[1]
    assert secret not in told and "PRIVATE KEY" not in told


def test_a_key_that_is_lost_costs_no_download(product: Product, clerk: Person, reader: Person) -> None:
    cover = reader.cover()
    clerk.get(ADDRESS)
    product.sql("UPDATE signing_certificate SET sealed = 'v1.gone.AAAA'")
    for kind in FORMATS:
        answer = download(reader, cover, kind)
        assert answer.status_code == 200 and source_of(answer.content) is not None
        assert manifests_of(answer.content, kind) == ("", {})


def test_a_certificate_that_ended_signs_nothing(product: Product, clerk: Person, reader: Person) -> None:
    forge = Forge()
    clerk.put(f"{ADDRESS}/certificate", json={"certificate": forge.chain(), "key": forge.pem()})
    product.sql("UPDATE signing_certificate SET ends_at = '2020-01-01 00:00:00+00:00'")
    answer = download(reader, reader.cover())
    assert answer.status_code == 200 and manifests_of(answer.content, "png") == ("", {})
    assert not answer.headers["etag"].startswith("W/")
