"""The stub. A webhook's body is a JSON list of `[event id, topic, ref]`, or one word that requests a fault.

With a `control` folder it behaves like a vendor with a lookup: `taken` there lists, in lines of JSON, every accepted
message, and `mode` sets what it does: ok, lost (accepts the batch, and the answer gets lost), down (accepts nothing),
cut (accepts the first half, the answer gets lost, and it says later that it never accepted the rest).
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from kernel.spi import (
    CheckReport,
    CheckStep,
    Effect,
    EmailCapabilities,
    EmailMessage,
    ProviderContext,
    ProviderEvent,
    Secret,
    SendResult,
    SendState,
    Settings,
    Stream,
    Unavailable,
    WebhookRejected,
    WebhookRequest,
)

FOREVER_S = 3600.0
MAX_BATCH = 8


class StubEmailSettings(Settings, frozen=True, kw_only=True):
    """The test's configuration of the stub."""

    key: Annotated[Secret, Meta(title="Key", description="What callers of the webhook must know.")]
    webhooks: Annotated[bool, Meta(title="Webhooks", description="Whether it hears any.")] = True
    control: Annotated[str, Meta(title="Control", description="A folder of the test's.")] = ""
    lookup: Annotated[bool, Meta(title="Lookup", description="Whether it can be asked afterwards.")] = False


def build(settings: StubEmailSettings, context: ProviderContext) -> "StubEmail":
    """Return the stub."""
    return StubEmail(settings)


class StubEmail:
    """Accepts every message and drops it."""

    def __init__(self, settings: StubEmailSettings) -> None:
        self._settings = settings

    def capabilities(self) -> EmailCapabilities:
        """Return the capabilities of the settings."""
        settings = self._settings
        return EmailCapabilities(max_batch=MAX_BATCH, lookup=settings.lookup, webhooks=settings.webhooks)

    async def check(self) -> CheckReport:
        """Report success."""
        return CheckReport(steps=(CheckStep(name="reach", status="ok"),))

    async def aclose(self) -> None:
        """Do nothing."""

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        """Accept everything, or do what the mode says."""
        if self._settings.control:
            folder = Path(self._settings.control)
            mode = (folder / "mode").read_text() if (folder / "mode").exists() else "ok"
            if mode == "down":
                raise Unavailable("nobody answers")
            accepted = len(messages) // 2 if mode == "cut" else len(messages)
            with (folder / "taken").open("a") as taken:
                for message in messages[:accepted]:
                    taken.write(json.dumps({"to": message.to, "batch": batch_id, "subject": message.subject}) + "\n")
            with (folder / "refused").open("a") as refused:
                for message in messages[accepted:]:
                    refused.write(json.dumps({"to": message.to, "batch": batch_id}) + "\n")
            if mode in ("lost", "cut"):
                raise Unavailable("the answer was lost", effect=Effect.UNKNOWN)
        return [SendResult(state="sent", message_id=f"{batch_id}-{number}") for number in range(len(messages))]

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        """Return what was accepted, if that is recorded."""
        if not self._settings.lookup:
            return None
        states: dict[str, SendState] = {"taken": "sent", "refused": "failed"}
        found: dict[str, SendResult] = {}
        for name, state in states.items():
            path = Path(self._settings.control) / name
            lines = path.read_text().splitlines() if path.exists() else []
            entries = [json.loads(line) for line in lines]
            found |= {entry["to"]: SendResult(state=state) for entry in entries if entry["batch"] == batch_id}
        return found

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Accept callers that send the key as a header or in the address."""
        key = self._settings.key.reveal()
        if key not in (request.headers.get("x-stub-key"), request.query.get("key")):
            raise WebhookRejected("wrong key")
        match request.body:
            case b"hang":
                await asyncio.sleep(FOREVER_S)
            case b"bug":
                raise KeyError(key)
            case b"down":
                raise Unavailable("cannot verify now")
        return tuple(
            ProviderEvent(event_id=event_id, topic=topic, ref=ref)
            for event_id, topic, ref in json.loads(request.body or b"[]")
        )
