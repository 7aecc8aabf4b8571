"""Translates Postmark's errors. Codes: postmarkapp.com/developer/api/overview, read 2026-11."""

from collections.abc import Mapping
from typing import Any, Final

from kernel.spi import (
    AuthFailed,
    Effect,
    InvalidRequest,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SendResult,
    SendState,
    SettingsInvalid,
    Unavailable,
    retry_after_s,
)

DETAIL_CHARS: Final = 300
INACTIVE: Final = 406
ITEM_STATES: Final[Mapping[int, SendState]] = {300: "invalid", INACTIVE: "rejected", 411: "invalid"}
"""Codes about one message: malformed, an inactive recipient, a forbidden attachment. Any other code means `failed`."""

BAD_TOKEN: Final = 10
MAINTENANCE: Final = 100
BAD_SENDER: Final = frozenset({400, 401})
NO_CREDIT: Final = 405
MAY_NOT_SEND: Final = frozenset({412, 413})
TOO_OFTEN: Final = 429
NO_STREAM: Final = frozenset({1226, 1235})
PARTLY_INACTIVE: Final = "will not deliver to these inactive addresses"


class Refused(Exception):
    """An answer with an error status: Postmark's code if it has one, and the error for it."""

    def __init__(self, code: int | None, message: str, error: ProviderError) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.error = error


def refusal(status: int, headers: Mapping[str, str], body: Any) -> Refused:
    """Read an answer with an error status; the body may be anything."""
    answer = body if isinstance(body, dict) else {}
    code, text = error_code(answer), str(answer.get("Message") or f"status {status}")[:DETAIL_CHARS]
    wait = retry_after_s(headers)
    if status == 401:
        return Refused(code, text, AuthFailed(text, field="api_token", upstream_status=status))
    if status == 429:
        return Refused(code, text, RateLimited(text, retry_after=wait, upstream_status=status))
    if status == 413:
        return Refused(code, text, InvalidRequest(text, upstream_status=status))
    if status >= 500:
        lost = Unavailable(text, retry_after=wait, effect=Effect.UNKNOWN, upstream_status=status)
        return Refused(code, text, lost)
    if status == 422 and code is not None:
        return Refused(code, text, of_code(code, text) or InvalidRequest(text, upstream_status=status))
    wrong = SettingsInvalid(f"this is not Postmark's API: status {status}", field="api_url", upstream_status=status)
    return Refused(code, text, wrong)


def of_code(code: int, text: str) -> ProviderError | None:
    """Return the error of a code that concerns the instance and not one message, or None."""
    if code == BAD_TOKEN:
        return AuthFailed(text, field="api_token")
    if code in MAY_NOT_SEND:
        return AuthFailed(text)
    if code == NO_CREDIT:
        return QuotaExhausted(text)
    if code == TOO_OFTEN:
        return RateLimited(text)
    if code == MAINTENANCE:
        return Unavailable(text)
    if code in BAD_SENDER:
        return SettingsInvalid(text, field="sender")
    if code in NO_STREAM:
        return SettingsInvalid(text, field="transactional_stream")
    return None


def item_result(item: Any) -> SendResult:
    """Return the result for one message of a batch."""
    if not isinstance(item, dict):
        return SendResult(state="unknown", detail="Postmark's answer for this message cannot be read")
    text = str(item.get("Message") or "")[:DETAIL_CHARS]
    message_id = item.get("MessageID")
    message_id = message_id if isinstance(message_id, str) and message_id else None
    code = error_code(item)
    if code is None:  # missing while Postmark is behind with its work
        return SendResult(state="queued", message_id=message_id, detail=text)
    if code == 0:
        if PARTLY_INACTIVE in text:
            return SendResult(state="rejected", message_id=message_id, code=str(INACTIVE), detail=text)
        return SendResult(state="queued" if "delayed" in text.lower() else "sent", message_id=message_id, detail=text)
    return SendResult(state=ITEM_STATES.get(code, "failed"), message_id=message_id, code=str(code), detail=text)


def error_code(body: Mapping[str, Any]) -> int | None:
    """Return Postmark's own error code, if there is one."""
    code = body.get("ErrorCode")
    return code if isinstance(code, int) and not isinstance(code, bool) else None
