"""The Postmark provider itself."""

import asyncio
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from kernel.spi import (
    CheckReport,
    CheckSteps,
    EmailCapabilities,
    EmailMessage,
    InvalidRequest,
    ProviderContext,
    ProviderError,
    ProviderEvent,
    SendResult,
    SettingsInvalid,
    Stream,
    WebhookRequest,
    ascii_address,
    mime_message,
    web_address,
)
from plugins.postmark_email.errors import DETAIL_CHARS, ITEM_STATES, Refused, item_result, of_code
from plugins.postmark_email.settings import PostmarkSettings
from plugins.postmark_email.webhooks import read_webhook

T = TypeVar("T")

THREADS: Final = 8
MAX_BATCH: Final = 500
MAX_BATCH_BYTES: Final = 50_000_000
MAX_MESSAGE_BYTES: Final = 10_000_000
"""postmarkapp.com/developer/user-guide/send-email-with-api, read 2026-11; so are the limits of metadata."""
METADATA_FIELDS: Final = 10
METADATA_KEY_CHARS: Final = 20
METADATA_VALUE_CHARS: Final = 80
BATCH_KEY: Final = "batch_id"
SECRET_CHARS: Final = 16
CHECK_S: Final = 13.0
"""The contract allows a check 15 s; this leaves time to report."""
STATUSES: Final = {"Queued": "queued", "Sent": "sent", "Processed": "sent"}


def build(settings: PostmarkSettings, context: ProviderContext) -> "PostmarkEmail":
    """Return the provider; makes no request. Raises SettingsInvalid."""
    import plugins.postmark_email.client  # noqa: F401  (here, so that a broken installation shows at this instance)

    if settings.sender:
        try:
            ascii_address(settings.sender)
        except InvalidRequest as error:
            raise SettingsInvalid("This is not an email address.", field="sender") from error
    if settings.webhook_secret is not None and len(settings.webhook_secret.reveal()) < SECRET_CHARS:
        raise SettingsInvalid(f"Please use at least {SECRET_CHARS} characters.", field="webhook_secret")
    if not settings.api_token.reveal().isascii() or not settings.api_token.reveal().isprintable():
        raise SettingsInvalid("A token has no line ends or special characters.", field="api_token")
    if web_address(settings.api_url) is None:
        raise SettingsInvalid("This is not an address.", field="api_url")
    return PostmarkEmail(settings, context)


