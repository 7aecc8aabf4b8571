"""Sending to one person at a time, and reading the messages that an instance keeps."""

import logging
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Final, TypeVar, cast
from urllib.parse import urlsplit

import msgspec

from kernel.accounts.validation import normal_email
from kernel.core.audit import Actor, audit
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_uuid_text
from kernel.core.errors import Absent, InvalidFields, NoProvider
from kernel.core.process.metrics import EMAILS
from kernel.core.web.paging import ForeignCursor
from kernel.mail.suppression.service import is_suppressed, may_try_again
from kernel.providers import EMAIL, Caller, Instance, NoProviderAvailable
from kernel.spi import (
    Effect,
    EmailCapabilities,
    EmailMessage,
    EmailProvider,
    InvalidRequest,
    KeptMessage,
    KeptMessagePage,
    MessageKeeper,
    NotFound,
    ProviderError,
    SendResult,
    SendState,
    Stream,
    mime_message,
)

log = logging.getLogger(__name__)

EmailInstance = Instance[EmailProvider, EmailCapabilities]

KeptT = TypeVar("KeptT", KeptMessage, KeptMessagePage)

TRANSACTIONAL: Final[Stream] = "transactional"
STOP_S: Final = 1.0
"""A stop waits this long for a message on its way."""


class Mailer:
    """Sends emails to one person each. Nothing is sent twice: what may have been sent is not passed to another
    service.
    """

    def __init__(self, config: Config, database: Database, caller: Caller) -> None:
        self._config = config
        self._database = database
        self._caller = caller

    @property
    def sender(self) -> str:
        """Return the sender address of the site: the configured one, or `noreply` at the site's host."""
        return self._config.mail.sender or f"noreply@{_domain(self._config.public_url)}"

    async def send(
        self,
        message: EmailMessage,
        *,
        instance_id: str | None = None,
        stream: Stream = TRANSACTIONAL,
        asked_for: bool = False,
    ) -> SendResult:
        """Send a message along the failover order, or with exactly one instance. Without a `sender`, the site's is
        used. What its reader has just asked for is tried once a day even where the address is suppressed.

        Failures are results: `suppressed` is the code of an address that must not get email, `unavailable` means that
        no instance can send, `unknown` that the message may have been sent.
        """
        address = normal_email(message.to)
        if address is None:
            return SendResult(state="invalid", code=InvalidRequest.code, detail="to: not an email address")
        message = msgspec.structs.replace(message, sender=message.sender or self.sender)
        try:
            mime_message(message)
        except InvalidRequest as error:
            return SendResult(state="invalid", code=error.code, detail=error.detail)
        if await self._is_barred(address, stream, asked_for):
            return SendResult(state="rejected", code="suppressed", detail="the address is on the suppression list")
        batch_id = new_uuid_text()

        async def send(instance: EmailInstance) -> SendResult:
            (result,) = await instance.provider.send([message], stream=stream, batch_id=batch_id)
            return msgspec.structs.replace(result, detail=instance.redact(result.detail))

        result = await self._call(send, stream, instance_id)
        EMAILS.labels(stream, result.state).inc()
        return result

    async def _is_barred(self, address: str, stream: Stream, asked_for: bool) -> bool:
        async with self._database.read() as connection:
            if not await is_suppressed(connection, address, stream):
                return False
        if not asked_for:
            return True
        async with self._database.write() as session:
            return not await may_try_again(session, address)

    async def _call(
        self, send: Callable[[EmailInstance], Awaitable[SendResult]], stream: Stream, instance_id: str | None
    ) -> SendResult:
        try:
            outcome = await self._caller.call(
                EMAIL,
                send,
                name="send",
                result_type=SendResult,
                repeatable=False,
                accepts=lambda capabilities: stream in capabilities.streams,
                instance_id=instance_id,
            )
        except ProviderError as error:
            state: SendState = "unknown" if error.effect is Effect.UNKNOWN else "failed"
            return SendResult(state=state, code=error.code, detail=error.detail)
        except NoProviderAvailable as error:
            return SendResult(state="failed", code="unavailable", detail="; ".join(error.reasons.values()))
        return outcome.result

    async def send_test(self, instance_id: str, to: str, actor: Actor) -> SendResult:
        """Send a fixed text with one instance and say what became of it. Raises Absent and InvalidFields."""
        if normal_email(to) is None:
            raise InvalidFields({"to": "Please enter a valid email address."})
        instance = self._instance(instance_id)
        name = self._config.site.name
        message = EmailMessage(
            to=to.strip(),
            sender="",
            subject=f"Test email of {name}",
            text=f"This is a test email of {name} at {self._config.public_url}. Email works.\n",
        )
        result = await self.send(message, instance_id=instance.id)
        async with self._database.write() as session:
            about = f"instance:{instance_id}"
            audit(session, "instance.send_test", actor_id=actor.id, ip=actor.ip, object=about, outcome=result.state)
        return result

    async def kept(self, instance_id: str, *, cursor: str | None, limit: int) -> KeptMessagePage:
        """List the messages that an instance keeps, newest first. Raises Absent, InvalidFields and NoProvider."""
        try:
            return await self._call_keeper(
                instance_id, "kept", KeptMessagePage, lambda keeper: keeper.kept(cursor=cursor, limit=limit)
            )
        except InvalidRequest as error:
            raise ForeignCursor from error
        except (ProviderError, NoProviderAvailable) as error:
            raise _unreadable(instance_id, error) from error

    async def kept_message(self, instance_id: str, message_id: str) -> KeptMessage:
        """Return one kept message with its bodies. Raises Absent and NoProvider."""
        try:
            return await self._call_keeper(
                instance_id, "kept_message", KeptMessage, lambda keeper: keeper.kept_message(message_id)
            )
        except NotFound as error:
            raise Absent("There is no such message.") from error
        except (ProviderError, NoProviderAvailable) as error:
            raise _unreadable(instance_id, error) from error

    async def _call_keeper(
        self, instance_id: str, name: str, result_type: type[KeptT], read: Callable[[MessageKeeper], Awaitable[KeptT]]
    ) -> KeptT:
        """Call an instance that keeps messages. Raises Absent, ProviderError and NoProviderAvailable."""

        async def operation(instance: EmailInstance) -> KeptT:
            return await read(cast(MessageKeeper, instance.provider))

        outcome = await self._caller.call(
            EMAIL,
            operation,
            name=name,
            result_type=result_type,
            repeatable=True,
            instance_id=self._id_if_keeping(instance_id),
            record=False,
        )
        return outcome.result

    def _instance(self, instance_id: str) -> EmailInstance:
        instance = self._caller.registry.instance(instance_id)
        if instance is None or instance.kind != EMAIL.name:
            raise Absent("There is no such email instance.")
        return instance

    def _id_if_keeping(self, instance_id: str) -> str:
        """Return the id if the instance keeps messages. Raises Absent."""
        instance = self._instance(instance_id)
        if instance.state != "ready" or not instance.capabilities.keeps_messages:
            raise Absent("This instance keeps no messages.")
        return instance.id


def _unreadable(instance_id: str, error: Exception) -> NoProvider:
    log.warning("messages of instance %s cannot be read: %s", instance_id, type(error).__name__)
    return NoProvider("The messages cannot be read just now.", retry_after=5.0)


def _domain(url: str) -> str:
    """Return the host of an address as a mail domain; an IP address is none."""
    host = urlsplit(url).hostname or "localhost"
    try:
        ip_address(host)
    except ValueError:
        return host
    return "localhost"
