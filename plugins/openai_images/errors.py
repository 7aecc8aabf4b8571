"""What OpenAI's API answers, in the kernel's words."""

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


class Trouble(msgspec.Struct, frozen=True):
    """The `error` object of an answer; anything may be missing."""

    message: str = ""
    code: str = ""
    type: str = ""
    param: str = ""


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error an answer stands for; None for a success. The vendor's message goes to administrators only."""
    status = answer.status_code
    if status < 300:
        return None
    trouble = read_trouble(answer.content)
    detail = f"{status} {trouble.code or trouble.type}: {trouble.message}"[:DETAIL_CHARS].strip(" :")
    codes = {trouble.code.lower(), trouble.type.lower()}
    if codes & REFUSALS:
        return ContentRefused(detail, upstream_status=status)
    if codes & NO_FUNDS or status == 402:
        return QuotaExhausted(detail, upstream_status=status)
    if status == 401:
        return AuthFailed("the key is not accepted", field="api_key", upstream_status=status)  # it may be quoted back
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
    return _wrong(trouble, detail, status)


def _wrong(trouble: Trouble, detail: str, status: int) -> ProviderError:
    """Return what the rest of the four hundreds means: something in what was sent."""
    if trouble.code == "model_not_found" or trouble.param in SETTING_OF:
        return SettingsInvalid(detail, field=SETTING_OF.get(trouble.param, "model"), upstream_status=status)
    if status in (404, 405):
        return SettingsInvalid(detail, field="base_url", upstream_status=status)
    if trouble.param == "size":
        return Unsupported(detail, upstream_status=status)
    if status in (409, 425):
        return Unavailable(detail, upstream_status=status)
    return InvalidRequest(detail, upstream_status=status)


def read_trouble(body: bytes) -> Trouble:
    """Return the error object, whatever shape the answer has."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):  # HTML of a proxy in between, or nothing at all
        return Trouble()
    error = found.get("error") if isinstance(found, dict) else None
    if isinstance(error, str):
        return Trouble(message=error)
    if not isinstance(error, dict):
        return Trouble()
    texts = {name: error[name] for name in Trouble.__struct_fields__ if isinstance(error.get(name), str)}
    return Trouble(**texts)


def retry_after_s(headers: httpx.Headers) -> float | None:
    """Return when to come back, in seconds; the header holds seconds or a date."""
    text = headers.get("retry-after", "")
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        date = parsedate_tz(text)
        return max(0.0, mktime_tz(date) - time.time()) if date else None
    except (ValueError, TypeError, OverflowError):  # a date that no calendar has
        return None
