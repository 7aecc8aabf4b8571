"""Emails in the format of RFC 5322, for providers that use SMTP or files. No content can forge a header."""

import re
from collections.abc import Mapping
from email.errors import HeaderParseError, NonASCIILocalPartDefect
from email.header import Header
from email.headerregistry import (
    Address,
    HeaderRegistry,
    UniqueAddressHeader,
    UnstructuredHeader,
)
from email.message import EmailMessage as MimeMessage
from email.policy import SMTP, EmailPolicy
from email.utils import formatdate, make_msgid
from typing import Any, Final

from .email import EmailMessage
from .errors import InvalidRequest
from .hosts import ascii_host

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_FILE_NAME: Final = re.compile(r"[\w.-]{1,100}", re.ASCII)
_MEDIA_TYPE: Final = re.compile(r"[a-z]+/[a-z0-9.+-]+")
_HEADER_NAME: Final = re.compile(r"[!-9;-~]+")
_OURS: Final = re.compile(
    r"(from|to|cc|bcc|sender|reply-to|subject|date|message-id|return-path|received|mime-version|content-.*|resent-.*)",
    re.IGNORECASE,
)
"""Headers that are made from the message's own fields, or that the author must not set."""

_LINE_MAX: Final = 998
"""Octets of a line without its line end, RFC 5322 §2.1.1."""


_PLAIN_MAX: Final = 900
"""Characters of ASCII text in one line; longer lines are encoded, so that they can be broken anywhere."""


# The standard library's own folding encodes long addresses in `List-Unsubscribe`, and loses or adds blanks between the
# encoded words of subjects and names (CPython 3.11 to 3.13).


class _Raw(UnstructuredHeader):
    """A header with a literal value: encoded words in it are not decoded, because one may hide a line break."""

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        """Take the text as it is."""
        kwds["decoded"], kwds["parse_tree"] = value, cls.value_parser("")


class _Verbatim(_Raw):
    """A header in ASCII that is written as it is."""

    max_count = None

    def fold(self, *, policy: EmailPolicy) -> str:
        """Return the header in one line."""
        return f"{self.name}: {self}{policy.linesep}"  # type: ignore[attr-defined]  # of the base that is mixed in


class _Subject(_Raw):
    """The subject, in encoded words where it is not plain ASCII."""

    max_count = 1

    def fold(self, *, policy: EmailPolicy) -> str:
        """Return the header in lines."""
        return f"Subject: {_words(str(self), 'Subject', policy)}{policy.linesep}"


class _Mailbox(UniqueAddressHeader):
    """One address, its name in encoded words where it is not plain ASCII."""

    def fold(self, *, policy: EmailPolicy) -> str:
        """Return the header in lines."""
        (address,) = self.addresses
        header = str(self.name)  # type: ignore[attr-defined]  # of the base that is mixed in
        name = address.display_name
        if _is_plain(name):
            return f"{header}: {address}{policy.linesep}"
        return f"{header}: {_words(name, header, policy)} <{address.addr_spec}>{policy.linesep}"


def _is_plain(text: str) -> bool:
    return text.isascii() and "=?" not in text and len(text) <= _PLAIN_MAX


def _words(text: str, header: str, policy: EmailPolicy) -> str:
    """Return a text as RFC 2047 writes it."""
    return text if _is_plain(text) else Header(text, "utf-8", header_name=header).encode(linesep=policy.linesep)


def mime_message(message: EmailMessage) -> MimeMessage:
    """Return the message with its own date and id; `as_bytes()` gives its bytes, which are 7-bit.

    `policy.utf8` is true when an address needs SMTPUTF8. Raises InvalidRequest for an invalid address, a control
    character in a header, a header that the author must not set, or an attachment with another name.
    """
    to, sender = _mailbox(message.to, "to"), _mailbox(message.sender, "sender")
    reply_to = _mailbox(message.reply_to, "reply_to") if message.reply_to else None
    _refuse_control(message.to_name, "to_name")
    _refuse_control(message.subject, "subject")
    _check_headers(message.headers)
    for file in message.attachments:
        if not _FILE_NAME.fullmatch(file.name) or not _MEDIA_TYPE.fullmatch(file.media_type):
            raise InvalidRequest("attachments: a name and a media type in plain ASCII are needed")
    registry = HeaderRegistry()
    kinds: dict[str, Any] = dict.fromkeys(message.headers, _Verbatim) | {
        "Subject": _Subject,
        "From": _Mailbox,
        "To": _Mailbox,
        "Reply-To": _Mailbox,
    }
    for name, kind in kinds.items():
        registry.map_to_type(name, kind)
    addresses = (to, sender, reply_to)
    utf8 = any(not entry.addr_spec.isascii() for entry in addresses if entry)
    mime = MimeMessage(policy=SMTP.clone(cte_type="7bit", header_factory=registry, utf8=utf8))
    try:
        mime["From"] = sender
        mime["To"] = Address(message.to_name, to.username, to.domain)
        if reply_to is not None:
            mime["Reply-To"] = reply_to
        mime["Subject"] = message.subject
        mime["Date"] = formatdate()
        mime["Message-ID"] = make_msgid(domain=sender.domain)
        for name, value in message.headers.items():
            mime[name] = value
        mime.set_content(message.text)
        if message.html is not None:
            mime.add_alternative(message.html, subtype="html")
        for file in message.attachments:
            kind, _, subtype = file.media_type.partition("/")
            mime.add_attachment(file.content, maintype=kind, subtype=subtype, filename=file.name)
    except (ValueError, LookupError) as error:
        raise InvalidRequest(f"the message cannot be written: {type(error).__name__}") from error
    return mime


def ascii_address(address: str) -> str:
    """Return an email address without a name, its domain in ASCII as `ascii_host` writes it.

    Raises InvalidRequest for anything but exactly one address.
    """
    return _mailbox(address, "address").addr_spec


def _mailbox(text: str, field: str) -> Address:
    """Read `a@b.example` or, for senders, `Name <a@b.example>`."""
    _refuse_control(text, field)
    try:
        header: Any = SMTP.header_factory("To", text)
        (found,) = header.addresses
        faults = [fault for fault in header.defects if not isinstance(fault, NonASCIILocalPartDefect)]
        domain = ascii_host(found.domain)
    except (ValueError, LookupError, HeaderParseError) as error:
        raise InvalidRequest(f"{field}: not an email address") from error
    if faults or not found.username or not domain or any(char.isspace() for char in found.addr_spec):
        raise InvalidRequest(f"{field}: not an email address")
    _refuse_control(found.display_name, field)  # an encoded word may have contained anything
    return Address(found.display_name, found.username, domain)


def _check_headers(headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name) or _OURS.fullmatch(name):
            raise InvalidRequest(f"headers: {name[:40]!r} cannot be set")
        _refuse_control(value, f"header {name}")
        if not value.isascii() or len(name) + 2 + len(value) > _LINE_MAX:
            raise InvalidRequest(f"header {name}: it must be ASCII and fit in {_LINE_MAX} characters")


def _refuse_control(text: str, field: str) -> None:
    if _CONTROL.search(text):
        raise InvalidRequest(f"{field}: control characters are not allowed")
