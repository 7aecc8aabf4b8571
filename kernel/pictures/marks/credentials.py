"""Certificates that sign what files tell of their origin: a self-made one, and the checks of one's own.

The profile is that of C2PA 2.2, 14.5 (read 2026-11-26).
"""

import hashlib
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError, FieldFault

SELF_MADE_DAYS: Final = 3650
"""No authority stamps our signatures with the time, so they count only as long as the certificate does."""
TAG_CHARS: Final = 16
NAME_CHARS: Final = 64
"""Longest name in a certificate (X.520, `ub-common-name`)."""
_CURVES: Final = {"secp256r1": "es256", "secp384r1": "es384", "secp521r1": "es512"}
LEAST_RSA_BITS: Final = 2048
_DOCUMENT_SIGNING: Final = ObjectIdentifier("1.3.6.1.5.5.7.3.36")
_CLAIM_SIGNING: Final = ObjectIdentifier("1.3.6.1.4.1.62558.2.1")
SIGNING: Final = frozenset((ExtendedKeyUsageOID.EMAIL_PROTECTION, _DOCUMENT_SIGNING, _CLAIM_SIGNING))
APART: Final = frozenset(
    (
        ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE,
        ExtendedKeyUsageOID.TIME_STAMPING,
        ExtendedKeyUsageOID.OCSP_SIGNING,
    )
)
"""Usages that a certificate for signing claims must not have beside its own."""

UNREADABLE: Final = FieldError("certificate_unreadable", "This is not a certificate in PEM.")
UNREADABLE_KEY: Final = FieldError("key_unreadable", "This is not a private key in PEM without a password.")
WEAK_KEY: Final = FieldError("key_kind", "The key must be ECDSA (P-256, P-384, P-521), Ed25519, or RSA of 2048 bits.")
OTHER_KEY: Final = FieldError("key_mismatch", "This key does not belong to the first certificate.")
EXPIRED: Final = FieldError("certificate_expired", "A certificate of the chain has expired.")
NOT_YET: Final = FieldError("certificate_not_yet", "A certificate of the chain is not valid yet.")
BROKEN_CHAIN: Final = FieldError(
    "certificate_chain", "Each certificate must be issued by the one that follows it; the signing one comes first."
)
AUTHORITY: Final = FieldError(
    "certificate_authority", "The first certificate is that of an authority, or signed by itself: it must not sign."
)
NO_SIGNING: Final = FieldError("certificate_key_usage", "The certificate's key usage must include digital signatures.")
OTHER_USAGE: Final = FieldError(
    "certificate_extended_usage",
    "The certificate must be for email protection, document signing or C2PA claims, and not for anything.",
)


class SigningCredentials(msgspec.Struct, frozen=True, kw_only=True):
    """A chain, the signing certificate first, and its private key, both in PEM; `alg` as C2PA calls it."""

    chain: str
    key: str
    alg: str
    ends_at: datetime

    def __repr__(self) -> str:
        """Return nothing of the key."""
        return f"SigningCredentials(alg={self.alg!r}, ends_at={self.ends_at.isoformat()})"

    @property
    def tag(self) -> str:
        """Return what distinguishes files signed with this from those signed with another one."""
        return hashlib.sha256(self.chain.encode()).hexdigest()[:TAG_CHARS]


def self_made(name: str, now: datetime) -> SigningCredentials:
    """Make a key with a certificate, and an authority for it whose key is forgotten at once."""
    root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    root_name, own_name = _named(name, "own authority"), _named(name, "content credentials")
    ends_at = (now + timedelta(days=SELF_MADE_DAYS)).replace(microsecond=0)
    root = (
        _begun(root_name, root_name, root_key.public_key(), now, ends_at)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_claims=False), critical=True)
        .sign(root_key, hashes.SHA256())
    )
    own = (
        _begun(own_name, root_name, key.public_key(), now, ends_at)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_claims=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(root_key.public_key()), critical=False)
        .sign(root_key, hashes.SHA256())
    )
    return SigningCredentials(chain=_pem(own) + _pem(root), key=_key_pem(key), alg="es256", ends_at=ends_at)


