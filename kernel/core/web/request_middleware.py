"""Around every request: an id, a log line, metrics, security headers, and a check of the body."""

import asyncio
import re
import time
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from hmac import compare_digest
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from itertools import chain
from types import NoneType
from typing import Any, Final, get_args
from urllib.parse import urlsplit

import msgspec
import structlog
from litestar.enums import RequestEncodingType, ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import Histogram

from kernel.core.config import Config
from kernel.core.data.ids import new_uuid_text
from kernel.core.errors import InvalidFields, Malformed, WrongType
from kernel.core.process.metrics import REQUESTS
from kernel.core.process.tracing import Traced, traced_request
from kernel.core.schemas import bad_fields, sentence
from kernel.core.web.access import AppRequest
from kernel.core.web.request_body import LARGE_BYTES, LargeBodies, RequestBody, SlowBodies
from kernel.spi import BrowserOrigins, is_source

log = structlog.get_logger("coverwright.http")

SLOW_S: Final = 1.0
MAX_BODY_BYTES: Final = 15 * 1024 * 1024
"""A 10 MB picture as base64 in JSON, and the fields around it."""
REFUSED: Final = (402, 413, 429)
"""What is answered before a body is read."""
DRAINED_BYTES: Final = 4 * MAX_BODY_BYTES
"""A body that is refused is read and discarded up to this size; otherwise the client sees a broken connection."""
METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
"""Those that metrics name: a client may invent others without end."""
MAX_DEPTH: Final = 64
"""Deeper nesting in a JSON body is an attack, not a request."""

PROBES: Final = frozenset({"/healthz", "/readyz"})
"""Load balancers and Kubernetes ask by address, or with no Host at all."""
METRICS_PATH: Final = "/metrics"
"""Prometheus asks each web server by its own address, too; then it has to show the token."""
HOST: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
"""A Host header: a name, or an address (RFC 9110, 7.2)."""

FORWARDED: Final = re.compile(r"\[(?P<v6>[^\]]*)\](?::[0-9]{1,5})?|(?P<v4>[0-9.]+)(?::[0-9]{1,5})?|(?P<bare>[^\[\]]+)")
"""An entry of `X-Forwarded-For`: an address, with a port after an IPv4 one or one in brackets."""
PEERS: Final = 1024
"""Of so many addresses at the other end we remember whether they are proxies."""
SOCKET: Final = "socket_host"
"""Where a request's state has the address at the other end of its connection; empty for a unix socket."""
LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})
TRACE_HEADERS: Final = frozenset({b"traceparent", b"tracestate"})
"""W3C Trace Context."""
PROXY_HEADERS: Final = ("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via")


def policies(needed: Iterable[BrowserOrigins] = ()) -> dict[str, str]:
    """Return the headers that restrict a page to this origin and these others. Invalid origins are left out."""
    known = tuple(needed)

    def join(lists: Iterable[tuple[str, ...]]) -> str:
        return "".join(f" {source}" for source in sorted({*chain.from_iterable(lists)}) if is_source(source))

    scripts, styles = join(origins.scripts for origins in known), join(origins.styles for origins in known)
    images, framed = join(origins.images for origins in known), join(origins.frames for origins in known)
    connections = join(origins.connections for origins in known)
    payers = "".join(f' "{source}"' for source in framed.split() if "*" not in source)
    return {
        "content-security-policy": (
            f"default-src 'none'; script-src 'self'{scripts}; style-src 'self'{styles}; "
            f"img-src 'self' data: blob:{images}; "
            f"font-src 'self'; connect-src 'self'{connections}; frame-src 'self'{framed}; manifest-src 'self'; "
            "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
        ),
        "permissions-policy": f"camera=(), microphone=(), geolocation=(), payment=(self{payers})",
        # a window of the vendor's that reports back is cut off by `same-origin`
        "cross-origin-opener-policy": (
            "same-origin-allow-popups" if any(origins.popups for origins in known) else "same-origin"
        ),
    }


BASE_HEADERS: Final = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"strict-origin-when-cross-origin",
    b"x-frame-options": b"DENY",
    **{name.encode(): value.encode() for name, value in policies().items()},
}

_NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_MARKS: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{]|[\]}]', re.DOTALL)
"""Strings and brackets. Runs of plain letters are matched at once: a picture in base64 is tens of millions of them."""


@cache  # finding a histogram by its labels takes longer than to observe
def _observed(method: str, route: str, status: int) -> Histogram:
    return REQUESTS.labels(method, route, str(status))


class RequestMiddleware:
    """Outermost layer: it also covers what the router never sees, such as unknown addresses."""

    def __init__(self, app: ASGIApp, config: Config) -> None:
        self._app = app
        self._headers = dict(BASE_HEADERS)
        if config.https:
            self._headers[b"strict-transport-security"] = b"max-age=31536000; includeSubDomains"
        self._hosts = _known_hosts(config)
        networks = [ip_network(entry) for entry in config.security.trusted_proxies]
        self._is_proxy = lru_cache(maxsize=PEERS)(lambda peer: _address_in(peer, networks))
        self._metrics_token = config.server.metrics_token
        self._slow_bodies, self._large_bodies = SlowBodies(), LargeBodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        request_id = new_uuid_text()
        scope.setdefault("state", {})["request_id"] = request_id
        self._apply_forwarded(scope)
        started = time.perf_counter()
        status = 500
        body = RequestBody(scope, receive, self._slow_bodies, self._large_bodies)

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*self._complete(message["headers"]), (b"x-request-id", request_id.encode())]
            await send(message)

        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        with traced_request(scope["method"], self._trace_of(scope), coverwright__request_id=request_id) as trace:
            try:
                if not self._host_known(scope):
                    await _plain(answer, 400, b"Unknown host.")
                    return
                await self._app(scope, body.receive, _drained(body, answer))
            except asyncio.CancelledError:
                status = 499
                raise
            finally:
                body.end()
                self._record(scope, status, time.perf_counter() - started, trace)

    def _complete(self, headers: Iterable[tuple[bytes, bytes]]) -> Iterable[tuple[bytes, bytes]]:
        """Return an answer's headers and those of ours that it does not set itself."""
        present = {name.lower() for name, _ in headers}
        if present.isdisjoint(self._headers):
            return [*headers, *self._headers.items()]
        return [*headers, *((name, value) for name, value in self._headers.items() if name not in present)]

    def _trace_of(self, scope: Any) -> dict[str, str] | None:
        """Return the headers that say which trace a request belongs to, where a proxy of ours has sent them."""
        if not self._is_proxy(scope["state"][SOCKET]):
            return None
        return {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in TRACE_HEADERS}

    def _record(self, scope: Any, status: int, seconds: float, trace: Traced) -> None:
        route = str(scope.get("path_template") or "unmatched")
        method = scope["method"] if scope["method"] in METHODS else "other"
        _observed(method, route, status).observe(seconds)
        trace.rename(f"{method} {route}")
        trace.tell(http__request__method=method, http__route=route, http__response__status_code=status)
        if status >= 500:
            trace.fail(str(status))
        if status >= 500 or (seconds > SLOW_S and "events" not in route):
            log.warning("request", method=scope["method"], path=scope["path"], status=status, ms=round(seconds * 1000))
        else:
            log.debug("request", method=scope["method"], path=scope["path"], status=status, ms=round(seconds * 1000))

    def _host_known(self, scope: Any) -> bool:
        if scope["path"] in PROBES or (scope["path"] == METRICS_PATH and _shows_token(scope, self._metrics_token)):
            return True
        sent = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
        host = HOST.fullmatch(sent)
        return host is not None and (self._hosts is None or host["name"].strip("[]").lower() in self._hosts)

    def _apply_forwarded(self, scope: Any) -> None:
        """Take the client's address from a listed proxy; forwarding headers from others are ignored."""
        client = scope.get("client")
        scope["state"][SOCKET] = client[0] if client else ""
        if not client or not self._is_proxy(client[0]):
            return
        for name, value in scope["headers"]:
            if name == b"x-forwarded-for" and (address := _forwarded_address(value.decode("latin-1"))):
                scope["client"] = (address, client[1])


