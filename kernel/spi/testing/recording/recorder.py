"""Records what a vendor is asked and answers."""

from collections.abc import Awaitable, Callable
from typing import Final

import httpx

from ..running import running_rule
from .cassettes import Body, Interaction, RecordedResponse, Status, body_of
from .pictures import shorten_pictures
from .requests import recorded
from .secrets import Secrets

Send = Callable[[httpx.Request], Awaitable[httpx.Response]]
"""Sends a request to the vendor; the answer need not have been read."""

_CHANGED_BY_READING: Final = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection"})


class Recorder:
    """Sends requests to the vendor and keeps them with their answers. Bodies are held in memory.

    `transport(send)` is an upstream for the rules. Failed connections are passed on and not kept.
    """

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self.interactions: list[Interaction] = []

    def transport(self, send: Send) -> httpx.MockTransport:
        """Return a transport over which the vendor is asked."""

        async def handle(request: httpx.Request) -> httpx.Response:
            asked, rule = recorded(request, self._secrets), running_rule()
            answer = await send(request)
            try:
                content = await answer.aread()
            finally:
                await answer.aclose()
            headers = [item for item in answer.headers.multi_items() if item[0].lower() not in _CHANGED_BY_READING]
            self.interactions.append(Interaction(asked, self._kept(answer, headers, content), rule))
            return httpx.Response(answer.status_code, headers=headers, content=content, request=request)

        return httpx.MockTransport(handle)

    def _kept(self, answer: httpx.Response, headers: list[tuple[str, str]], content: bytes) -> RecordedResponse:
        kind = answer.headers.get("content-type", "")
        return RecordedResponse(
            status=Status(answer.status_code, answer.reason_phrase),
            headers=self._secrets.cut_headers(httpx.Headers(headers)),
            body=Body(body_of(self._secrets.cut_body(shorten_pictures(content), kind))),
        )
