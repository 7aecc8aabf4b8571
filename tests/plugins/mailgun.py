"""The Mailgun provider against the fake of its vendor, and examples of its webhooks."""

import time
from pathlib import Path
from typing import Any

from kernel.spi import Secret, WebhookRequest
from kernel.spi.testing.loopback import Loopback
from plugins.mailgun_email import MAILGUN
from plugins.mailgun_email.provider import MailgunEmail
from plugins.mailgun_email.settings import MailgunSettings
from tests.plugins.running_email import LIMIT_S, RunningEmail
from tests.vendors.mailgun_api import DOMAIN, KEY, SIGNING_KEY, signed

NOW = time.time()
JOHN = "john@example.org"

DELIVERED = {"event": "delivered", "recipient": JOHN, "delivery-status": {"code": 250, "message": "OK"}}
BOUNCED = {
    "event": "failed",
    "severity": "permanent",
    "reason": "bounce",
    "recipient": JOHN,
    "delivery-status": {"code": 550, "enhanced-code": "5.1.1", "bounce-type": "hard", "message": "no such mailbox"},
}
DEFERRED = BOUNCED | {"severity": "temporary", "reason": "generic", "delivery-status": {"code": 421}}
COMPLAINED = {"event": "complained", "recipient": JOHN}
UNSUBSCRIBED = {"event": "unsubscribed", "recipient": JOHN, "ip": "192.0.2.1"}
OPENED = {"event": "opened", "recipient": JOHN}


def settings(**more: Any) -> MailgunSettings:
    chosen: dict[str, Any] = {"api_key": Secret(KEY), "domain": DOMAIN, "webhook_signing_key": Secret(SIGNING_KEY)}
    return MailgunSettings(**(chosen | more))


class Sender(RunningEmail[MailgunEmail]):
    """The provider as the kernel builds it."""

    def __init__(self, server: Loopback, folder: Path, **more: Any) -> None:
        chosen = settings(**({"base_url": server.url, "timeout_s": LIMIT_S} | more))
        super().__init__(MAILGUN, chosen, server, folder)


def received(body: bytes, *, late_s: float = 0.0) -> WebhookRequest:
    headers = {"content-type": "application/json", "user-agent": "Go-http-client/1.1"}
    return WebhookRequest(body=body, headers=headers, query={}, received_unix=NOW + late_s)


def webhook(event: dict[str, Any], token: str = "t" * 50, **proof: Any) -> WebhookRequest:
    return received(signed(event, token=token, at=NOW, **proof))
