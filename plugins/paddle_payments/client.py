"""Paddle's API over the kernel's client. Its own library for Python is built on `requests`, which checks no address.

Paddle has no idempotency keys, so nothing is repeated here: what changes something looks first, and the kernel repeats.
"""

import asyncio
import re
from collections.abc import Collection, Mapping
from typing import Any, Final, TypeVar

import httpx

from kernel.spi import (
    DeadlineExceeded,
    Effect,
    NotFound,
    OutboundTransport,
    ProviderContext,
    Unavailable,
    decode_answer,
    header_secret,
    status_error,
    web_address,
)
from plugins.paddle_payments.errors import code_of, judge
from plugins.paddle_payments.settings import API_URLS, PaddleSettings
from plugins.paddle_payments.wire import Answer, Link

T = TypeVar("T")

VERSION: Final = "1"
LARGEST_ANSWER_BYTES: Final = 8_388_608
PAGE: Final = 200
TRANSACTIONS_PAGE: Final = 30
"""The most that Paddle lists at a time."""
MOST_PAGES: Final = 100
IDS: Final = re.compile(r"(?:ctm|pri|sub|txn|ntfset)_[a-z0-9]{26}")


def known_id(ref: str, kind: str) -> str:
    """Return an id of Paddle's, of this kind: `ctm`, `sub`. Raises NotFound for what cannot be one.

    It becomes part of a path, so nothing else may.
    """
    if not IDS.fullmatch(ref) or not ref.startswith(f"{kind}_"):
        raise NotFound(f"Paddle has no such id of the kind {kind}")
    return ref


class Api:
    """Calls to Paddle, with results in our types. Every call raises ProviderError."""

    def __init__(self, settings: PaddleSettings, context: ProviderContext) -> None:
        self._base = (settings.base_url or API_URLS[settings.environment]).rstrip("/")
        self._timeout_s = settings.timeout_s
        key = header_secret(settings.api_key, field="api_key")
        transport = OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=lambda answer: None)
        self._http = httpx.AsyncClient(
            transport=transport,
            headers={"authorization": f"Bearer {key}", "paddle-version": VERSION},
            timeout=settings.timeout_s,
            trust_env=False,  # no proxies, no .netrc
        )
        # documents lie at another host, which must not get the key
        self._documents = httpx.AsyncClient(transport=transport, timeout=settings.timeout_s, trust_env=False)

    async def read(self, kind: type[T], path: str, **query: str) -> T:
        """Read one object."""
        return decode_answer((await self._send("GET", path, params=query)).content, Answer[kind]).data  # type: ignore[valid-type]

    async def pages(
        self, kind: Any, path: str, query: Mapping[str, str] | None = None, *, size: int = PAGE
    ) -> list[Any]:
        """Read all pages of a list, newest first."""
        found: list[Any] = []
        more: dict[str, str] = {}
        for _ in range(MOST_PAGES):
            wish = {**(query or {}), "per_page": str(size), "order_by": "id[DESC]", **more}
            page = decode_answer((await self._send("GET", path, params=wish)).content, Answer[list[kind]])
            found += page.data
            if not page.meta.pagination.has_more or not page.data:
                return found
            more = {"after": page.data[-1].id}  # never the address that the answer names: it would get the key
        raise Unavailable(f"a list of more than {MOST_PAGES * size} entries")

    async def change(
        self, kind: type[T], method: str, path: str, body: Mapping[str, Any], *, tolerated: Collection[str] = ()
    ) -> T | None:
        """Change something and return the result; None where Paddle refused with one of the `tolerated` codes."""
        answer = await self._send(method, path, tolerated=tolerated, json=body)
        if code_of(answer):
            return None
        return decode_answer(answer.content, Answer[kind]).data  # type: ignore[valid-type]

    async def remove(self, path: str) -> None:
        """Delete something."""
        await self._send("DELETE", path)

    async def document(self, path: str) -> bytes:
        """Return the document whose link this path gives."""
        url = web_address((await self.read(Link, path)).url)
        if url is None or (url.scheme != "https" and not str(url).startswith(self._base)):
            raise Unavailable("the document's address is not a safe one")
        answer = await self._within(self._documents.get(url))
        if (refusal := status_error(answer)) is not None:
            raise Unavailable("the document cannot be fetched", upstream_status=answer.status_code) from refusal
        return answer.content

    async def aclose(self) -> None:
        """Close the clients; the kernel's stays open."""
        await self._http.aclose()
        await self._documents.aclose()

    async def _send(self, method: str, path: str, *, tolerated: Collection[str] = (), **more: Any) -> httpx.Response:
        answer = await self._within(self._http.request(method, f"{self._base}{path}", **more))
        if code_of(answer) in tolerated:
            return answer
        if (refusal := judge(answer)) is not None:
            raise refusal
        return answer

    async def _within(self, call: Any) -> httpx.Response:
        try:
            async with asyncio.timeout(self._timeout_s):
                answer: httpx.Response = await call
        except TimeoutError as error:
            raise DeadlineExceeded("Paddle did not answer in time", effect=Effect.UNKNOWN) from error
        return answer