def uploaded(chain: str, key: str, now: datetime) -> SigningCredentials:
    """Return an operator's own certificate and key. Raises InvalidFields naming what is wrong with each."""
    found: dict[str, FieldFault] = {}
    alg, certificates = "", list[x509.Certificate]()
    private: PrivateKeyTypes | None = None
    try:
        certificates = x509.load_pem_x509_certificates(chain.encode())
    except ValueError:
        found["certificate"] = UNREADABLE
    try:
        private = load_pem_private_key(key.encode(), password=None)
    except (ValueError, TypeError):
        found["key"] = UNREADABLE_KEY
    if private is not None and (alg := _algorithm(private)) == "":
        found["key"] = WEAK_KEY
    if certificates:
        if fault := _fault(certificates, now):
            found["certificate"] = fault
        if private is not None and "key" not in found and _spki(private) != _spki(certificates[0]):
            found["key"] = OTHER_KEY
    if found or private is None:
        raise InvalidFields(found)
    return SigningCredentials(
        chain="".join(_pem(one) for one in certificates),
        key=_key_pem(private),
        alg=alg,
        ends_at=min(one.not_valid_after_utc for one in certificates),
    )


def _fault(chain: list[x509.Certificate], now: datetime) -> FieldError | None:
    """Return the first thing that is wrong with a chain."""
    if any(one.not_valid_after_utc <= now for one in chain):
        return EXPIRED
    if any(one.not_valid_before_utc > now for one in chain):
        return NOT_YET
    own = chain[0]
    if own.issuer == own.subject or _is_authority(own):
        return AUTHORITY
    for one, issuer in pairwise(chain):
        try:
            one.verify_directly_issued_by(issuer)
        except (ValueError, TypeError, InvalidSignature):
            return BROKEN_CHAIN
        if not _is_authority(issuer):
            return BROKEN_CHAIN
    return _usage_fault(own)


def _usage_fault(own: x509.Certificate) -> FieldError | None:
    try:
        usage = own.extensions.get_extension_for_class(x509.KeyUsage).value
        if not usage.digital_signature or usage.key_cert_sign:
            return NO_SIGNING
    except x509.ExtensionNotFound:
        return NO_SIGNING
    try:
        purposes = set(own.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value)
    except x509.ExtensionNotFound:
        return OTHER_USAGE
    return None if purposes & SIGNING and not purposes & APART else OTHER_USAGE


def _is_authority(certificate: x509.Certificate) -> bool:
    try:
        return bool(certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca)
    except x509.ExtensionNotFound:
        return False


def _algorithm(key: PrivateKeyTypes) -> str:
    """Return the algorithm for a key as C2PA calls it, empty for one that is not allowed (C2PA 2.2, 13.2)."""
    match key:
        case ec.EllipticCurvePrivateKey():
            return _CURVES.get(key.curve.name, "")
        case ed25519.Ed25519PrivateKey():
            return "ed25519"
        case rsa.RSAPrivateKey():
            return "ps256" if key.key_size >= LEAST_RSA_BITS else ""
        case _:
            return ""


def _spki(holder: PrivateKeyTypes | x509.Certificate) -> bytes:
    return holder.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(Encoding.PEM).decode()


def _key_pem(key: PrivateKeyTypes) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _named(name: str, what: str) -> x509.Name:
    shown = name.strip()[: NAME_CHARS - len(what) - 1] or "Coverwright"
    return x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, shown),
            x509.NameAttribute(NameOID.COMMON_NAME, f"{shown} {what}"),
        ]
    )


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, ends_at: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # clocks of those who check may be behind ours
        .not_valid_after(ends_at)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs_claims: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=signs_claims,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=not signs_claims,
        crl_sign=not signs_claims,
        encipher_only=False,
        decipher_only=False,
    )
