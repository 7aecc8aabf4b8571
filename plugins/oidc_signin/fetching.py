"""Requests to the issuer, and the errors for its refusals."""

from collections.abc import Mapping
from typing import Any, Final

import httpx
import msgspec

from kernel.spi import DeadlineExceeded, RateLimited, Unavailable

TIMEOUT: Final = httpx.Timeout(8.0, connect=5.0)
MAX_BYTES: Final = 512 * 1024
"""Metadata and key sets are a few kilobytes; a larger answer is an error."""

TOO_MANY: Final = 429
RETRY_AFTER_S: Final = 30.0
MAX_RETRY_AFTER_S: Final = 3600.0


class Answer(msgspec.Struct, frozen=True):
    """Status and body of an answer."""

    status: int
    body: bytes


async def fetch(
    http: httpx.AsyncClient,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    form: Mapping[str, str] | None = None,
) -> Answer:
    """Send a request, and return whatever the issuer answers below 500.

    Raises Unavailable, DeadlineExceeded and RateLimited. No error contains what was sent.
    """
    wanted = {"accept": "application/json", **(headers or {})}
    try:
        async with http.stream(method, url, headers=wanted, data=form, timeout=TIMEOUT) as answer:
            body = b""
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > MAX_BYTES:
                    raise Unavailable("the issuer's answer is too long")
    except httpx.TimeoutException as error:
        raise DeadlineExceeded("the issuer did not answer in time") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Unavailable(f"the issuer cannot be reached ({type(error).__name__})") from error
    if answer.status_code == TOO_MANY:
        after = answer.headers.get("retry-after", "")
        retry_after = min(float(after), MAX_RETRY_AFTER_S) if after.isascii() and after.isdigit() else RETRY_AFTER_S
        raise RateLimited("the issuer wants fewer requests", retry_after=retry_after, upstream_status=TOO_MANY)
    if answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR:
        raise Unavailable(f"the issuer answered {answer.status_code}", upstream_status=answer.status_code)
    return Answer(answer.status_code, body)


def read_object(body: bytes) -> dict[str, Any]:
    """Return a JSON object. Raises Unavailable for anything else."""
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unavailable("the issuer's answer is not JSON") from error
    if not isinstance(value, dict):
        raise Unavailable("the issuer's answer is not a JSON object")
    return value


async def fetch_object(http: httpx.AsyncClient, url: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the JSON object at an address. Raises Unavailable for any other answer than 200."""
    answer = await fetch(http, "GET", url, headers=headers)
    if answer.status != httpx.codes.OK:
        raise Unavailable(f"the issuer answered {answer.status}", upstream_status=answer.status)
    return read_object(answer.body)
