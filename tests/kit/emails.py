"""A small email provider that keeps its contract by keeping every message."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kernel.spi import (
    CheckReport,
    CheckStep,
    EmailCapabilities,
    EmailMessage,
    InvalidRequest,
    KeptMessage,
    KeptMessagePage,
    NotFound,
    ProviderEvent,
    SendResult,
    Settings,
    Stream,
    WebhookRejected,
    WebhookRequest,
    mime_message,
)


class NoSettings(Settings, frozen=True, kw_only=True):
    """Nothing to set."""


class Pigeonhole:
    """Messages in memory, newest last."""

    def __init__(self, settings: Settings, context: Any) -> None:
        self.messages: list[KeptMessage] = []

    def capabilities(self) -> EmailCapabilities:
        return EmailCapabilities(max_batch=10, max_batch_bytes=1_000_000, keeps_messages=True)

    async def check(self) -> CheckReport:
        return CheckReport(steps=(CheckStep(name="ready", status="ok"),))

    async def aclose(self) -> None:
        return None

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        if len(messages) > 10 or sum(len(message.text) for message in messages) > 1_000_000:
            raise InvalidRequest("too much for one batch")
        return tuple(self._keep(message, stream) for message in messages)

    def _keep(self, message: EmailMessage, stream: Stream) -> SendResult:
        try:
            mime_message(message)
        except InvalidRequest as error:
            return SendResult(state="invalid", detail=error.detail)
        fields = {name: getattr(message, name) for name in ("to", "sender", "subject", "text", "html")}
        number = len(self.messages)
        self.messages.append(KeptMessage(id=f"m{number}", stream=stream, sent_unix=float(number), **fields))
        return SendResult(state="sent", message_id=f"m{number}")

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        return None

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        raise WebhookRejected("nobody calls")

    async def kept(self, *, cursor: str | None = None, limit: int = 50) -> KeptMessagePage:
        end = len(self.messages) if cursor is None else int(cursor)
        start = max(0, end - limit)
        page = (msgspec.structs.replace(entry, text="", html=None) for entry in reversed(self.messages[start:end]))
        return KeptMessagePage(messages=tuple(page), cursor=str(start) if start else None)

    async def kept_message(self, message_id: str) -> KeptMessage:
        for entry in self.messages:
            if entry.id == message_id:
                return entry
        raise NotFound("no such message")
