"""Paddle's webhooks: verification, and the object they point to. They are hints, not the current state."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Final

import msgspec

from kernel.spi import ProviderEvent, Secret, WebhookRejected, WebhookRequest
from plugins.paddle_payments.wire import Event

TOLERANCE_S: Final = 300
SIGNATURE: Final = "paddle-signature"
MOST_PROOFS: Final = 10
"""While a secret is rotated there are two."""

TOPICS: Final[Mapping[str, str]] = {
    "subscription.activated": "subscription_changed",
    "subscription.canceled": "subscription_changed",
    "subscription.created": "subscription_changed",
    "subscription.past_due": "subscription_changed",
    "subscription.paused": "subscription_changed",
    "subscription.resumed": "subscription_changed",
    "subscription.trialing": "subscription_changed",
    "subscription.updated": "subscription_changed",
    "transaction.billed": "invoice_changed",
    "transaction.canceled": "invoice_changed",
    "transaction.completed": "invoice_changed",
    "transaction.paid": "invoice_changed",
    "transaction.past_due": "invoice_changed",
    "transaction.payment_failed": "invoice_changed",
    "transaction.revised": "invoice_changed",
    "adjustment.created": "invoice_changed",
    "adjustment.updated": "invoice_changed",
    "customer.updated": "customer_deleted",
}
"""Relevant types; a customer only once it is archived."""

DISPUTES: Final = ("chargeback", "chargeback_warning")


def read_webhook(request: WebhookRequest, secret: Secret | None) -> tuple[ProviderEvent, ...]:
    """Verify the raw body and translate. Raises WebhookRejected."""
    if secret is None:
        raise WebhookRejected("no webhook secret is set")
    _verify(request, secret.reveal())
    try:
        event = msgspec.json.decode(request.body, type=Event)
    except msgspec.ValidationError:  # authentic, with a shape that no relevant type has
        return ()
    except (msgspec.DecodeError, RecursionError) as error:
        raise WebhookRejected("the body is not JSON") from error
    topic, subject = TOPICS.get(event.event_type), event.data
    if topic is None or (topic == "customer_deleted" and subject.status != "archived"):
        return ()
    if event.event_type == "adjustment.created" and subject.action in DISPUTES:
        topic = "payment_disputed"
    ref = subject.id if topic in ("subscription_changed", "customer_deleted") else subject.customer_id
    return (ProviderEvent(event_id=event.event_id, topic=topic, ref=ref),) if ref and event.event_id else ()


def _verify(request: WebhookRequest, secret: str) -> None:
    """Accept one of the signatures, made not long before or after the receipt. Raises WebhookRejected."""
    header = request.headers.get(SIGNATURE, "")
    parts = [part.strip().partition("=") for part in header.split(";")]
    stamps = [value for name, _, value in parts if name == "ts"]
    proofs = [value for name, _, value in parts if name == "h1"][:MOST_PROOFS]
    if len(stamps) != 1 or not (stamps[0].isascii() and stamps[0].isdecimal() and len(stamps[0]) <= 12):
        raise WebhookRejected("the signature has no time")
    signed = stamps[0].encode() + b":" + request.body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    matches = [hmac.compare_digest(proof.encode(errors="replace"), expected) for proof in proofs]
    if not any(matches):
        raise WebhookRejected("the signature is missing or wrong")
    if abs(request.received_unix - int(stamps[0])) > TOLERANCE_S:
        raise WebhookRejected("the signature is not of this moment")