def _forwarded_address(header: str) -> str | None:
    """Return the last address of the header, without the port that some proxies add; None for what is no address."""
    shown = FORWARDED.fullmatch(header.rpartition(",")[2].strip())
    if shown is None:
        return None
    try:
        return str(ip_address(shown["v6"] or shown["v4"] or shown["bare"]))
    except ValueError:
        return None


def _address_in(text: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    """Return whether an address is in one of the networks; an IPv4 one also as an IPv6 socket shows it."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in networks)


def may_read_metrics(request: AppRequest, config: Config) -> bool:
    """Return whether a request is of this machine, or shows the configured token."""
    return is_local(request) or _shows_token(request.scope, config.server.metrics_token)


def _shows_token(scope: Any, token: str) -> bool:
    shown = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    return bool(token) and compare_digest(shown, f"Bearer {token}".encode())


def is_local(request: AppRequest) -> bool:
    """Return whether the request was made on this machine, and by no proxy for somebody else.

    The socket decides, whatever a header says of the client; a proxy is known by the headers that it adds.
    """
    socket = request.scope["state"].get(SOCKET)
    return socket in LOOPBACK and not any(name in request.headers for name in PROXY_HEADERS)


def _known_hosts(config: Config) -> frozenset[str] | None:
    """Return the host names we answer to, or None (any) when the server listens everywhere without a public address."""
    loopback = {"localhost", "127.0.0.1", "::1"}
    if config.site.public_url:
        return frozenset(loopback | {urlsplit(config.public_url).hostname or ""})
    return frozenset(loopback | {config.server.host}) if config.server.host in loopback else None


def _drained(body: RequestBody, send: Send) -> Send:
    """Return what sends messages, and reads a body to its end before an answer that does not need it."""

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] in REFUSED:
            await body.drain(DRAINED_BYTES)
        await send(message)

    return answer


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


def _struct_of(annotation: Any) -> type[msgspec.Struct] | None:
    """Return the Struct that a body is decoded into, which may be optional; None where it is something else."""
    kinds = [kind for kind in get_args(annotation) or (annotation,) if kind is not NoneType]
    return kinds[0] if len(kinds) == 1 and isinstance(kinds[0], type) and issubclass(kinds[0], msgspec.Struct) else None


async def check_body(request: AppRequest) -> None:
    """Before a handler: refuse a JSON body that is malformed, mistyped or wrong, naming all its bad fields at once.

    A body that has a default may be missing. Other bodies are left to their handlers.
    Raises Malformed (400), WrongType (415) and InvalidFields (422).
    """
    data = request.route_handler.parsed_data_field
    wanted = None if data is None else _struct_of(data.annotation)
    if data is None or wanted is None:
        return
    if data.kwarg_definition is not None and getattr(data.kwarg_definition, "media_type", None) not in (
        None,
        RequestEncodingType.JSON,
    ):
        return
    body = await request.body()
    if data.has_default and not body and "content-type" not in request.headers:
        return
    if request.content_type[0] != "application/json":
        raise WrongType("Please send JSON.")
    if len(body) > LARGE_BYTES:
        await asyncio.to_thread(_read_json, body, wanted)
    else:
        _read_json(body, wanted)


def _read_json(body: bytes, kind: type[msgspec.Struct]) -> None:
    """Raise what `check_body` does for a body that is not the JSON of this kind."""
    if b"\x00" in body or (rb"\u0000" in body and _NUL.search(body)):
        raise Malformed("Texts must not hold the character NUL.")
    if body.count(b"[") + body.count(b"{") > MAX_DEPTH and _depth(body) > MAX_DEPTH:
        raise Malformed("The JSON is nested too deeply.")
    try:
        try:
            msgspec.json.decode(body, type=kind)
        except msgspec.ValidationError as error:
            # A wrong field may come before broken JSON, so the decoding here may fail too.
            fields = bad_fields(kind, msgspec.json.decode(body))
            raise InvalidFields(fields or {"body": sentence(error)}) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed("The request is not valid JSON.") from error
