"""Translates answers of OpenAI's API."""

import time
from email.utils import mktime_tz, parsedate_tz
from typing import Final

import httpx
import msgspec

from kernel.spi import (
    AuthFailed,
    ContentRefused,
    DeadlineExceeded,
    Effect,
    InvalidRequest,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    Unsupported,
)

DETAIL_CHARS: Final = 300
REFUSALS: Final = frozenset(
    {"moderation_blocked", "content_policy_violation", "content_filter", "contentfilter", "safety_violation"}
)
"""Codes for content that was declined; the last three come from gateways and from Azure."""

NO_FUNDS: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
SETTING_OF: Final = {"model": "model", "quality": "quality", "moderation": "moderation"}
"""Parameters that come from a setting of the same name."""


class ErrorObject(msgspec.Struct, frozen=True):
    """The `error` object of an answer; anything may be missing."""

    message: str = ""
    code: str = ""
    type: str = ""
    param: str = ""


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error for an answer; None for a success. The vendor's message is only for administrators."""
    status = answer.status_code
    if status < 300:
        return None
    reported = read_error_object(answer.content)
    detail = f"{status} {reported.code or reported.type}: {reported.message}"[:DETAIL_CHARS].strip(" :")
    codes = {reported.code.lower(), reported.type.lower()}
    if codes & REFUSALS:
        return ContentRefused(detail, upstream_status=status)
    if codes & NO_FUNDS or status == 402:
        return QuotaExhausted(detail, upstream_status=status)
    if status == 401:
        return AuthFailed("the key is not accepted", field="api_key", upstream_status=status)  # its text may quote it
    if status == 403:
        return AuthFailed(detail, field="api_key", upstream_status=status)
    if status == 429:
        return RateLimited(detail, retry_after=retry_after_s(answer.headers), upstream_status=status)
    if status in (408, 504):
        return DeadlineExceeded(detail, effect=Effect.UNKNOWN, upstream_status=status)
    if status >= 500:
        return Unavailable(detail, effect=Effect.UNKNOWN, upstream_status=status)
    if status < 400:
        return Unavailable("the address answers with a redirect, which is not followed", upstream_status=status)
    return _wrong(reported, detail, status)


def _wrong(reported: ErrorObject, detail: str, status: int) -> ProviderError:
    """Return the error for any other 4xx: something in the request is wrong."""
    if reported.code == "model_not_found" or reported.param in SETTING_OF:
        return SettingsInvalid(detail, field=SETTING_OF.get(reported.param, "model"), upstream_status=status)
    if status in (404, 405):
        return SettingsInvalid(detail, field="base_url", upstream_status=status)
    if reported.param == "size":
        return Unsupported(detail, upstream_status=status)
    if status in (409, 425):
        return Unavailable(detail, upstream_status=status)
    return InvalidRequest(detail, upstream_status=status)


def read_error_object(body: bytes) -> ErrorObject:
    """Return the error object, whatever shape the answer has."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):  # HTML of a proxy in between, or an empty answer
        return ErrorObject()
    error = found.get("error") if isinstance(found, dict) else None
    if isinstance(error, str):
        return ErrorObject(message=error)
    if not isinstance(error, dict):
        return ErrorObject()
    texts = {name: error[name] for name in ErrorObject.__struct_fields__ if isinstance(error.get(name), str)}
    return ErrorObject(**texts)


def retry_after_s(headers: httpx.Headers) -> float | None:
    """Return the time until a retry, in seconds; the header holds seconds or a date."""
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
