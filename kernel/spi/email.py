"""Contract of the kind `email`: send rendered messages."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, runtime_checkable

import msgspec

from .provider import Provider
from .webhooks import ProviderEvent, WebhookRequest

Stream = Literal["transactional", "bulk"]
"""Messages to one account, such as a link for a new password; campaigns to many."""
SendState = Literal["sent", "queued", "invalid", "rejected", "failed", "unknown"]
"""`sent`: the vendor has it. `queued`: the vendor sends it later. `invalid`: no such address can be.

`rejected`: the vendor does not send to this recipient, and a repetition changes nothing. `failed`: it was not sent, and
may be sent again. `unknown`: it may have been sent; it is looked up, and never sent again.
"""


class EmailCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What one instance can do. `max_batch` bounds the messages of one `send`, `max_batch_bytes` their size together.

    `streams`: for which kinds of messages it may be used. `lookup`: the vendor can be asked what became of a batch.
    `adds_unsubscribe`: the vendor adds the link and headers for unsubscribing itself. `webhooks`: it reports bounces
    and complaints. `keeps_messages`: the provider is a `MessageKeeper`, so that administrators can read what was sent.
    """

    max_batch: int = 1
    max_batch_bytes: int = 10_000_000
    streams: tuple[Stream, ...] = ("transactional", "bulk")
    lookup: bool = False
    adds_unsubscribe: bool = False
    webhooks: bool = False
    keeps_messages: bool = False


class Attachment(msgspec.Struct, frozen=True, kw_only=True):
    """A file that comes with a message: its name in ASCII, its media type, its bytes."""

    name: str
    media_type: str
    content: bytes


class EmailMessage(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly one recipient, rendered and header-safe.

    `to` and `sender` are addresses, `to_name` is the recipient's name. `headers` are further ones, such as
    `List-Unsubscribe`; `metadata` are words for the vendor's records, which recipients do not see. A text does not
    depend on its attachments: a provider that cannot carry files leaves them out.
    """

    to: str
    sender: str
    subject: str
    text: str
    html: str | None = None
    to_name: str = ""
    reply_to: str | None = None
    headers: Mapping[str, str] = {}
    metadata: Mapping[str, str] = {}
    attachments: Sequence[Attachment] = ()


class SendResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result for one message; `detail` at most 300 characters, without secrets."""

    state: SendState
    message_id: str | None = None
    code: str | None = None
    detail: str = ""


class EmailProvider(Provider, Protocol):
    """Sends messages. The kernel is responsible for templates, suppression and retries."""

    def capabilities(self) -> EmailCapabilities:
        """Return what this instance can do; no I/O."""
        ...

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        """Send a batch; return one result per message, in the same order. A failure of one recipient is a result.

        Must not repeat a message by itself. Raises for the batch as a whole only: AuthFailed, RateLimited, Unavailable
        (effect unknown once the request was sent), InvalidRequest.
        """
        ...

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        """Return what the vendor knows of a batch, by recipient; None when it keeps no record.

        Raises NotFound when nothing is listed and that proves nothing, because the vendor's record comes late.
        """
        ...

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Verify and translate. Raises WebhookRejected; returns nothing for events that are not relevant.

        Topics: `bounced` (permanently), `complained`, `unsubscribed`, `delivered`; `ref` is the recipient's address.
        """
        ...


class KeptMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message that the provider kept instead of delivering it; `sent_unix` in unix seconds."""

    id: str
    to: str
    sender: str
    subject: str
    stream: Stream
    sent_unix: float
    text: str = ""
    html: str | None = None


class KeptMessagePage(msgspec.Struct, frozen=True, kw_only=True):
    """One page, newest first; `cursor` None means that it is the last. Bodies are left out."""

    messages: tuple[KeptMessage, ...]
    cursor: str | None = None


@runtime_checkable
class MessageKeeper(Protocol):
    """An email provider that keeps messages for reading; claimed by `capabilities().keeps_messages`."""

    async def kept(self, *, cursor: str | None = None, limit: int = 50) -> KeptMessagePage:
        """List up to `limit` kept messages, newest first, without bodies. `cursor` is that of the page before."""
        ...

    async def kept_message(self, message_id: str) -> KeptMessage:
        """Return one with its bodies. Raises NotFound."""
        ...
