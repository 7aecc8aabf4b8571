"""Postmark's webhooks. They are not signed: basic authentication or a custom header authenticates them."""

import base64
import binascii
import hashlib
import hmac
from typing import Any, Final

import msgspec

from kernel.spi import ProviderEvent, Secret, WebhookRejected, WebhookRequest

SECRET_HEADER: Final = "x-webhook-secret"
FOR_GOOD: Final = frozenset({"HardBounce", "BadEmailAddress"})
"""Bounces after which Postmark sends no more to the address; it also says so in `Inactive`."""
REASONS: Final = {"HardBounce": "bounced", "SpamComplaint": "complained", "ManualSuppression": "unsubscribed"}


def read_webhook(request: WebhookRequest, secret: Secret | None) -> tuple[ProviderEvent, ...]:
    """Verify and translate. Raises WebhookRejected."""
    if secret is None:
        raise WebhookRejected("no webhook secret is set")
    if not _is_proven(request, secret.reveal().encode()):
        raise WebhookRejected("the secret is missing or wrong")
    try:
        payload = msgspec.json.decode(request.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WebhookRejected("the body is not JSON") from error
    if not isinstance(payload, dict):
        raise WebhookRejected("the body is not an object")
    topic = _topic(payload)
    recipient = payload.get("Email") or payload.get("Recipient")
    if topic is None or not isinstance(recipient, str) or "@" not in recipient:
        return ()
    return (ProviderEvent(event_id=_event_id(payload, recipient), topic=topic, ref=recipient),)


def _is_proven(request: WebhookRequest, secret: bytes) -> bool:
    given = request.headers.get(SECRET_HEADER, "").encode(errors="replace")
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    password = b""
    if scheme.lower() == "basic":
        try:
            password = base64.b64decode(encoded, validate=True).partition(b":")[2]
        except (binascii.Error, ValueError):
            password = b""
    by_header, by_password = hmac.compare_digest(given, secret), hmac.compare_digest(password, secret)
    return by_header or by_password


def _topic(payload: dict[str, Any]) -> str | None:
    match payload.get("RecordType"):
        case "Delivery":
            return "delivered"
        case "SpamComplaint":
            return "complained"
        case "Bounce" if payload.get("Type") == "SpamComplaint":
            return "complained"
        case "Bounce" if payload.get("Inactive") is True or payload.get("Type") in FOR_GOOD:
            return "bounced"
        case "SubscriptionChange" if payload.get("SuppressSending") is True:
            return REASONS.get(str(payload.get("SuppressionReason")))
    return None


def _event_id(payload: dict[str, Any], recipient: str) -> str:
    """Return an id that is the same for a repeated call: Postmark gives one to bounces only."""
    record = str(payload.get("RecordType"))
    if isinstance(payload.get("ID"), int):
        return f"{record}-{payload['ID']}"
    when = payload.get("ChangedAt") or payload.get("DeliveredAt") or ""
    parts = (record, payload.get("MessageID"), payload.get("MessageStream"), recipient, when)
    return f"{record}-{hashlib.sha256(repr(parts).encode(errors='replace')).hexdigest()[:32]}"
