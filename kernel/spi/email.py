"""Contract of the kind `email`: deliver rendered messages."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from kernel.spi.provider import Provider
from kernel.spi.webhooks import ProviderEvent, WebhookRequest

Stream = Literal["transactional", "bulk"]
SendState = Literal["sent", "queued", "invalid", "rejected", "failed", "unknown"]


class EmailCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What one instance can do; sizes in bytes. `adds_unsubscribe`: the vendor adds the link and headers itself."""

    max_batch: int = 1
    max_batch_bytes: int = 10_000_000
    streams: tuple[Stream, ...] = ("transactional", "bulk")
    lookup: bool = False
    adds_unsubscribe: bool = False
    webhooks: bool = False


class EmailMessage(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly one recipient, rendered and header-safe."""

    to: str
    sender: str
    subject: str
    text: str
    html: str | None = None
    to_name: str = ""
    reply_to: str | None = None
    headers: Mapping[str, str] = {}
    metadata: Mapping[str, str] = {}


class SendResult(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one message; `detail` at most 300 characters, without secrets."""

    state: SendState
    message_id: str | None = None
    code: str | None = None
    detail: str = ""


class EmailProvider(Provider, Protocol):
    """Delivers messages. Templates, suppression and retries are the kernel's."""

    def capabilities(self) -> EmailCapabilities:
        """Say what this instance can do; no I/O."""
        ...

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        """Send a batch; one result per message, in the same order. Trouble with one recipient is a result.

        Must not repeat a message by itself. Raises for the batch as a whole only: AuthFailed, RateLimited, Unavailable
        (effect unknown once the request was sent), InvalidRequest.
        """
        ...

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        """Say what the vendor knows of a batch, by recipient; None when it cannot tell."""
        ...

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Verify and translate. Raises WebhookRejected; returns nothing for what is of no interest."""
        ...
