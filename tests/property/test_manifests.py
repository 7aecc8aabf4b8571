"""Signed manifests: read back by the library of those who check them, in every format, and broken by any change."""

import inspect
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from PIL import Image

from kernel.core.config import PictureFormat
from kernel.core.errors import InvalidFields
from kernel.pictures.marks.containers import with_packet
from kernel.pictures.marks.credentials import SigningCredentials, self_made, uploaded
from kernel.pictures.marks.manifests import SigningFailed, is_accepted, kept_manifest, signed
from kernel.pictures.marks.xmp import Mark, packet_of
from tests.support.marks import actions_of, active, by_provider, manifests_of, source_of

NOW = datetime.now(UTC)
MARK = Mark(source="compositeWithTrainedAlgorithmicMedia", made_at=NOW)
FORMATS: tuple[PictureFormat, ...] = ("png", "jpeg", "webp")
OWN = self_made("A Small Press", NOW)


def encoded(kind: PictureFormat) -> bytes:
    """Return a picture."""
    buffer = io.BytesIO()
    Image.radial_gradient("L").convert("RGB").save(buffer, kind)
    return buffer.getvalue()


def pixels(data: bytes) -> bytes:
    """Return the decoded pixels."""
    with Image.open(io.BytesIO(data)) as opened:
        return opened.convert("RGB").tobytes()


@pytest.mark.parametrize("kind", FORMATS)
def test_a_signed_file_carries_both_marks_and_its_pixels(kind: PictureFormat) -> None:
    bare = encoded(kind)
    data = signed(with_packet(bare, kind, packet_of(MARK)), kind, MARK, OWN)
    state, found = manifests_of(data, kind)
    assert state == "Valid"
    manifest = active(found)
    (created,) = actions_of(manifest)
    assert created["action"] == "c2pa.created" and created["digitalSourceType"] == MARK.source_uri
    assert created["softwareAgent"]["name"] == "Coverwright" and created["when"] == MARK.made_text
    assert "thumbnail" not in manifest and "ingredients" not in manifest
    assert manifest["signature_info"]["issuer"] == "A Small Press"
    assert source_of(data) == "compositeWithTrainedAlgorithmicMedia"
    assert pixels(data) == pixels(bare) and len(data) - len(bare) < 8_000


@pytest.mark.parametrize("kind", FORMATS)
def test_a_changed_pixel_breaks_the_signature(kind: PictureFormat) -> None:
    data = bytearray(signed(encoded(kind), kind, MARK, OWN))
    data[data.rindex(b"IDAT") + 40 if kind == "png" else len(data) - 40] ^= 1
    assert manifests_of(bytes(data), kind)[0] == "Invalid"


@pytest.mark.parametrize("kind", FORMATS)
def test_what_a_provider_signed_becomes_an_ingredient(kind: PictureFormat) -> None:
    kept = kept_manifest(by_provider(encoded("png")), "image/png")
    assert kept is not None
    state, found = manifests_of(signed(encoded(kind), kind, MARK, OWN, provider_manifest=kept), kind)
    assert state == "Valid"
    manifest = active(found)
    (ingredient,) = manifest["ingredients"]
    theirs = found["manifests"][ingredient["active_manifest"]]
    assert theirs["signature_info"]["issuer"] == "Some Provider"
    assert actions_of(theirs)[0]["digitalSourceType"].endswith("/trainedAlgorithmicMedia")
    assert [one["action"] for one in actions_of(manifest)] == ["c2pa.created", "c2pa.placed"]


def test_files_without_a_manifest_and_damaged_ones_leave_none() -> None:
    assert kept_manifest(encoded("png"), "image/png") is None
    assert kept_manifest(encoded("png") + b"jumb", "image/png") is None
    data = by_provider(encoded("png"))
    assert kept_manifest(data[: data.index(b"jumb") + 20], "image/png") is None


def test_a_kept_manifest_that_cannot_be_read_is_told_apart_from_a_signature() -> None:
    with pytest.raises(SigningFailed):
        signed(encoded("png"), "png", MARK, OWN, provider_manifest=b"damaged")


def test_the_key_is_in_no_text_about_it() -> None:
    secret = OWN.key.splitlines()[1]
    assert secret not in repr(OWN) and secret not in str(OWN) and "PRIVATE" not in f"{OWN!r}"
    broken = SigningCredentials(chain="nothing", key=OWN.key, alg="es256", ends_at=OWN.ends_at)
    with pytest.raises(SigningFailed) as failure:
        signed(encoded("png"), "png", MARK, broken)
    assert secret not in str(failure.value) and failure.value.__cause__ is None
    assert not is_accepted(broken)


