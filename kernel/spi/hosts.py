"""Names of hosts and mail domains in ASCII."""

import unicodedata
from typing import Final

import idna

_LABEL_MAX: Final = 63
_HOST_MAX: Final = 253
"""Octets, RFC 1035 §2.3.4."""


def ascii_host(host: str) -> str:
    """Return a host name in ASCII and lower case, as IDNA 2008 (RFC 5891) writes it.

    Nothing is mapped but case and composition: `straße.example` is not `strasse.example`, as the older IDNA had it.
    What is ASCII already stays as it is, IP addresses too. Raises UnicodeError for a name that cannot be written so.
    """
    labels = unicodedata.normalize("NFC", host).lower().split(".")
    # names inside a network may have characters, such as the underscore, that IDNA does not know
    plain = [label if _is_plain(label) else idna.alabel(label).decode("ascii") for label in labels]
    name = ".".join(plain)
    if not all(plain[:-1]) or len(name) > _HOST_MAX or any(len(label) > _LABEL_MAX for label in plain):
        raise UnicodeError("a part of the name is empty or too long")
    return name


def _is_plain(label: str) -> bool:
    return label.isascii() and not label.startswith("xn--")
