"""The SMTP provider itself."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from email.message import EmailMessage as MimeMessage
from typing import Final

import msgspec

from kernel.spi import (
    CheckReport,
    CheckSteps,
    DeadlineExceeded,
    Effect,
    EmailCapabilities,
    EmailMessage,
    InvalidRequest,
    ProviderContext,
    ProviderError,
    ProviderEvent,
    SendResult,
    SettingsInvalid,
    Stream,
    WebhookRejected,
    WebhookRequest,
    ascii_address,
    mime_message,
)
from plugins.smtp_email.settings import SmtpSettings

MAX_BATCH: Final = 50
"""A session must end within the limit of one call; servers close long ones, too."""
MAX_BATCH_BYTES: Final = 25_000_000
BATCH_S: Final = 30.0
"""No message is begun later than this, so that a slow server does not leave the whole batch unconfirmed."""
CHECK_S: Final = 13.0
"""The contract allows a check 15 s; this leaves time to report."""
SENDER_REFUSED: Final = "sender_refused"


def build(settings: SmtpSettings, context: ProviderContext) -> "SmtpEmail":
    """Return the provider; opens no connection. Raises SettingsInvalid."""
    import aiosmtplib  # noqa: F401  (here, so that a broken installation shows when the instance is built)

    if settings.username and settings.password is None:
        raise SettingsInvalid("Enter the password of this user.", field="password")
    if settings.password is not None and not settings.username:
        raise SettingsInvalid("Enter the user name to which the password belongs.", field="username")
    if settings.sender:
        try:
            ascii_address(settings.sender)
        except InvalidRequest as error:
            raise SettingsInvalid("This is not an email address.", field="sender") from error
    return SmtpEmail(settings, context)


class SmtpEmail:
    """One session per batch; each message is sent separately, so each has its own result."""

    def __init__(self, settings: SmtpSettings, context: ProviderContext) -> None:
        self._settings = settings
        self._context = context

    def capabilities(self) -> EmailCapabilities:
        """Return the capabilities: small batches; SMTP reports nothing afterwards."""
        return EmailCapabilities(max_batch=MAX_BATCH, max_batch_bytes=MAX_BATCH_BYTES)

    async def check(self) -> CheckReport:
        """Connect, encrypt, sign in and name the sender; send nothing."""
        from plugins.smtp_email.session import Session

        settings, steps = self._settings, CheckSteps()
        session, step = Session(settings, self._context), "connect"
        try:
            async with asyncio.timeout(CHECK_S):
                await session.connect()
                steps.add(step, "ok", f"{settings.host}:{settings.port} answers")
                step = "encryption"
                await session.encrypt()
                if settings.security == "none":
                    steps.add(step, "warn", "nothing is encrypted, not even the password", field="security")
                else:
                    steps.add(step, "ok", "encrypted, and the certificate is trusted")
                step = "sign in"
                await session.sign_in()
                steps.add(step, *(("ok", "") if settings.username else ("skip", "no user name is set")))
                step = "sender"
                if settings.sender:
                    await session.try_sender(ascii_address(settings.sender))
                steps.add(step, *(("ok", "") if settings.sender else ("skip", "the site's own is used")))
                await session.quit()
        except ProviderError as error:
            steps.add(step, "fail", error.detail, field=error.field)
        except TimeoutError:
            steps.add(step, "fail", "the server did not answer in time", field="host")
        finally:
            session.close()
        return steps.report()

    async def send(self, messages: Sequence[EmailMessage], *, stream: Stream, batch_id: str) -> Sequence[SendResult]:
        """Hand over a batch."""
        if len(messages) > MAX_BATCH:
            raise InvalidRequest(f"more than {MAX_BATCH} messages")
        if (
            sum(len(entry.text.encode(errors="replace")) + len(entry.html or "") for entry in messages)
            > MAX_BATCH_BYTES
        ):
            raise InvalidRequest(f"more than {MAX_BATCH_BYTES} bytes")
        written: list[MimeMessage | SendResult] = []
        for message in messages:
            written.append(self._write(message))
            await asyncio.sleep(0)  # rendering takes some 2 ms each: let other tasks run in between
        if all(isinstance(entry, SendResult) for entry in written):
            return tuple(entry for entry in written if isinstance(entry, SendResult))
        return await self._converse(written, messages)

    async def _converse(
        self, written: Sequence[MimeMessage | SendResult], messages: Sequence[EmailMessage]
    ) -> tuple[SendResult, ...]:
        """Send what could be rendered. Raises only while nothing has been sent."""
        from plugins.smtp_email.session import open_session

        results: list[SendResult] = []
        over: ProviderError | None = None
        refusal: ProviderError | None = None
        until = time.monotonic() + BATCH_S
        async with open_session(self._settings, self._context) as session:
            for mime, message in zip(written, messages, strict=True):
                if isinstance(mime, SendResult):
                    results.append(mime)
                    continue
                if over is None and time.monotonic() > until:
                    over = DeadlineExceeded()
                if over is not None:
                    results.append(
                        SendResult(state="failed", code=over.code, detail="not sent: the batch was cut short")
                    )
                    continue
                sender = ascii_address(self._settings.sender or message.sender)
                try:
                    results.append(await session.deliver(mime, sender, ascii_address(message.to)))
                except SettingsInvalid as error:
                    refusal = error
                    results.append(SendResult(state="rejected", code=SENDER_REFUSED, detail=error.detail))
                except ProviderError as error:
                    in_doubt = error.effect is Effect.UNKNOWN
                    handed_over = any(result.state == "sent" for result in results)
                    if not handed_over and (len(messages) == 1 or not in_doubt):
                        raise
                    over = error
                    results.append(
                        SendResult(state="unknown" if in_doubt else "failed", code=error.code, detail=error.detail)
                    )
        if refusal is not None and all(result.code == SENDER_REFUSED for result in results):
            raise refusal
        return tuple(results)

    def _write(self, message: EmailMessage) -> MimeMessage | SendResult:
        """Return the message as it is sent, or why it cannot be."""
        if self._settings.sender:
            message = msgspec.structs.replace(message, sender=self._settings.sender)
        try:
            return mime_message(message)
        except InvalidRequest as error:
            return SendResult(state="invalid", code=error.code, detail=error.detail[:300])

    async def lookup(self, batch_id: str) -> Mapping[str, SendResult] | None:
        """Return None: mail servers report nothing afterwards."""
        return None

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Not supported: bounces come back as emails to the sender."""
        raise WebhookRejected("SMTP has no webhooks")

    async def aclose(self) -> None:
        """Release nothing: no connection stays open between batches."""
