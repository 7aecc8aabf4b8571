"""Blocking file work of the outbox; it runs in a thread.

<folder>/<YYYYMMDD>/<id>.eml     one message as RFC 5322 writes it; the id begins with the day and sorts by time
"""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage as MimeMessage
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from typing import Final, cast, get_args
from uuid import uuid4

from kernel.spi import InvalidRequest, KeptMessage, KeptMessagePage, NotFound, Stream

MESSAGE_ID: Final = re.compile(r"(\d{8})T\d{12}-[0-9a-f]{12}")
DAY: Final = re.compile(r"\d{8}")
STREAM_HEADER: Final = "X-Outbox-Stream"
PAGE_LIMIT: Final = 200
HEADER_BYTES: Final = 65_536
"""A list reads only the headers; what begins after this is not shown in it."""


class Folder:
    """The folder with the messages."""

    def __init__(self, path: Path, keep_days: int) -> None:
        self._path = path
        self._keep_days = keep_days
        self._cleaned_on = ""

    def write(self, mime: MimeMessage, stream: Stream) -> str:
        """Store a message and return its id. It is complete and durable, or it does not exist."""
        now = datetime.now(UTC)
        self._remove_old(now)
        message_id = f"{now:%Y%m%dT%H%M%S%f}-{uuid4().hex[:12]}"
        mime[STREAM_HEADER] = stream
        data = mime.as_bytes()
        target = self._file(message_id)
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(handle)
            os.replace(name, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
        return message_id

    def page(self, cursor: str | None, limit: int) -> KeptMessagePage:
        """List messages older than the cursor, newest first. Raises InvalidRequest."""
        if not 1 <= limit <= PAGE_LIMIT:
            raise InvalidRequest(f"the limit must be from 1 to {PAGE_LIMIT}")
        if cursor is not None and not MESSAGE_ID.fullmatch(cursor):
            raise InvalidRequest("this is not a cursor of ours")
        found: list[KeptMessage] = []
        for message_id in self._ids(cursor or "9"):
            if len(found) == limit:
                return KeptMessagePage(messages=tuple(found), cursor=found[-1].id)
            with suppress(NotFound):  # removed meanwhile
                found.append(self._read(message_id, bodies=False))
        return KeptMessagePage(messages=tuple(found))

    def message(self, message_id: str) -> KeptMessage:
        """Return a message with its bodies. Raises NotFound."""
        if not MESSAGE_ID.fullmatch(message_id):
            raise NotFound("there is no such message")
        return self._read(message_id, bodies=True)

    def probe(self) -> int:
        """Write and remove a file and return how many bytes are free. Raises OSError."""
        self._path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=self._path) as file:
            file.write(b"probe")
            file.flush()
            os.fsync(file.fileno())
        return shutil.disk_usage(self._path).free

    def _file(self, message_id: str) -> Path:
        return self._path / message_id[:8] / f"{message_id}.eml"

    def _ids(self, before: str) -> Iterator[str]:
        """Yield the ids below `before`, newest first, reading one day at a time."""
        for day in sorted(self._days(), reverse=True):
            if day > before:
                continue
            with suppress(FileNotFoundError):
                names = {Path(name).stem for name in os.listdir(self._path / day) if name.endswith(".eml")}
                yield from sorted(
                    (name for name in names if MESSAGE_ID.fullmatch(name) and name < before), reverse=True
                )

    def _days(self) -> list[str]:
        try:
            return [name for name in os.listdir(self._path) if DAY.fullmatch(name)]
        except FileNotFoundError:
            return []

    def _read(self, message_id: str, *, bodies: bool) -> KeptMessage:
        try:
            with self._file(message_id).open("rb") as file:
                data = file.read() if bodies else file.read(HEADER_BYTES)
        except FileNotFoundError as error:
            raise NotFound("there is no such message") from error
        mime = BytesParser(policy=default).parsebytes(data, headersonly=not bodies)
        sent = datetime.strptime(message_id[:21], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)
        stream = str(mime.get(STREAM_HEADER, ""))
        to = mime["To"].addresses if mime["To"] else ()
        return KeptMessage(
            id=message_id,
            to=to[0].addr_spec if to else "",
            sender=str(mime.get("From", "")),
            subject=str(mime.get("Subject", "")),
            stream=cast(Stream, stream) if stream in get_args(Stream) else "transactional",
            sent_unix=sent.timestamp(),
            text=_body(mime, "plain") or "" if bodies else "",
            html=_body(mime, "html") if bodies else None,
        )

    def _remove_old(self, now: datetime) -> None:
        """Remove the days that are too old; checks once a day."""
        today = f"{now:%Y%m%d}"
        if self._cleaned_on == today:
            return
        self._cleaned_on = today
        oldest = f"{now - timedelta(days=self._keep_days):%Y%m%d}"
        for day in self._days():
            if day < oldest:
                shutil.rmtree(self._path / day, ignore_errors=True)


def _body(mime: MimeMessage, subtype: str) -> str | None:
    part = mime.get_body((subtype,))
    return None if part is None else str(part.get_content())
