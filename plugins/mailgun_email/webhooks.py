"""Mailgun's webhooks. Their signature, HMAC-SHA256 of a time and a token, stands in the body and does not cover it.

So whoever has seen one call could sign another event with its proof: a token is good for one event. This process
remembers which; and the event's id is the token, so that the kernel's inbox takes a second one for a repetition.
"""

import hashlib
import hmac
from collections import OrderedDict
from typing import Any, Final

import msgspec

from kernel.spi import ProviderEvent, Secret, WebhookRejected, WebhookRequest

MAX_AGE_S: Final = 9 * 3600.0
"""Mailgun repeats an unanswered call for about eight hours."""
MAX_AHEAD_S: Final = 300.0
MAX_TOKENS: Final = 20_000
EVENTS: Final = ("delivered", "permanent_fail", "complained", "unsubscribed")
"""Webhooks with events of the contract, as the API names them."""

TOPICS: Final = {"delivered": "delivered", "complained": "complained", "unsubscribed": "unsubscribed"}
SUPPRESSED: Final = {"suppress-complaint": "complained", "suppress-unsubscribe": "unsubscribed"}
"""Mailgun keeps a list of its own, and does not deliver to these addresses: for the reason that it heard before."""
NOT_FOR_GOOD: Final = frozenset({"old", "espblock"})
"""Given up after hours of temporary failures; the receiver refuses the sender. The address itself may work."""


class UsedTokens:
    """Remembers which event each token has proven, up to MAX_TOKENS of them."""

    def __init__(self) -> None:
        self._events: OrderedDict[str, str] = OrderedDict()

    def admit(self, token: str, event: str) -> bool:
        """Return whether a token is new, or comes again with the same event."""
        if self._events.setdefault(token, event) != event:
            return False
        while len(self._events) > MAX_TOKENS:
            self._events.popitem(last=False)
        return True


def read_webhook(request: WebhookRequest, key: Secret | None, used: UsedTokens) -> tuple[ProviderEvent, ...]:
    """Verify and translate. Raises WebhookRejected."""
    if key is None:
        raise WebhookRejected("no webhook signing key is set")
    try:
        payload = msgspec.json.decode(request.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WebhookRejected("the body is not JSON") from error
    proof = payload.get("signature") if isinstance(payload, dict) else None
    token = _verified_token(proof if isinstance(proof, dict) else {}, key, request.received_unix)
    event = payload.get("event-data")
    event = event if isinstance(event, dict) else {}
    topic, recipient = _topic(event), event.get("recipient")
    if not used.admit(token, f"{topic} {recipient}"[:400]):
        raise WebhookRejected("the signature has proven something else before")
    if topic is None or not isinstance(recipient, str) or "@" not in recipient:
        return ()
    return (ProviderEvent(event_id=token, topic=topic, ref=recipient),)


def _verified_token(proof: dict[str, Any], key: Secret, received_unix: float) -> str:
    """Return the token of a valid signature. Those of a subaccount carry its parent's, too. Raises WebhookRejected."""
    token, stamp = proof.get("token"), str(proof.get("timestamp"))
    if not isinstance(token, str) or not token.isascii() or not 16 <= len(token) <= 200:
        raise WebhookRejected("the signature is missing")
    if not stamp.isascii() or not stamp.isdecimal() or len(stamp) > 12:
        raise WebhookRejected("the signature has no time")
    expected = hmac.new(key.reveal().encode(), f"{stamp}{token}".encode(), hashlib.sha256).hexdigest()
    given = [str(proof.get(name, "")).encode(errors="replace") for name in ("signature", "parent-signature")]
    if not any(hmac.compare_digest(one, expected.encode()) for one in given):
        raise WebhookRejected("the signature is wrong")
    if not -MAX_AHEAD_S <= received_unix - int(stamp) <= MAX_AGE_S:
        raise WebhookRejected("the signature is too old, or a clock is wrong")
    return token


def _topic(event: dict[str, Any]) -> str | None:
    name = event.get("event")
    if name != "failed":
        return TOPICS.get(str(name))
    if event.get("severity") != "permanent":
        return None
    status, reason = event.get("delivery-status"), str(event.get("reason"))
    kind = status.get("bounce-type") if isinstance(status, dict) else None
    if reason in NOT_FOR_GOOD or kind == "soft":
        return None
    return SUPPRESSED.get(reason, "bounced")
