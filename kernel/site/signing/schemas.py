"""Wire of the signing of files."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from kernel.core.schemas import In, Out

Pem = Annotated[str, Meta(min_length=1, max_length=40_000)]


class CertificateOut(Out, frozen=True, kw_only=True):
    """A certificate as everybody may see it: whose it is, who issued it, and its digest (SHA-256, in hexadecimal)."""

    subject: str
    issuer: str
    fingerprint: str
    begins_at: datetime
    ends_at: datetime
    is_self_made: bool


class SigningOut(Out, frozen=True, kw_only=True):
    """Whether downloaded files are signed, and with what. The key is never told."""

    is_on: bool
    certificate: CertificateOut


class SigningIn(In, frozen=True, kw_only=True):
    """Whether downloaded files are to be signed."""

    is_on: bool


class CertificateIn(In, frozen=True, kw_only=True):
    """A certificate of one's own in PEM, with those between it and its authority behind it, and its private key."""

    certificate: Pem
    key: Pem

    def __repr__(self) -> str:
        """Return nothing of the key."""
        return "CertificateIn(…)"
