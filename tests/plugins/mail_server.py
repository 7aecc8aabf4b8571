"""A mail server on this machine with configurable faults."""

import asyncio
import random
import ssl
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage as MimeMessage
from email.policy import default
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, cast

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST: Final = "127.0.0.1"
USER: Final = "covers"
PASSWORD: Final = "correct horse"


@dataclass
class MailServer:
    """The server's answers, and what it accepted. An empty reply closes the connection; `hang` means no answer."""

    port: int = 0
    mail_reply: dict[str, str] = field(default_factory=dict)
    rcpt_reply: dict[str, str] = field(default_factory=dict)
    data_reply: dict[str, str] = field(default_factory=dict)
    every_mail: str = ""
    every_data: str = ""
    noise: int | None = None
    taken: list[Envelope] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)

    def messages(self) -> list[MimeMessage]:
        """Return the accepted messages, parsed."""
        return [
            cast(MimeMessage, message_from_bytes(cast(bytes, entry.content), policy=default)) for entry in self.taken
        ]

    def authenticator(self, server: SMTP, session: Session, envelope: Envelope, kind: str, data: Any) -> AuthResult:
        """Accept the one user."""
        good = isinstance(data, LoginPassword) and data == LoginPassword(USER.encode(), PASSWORD.encode())
        return AuthResult(success=good, handled=False)

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept a sender or not."""
        assert server.transport is not None
        self.encrypted.append(session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None)
        self.commands.append(f"MAIL {address}")
        if reply := self.mail_reply.get(address, self.every_mail):
            return reply
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept a recipient or not."""
        if reply := self.rcpt_reply.get(address):
            return reply
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Accept a message or not; `drop` accepts it and closes the connection, `hang` accepts it without an answer."""
        reply = self.data_reply.get(envelope.rcpt_tos[0], self.every_data)
        if reply in ("", "drop", "hang"):
            self.taken.append(envelope)
        if reply == "hang":
            await asyncio.Event().wait()
        if reply == "drop":
            assert server.transport is not None
            server.transport.abort()
        return reply or "250 2.0.0 taken"


@asynccontextmanager
async def mail_server(
    *,
    starttls: ssl.SSLContext | None = None,
    tls: ssl.SSLContext | None = None,
    sign_in: bool = False,
    utf8: bool = False,
) -> AsyncIterator[MailServer]:
    """Run a mail server for the length of the block."""
    server = MailServer()
    loop = asyncio.get_running_loop()
    connections: set[asyncio.Transport] = set()

    def connection() -> asyncio.Protocol:
        if server.noise is not None:
            return Noise(server.noise)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of unencrypted passwords, which some tests need
            protocol = SMTP(
                server,
                hostname="mail.example",
                tls_context=starttls,
                authenticator=server.authenticator if sign_in else None,
                auth_require_tls=False,
                auth_required=sign_in,
                enable_SMTPUTF8=utf8,
                loop=loop,
            )
        made = protocol.connection_made

        def connection_made(transport: Any) -> None:
            connections.add(transport)
            made(transport)

        protocol.connection_made = connection_made  # type: ignore[method-assign]
        return protocol

    listening = await loop.create_server(connection, HOST, 0, ssl=tls)
    server.port = listening.sockets[0].getsockname()[1]
    before = asyncio.all_tasks()
    try:
        yield server
    finally:
        listening.close()
        for transport in connections:
            transport.abort()
        talks = [task for task in asyncio.all_tasks() - before if "SMTP" in repr(task.get_coro())]
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        await listening.wait_closed()


class Noise(asyncio.Protocol):
    """Answers everything with meaningless bytes."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet with noise, or properly, so that the noise comes later."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(b"220 mail.example\r\n" if self._dice.random() < 0.7 else self._some())

    def data_received(self, data: bytes) -> None:
        """Answer a command."""
        if self._dice.random() < 0.2:
            self._transport.close()
        else:
            self._transport.write(b"250 OK\r\n" if self._dice.random() < 0.5 else self._some())

    def _some(self) -> bytes:
        shapes = (b"", b"abc ", b"250-", b"999 ", b"-12 ", b"250 \xff\xfe", b"421 ", b"550 ")
        return self._dice.choice(shapes) + self._dice.randbytes(self._dice.randrange(40)) + b"\r\n"


@dataclass(frozen=True)
class Certificate:
    """A self-signed certificate, and the server's side of it."""

    file: Path
    server: ssl.SSLContext


def make_certificate(folder: Path, address: str = HOST) -> Certificate:
    """Make a new certificate for an IP address."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    file, keyfile = folder / "certificate.pem", folder / "key.pem"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    keyfile.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file, keyfile)
    return Certificate(file, server)
