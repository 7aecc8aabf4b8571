"""Buckets in memory, for servers of vendors that differ in how they are asked."""

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Final
from uuid import uuid4

import httpx
from werkzeug.wrappers import Request, Response

from tests.vendors.server_process import ServerProcess

LISTED_AT_ONCE: Final = 3
"""So few that every listing has several pages."""


class BucketServer(ServerProcess):
    """A server that makes a bucket for whoever asks; close it."""

    def new_bucket(self) -> str:
        """Make an empty bucket and return its name."""
        name = f"test-{uuid4().hex[:12]}"
        httpx.put(f"{self.url}/{name}?test", trust_env=False).raise_for_status()
        return name


@dataclass
class Stored:
    """One object, and the headers that it is served with."""

    data: bytes
    headers: Mapping[str, str]
    etag: str = field(default_factory=lambda: f'"{uuid4().hex}"')
    modified: str = field(default_factory=lambda: formatdate(usegmt=True))


class Refused(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code


class Buckets:
    """What is stored, and the parts of what is on its way."""

    def __init__(self) -> None:
        self._buckets: dict[str, dict[str, Stored]] = {}
        self.parts: dict[str, dict[str, bytes]] = {}
        self._lock = threading.Lock()

    def make(self, name: str) -> None:
        """Make a bucket."""
        self._buckets[name] = {}

    def find(self, name: str, code: str) -> dict[str, Stored]:
        """Return a bucket's objects. Raises Refused with this code."""
        with self._lock:
            if name not in self._buckets:
                raise Refused(404, code)
            return self._buckets[name]

    def page(self, objects: Mapping[str, Stored], prefix: str, begins: Callable[[str], bool]) -> tuple[list[str], bool]:
        """Return some keys in their order, from where `begins` is true, and whether there are more."""
        with self._lock:
            keys = sorted(key for key in objects if key.startswith(prefix) and begins(key))
        return keys[:LISTED_AT_ONCE], len(keys) > LISTED_AT_ONCE


def served(request: Request, stored: Stored) -> Response:
    """Return an object, or the range of it that is asked for, if it is the one that is asked for."""
    if request.headers.get("If-Match", stored.etag) != stored.etag:
        raise Refused(412, "ConditionNotMet")
    headers = {**stored.headers, "ETag": stored.etag, "Last-Modified": stored.modified, "Accept-Ranges": "bytes"}
    if request.range is None:
        return Response(stored.data, 200, headers)
    if (span := request.range.range_for_length(len(stored.data))) is None:
        raise Refused(416, "InvalidRange")
    headers["Content-Range"] = f"bytes {span[0]}-{span[1] - 1}/{len(stored.data)}"
    return Response(stored.data[span[0] : span[1]], 206, headers)


def refusal(refused: Refused, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error as XML, as all of them put it."""
    body = f"<?xml version='1.0' encoding='UTF-8'?><Error><Code>{refused.code}</Code><Message>No.</Message></Error>"
    return Response(body, refused.status, headers, content_type="application/xml")


def digest(data: bytes) -> str:
    """Return an ETag for a part."""
    return f'"{hashlib.md5(data, usedforsecurity=False).hexdigest()}"'
