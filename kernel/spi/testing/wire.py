"""Rules for what happens between a provider and its vendor, and the table of all failures that the kit knows."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import httpx

from .. import DeadlineExceeded, Effect, ProviderBug, ProviderError, ProviderSpec, Settings, Unavailable
from .fakes import FakeContext
from .faults import MEANING, FaultRules, Upstream, _error_text, _raised
from .loopback import Loopback
from .waivers import waived

GATEWAYS: Final = (502, 503, 504)
ELSEWHERE: Final = "/elsewhere-of-the-kit"
"""The path to which a redirect of the kit leads, on another host."""


class VendorFailure(NamedTuple):
    """A kind of failure: what it is, the errors that are right, and the rule that proves it."""

    what: str
    errors: tuple[type[ProviderError], ...]
    rule: str


_DECLARED: Final[Mapping[str, str]] = {
    "bad_key": "the vendor refuses the key",
    "rate_limit": "too many requests; it says when to come back",
    "server_error": "the vendor has failed",
    "garbage": "a success that is no answer of this API",
    "refused": "the vendor does not want to make this",
    "no_funds": "the account has nothing left",
    "declined": "the means of payment was declined",
    "not_found": "what was asked for does not exist",
    "invalid": "the request is not one that the vendor takes",
    "busy": "the vendor has no capacity now",
}

FAILURES: Final[Mapping[str, VendorFailure]] = {
    **{name: VendorFailure(what, MEANING[name], "ERR_02") for name, what in _DECLARED.items()},
    "unreachable": VendorFailure("no connection; the effect is NONE", (Unavailable, DeadlineExceeded), "ERR_04"),
    "answer_lost": VendorFailure(
        "sent, and no answer; the effect is UNKNOWN", (Unavailable, DeadlineExceeded), "ERR_05"
    ),
    "noise": VendorFailure("random bytes, statuses and shapes: any error of the contract, or none", (), "ERR_06"),
    "gateway": VendorFailure("a page of a proxy, 502 to 504", (Unavailable, DeadlineExceeded), "ERR_08"),
    "cut_off": VendorFailure(
        "an answer that ends midway; the effect is UNKNOWN", (Unavailable, DeadlineExceeded), "ERR_08"
    ),
    "redirect": VendorFailure("the vendor leads to another host, which must not get a secret", (), "ERR_09"),
}
"""Every kind of failure. Those of ERR_02 are declared in `faults`; the kit makes the others itself."""


class WireRules(FaultRules):
    """What proxies and lines between us and the vendor do. Does not apply to an offline spec, nor without HTTP."""

    async def test_ERR_08_what_a_proxy_or_a_broken_line_does_is_no_fault_of_the_request(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext, upstream: Upstream
    ) -> None:
        if spec.offline:
            return waived("offline")
        for name, answer in _between():
            seen: list[httpx.Request] = []
            error = await self._over(spec.build(settings, context), upstream, _keep(seen, answer))
            if not seen:
                return waived("the vendor does not speak HTTP")
            assert error is not None, f"the call succeeded in spite of {name}"
            right = FAILURES[name.partition(" ")[0]].errors
            assert isinstance(error, right), f"{name} became {_error_text(error)}"
            if name == "cut_off" and isinstance(error, ProviderError):
                assert self.repeatable or error.effect is Effect.UNKNOWN, "half an answer: the effect is UNKNOWN"

    async def test_ERR_09_a_redirect_takes_no_secret_to_another_host(
        self, spec: ProviderSpec[Any, Any], settings: Settings, context: FakeContext, upstream: Upstream
    ) -> None:
        if spec.offline:
            return waived("offline")
        for status in (302, 307):
            seen: list[httpx.Request] = []
            lead = _leading(status, upstream)
            error = await self._over(spec.build(self.with_canaries(settings), context), upstream, _keep(seen, lead))
            if not seen:
                return waived("the vendor does not speak HTTP")
            known = isinstance(error, ProviderError) and not isinstance(error, ProviderBug)
            assert error is None or known, f"a redirect raised {_error_text(error)}"
            moved = [
                f"{one.url} {one.headers.multi_items()} {one.content!r}" for one in seen if one.url.path == ELSEWHERE
            ]
            assert self.sung(settings, moved) == [], "the redirect was followed with a secret"

    async def _over(
        self, provider: Any, upstream: Upstream, answer: Callable[[httpx.Request], httpx.Response]
    ) -> BaseException | None:
        """Return the error of the ordinary call while every request is answered like this."""
        usual = upstream.handler
        upstream.handler = answer
        try:
            return await _raised(lambda it: self.provoke(it, "server_error"), provider)
        finally:
            upstream.handler = usual
            await provider.aclose()


def _keep(
    seen: list[httpx.Request], answer: Callable[[httpx.Request], httpx.Response]
) -> Callable[[httpx.Request], httpx.Response]:
    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return answer(request)

    return handle


def _between() -> Iterator[tuple[str, Callable[[httpx.Request], httpx.Response]]]:
    for status in GATEWAYS:
        yield f"gateway {status}", partial(_page, status)
    yield "cut_off", lambda request: httpx.Response(200, headers={"content-type": "application/json"}, stream=_Cut())


def _page(status: int, request: httpx.Request) -> httpx.Response:
    """Answer as a proxy does whose server is gone."""
    return httpx.Response(status, html="<html><body><h1>The upstream server did not answer</h1></body></html>")


def _leading(status: int, upstream: Upstream) -> Callable[[httpx.Request], httpx.Response]:
    """Return a handler that leads to another host: this machine by its other name, for a Loopback."""
    if isinstance(upstream, Loopback):
        place = upstream.url.replace("127.0.0.1", "localhost") + ELSEWHERE
    else:
        place = f"https://elsewhere.example{ELSEWHERE}"

    def lead(request: httpx.Request) -> httpx.Response:
        if request.url.path == ELSEWHERE:
            return httpx.Response(200, json={})
        return httpx.Response(status, headers={"location": place})

    return lead


class _Cut(httpx.AsyncByteStream, httpx.SyncByteStream):
    """A body whose connection breaks midway."""

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"id": "x", "data": [{"'
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in iter(_Cut.__iter__(self)):
            yield piece
