"""Answers that are the same for everybody and change only by an administrator's hand: made once for many requests."""

import asyncio
import hashlib
import time
from collections.abc import Callable
from typing import Final

import msgspec
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, HTTPResponseStartEvent, Message, Receive, Scope, Send

from kernel.core.queue.pubsub import PubSub

CHANNEL: Final = "shared-answers"
RECENT_S: Final = 2.0
"""Maximum age of an answer: messages may be lost, and workers read prices afresh without one."""
FOLLOW_S: Final = 30.0

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class _Answer(msgspec.Struct, frozen=True):
    headers: list[tuple[bytes, bytes]]
    body: bytes
    etag: bytes
    made_at: float


class SharedAnswers:
    """The answers that this process knows. Those of all processes end when an administrator has changed something."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bool], _Answer] = {}
        self._changes = 0
        self._telling: set[asyncio.Task[None]] = set()

    def find(self, key: tuple[str, bool]) -> _Answer | None:
        """Return an answer that may still be given."""
        answer = self._known.get(key)
        return answer if answer is not None and time.monotonic() - answer.made_at <= RECENT_S else None

    @property
    def changes(self) -> int:
        """How often this process has forgotten its answers."""
        return self._changes

    def keep(self, key: tuple[str, bool], answer: _Answer, *, since: int) -> None:
        """Remember an answer, unless something changed while it was made (`since`: `changes` when that began)."""
        if since == self._changes:
            self._known[key] = answer

    def forget(self) -> None:
        """Make all answers anew from now on."""
        self._changes += 1
        self._known.clear()

    def changed(self, pubsub: PubSub) -> None:
        """Forget the answers here at once, and in the other processes when the message reaches them."""
        self.forget()
        telling = asyncio.create_task(pubsub.publish(CHANNEL, b""))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def follow(self, pubsub: PubSub) -> None:
        """Forget what other processes have changed, until canceled."""
        while True:
            async with pubsub.follow(CHANNEL) as follower:
                while not follower.deaf:
                    if await follower.next(timeout_s=FOLLOW_S) is not None:
                        self.forget()
                await follower.next(timeout_s=RECENT_S)


class SharedAnswerMiddleware(ASGIMiddleware):
    """Around handlers: gives known answers to routes that are SHARED, and forgets them after administrators' changes.

    A browser gets an ETag and asks again each time; it is told 304 while nothing has changed.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, answers: SharedAnswers, pubsub: Callable[[], PubSub]) -> None:
        self._answers = answers
        self._pubsub = pubsub

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Answer from memory, or pass the request on."""
        options, method = scope["route_handler"].opt, str(scope.get("method"))
        if options.get("shared") and method == "GET" and not scope["query_string"]:
            await self._shared(scope, receive, send, next_app)
        elif options.get("access") == "admin" and method not in SAFE:
            await next_app(scope, receive, self._after_change(send))
        else:
            await next_app(scope, receive, send)

    def _after_change(self, send: Send) -> Send:
        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._answers.changed(self._pubsub())
            await send(message)

        return answer

    async def _shared(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        sent = dict(scope["headers"])
        key = (scope["path"], b"gzip" in sent.get(b"accept-encoding", b""))
        answer = self._answers.find(key) or await self._make(key, scope, receive, send, next_app)
        if answer is None:
            return
        same = answer.etag in sent.get(b"if-none-match", b"")
        headers = [one for one in answer.headers if not (same and one[0] == b"content-length")]
        await send({"type": "http.response.start", "status": 304 if same else 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if same else answer.body, "more_body": False})

    async def _make(
        self, key: tuple[str, bool], scope: Scope, receive: Receive, send: Send, next_app: ASGIApp
    ) -> _Answer | None:
        """Let the handler answer. What is no success is sent as it is; then there is nothing to return."""
        began = self._answers.changes
        head: HTTPResponseStartEvent | None = None
        body = b""

        async def collect(message: Message) -> None:
            nonlocal head, body
            if message["type"] == "http.response.start" and message["status"] == 200:
                head = message
            elif message["type"] == "http.response.body" and head is not None:
                body += message["body"]
            else:
                await send(message)

        await next_app(scope, receive, collect)
        if head is None:
            return None
        etag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'.encode()
        headers = [*head["headers"], (b"etag", etag), (b"cache-control", b"no-cache")]
        answer = _Answer(headers, body, etag, time.monotonic())
        self._answers.keep(key, answer, since=began)
        return answer
