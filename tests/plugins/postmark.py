"""A fake Postmark on this machine with configurable faults, and the provider that uses it."""

import json
from collections.abc import Callable
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import httpx

from kernel.spi import Secret, WebhookRequest
from kernel.spi.testing.loopback import Loopback
from plugins.postmark_email import POSTMARK
from plugins.postmark_email.provider import PostmarkEmail
from plugins.postmark_email.settings import PostmarkSettings
from tests.plugins.running_email import LIMIT_S, RunningEmail

TOKEN = "b5c9f0a2-token"
SECRET = "a-webhook-secret-of-ours"
INACTIVE = "inactive@example.org"
STREAMS = ("outbound", "broadcast")


class Impostor:
    """Postmark's API as far as the plugin uses it. `answer` replaces every response."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []
        self.answer: Callable[[httpx.Request], httpx.Response] | None = None
        self.item: dict[str, Any] | None = None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.answer is not None:
            return self.answer(request)
        if request.headers.get("x-postmark-server-token") != TOKEN:
            return httpx.Response(401, json={"ErrorCode": 10, "Message": "Bad or missing Server API token."})
        match request.method, request.url.path:
            case "GET", "/server":
                return httpx.Response(200, json={"ID": 1, "Name": "Covers", "DeliveryType": "Live"})
            case "GET", "/message-streams":
                listed = [{"ID": name, "MessageStreamType": "Transactional"} for name in STREAMS]
                return httpx.Response(200, json={"MessageStreams": listed, "TotalCount": 2})
            case "GET", "/messages/outbound":
                return httpx.Response(200, json=self.search(request.url.params))
            case "POST", "/email/batch":
                return httpx.Response(200, json=[self.take(email) for email in json.loads(request.content)])
        return httpx.Response(404, json={"Message": "no such address"})

    def take(self, email: dict[str, Any]) -> dict[str, Any]:
        """Accept one message, or answer with `item`."""
        if self.item is not None:
            return self.item
        if email["MessageStream"] not in STREAMS:
            return {"ErrorCode": 1235, "Message": "The stream provided: 'x' does not exist on this server."}
        address = parseaddr(email["To"])[1]
        if address == INACTIVE:
            return {"ErrorCode": 406, "Message": "You tried to send to a recipient that has been marked as inactive."}
        self.taken.append(email)
        return {"ErrorCode": 0, "Message": "OK", "MessageID": f"id-{len(self.taken)}", "To": email["To"]}

    def search(self, criteria: httpx.QueryParams) -> dict[str, Any]:
        """Search as Postmark does: by one stream and one field of the metadata."""
        found = [
            {
                "MessageID": f"id-{number}",
                "Recipients": [parseaddr(email["To"])[1]],
                "Status": "Sent",
                "Metadata": email["Metadata"],
            }
            for number, email in enumerate(self.taken, 1)
            if email["MessageStream"] == criteria["messagestream"]
            and email["Metadata"]["batch_id"] == criteria["metadata_batch_id"]
        ]
        return {"TotalCount": len(found), "Messages": found}


def api_error(status: int, code: int, message: str = "told", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"ErrorCode": code, "Message": message}, headers=named)


def webhook(told: Any, **headers: str) -> WebhookRequest:
    proof = headers or {"x-webhook-secret": SECRET}
    return WebhookRequest(body=json.dumps(told).encode(), headers=proof, query={}, received_unix=0.0)


BOUNCE = {"RecordType": "Bounce", "ID": 42, "Type": "HardBounce", "Inactive": True, "Email": "john@example.org"}
COMPLAINT = {"RecordType": "SpamComplaint", "ID": 43, "Type": "SpamComplaint", "Email": "john@example.org"}
DELIVERY = {"RecordType": "Delivery", "MessageID": "m", "Recipient": "j@example.org", "DeliveredAt": "2026-11-21"}
UNSUBSCRIBED = {
    "RecordType": "SubscriptionChange",
    "MessageID": "m",
    "MessageStream": "broadcast",
    "ChangedAt": "2026-11-21T10:53:34Z",
    "Recipient": "john@example.org",
    "Origin": "Recipient",
    "SuppressSending": True,
    "SuppressionReason": "ManualSuppression",
}


class Sender(RunningEmail[PostmarkEmail]):
    """The provider as the kernel builds it."""

    def __init__(self, server: Loopback, folder: Path, **settings: Any) -> None:
        chosen: dict[str, Any] = {"api_token": Secret(TOKEN), "api_url": server.url, "timeout_s": LIMIT_S} | settings
        super().__init__(POSTMARK, PostmarkSettings(**chosen), server, folder)
