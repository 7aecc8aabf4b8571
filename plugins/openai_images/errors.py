"""Translates answers of OpenAI's API."""

from typing import Final

import httpx
import msgspec

from kernel.spi import (
    ContentRefused,
    Effect,
    ProviderError,
    QuotaExhausted,
    SettingsInvalid,
    Unavailable,
    Unsupported,
    error_detail,
    problem_of,
    status_error,
)

REFUSALS: Final = frozenset(
    {
        "moderation_blocked",
        "content_policy_violation",
        "content_filter",
        "contentfilter",
        "safety_violation",
        "responsibleaipolicyviolation",
    }
)
"""Codes for content that was declined; the last four come from gateways and from Azure."""

NO_FUNDS: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
SETTING_OF: Final = {"model": "model", "quality": "quality", "moderation": "moderation"}
"""Parameters that come from a setting of the same name."""


STREAM: Final = frozenset({"stream", "partial_images"})
"""Parameters of a picture that comes in parts. Who refuses them, as OpenAI does before it has verified an organization,
makes the same picture in one piece.
"""

STATUS_OF: Final = {
    "invalid_request_error": 400,
    "image_generation_user_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "tokens": 429,
    "requests": 429,
    "insufficient_quota": 429,
}
"""Types and codes of errors that come in a stream → the status that they would have without."""


class ErrorObject(msgspec.Struct, frozen=True):
    """The `error` object of an answer; anything may be missing. `inner` is the code of Azure's reason."""

    message: str = ""
    code: str = ""
    type: str = ""
    param: str = ""
    inner: str = ""


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error for an answer; None for a success. The vendor's message is only for administrators."""
    status = answer.status_code
    if status < 300:
        return None
    reported = read_error_object(answer.content)
    text = f"{reported.code or reported.type}: {reported.message}".strip(" :")
    detail = error_detail(status, text)
    codes = {reported.code.lower(), reported.type.lower(), reported.inner.lower()}
    if codes & REFUSALS:
        return ContentRefused(detail, upstream_status=status)
    if codes & NO_FUNDS:
        return QuotaExhausted(detail, upstream_status=status)
    if (reported.param in STREAM or "partial_images" in reported.message) and 400 <= status < 500:
        return Unsupported(detail, field="stream", upstream_status=status)
    if reported.code == "DeploymentNotFound":
        return SettingsInvalid(detail, field="deployment", upstream_status=status)
    if 400 <= status < 500 and status not in (401, 403, 429):
        if reported.code == "model_not_found" or reported.param in SETTING_OF:
            return SettingsInvalid(detail, field=SETTING_OF.get(reported.param, "model"), upstream_status=status)
        if reported.param == "size" and status not in (404, 405):
            return Unsupported(detail, upstream_status=status)
    return status_error(answer, text)


def judge_event(error: bytes) -> ProviderError:
    """Return the error for an `error` object that came in a stream: the one that it would be without a stream."""
    data = b'{"error":' + error + b"}"
    reported = read_error_object(data)
    status = STATUS_OF.get(reported.code) or STATUS_OF.get(reported.type) or 500
    return judge(httpx.Response(status, content=data)) or Unavailable("an error in the stream", effect=Effect.UNKNOWN)


def read_error_object(body: bytes) -> ErrorObject:
    """Return the error object, whatever shape the answer has."""
    error = problem_of(body).get("error")
    if isinstance(error, str):
        return ErrorObject(message=error)
    if not isinstance(error, dict):
        return ErrorObject()
    texts = {name: error[name] for name in ErrorObject.__struct_fields__ if isinstance(error.get(name), str)}
    inner = error.get("innererror", error.get("inner_error"))
    if isinstance(inner, dict) and isinstance(inner.get("code"), str):
        texts["inner"] = inner["code"]
    return ErrorObject(**texts)
