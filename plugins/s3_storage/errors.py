"""Translates errors of obstore. It has few types: the rest must be read from its text."""

import re
from typing import Final

from kernel.spi import (
    AuthFailed,
    DeadlineExceeded,
    Effect,
    NotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
)

STATUS: Final = re.compile(r"status code: (\d{3})")
CODE: Final = re.compile(r"<Code>(\w{1,80})</Code>")
TRANSPORT: Final = re.compile(r"HttpError \{\s*kind: (\w+)")
"""Why no answer came: Connect, Timeout, Request, Interrupted, Decode, Unknown."""

FIELD_OF: Final = {
    "NoSuchBucket": "bucket",
    "InvalidBucketName": "bucket",
    "PermanentRedirect": "region",
    "AuthorizationHeaderMalformed": "region",
    "IllegalLocationConstraintException": "region",
}
KEY_FIELD_OF: Final = {"SignatureDoesNotMatch": "secret_access_key"}
FULL: Final = frozenset({"QuotaExceeded", "XMinioStorageFull", "XMinioBucketQuotaExceeded"})
SLOW: Final = frozenset({"SlowDown", "TooManyRequests", "RequestLimitExceeded"})


def translate(error: Exception) -> ProviderError:
    """Return the provider error. Only the status and S3's code are kept: the text quotes the whole answer."""
    text = str(error)
    status = int(found[1]) if (found := STATUS.search(text)) else None
    code = found[1] if (found := CODE.search(text)) else ""
    detail = " ".join(part for part in (str(status or ""), code) if part) or "no sensible answer"
    if code in FIELD_OF or "without LOCATION" in text:
        field = FIELD_OF.get(code, "region")
        return SettingsInvalid(detail, field=field, upstream_status=status)
    if code in FULL or status == 507:
        return QuotaExhausted(detail, upstream_status=status)
    if code in SLOW or status == 429:
        return RateLimited(detail, upstream_status=status)
    if status in (401, 403):
        return AuthFailed(detail, field=KEY_FIELD_OF.get(code, "access_key_id"), upstream_status=status)
    if status == 404:
        return NotFound(detail, upstream_status=status)
    if status is None and (found := TRANSPORT.search(text)):
        return _no_answer(found[1])
    return Unavailable(detail, effect=Effect.UNKNOWN, upstream_status=status)


def _no_answer(kind: str) -> ProviderError:
    match kind:
        case "Connect":
            return Unavailable("no connection", effect=Effect.NONE)
        case "Timeout":
            return DeadlineExceeded("no answer in time", effect=Effect.UNKNOWN)
    return Unavailable("the answer was lost", effect=Effect.UNKNOWN)
