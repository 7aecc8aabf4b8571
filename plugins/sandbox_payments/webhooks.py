"""The bank's webhooks: signed like those of payment services, with the time in the signature."""

import hashlib
import hmac
import re
from typing import Final

import msgspec

from kernel.spi import ProviderEvent, WebhookRejected, WebhookRequest
from plugins.sandbox_payments.dues import ACTION, CUSTOMER, INVOICE, SUBSCRIPTION
from plugins.sandbox_payments.rows import Event

SIGNATURE_HEADER: Final = "x-sandbox-signature"
OLDEST_S: Final = 300
_SIGNATURE: Final = re.compile(r"t=(\d{1,12}),v1=([0-9a-f]{64})", re.ASCII)


def signature(secret: bytes, body: bytes, at: int) -> str:
    """Return the signature header of a body, at a unix time of the real clock."""
    return f"t={at},v1={_proof(secret, body, at)}"


def read(secret: bytes, request: WebhookRequest) -> tuple[ProviderEvent, ...]:
    """Verify and translate. Raises WebhookRejected."""
    given = _SIGNATURE.fullmatch(request.headers.get(SIGNATURE_HEADER, ""))
    if given is None:
        raise WebhookRejected("there is no signature")
    at = int(given[1])
    if not hmac.compare_digest(given[2], _proof(secret, request.body, at)):
        raise WebhookRejected("the signature is wrong")
    if abs(request.received_unix - at) > OLDEST_S:
        raise WebhookRejected("the signature is not of now")
    try:
        event = msgspec.json.decode(request.body, type=Event)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WebhookRejected("this is no event") from error
    topic, ref = {
        SUBSCRIPTION: ("subscription_changed", event.subscription),
        ACTION: ("action_required", event.subscription),
        INVOICE: ("invoice_changed", event.customer),
        CUSTOMER: ("customer_deleted", event.customer),
    }.get(event.type, ("", ""))
    if not topic or not ref or event.live:
        return ()
    return (ProviderEvent(event_id=event.id, topic=topic, ref=ref),)


def _proof(secret: bytes, body: bytes, at: int) -> str:
    return hmac.new(secret, f"{at}.".encode() + body, hashlib.sha256).hexdigest()
