"""One session with a mail server, step by step."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from email.message import EmailMessage as MimeMessage
from typing import Final
from urllib.parse import urlsplit

from aiosmtplib import SMTP, SMTPException, SMTPResponseException, SMTPSenderRefused

from kernel.spi import Effect, ProviderContext, ProviderError, SendResult, ascii_host
from plugins.smtp_email.errors import translate, unsupported, verdict
from plugins.smtp_email.settings import SmtpSettings

TROUBLE: Final = (SMTPException, OSError, TimeoutError, ValueError, EOFError)
"""ValueError: answers that cannot be decoded."""
TOO_LARGE: Final = 552
CLOSING: Final = 421
GOODBYE_S: Final = 2.0
"""Accepted messages must not become unconfirmed because a server is slow to answer QUIT."""


class Session:
    """Opens with `connect`, `encrypt` and `sign_in`, in this order; every step raises ProviderError."""

    def __init__(self, settings: SmtpSettings, context: ProviderContext) -> None:
        self._settings = settings
        self._context = context
        self._smtp: SMTP = SMTP()

    async def connect(self) -> None:
        """Connect to an address that the operator allows; with TLS from the start if configured."""
        settings = self._settings
        addresses = await self._context.find_addresses(settings.host, settings.port, field="host")
        with _translated():
            sock = await _open_socket(addresses, settings.port, settings.timeout_s)
            try:
                self._smtp = SMTP(
                    hostname=ascii_host(settings.host),
                    sock=sock,
                    use_tls=settings.security == "tls",
                    start_tls=False,  # never None, which continues unencrypted when the server offers no STARTTLS
                    local_hostname=urlsplit(self._context.public_url).hostname or "localhost",
                    timeout=settings.timeout_s,
                )
                await self._smtp.connect()
            except BaseException:
                sock.close()
                raise

    async def encrypt(self) -> None:
        """Start TLS if configured. Raises SettingsInvalid when the server does not offer it."""
        if self._settings.security != "starttls":
            return
        with _translated():
            await self._smtp.ehlo()
            if not self._smtp.supports_extension("starttls"):
                raise unsupported(SMTPException("the server does not offer STARTTLS"), "security")
            await self._smtp.starttls()

    async def sign_in(self) -> None:
        """Sign in if a user is configured. Raises AuthFailed, and SettingsInvalid when the server offers no sign-in."""
        settings = self._settings
        with _translated():
            await self._smtp.ehlo()
            if not settings.username or settings.password is None:
                return
            if not self._smtp.supported_auth_methods:
                raise unsupported(SMTPException("the server offers no sign-in over this connection"), "username")
            await self._smtp.login(settings.username, settings.password.reveal())

    async def try_sender(self, sender: str) -> None:
        """Ask whether this sender may send, without sending."""
        with _translated():
            await self._smtp.mail(sender)
            await self._smtp.rset()

    async def deliver(self, mime: MimeMessage, sender: str, recipient: str) -> SendResult:
        """Send one message. The server's answer about this message is a result.

        Raises ProviderError when the session has ended (effect UNKNOWN once the message was on its way), or, with
        the session still open, SettingsInvalid for a sender that the server refuses.
        """
        data = mime.as_bytes()
        utf8 = not data.isascii()
        with _translated():
            if utf8 and not self._smtp.supports_extension("smtputf8"):
                return SendResult(state="invalid", code="smtputf8", detail="the server takes ASCII addresses only")
            options = ["SMTPUTF8"] if utf8 else []
            if self._smtp.supports_extension("size"):
                options.append(f"SIZE={len(data)}")
            try:
                await self._smtp.mail(sender, options=options, encoding="utf-8" if utf8 else "ascii")
                await self._smtp.rcpt(recipient, encoding="utf-8" if utf8 else "ascii")
            except SMTPResponseException as error:
                return await self._refused(error)
        with _translated(Effect.UNKNOWN):
            try:
                answer = await self._smtp.data(data)
            except SMTPResponseException as error:
                return await self._refused(error)
        return SendResult(state="sent", message_id=str(mime["Message-ID"]), detail=answer.message[:300])

    async def _refused(self, error: SMTPResponseException) -> SendResult:
        """Return the result for a refusal and reset for the next message. Raises what ends the session."""
        if error.code <= 0 or error.code == CLOSING or not self._smtp.is_connected:
            raise error
        with suppress(SMTPResponseException):
            await self._smtp.rset()
        if isinstance(error, SMTPSenderRefused) and error.code != TOO_LARGE:
            raise error
        return verdict(error)

    async def quit(self) -> None:
        """End the session with QUIT, if the server still answers."""
        if self._smtp.is_connected:
            with suppress(*TROUBLE):
                await self._smtp.quit(timeout=GOODBYE_S)

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        self._smtp.close()


@asynccontextmanager
async def open_session(settings: SmtpSettings, context: ProviderContext) -> AsyncIterator[Session]:
    """Open a session that is ready to take messages."""
    session = Session(settings, context)
    try:
        await session.connect()
        await session.encrypt()
        await session.sign_in()
        yield session
        await session.quit()
    finally:
        session.close()


@contextmanager
def _translated(effect: Effect = Effect.NONE) -> Iterator[None]:
    try:
        yield
    except ProviderError:
        raise
    except TROUBLE as error:
        raise translate(error, effect) from error


async def _open_socket(addresses: tuple[str, ...], port: int, timeout_s: float) -> socket.socket:
    """Connect to the first address that answers; to addresses and never to the name, see `find_addresses`."""
    loop = asyncio.get_running_loop()
    trouble: Exception = OSError("the name has no address")
    for address in addresses:
        sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
        sock.setblocking(False)
        try:
            async with asyncio.timeout(timeout_s):
                await loop.sock_connect(sock, (address, port))
        except (OSError, TimeoutError) as error:
            sock.close()
            trouble = error
        except BaseException:
            sock.close()
            raise
        else:
            return sock
    raise trouble
