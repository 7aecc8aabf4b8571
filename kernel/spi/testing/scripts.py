"""Answers of a failing vendor."""

import json
import random
from collections.abc import Callable
from typing import Any, Final

import httpx

Answer = Callable[[httpx.Request], httpx.Response]

UNREACHABLE: Final = (httpx.ConnectTimeout, httpx.ConnectError)
ANSWER_LOST: Final = (httpx.ReadTimeout, httpx.ReadError, httpx.RemoteProtocolError)


def script(name: str, answer: Any, variant: int = 0) -> Answer:
    """Return the handler for a fault: a declared answer, or one of the three that the kit makes itself."""
    if name == "unreachable":
        return lambda request: _raise(UNREACHABLE[variant](f"{request.url.host} cannot be reached", request=request))
    if name == "answer_lost":
        return lambda request: _raise(ANSWER_LOST[variant]("the connection was lost", request=request))
    if name == "noise":
        dice = random.Random(variant)
        return lambda request: noise(dice)
    if isinstance(answer, httpx.Response):
        return lambda request: _copy(answer)
    assert callable(answer), f"declare how the vendor says `{name}`: an httpx.Response or a callable"
    return answer  # type: ignore[no-any-return]


def noise(dice: random.Random) -> httpx.Response:
    """Return a meaningless answer: any status, bytes or JSON of an unexpected shape, any content type."""
    shape = dice.choice(("bytes", "bytes", "json", "empty", "cut"))
    data: Any = dice.choice((None, [], {}, 0, "text", {"error": None}, {"error": "no"}, {"data": {}}, [[1]], {"": ""}))
    body = {
        "bytes": dice.randbytes(dice.randrange(1, 2000)),
        "json": json.dumps(data).encode(),
        "empty": b"",
        "cut": b'{"id": "x", "data": [{"',
    }[shape]
    kind = dice.choice(("application/json", "text/html; charset=utf-8", "application/octet-stream", "x/y; =", ""))
    status = dice.choice((200, 200, 200, 201, 204, 302, 400, 401, 404, 409, 422, 429, 500, 503))
    return httpx.Response(status, headers={"content-type": kind} if kind else {}, content=body)


def echo(status: int) -> Answer:
    """Return a handler that refuses every request and quotes all of it."""

    def quote(request: httpx.Request) -> httpx.Response:
        seen = f"{request.url} {dict(request.headers)} {request.content!r}"
        return httpx.Response(status, json={"error": {"message": seen}, "detail": seen, "Message": seen, "title": seen})

    return quote


def _copy(answer: httpx.Response) -> httpx.Response:
    # a response can be consumed only once; the next request needs a new one
    headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
    return httpx.Response(answer.status_code, headers=headers, content=answer.content)


def _raise(error: Exception) -> httpx.Response:
    raise error
