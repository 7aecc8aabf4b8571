"""The stub. A webhook's body is a JSON list of `[event id, topic, ref]`, or one word that asks for a fault."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta

from kernel.spi import (
    CheckReport,
    CheckStep,
    EmailCapabilities,
    EmailMessage,
    ProviderContext,
    ProviderEvent,
    Secret,
    SendResult,
    Settings,
    Stream,
    Unavailable,
    WebhookRejected,
    WebhookRequest,
)

FOREVER_S = 3600.0


class StubEmailSettings(Settings, frozen=True, kw_only=True):
    """What a test wants of the stub."""

    key: Annotated[Secret, Meta(title="Key", description="What callers of the webhook must know.")]
    webhooks: Annotated[bool, Meta(title="Webhooks", description="Whether it hears any.")] = True


def build(settings: StubEmailSettings, context: ProviderContext) -> "StubEmail":
    """Return the stub."""
    return StubEmail(settings)


class StubEmail:
    """Accepts every message and forgets it."""

    def __init__(self, settings: StubEmailSettings) -> None:
        self._settings = settings

    def capabilities(self) -> EmailCapabilities:
        """Say what the settings say."""
        return EmailCapabilities(webhooks=self._settings.webhooks)

    async def check(self) -> CheckReport:
        """Be content."""
        return CheckReport(steps=(CheckStep(name="reach", status="ok"),))

    async def aclose(self) -> None:
        """Do nothing."""

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        """Accept everything."""
        return [SendResult(state="sent", message_id=f"{batch_id}-{number}") for number in range(len(messages))]

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        """Know nothing."""
        return None

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Believe who sends the key as a header or in the address."""
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
