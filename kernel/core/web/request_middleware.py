"""Around every request: an id, a log line, metrics, security headers, and a check of the body."""

import asyncio
import re
import time
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import structlog
from litestar.enums import RequestEncodingType, ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from kernel.core.config import Config
from kernel.core.data.ids import new_uuid
from kernel.core.errors import InvalidFields, Malformed, WrongType
from kernel.core.schemas import bad_fields, sentence
from kernel.core.telemetry import REQUESTS
from kernel.core.web.access import AppRequest

log = structlog.get_logger("coverwright.http")

SLOW_S: Final = 1.0
MAX_BODY_BYTES: Final = 15 * 1024 * 1024
"""A 10 MB picture as base64 in JSON, and the fields around it."""
TOO_LARGE: Final = 413
DRAINED_BYTES: Final = 4 * MAX_BODY_BYTES
"""A body that is too large is read up to this size; otherwise the client sees a broken connection, not an answer."""
MAX_DEPTH: Final = 64
"""Deeper nesting in a JSON body is an attack, not a request."""

SOURCE: Final = re.compile(r"https://(?:\*\.)?[a-z0-9.-]+(?::[0-9]{1,5})?")


def policies(
    scripts: Iterable[str] = (), frames: Iterable[str] = (), connections: Iterable[str] = ()
) -> dict[str, str]:
    """Return the headers that restrict a page to this origin and these others. Invalid origins are left out."""

    def join(sources: Iterable[str]) -> str:
        return "".join(f" {source}" for source in sorted(set(sources)) if SOURCE.fullmatch(source))

    framed = join(frames)
    payers = "".join(f' "{source}"' for source in framed.split() if "*" not in source)
    return {
        "content-security-policy": (
            f"default-src 'none'; script-src 'self'{join(scripts)}; style-src 'self'; img-src 'self' data: blob:; "
            f"font-src 'self'; connect-src 'self'{join(connections)}; frame-src 'self'{framed}; manifest-src 'self'; "
            "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
        ),
        "permissions-policy": f"camera=(), microphone=(), geolocation=(), payment=(self{payers})",
    }


BASE_HEADERS: Final = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"strict-origin-when-cross-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"x-frame-options": b"DENY",
    **{name.encode(): value.encode() for name, value in policies().items()},
}

_NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_MARKS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{]|[\]}]', re.DOTALL)
"""Strings and brackets. Runs of plain letters are matched at once: a picture in base64 is tens of millions of them."""


class RequestMiddleware:
    """Outermost layer: it also covers what the router never sees, such as unknown addresses."""

    def __init__(self, app: ASGIApp, config: Config) -> None:
        self._app = app
        self._headers = dict(BASE_HEADERS)
        if config.https:
            self._headers[b"strict-transport-security"] = b"max-age=31536000; includeSubDomains"
        self._hosts = _known_hosts(config)
        self._proxies = frozenset(config.security.trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        request_id = str(new_uuid())
        scope.setdefault("state", {})["request_id"] = request_id
        self._apply_forwarded(scope)
        started = time.perf_counter()
        status = 500
        body = _Body(receive)

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if status == TOO_LARGE:
                    await body.drain()
                present = {name.lower() for name, _ in message["headers"]}
                extra = [(name, value) for name, value in self._headers.items() if name not in present]
                message["headers"] = [*message["headers"], *extra, (b"x-request-id", request_id.encode())]
            await send(message)

        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            if not self._host_known(scope):
                await _plain(answer, 400, b"Unknown host.")
                return
            await self._app(scope, body.receive, answer)
        except asyncio.CancelledError:
            status = 499
            raise
        finally:
            self._record(scope, status, time.perf_counter() - started)

    def _record(self, scope: Any, status: int, seconds: float) -> None:
        route = str(scope.get("path_template") or "unmatched")
        REQUESTS.labels(scope["method"], route, str(status)).observe(seconds)
        if status >= 500 or (seconds > SLOW_S and "events" not in route):
            log.warning("request", method=scope["method"], path=scope["path"], status=status, ms=round(seconds * 1000))
        else:
            log.debug("request", method=scope["method"], path=scope["path"], status=status, ms=round(seconds * 1000))

    def _host_known(self, scope: Any) -> bool:
        if self._hosts is None:
            return True
        host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
        return (urlsplit(f"//{host}").hostname or "") in self._hosts

    def _apply_forwarded(self, scope: Any) -> None:
        """Take the client's address from a listed proxy; forwarding headers from others are ignored."""
        client = scope.get("client")
        if not client or client[0] not in self._proxies:
            return
        for name, value in scope["headers"]:
            if name == b"x-forwarded-for":
                scope["client"] = (value.decode("latin-1").split(",")[-1].strip(), client[1])


def _known_hosts(config: Config) -> frozenset[str] | None:
    """Return the host names we answer to, or None (any) when the server listens everywhere without a public address."""
    loopback = {"localhost", "127.0.0.1", "::1"}
    if config.site.public_url:
        return frozenset(loopback | {urlsplit(config.public_url).hostname or ""})
    return frozenset(loopback | {config.server.host}) if config.server.host in loopback else None


class _Body:
    """A request's body while it is received, and its size so far."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._bytes = 0
        self._ended = False

    async def receive(self) -> Any:
        """Receive the next message."""
        message: Any = await self._receive()
        self._bytes += len(message.get("body", b""))
        self._ended = not message.get("more_body", False)
        return message

    async def drain(self) -> None:
        """Read and discard the rest, up to DRAINED_BYTES."""
        while not self._ended and self._bytes < DRAINED_BYTES:
            await self.receive()


async def _plain(send: Send, status: int, text: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text, "more_body": False})


def _depth(body: bytes) -> int:
    """Return how deep the brackets nest, ignoring strings; linear, without recursion."""
    deepest = depth = 0
    for match in _MARKS.finditer(body):
        mark = match.group()
        if mark in (b"[", b"{"):
            depth += 1
            deepest = max(deepest, depth)
        elif mark in (b"]", b"}"):
            depth -= 1
    return deepest


async def check_body(request: AppRequest) -> None:
    """Before a handler: refuse a JSON body that is malformed, mistyped or wrong, naming all its bad fields at once.

    Raises Malformed (400), WrongType (415) and InvalidFields (422). Other bodies are left to their handlers.
    """
    data = request.route_handler.parsed_data_field
    if data is None or not (isinstance(data.annotation, type) and issubclass(data.annotation, msgspec.Struct)):
        return
    if data.kwarg_definition is not None and getattr(data.kwarg_definition, "media_type", None) not in (
        None,
        RequestEncodingType.JSON,
    ):
        return
    body = await request.body()
    if request.content_type[0] != "application/json":
        raise WrongType("Please send JSON.")
    if b"\x00" in body or (rb"\u0000" in body and _NUL.search(body)):
        raise Malformed("Texts must not hold the character NUL.")
    if _depth(body) > MAX_DEPTH:
        raise Malformed("The JSON is nested too deeply.")
    try:
        try:
            msgspec.json.decode(body, type=data.annotation)
        except msgspec.ValidationError as error:
            # A wrong field may come before broken JSON, so the decoding here may fail too.
            fields = bad_fields(data.annotation, msgspec.json.decode(body))
            raise InvalidFields(fields or {"body": sentence(error)}) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed("The request is not valid JSON.") from error
