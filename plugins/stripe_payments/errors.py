"""Translates Stripe's errors. Codes: docs.stripe.com/error-codes, read 2026-11."""

import asyncio
from collections.abc import Awaitable, Mapping
from typing import Any, Final, TypeVar

import stripe

from kernel.spi import (
    AuthFailed,
    DeadlineExceeded,
    Effect,
    InvalidRequest,
    NotFound,
    PaymentDeclined,
    ProviderError,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    retry_after_s,
)

T = TypeVar("T")

DETAIL_CHARS: Final = 300
GONE: Final = "resource_missing"
NO_PLACE: Final = "customer_tax_location_invalid"
NO_ADDRESS: Final = "billing_details"
"""The field of the contract that says so."""

SWITCHED_OFF: Final = frozenset({"account_closed", "account_invalid", "api_key_expired", "platform_api_key_expired"})


def translate(error: stripe.StripeError) -> ProviderError:
    """Translate Stripe's error. Its message is for administrators; a declined card's also for the buyer."""
    status = error.http_status
    text = _text(error)
    match error:
        case stripe.APIConnectionError():
            cause = error.__cause__
            return cause if isinstance(cause, ProviderError) else Unavailable(text, effect=Effect.UNKNOWN)
        case stripe.CardError():
            return PaymentDeclined((error.user_message or "The card was declined.")[:DETAIL_CHARS])
        case stripe.AuthenticationError():  # the message quotes the key
            return AuthFailed("the key is not accepted", field="secret_key", upstream_status=status)
        case stripe.PermissionError():
            return AuthFailed(text, field="secret_key", upstream_status=status)
        case stripe.RateLimitError():
            return RateLimited(text, retry_after=retry_after_s(_headers(error)), upstream_status=status)
        case stripe.IdempotencyError():
            return InvalidRequest(text, upstream_status=status)
        case stripe.InvalidRequestError():
            return _refused(error, text)
    return _of_status(status, text)


def _refused(error: stripe.InvalidRequestError, text: str) -> ProviderError:
    status = error.http_status
    if error.code == GONE:
        return NotFound(text, upstream_status=status)
    if error.code == NO_PLACE:
        return InvalidRequest(text, field=NO_ADDRESS, upstream_status=status)
    if error.code in SWITCHED_OFF:
        return AuthFailed(text, field="secret_key", upstream_status=status)
    if status == 404:  # a path that Stripe does not know: another server answers
        return SettingsInvalid(text, field="api_url", upstream_status=status)
    return InvalidRequest(text, upstream_status=status)


def _of_status(status: int | None, text: str) -> ProviderError:
    """Return the error for an answer without Stripe's error object, by its status."""
    match status:
        case 401 | 403:
            return AuthFailed(text, field="secret_key", upstream_status=status)
        case 404 | 405:
            return SettingsInvalid(text, field="api_url", upstream_status=status)
        case 408 | 504:
            return DeadlineExceeded(text, effect=Effect.UNKNOWN, upstream_status=status)
        case 429:
            return RateLimited(text, upstream_status=status)
    return Unavailable(text, effect=Effect.UNKNOWN, upstream_status=status)


def is_stored(error: stripe.StripeError) -> bool:
    """Return whether Stripe repeats this failure from an earlier call under the same key."""
    repeated = _headers(error).get("idempotent-replayed") == "true"
    return repeated and error.http_status is not None and error.http_status >= 500


async def within(seconds: float, call: Awaitable[T]) -> T:
    """Wait no longer than this. Raises DeadlineExceeded."""
    try:
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError as error:
        raise DeadlineExceeded(f"no answer within {seconds:g} s", effect=Effect.UNKNOWN) from error


def _headers(error: stripe.StripeError) -> Mapping[str, Any]:
    return error.headers or {}


def _text(error: stripe.StripeError) -> str:
    """Return status, code, message and Stripe's request id; no message where the body was not Stripe's."""
    known = isinstance(error, stripe.InvalidRequestError | stripe.PermissionError | stripe.RateLimitError)
    message = str(error.user_message or "") if known or isinstance(error, stripe.IdempotencyError) else ""
    head = " ".join(str(part) for part in (error.http_status, error.code) if part)
    tail = f" ({error.request_id})" if error.request_id else ""
    return f"{f'{head}: {message}'[:DETAIL_CHARS].strip(' :') or type(error).__name__}{tail[:80]}"