class PostmarkEmail:
    """Sends batches through Postmark. Its client is not asynchronous and runs in threads, see client.py."""

    def __init__(self, settings: PostmarkSettings, context: ProviderContext) -> None:
        self._settings = settings
        self._context = context
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="postmark")

    def capabilities(self) -> EmailCapabilities:
        """Return the capabilities: large batches with lookup; Postmark adds unsubscribe links on broadcast streams."""
        return EmailCapabilities(
            max_batch=MAX_BATCH,
            max_batch_bytes=MAX_BATCH_BYTES,
            lookup=True,
            adds_unsubscribe=True,
            webhooks=self._settings.webhook_secret is not None,
        )

    async def check(self) -> CheckReport:
        """Read the server and its message streams; send nothing."""
        steps = CheckSteps()
        suggestions: dict[str, tuple[str, ...]] = {}
        step = "sign in"
        try:
            async with asyncio.timeout(CHECK_S):
                server = await self._run(lambda client: client.call("GET", "/server"))
                server = server if isinstance(server, dict) else {}
                sandbox = server.get("DeliveryType") == "Sandbox"
                steps.add(step, "ok", f"server {str(server.get('Name', ''))[:80]!r}")
                steps.add("delivery", *(("warn", "a sandbox server delivers nothing") if sandbox else ("ok", "live")))
                step = "streams"
                known = _streams(await self._run(lambda client: client.call("GET", "/message-streams")))
            for field in ("transactional_stream", "bulk_stream"):
                wanted = getattr(self._settings, field)
                found = wanted in known
                steps.add(step, "ok" if found else "fail", f"{wanted}{'' if found else ' does not exist'}", field=field)
                suggestions[field] = known
        except ProviderError as error:
            steps.add(step, "fail", error.detail, field=error.field)
        except TimeoutError:
            steps.add(step, "fail", "Postmark did not answer in time", field="api_url")
        return steps.report(suggestions)

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        """Send a batch in one call."""
        if len(messages) > MAX_BATCH:
            raise InvalidRequest(f"more than {MAX_BATCH} messages")
        if len(batch_id) > METADATA_VALUE_CHARS:
            raise InvalidRequest(f"the batch id is longer than {METADATA_VALUE_CHARS} characters")
        return await self._run(lambda client: self._send(client, messages, stream, batch_id))

    def _send(
        self, client: Any, messages: Sequence[EmailMessage], stream: Stream, batch_id: str
    ) -> tuple[SendResult, ...]:
        written = [self._write(message, stream, batch_id) for message in messages]
        emails = [entry for entry in written if isinstance(entry, dict)]
        sent = iter(self._post(client, emails) if emails else ())
        return tuple(entry if isinstance(entry, SendResult) else next(sent) for entry in written)

    def _post(self, client: Any, emails: Sequence[dict[str, Any]]) -> list[SendResult]:
        """Send what could be rendered; one result each. Raises what concerns all of them."""
        try:
            items = client.emails.EmailBatch(*emails).send()
        except Refused as refused:
            if len(emails) == 1 and refused.code in ITEM_STATES:
                return [item_result({"ErrorCode": refused.code, "Message": refused.message})]
            raise
        if not isinstance(items, list) or len(items) != len(emails):
            raise ValueError("one answer per message was expected")
        results = [item_result(item) for item in items]
        codes = {result.code for result in results}
        if len(codes) == 1 and (code := codes.pop()) and (error := of_code(int(code), results[0].detail)):
            raise error
        return results

    def _write(self, message: EmailMessage, stream: Stream, batch_id: str) -> dict[str, Any] | SendResult:
        """Return a message in Postmark's form, or why it cannot be sent."""
        settings = self._settings
        if settings.sender:
            message = msgspec.structs.replace(message, sender=settings.sender)
        metadata = {**message.metadata, BATCH_KEY: batch_id}
        try:
            mime = mime_message(message)  # refuses content that would forge a header: Postmark's client checks nothing
        except InvalidRequest as error:
            return _invalid(error.detail)
        if len(message.text.encode()) + len((message.html or "").encode()) > MAX_MESSAGE_BYTES:
            return _invalid(f"more than {MAX_MESSAGE_BYTES} bytes")
        if not message.text and not message.html:
            return _invalid("the message is empty")
        if len(metadata) > METADATA_FIELDS or any(
            len(key) > METADATA_KEY_CHARS or len(value) > METADATA_VALUE_CHARS for key, value in metadata.items()
        ):
            return _invalid(
                f"metadata: at most {METADATA_FIELDS} fields, names of {METADATA_KEY_CHARS} "
                f"and values of {METADATA_VALUE_CHARS} characters"
            )
        email = {
            "From": str(mime["From"]),
            "To": str(mime["To"]),
            "Subject": message.subject,
            "TextBody": message.text,
            "Headers": dict(message.headers),
            "Metadata": metadata,
            "MessageStream": settings.transactional_stream if stream == "transactional" else settings.bulk_stream,
            "TrackOpens": False,
            "TrackLinks": "None",
        }
        if message.html is not None:
            email["HtmlBody"] = message.html
        if message.attachments:
            email["Attachments"] = [
                {"Name": file.name, "Content": b64encode(file.content).decode(), "ContentType": file.media_type}
                for file in message.attachments
            ]
        if message.reply_to:
            email["ReplyTo"] = str(mime["Reply-To"])
        return email

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        """Search both streams for messages with the batch's id; the domains of recipients are in ASCII."""
        found: dict[str, SendResult] = {}
        for stream in dict.fromkeys((self._settings.transactional_stream, self._settings.bulk_stream)):
            page = await self._run(partial(_search, batch_id=batch_id, stream=stream))
            found |= page
        return found

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Verify and translate."""
        return read_webhook(request, self._settings.webhook_secret)

    async def aclose(self) -> None:
        """End the threads; they are idle by now."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[Any], T]) -> T:
        """Run the work with a client of its own in a thread; a cancellation ends its wait. Raises ProviderError."""
        from plugins.postmark_email.client import Bridge, make_client, unreadable

        settings = self._settings
        bridge = Bridge(self._context.http, settings.timeout_s)

        def call() -> T:
            return work(make_client(settings.api_token.reveal(), settings.api_url, bridge))

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except asyncio.CancelledError:
            bridge.cancel()
            raise
        except Refused as refused:
            raise refused.error from refused
        except ProviderError:
            raise
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:  # for an invalid answer
            raise unreadable(error) from error


def _invalid(detail: str) -> SendResult:
    return SendResult(state="invalid", code=InvalidRequest.code, detail=detail[:DETAIL_CHARS])


def _streams(answer: Any) -> tuple[str, ...]:
    listed = answer.get("MessageStreams") if isinstance(answer, dict) else None
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    return tuple(str(entry.get("ID")) for entry in entries if entry.get("MessageStreamType") != "Inbound")


def _search(client: Any, batch_id: str, stream: str) -> dict[str, SendResult]:
    criteria = {"count": MAX_BATCH, "offset": 0, "messagestream": stream, f"metadata_{BATCH_KEY}": batch_id}
    found: dict[str, SendResult] = {}
    for entry in client.call("GET", "/messages/outbound", **criteria)["Messages"]:
        if entry.get("Metadata", {}).get(BATCH_KEY, batch_id) != batch_id:
            continue
        status = str(entry.get("Status"))
        state = STATUSES.get(status, "unknown")
        result = SendResult(state=state, message_id=str(entry["MessageID"]), detail=status)  # type: ignore[arg-type]
        found |= {str(recipient): result for recipient in entry["Recipients"]}
    return found
