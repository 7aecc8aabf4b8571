"""Translates Paddle's errors: a status, a code and a sentence. Codes: developer.paddle.com/errors, read 2026-11."""

from typing import Any, Final

import httpx

from kernel.spi import (
    AuthFailed,
    InvalidRequest,
    NotFound,
    PaymentDeclined,
    ProviderError,
    SettingsInvalid,
    Unavailable,
    error_detail,
    problem_of,
    status_error,
)

GONE: Final = frozenset({"not_found", "entity_not_found"})
DECLINED: Final = frozenset({"subscription_payment_declined", "transaction_payment_declined"})
TAKEN: Final = "customer_already_exists"
"""Another customer of the account has this email address."""
LOCKED: Final = "subscription_locked_pending_changes"
"""A scheduled change has to be taken back first."""
SETTLED: Final = frozenset({"transaction_immutable", "transaction_invalid_status_change"})
"""A transaction is not as it was when it was read: it has been paid or canceled."""
PAYING: Final = "transaction_immutable_while_processing_payment"


def code_of(answer: httpx.Response) -> str:
    """Return Paddle's code for a failure; an empty text for a success, or an answer that is not Paddle's."""
    if answer.status_code < 300:
        return ""
    return _text(_problem(answer).get("code"))


def judge(answer: httpx.Response) -> ProviderError | None:
    """Return the error for an answer; None for a success."""
    status = answer.status_code
    if 300 <= status < 400:
        return SettingsInvalid("Paddle's API does not redirect; its key goes nowhere else", field="base_url")
    if status < 300:
        return None
    problem, code = _problem(answer), code_of(answer)
    text = f"{code}: {_text(problem.get('detail'))}".strip(": ")
    if code in DECLINED:
        return PaymentDeclined("The card was declined.", upstream_status=status)
    if code in GONE or code.endswith("_not_found"):
        return NotFound(error_detail(status, text), upstream_status=status)
    if status == 401 or code == "invalid_token" or code.startswith("authentication_"):  # the message may quote the key
        return AuthFailed("the key is not accepted", field="api_key", upstream_status=status)
    if status == 409 and code != PAYING and code:
        return InvalidRequest(error_detail(status, text), upstream_status=status)
    if code == PAYING:
        return Unavailable(error_detail(status, text), upstream_status=status)
    return status_error(answer, text)


def _problem(answer: httpx.Response) -> dict[str, Any]:
    found = problem_of(answer.content).get("error")
    return found if isinstance(found, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