class Forge:
    """Makes certificates with faults."""

    def __init__(self, key: Any = None) -> None:
        self.root_key = ec.generate_private_key(ec.SECP256R1())
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.begins, self.ends = NOW - timedelta(days=2), NOW + timedelta(days=300)
        self.usage: dict[str, bool] | None = {"digital_signature": True}
        self.purposes: list[Any] | None = [ExtendedKeyUsageOID.EMAIL_PROTECTION]
        self.is_authority = False

    def chain(self, *, issued_by: Any = None) -> str:
        """Return the signing certificate and that of its authority."""
        names = [x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, name)]) for name in ("Root", "Own")]
        root = (
            self._begun(names[0], names[0], self.root_key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(self.root_key, hashes.SHA256())
        )
        own = self._begun(names[1], names[0], self.key).add_extension(
            x509.BasicConstraints(ca=self.is_authority, path_length=None), critical=True
        )
        if self.usage is not None:
            flags = list(inspect.signature(x509.KeyUsage).parameters)
            usage = x509.KeyUsage(**dict.fromkeys(flags, False) | self.usage)
            own = own.add_extension(usage, critical=True)
        if self.purposes is not None:
            own = own.add_extension(x509.ExtendedKeyUsage(self.purposes), critical=False)
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.root_key.public_key())
        own_signed = own.add_extension(issuer, critical=False).sign(issued_by or self.root_key, hashes.SHA256())
        return "".join(one.public_bytes(Encoding.PEM).decode() for one in (own_signed, root))

    def pem(self, encryption: Any = None) -> str:
        """Return the key."""
        made: bytes = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption or NoEncryption())
        return made.decode()

    def _begun(self, subject: x509.Name, issuer: x509.Name, key: Any) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self.begins)
            .not_valid_after(self.ends)
        )


def codes(chain: str, key: str) -> dict[str, str]:
    """Return what is wrong with an upload, by field."""
    with pytest.raises(InvalidFields) as refused:
        uploaded(chain, key, NOW)
    return {name: getattr(fault, "code", "") for name, fault in refused.value.fields.items()}


@pytest.mark.parametrize(
    "key",
    [
        ec.generate_private_key(ec.SECP256R1()),
        ec.generate_private_key(ec.SECP384R1()),
        ed25519.Ed25519PrivateKey.generate(),
        rsa.generate_private_key(65537, 2048),
    ],
    ids=["p256", "p384", "ed25519", "rsa"],
)
def test_an_operators_own_certificate_signs_valid_files(key: Any) -> None:
    forge = Forge(key)
    credentials = uploaded(forge.chain(), forge.pem(), NOW)
    assert is_accepted(credentials)
    assert manifests_of(signed(encoded("jpeg"), "jpeg", MARK, credentials), "jpeg")[0] == "Valid"


def test_every_fault_of_a_certificate_is_told() -> None:
    good = Forge()
    assert codes("no", "no") == {"certificate": "certificate_unreadable", "key": "key_unreadable"}
    assert codes(good.chain(), good.pem(BestAvailableEncryption(b"secret"))) == {"key": "key_unreadable"}
    assert codes(good.chain(), Forge().pem()) == {"key": "key_mismatch"}
    assert codes(good.chain(issued_by=Forge().root_key), good.pem()) == {"certificate": "certificate_chain"}
    weak = Forge(rsa.generate_private_key(65537, 1024))
    assert codes(weak.chain(), weak.pem()) == {"key": "key_kind"}
    for name, value, code in (
        ("ends", NOW - timedelta(days=1), "certificate_expired"),
        ("begins", NOW + timedelta(days=1), "certificate_not_yet"),
        ("is_authority", True, "certificate_authority"),
        ("usage", None, "certificate_key_usage"),
        ("usage", {"key_encipherment": True}, "certificate_key_usage"),
        ("purposes", None, "certificate_extended_usage"),
        ("purposes", [ExtendedKeyUsageOID.SERVER_AUTH], "certificate_extended_usage"),
        (
            "purposes",
            [ExtendedKeyUsageOID.EMAIL_PROTECTION, ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE],
            "certificate_extended_usage",
        ),
    ):
        forge = Forge()
        setattr(forge, name, value)
        assert codes(forge.chain(), forge.pem()) == {"certificate": code}, name
