"""Reads the XML with which WebDAV lists a folder (RFC 4918, 9.1), as it comes."""

from email.utils import mktime_tz, parsedate_tz
from typing import Final
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import ParseError, XMLParser

import msgspec

from kernel.spi import Effect, Unavailable
from plugins.webdav_storage.errors import NO_WEBDAV

MULTISTATUS: Final = "{DAV:}multistatus"
RESPONSE: Final = "{DAV:}response"
PROPSTAT: Final = "{DAV:}propstat"
PROP: Final = "{DAV:}prop"
HREF: Final = "{DAV:}href"
STATUS: Final = "{DAV:}status"
TYPE: Final = "{DAV:}resourcetype"
COLLECTION: Final = "{DAV:}collection"
LENGTH: Final = "{DAV:}getcontentlength"
MODIFIED: Final = "{DAV:}getlastmodified"
FREE: Final = "{DAV:}quota-available-bytes"
"""RFC 4331."""

TEXT_CHARS: Final = 65_536
MOST_ENTRIES: Final = 200_000


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder. `path` is decoded, with a slash in front and none at the end; None is what is not said."""

    path: str
    folder: bool
    size: int | None
    modified_unix: float
    free: int | None


class MultiStatus:
    """Takes an answer in pieces and collects its entries. Raises Unavailable for anything else."""

    def __init__(self) -> None:
        self._collector = _Collector()
        self._parser = XMLParser(target=self._collector)

    def feed(self, data: bytes) -> None:
        """Read a piece."""
        try:
            self._parser.feed(data)
        except (ParseError, ValueError, LookupError) as error:  # an unknown encoding is one of these, too
            raise _unreadable() from error

    def entries(self) -> list[Entry]:
        """Return the entries, at the end of the answer."""
        try:
            self._parser.close()
        except (ParseError, ValueError, LookupError) as error:
            raise _unreadable() from error
        return self._collector.entries


class _Collector:
    """The parser's target: keeps the properties that were found, and nothing else of the document."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._open: list[str] = []
        self._text: list[str] = []
        self._chars = 0
        self._href = self._status = self._property_status = ""
        self._found: dict[str, str] = {}
        self._pending: dict[str, str] = {}

    def doctype(self, name: str, public_id: str | None, system_id: str | None) -> None:
        """Refuse it: WebDAV has none, and entities are declared in one."""
        raise _unreadable()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        parent = self._parent()
        if not parent and tag != MULTISTATUS:
            raise _unreadable()
        if tag == RESPONSE:
            self._href, self._status, self._found = "", "", {}
        elif tag == PROPSTAT:
            self._property_status, self._pending = "", {}
        elif tag == COLLECTION and parent == TYPE:
            self._pending[COLLECTION] = "yes"
        self._open.append(tag)
        self._forget_text()

    def data(self, text: str) -> None:
        self._chars += len(text)
        if self._chars > TEXT_CHARS:
            raise _unreadable()
        self._text.append(text)

    def end(self, tag: str) -> None:
        self._open.pop()
        parent, text = self._parent(), "".join(self._text).strip()
        self._forget_text()
        if parent == RESPONSE and tag == HREF:
            self._href = text
        elif parent == RESPONSE and tag == STATUS:
            self._status = text
        elif parent == PROPSTAT and tag == STATUS:
            self._property_status = text
        elif parent == PROP and tag in (LENGTH, MODIFIED, FREE):
            self._pending[tag] = text
        elif tag == PROPSTAT and _is_ok(self._property_status):
            self._found |= self._pending
        elif tag == RESPONSE and (not self._status or _is_ok(self._status)):
            self._keep()

    def close(self) -> None:
        """The parser calls it at the end."""

    def _keep(self) -> None:
        if len(self.entries) == MOST_ENTRIES:
            raise Unavailable(f"the folder holds more than {MOST_ENTRIES} files")
        self.entries.append(
            Entry(
                path=unquote(urlsplit(self._href).path).rstrip("/"),
                folder=COLLECTION in self._found,
                size=_number(self._found.get(LENGTH, "")),
                modified_unix=unix_time(self._found.get(MODIFIED, "")) or 0.0,
                free=_number(self._found.get(FREE, "")),
            )
        )

    def _parent(self) -> str:
        return self._open[-1] if self._open else ""

    def _forget_text(self) -> None:
        self._text.clear()
        self._chars = 0


def unix_time(text: str) -> float | None:
    """Return the time that an HTTP date names, or None."""
    try:
        date = parsedate_tz(text)
        return float(mktime_tz(date)) if date else None
    except (ValueError, TypeError, OverflowError):  # an impossible date
        return None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


def _is_ok(status: str) -> bool:
    return status.split()[1:2] == ["200"]


def _unreadable() -> Unavailable:
    return Unavailable(f"the answer is no WebDAV: {NO_WEBDAV}", field="base_url", effect=Effect.UNKNOWN)
