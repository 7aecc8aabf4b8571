"""Stripe's webhooks: verification, and the object they point to. They are hints, not the current state."""

from collections.abc import Mapping
from typing import Final

import msgspec
import stripe

from kernel.spi import ProviderEvent, Secret, WebhookRejected, WebhookRequest
from plugins.stripe_payments.wire import Event, EventObject

API_VERSION: Final = stripe.api_version
"""The library's own: the endpoint is made with it, or events would have the account's default shape."""

TOLERANCE_S: Final = 300
SIGNATURE: Final = "stripe-signature"

TOPICS: Final[Mapping[str, str]] = {
    "customer.subscription.created": "subscription_changed",
    "customer.subscription.updated": "subscription_changed",
    "customer.subscription.deleted": "subscription_changed",
    "customer.subscription.paused": "subscription_changed",
    "customer.subscription.resumed": "subscription_changed",
    "invoice.payment_action_required": "action_required",
    "invoice.finalized": "invoice_changed",
    "invoice.paid": "invoice_changed",
    "invoice.payment_failed": "invoice_changed",
    "invoice.finalization_failed": "invoice_changed",
    "invoice.voided": "invoice_changed",
    "charge.refunded": "invoice_changed",
    "refund.created": "invoice_changed",
    "refund.updated": "invoice_changed",
    "refund.failed": "invoice_changed",
    "charge.dispute.created": "payment_disputed",
    "customer.deleted": "customer_deleted",
}
"""Relevant types."""


def read_webhook(request: WebhookRequest, secret: Secret | None, *, live: bool) -> tuple[ProviderEvent, ...]:
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
    topic = TOPICS.get(event.type)
    if event.object != "event" or topic is None or event.livemode is not live:
        return ()
    ref = _ref(event.data.object, topic)
    return (ProviderEvent(event_id=event.id, topic=topic, ref=ref),) if ref and event.id else ()


def _verify(request: WebhookRequest, secret: str) -> None:
    """Accept one of the signatures, made not long before or after the receipt. Raises WebhookRejected."""
    header = request.headers.get(SIGNATURE, "")
    try:
        if not header.isascii():
            raise ValueError
        stripe.WebhookSignature.verify_header(request.body, header, secret)
        # the first one, like the library: only that one is signed
        signed = next(int(part[2:]) for part in header.split(",") if part.startswith("t="))
    except (stripe.SignatureVerificationError, ValueError, StopIteration) as error:
        raise WebhookRejected("the signature is missing or wrong") from error
    if abs(request.received_unix - signed) > TOLERANCE_S:  # the library checks only the past, and with its own clock
        raise WebhookRejected("the signature is not of this moment")


def _ref(subject: EventObject, topic: str) -> str | None:
    """Return the subscription, or the customer, that the event is about; versions before 2025-03-31 differ.

    A dispute names neither: it is reported by its own id, with which administrators find it at Stripe.
    """
    if topic in ("subscription_changed", "customer_deleted", "payment_disputed"):
        return subject.id
    if topic == "action_required":
        details = subject.parent.subscription_details if subject.parent else None
        return details.subscription if details else subject.subscription
    return subject.customer
