"""The outbox provider."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from kernel.spi import (
    CheckReport,
    CheckSteps,
    EmailCapabilities,
    EmailMessage,
    InvalidRequest,
    KeptMessage,
    KeptMessagePage,
    ProviderContext,
    ProviderError,
    ProviderEvent,
    SendResult,
    Stream,
    WebhookRejected,
    WebhookRequest,
    mime_message,
)
from plugins.outbox_email.errors import translate
from plugins.outbox_email.files import Folder
from plugins.outbox_email.settings import OutboxSettings

A = ParamSpec("A")
T = TypeVar("T")

MAX_BATCH: Final = 500
MAX_BATCH_BYTES: Final = 50_000_000


def build(settings: OutboxSettings, context: ProviderContext) -> "Outbox":
    """Return the provider; touches nothing."""
    return Outbox(Path(context.data_dir), settings.keep_days)


class Outbox:
    """Messages as files; nothing is delivered."""

    def __init__(self, path: Path, keep_days: int) -> None:
        self._folder = Folder(path / "messages", keep_days)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="outbox")

    def capabilities(self) -> EmailCapabilities:
        """Return the capabilities: it keeps messages, and nothing else."""
        return EmailCapabilities(max_batch=MAX_BATCH, max_batch_bytes=MAX_BATCH_BYTES, keeps_messages=True)

    async def check(self) -> CheckReport:
        """Write and remove a probe file."""
        steps = CheckSteps()
        try:
            free = await self._blocking(self._folder.probe)
        except ProviderError as error:
            steps.add("write", "fail", error.detail)
        else:
            steps.add("write", "ok", f"a file was written and removed; {free / 1e9:.1f} GB free")
            steps.add("delivery", "warn", "emails are kept here and reach nobody")
        return steps.report()

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        """Store each message."""
        if len(messages) > MAX_BATCH:
            raise InvalidRequest(f"more than {MAX_BATCH} messages")
        if sum(len(entry.text) + len(entry.html or "") for entry in messages) > MAX_BATCH_BYTES:
            raise InvalidRequest(f"more than {MAX_BATCH_BYTES} bytes")
        return await self._blocking(self._keep, messages, stream)

    def _keep(self, messages: Sequence[EmailMessage], stream: Stream) -> tuple[SendResult, ...]:
        results: list[SendResult] = []
        for message in messages:
            try:
                message_id = self._folder.write(mime_message(message), stream)
            except InvalidRequest as error:
                results.append(SendResult(state="invalid", code=error.code, detail=error.detail[:300]))
            except OSError as error:
                if not any(result.state == "sent" for result in results):
                    raise
                failure = translate(error)
                results.append(SendResult(state="failed", code=failure.code, detail=failure.detail[:300]))
            else:
                results.append(SendResult(state="sent", message_id=message_id))
        return tuple(results)

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        """Return None: files are not stored by batch."""
        return None

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Not supported: nothing sends webhooks."""
        raise WebhookRejected("the outbox has no webhooks")

    async def kept(self, *, cursor: str | None = None, limit: int = 50) -> KeptMessagePage:
        """List messages, newest first."""
        return await self._blocking(self._folder.page, cursor, limit)

    async def kept_message(self, message_id: str) -> KeptMessage:
        """Return one message."""
        return await self._blocking(self._folder.message, message_id)

    async def aclose(self) -> None:
        """End the thread; it is idle by now."""
        self._thread.shutdown(wait=False)

    async def _blocking(self, work: Callable[A, T], *args: A.args, **kwargs: A.kwargs) -> T:
        """Run file work in the thread."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(*args, **kwargs))
        except OSError as error:
            raise translate(error) from error
