"""Sending to one person at a time, and reading what was kept."""

import logging
from ipaddress import ip_address
from typing import Final, cast
from urllib.parse import urlsplit

import msgspec

from kernel.accounts.fields import normal_email
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import Absent, InvalidFields, NoProvider
from kernel.core.ids import new_uuid
from kernel.core.paging import ForeignCursor
from kernel.mail.suppression import is_suppressed
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

TRANSACTIONAL: Final[Stream] = "transactional"


class Mailer:
    """Sends e-mails to one person each. Nothing is ever sent twice: what may have gone out is not passed on."""

    def __init__(self, config: Config, database: Database, caller: Caller) -> None:
        self._config = config
        self._database = database
        self._caller = caller

    @property
    def sender(self) -> str:
        """The address that e-mails come from: the configured one, or `noreply` at the site's host."""
        return self._config.mail.sender or f"noreply@{_domain(self._config.public_url)}"

    async def send(
        self, message: EmailMessage, *, instance_id: str | None = None, stream: Stream = TRANSACTIONAL
    ) -> SendResult:
        """Send a message along the e-mail route, or with exactly one instance. An empty `sender` means the site's own.

        All that can go wrong is a result: `suppressed` is the code of an address that must not be written to,
        `unavailable` that of nobody to send it; `unknown` means that it may have gone out.
        """
        address = normal_email(message.to)
        if address is None:
            return SendResult(state="invalid", code=InvalidRequest.code, detail="to: not an e-mail address")
        message = msgspec.structs.replace(message, sender=message.sender or self.sender)
        try:
            mime_message(message)
        except InvalidRequest as error:
            return SendResult(state="invalid", code=error.code, detail=error.detail)
        async with self._database.read() as connection:
            if await is_suppressed(connection, address, stream):
                return SendResult(state="rejected", code="suppressed", detail="the address is on the suppression list")
        batch_id = str(new_uuid())

        async def send(instance: EmailInstance) -> SendResult:
            (result,) = await instance.provider.send([message], stream=stream, batch_id=batch_id)
            return msgspec.structs.replace(result, detail=instance.redact(result.detail))

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

    async def send_test(self, instance_id: str, to: str) -> SendResult:
        """Send a fixed text with one instance and say what became of it. Raises Absent and InvalidFields."""
        if normal_email(to) is None:
            raise InvalidFields({"to": "Please enter a valid e-mail address."})
        instance = self._instance(instance_id)
        name = self._config.site.name
        message = EmailMessage(
            to=to.strip(),
            sender="",
            subject=f"Test e-mail of {name}",
            text=f"This is a test e-mail of {name} at {self._config.public_url}. E-mail works.\n",
        )
        return await self.send(message, instance_id=instance.id)

    async def kept(self, instance_id: str, *, cursor: str | None, limit: int) -> KeptMessagePage:
        """List what an instance kept, newest first. Raises Absent, InvalidFields and NoProvider."""

        async def read(instance: EmailInstance) -> KeptMessagePage:
            return await cast(MessageKeeper, instance.provider).kept(cursor=cursor, limit=limit)

        try:
            outcome = await self._caller.call(
                EMAIL,
                read,
                name="kept",
                result_type=KeptMessagePage,
                repeatable=True,
                instance_id=self._keeper(instance_id),
                record=False,
            )
        except InvalidRequest as error:
            raise ForeignCursor from error
        except (ProviderError, NoProviderAvailable) as error:
            raise _unreadable(instance_id, error) from error
        return outcome.result

    async def kept_message(self, instance_id: str, message_id: str) -> KeptMessage:
        """Return one kept message with its bodies. Raises Absent and NoProvider."""

        async def read(instance: EmailInstance) -> KeptMessage:
            return await cast(MessageKeeper, instance.provider).kept_message(message_id)

        try:
            outcome = await self._caller.call(
                EMAIL,
                read,
                name="kept_message",
                result_type=KeptMessage,
                repeatable=True,
                instance_id=self._keeper(instance_id),
                record=False,
            )
        except NotFound as error:
            raise Absent("There is no such message.") from error
        except (ProviderError, NoProviderAvailable) as error:
            raise _unreadable(instance_id, error) from error
        return outcome.result

    def _instance(self, instance_id: str) -> EmailInstance:
        instance = self._caller.registry.instance(instance_id)
        if instance is None or instance.kind != EMAIL.name:
            raise Absent("There is no such e-mail instance.")
        return instance

    def _keeper(self, instance_id: str) -> str:
        """Return the id of an instance that keeps messages. Raises Absent."""
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
