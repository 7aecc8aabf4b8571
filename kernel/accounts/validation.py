"""Rules for the fields that people fill in. Each check returns a sentence, or None when the value is valid."""

import re
import unicodedata
from typing import Final

from kernel.core.field_errors import UNSEEN_CHARACTERS, FieldError
from kernel.spi import ascii_host

PASSWORD_MIN: Final = 8
PASSWORD_MAX: Final = 128
"""Characters. NIST SP 800-63B asks for at least 8 and for no rule of composition; the upper limit bounds the work."""

EMAIL_MAX: Final = 254
"""Characters, RFC 5321 §4.5.3.1.3 less the angle brackets."""

NAME_MAX: Final = 100

_LOCAL: Final = re.compile(r"[^\s@<>()\[\],;:\"\\]{1,64}")
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

NO_EMAIL: Final = FieldError("no_email", "Please enter your email address.")
POOR_PASSWORD: Final = FieldError("easy_password", "This password is too easy to guess. Please choose another one.")


def _has_unseen(text: str) -> bool:
    """Return whether there are control, format or separator characters, which forge headers and hide text."""
    return any(unicodedata.category(char) in _UNSEEN for char in text)


def normal_email(text: str) -> str | None:
    """Return an address in the form in which it is compared: NFC, lower case, the domain in ASCII. None if invalid."""
    text = unicodedata.normalize("NFC", text.strip())
    local, at, domain = text.rpartition("@")
    if not at or len(text) > EMAIL_MAX or _has_unseen(text) or not _LOCAL.fullmatch(local):
        return None
    if local.startswith(".") or local.endswith(".") or ".." in local:
        return None
    try:
        ascii_domain = ascii_host(domain)
    except UnicodeError:
        return None
    labels = ascii_domain.split(".")
    if len(labels) < 2 or labels[-1].isdigit() or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    return f"{local.lower()}@{ascii_domain}"


def too_long(most: int) -> FieldError:
    """Return the sentence for a text with too many characters."""
    return FieldError("too_long", f"Please use at most {most} characters.", {"count": most})


def email_fault(text: str) -> FieldError | None:
    """Return what is wrong with an email address."""
    if not text.strip():
        return NO_EMAIL
    return None if normal_email(text) else FieldError("bad_email", "Please enter a valid email address.")


def password_fault(password: str, email: str = "") -> FieldError | None:
    """Return what is wrong with a new password, as far as the kernel can check; the provider knows the common ones."""
    length = len(unicodedata.normalize("NFC", password))
    if length < PASSWORD_MIN:
        return FieldError("too_short", f"Please use at least {PASSWORD_MIN} characters.", {"count": PASSWORD_MIN})
    if length > PASSWORD_MAX:
        return too_long(PASSWORD_MAX)
    folded, address = password.casefold().strip(), email.casefold().strip()
    if address and folded in (address, address.partition("@")[0]):
        return POOR_PASSWORD
    return None


def name_fault(name: str | None) -> FieldError | None:
    """Return what is wrong with a first or last name."""
    if name is None:
        return None
    if len(name) > NAME_MAX:
        return too_long(NAME_MAX)
    if _has_unseen(name.strip()):
        return UNSEEN_CHARACTERS
    return None


def tidy_name(name: str | None) -> str | None:
    """Return the name in the form in which it is stored: NFC, single spaces, None when empty."""
    return " ".join(unicodedata.normalize("NFC", name or "").split()) or None
