"""What a vendor's HTTP answer means where the vendor gives it no meaning of its own."""

import time
from collections.abc import Mapping
from email.utils import mktime_tz, parsedate_tz
from typing import Any, Final, TypeVar

import httpx
import msgspec

from .errors import (
    AuthFailed,
    DeadlineExceeded,
    Effect,
    InvalidRequest,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
)

_T = TypeVar("_T")

_DETAIL_CHARS: Final = 300
"""Of a vendor's own words: enough for a sentence, too little for a page of HTML."""


def status_error(answer: httpx.Response, text: str = "", *, key_field: str = "api_key") -> ProviderError | None:
    """Return the error that an answer's status means by itself; None for a success.

    `text` are the vendor's words, for administrators only. `key_field` is the setting that holds the key. Judge first
    what the vendor says in words of its own, such as a refusal; this is for all that is left. The text of a 401 is left
    out, because it may quote the key.
    """
    status = answer.status_code
    if status < 300:
        return None
    detail = error_detail(status, text)
    match status:
        case 401:
            return AuthFailed(f"the {_noun(key_field)} is not accepted", field=key_field, upstream_status=status)
        case 402:
            return QuotaExhausted(detail, upstream_status=status)
        case 403:
            return AuthFailed(detail, field=key_field, upstream_status=status)
        case 404 | 405:
            return SettingsInvalid(detail, field="base_url", upstream_status=status)
        case 408 | 504:
            return DeadlineExceeded(detail, effect=Effect.UNKNOWN, upstream_status=status)
        case 409 | 425:
            return Unavailable(detail, upstream_status=status)
        case 429:
            return RateLimited(detail, retry_after=retry_after_s(answer.headers), upstream_status=status)
    if status >= 500:
        return Unavailable(detail, effect=Effect.UNKNOWN, upstream_status=status)
    if status < 400:
        return Unavailable("the address answers with a redirect, which is not followed", upstream_status=status)
    return InvalidRequest(detail, upstream_status=status)


def error_detail(status: int, text: str) -> str:
    """Return a status and the vendor's words as an error carries them: one line, not too long, for administrators."""
    return " ".join(f"{status} {text}".split())[:_DETAIL_CHARS].strip(" :")


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a `retry-after`, which may be a number or a date (RFC 9110, 10.2.3)."""
    text = headers.get("retry-after", "")
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        date = parsedate_tz(text)
        return max(0.0, mktime_tz(date) - time.time()) if date else None
    except (ValueError, TypeError, OverflowError):  # an impossible date
        return None


def decode_answer(body: bytes, kind: type[_T]) -> _T:
    """Decode the JSON of a success. Raises Unavailable for any other shape."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:  # HTML with status 200, null, a list, half an answer
        raise Unavailable("the answer is not what the API documents", effect=Effect.UNKNOWN) from error


def problem_of(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a failure; an empty one for all else, such as the HTML of a proxy in between."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _noun(key_field: str) -> str:
    return "token" if key_field.endswith("token") else "key"
