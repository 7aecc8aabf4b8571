"""Sending e-mails to many: claim, commit, hand over, settle; what nobody knows is found out before anything is sent."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Final
from uuid import UUID

from kernel.accounts.fields import normal_email
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.faults import faultpoint
from kernel.core.texts import storable
from kernel.mail.bookkeeping import Ending
from kernel.mail.framing import framed
from kernel.mail.ledger import LAST_LOOK, LOOK_AGAIN, MAX_ATTEMPTS, Batch, Doubt, Ledger, Terms
from kernel.mail.rounds import send_for_ever, send_whole
from kernel.mail.service import EmailInstance, Mailer
from kernel.mail.templates import TemplateService
from kernel.mail.unsubscribing import Unsubscribing
from kernel.mail.writing import Text
from kernel.providers import EMAIL, CallAbandoned, Caller, NoProviderAvailable
from kernel.spi import (
    AuthFailed,
    Effect,
    EmailMessage,
    InvalidRequest,
    ProviderBug,
    ProviderError,
    QuotaExhausted,
    SendResult,
    SettingsInvalid,
    Unsupported,
)

log = logging.getLogger(__name__)

CALL_S: Final = 100.0
"""Limit of handing over one batch; its lease is longer."""
MARGIN: Final = timedelta(seconds=CALL_S + 10)
"""What must be left of the lease when a batch is handed over: a worker that stood still must not send what another
one may have taken over.
"""
RETRY_S: Final = 15.0
FOR_ADMINISTRATORS: Final = (AuthFailed, SettingsInvalid, QuotaExhausted, Unsupported, ProviderBug)
"""Failures that no waiting cures: the campaign is paused until somebody has seen to it."""

LOOKS: Final = 2
"""How often a service is asked before its silence counts for an answer."""

BULK: Final = "bulk"


class LostBatch(CallAbandoned):
    """The lease of a batch has all but ended: another worker may see to it."""


class NotNow(Exception):
    """The service cannot be asked just now."""


class CampaignRoom:
    """Sends what is due; runs in every worker."""

    def __init__(
        self,
        config: Config,
        database: Database,
        caller: Caller,
        mailer: Mailer,
        templates: TemplateService,
        unsubscribing: Unsubscribing,
    ) -> None:
        self._config = config
        self._ledger = Ledger(database)
        self._caller = caller
        self._mailer = mailer
        self._templates = templates
        self._unsubscribing = unsubscribing

    async def run(self) -> None:
        """Send until cancelled; one failure does not end the loop."""
        await send_for_ever("e-mails to many", self.send_due)

    async def send_due(self) -> bool:
        """Look after one batch in doubt and send one batch of each campaign that is due; say whether any was."""
        busy = False
        if doubt := await self._ledger.doubtful():
            await self._find_out(doubt)
            busy = True
        for campaign_id in await self._ledger.due():
            busy = await self._send_next(campaign_id) or busy
        return busy

    async def _send_next(self, campaign_id: UUID) -> bool:
        instance = self._instance()
        if instance is None:
            await self._ledger.wait(campaign_id, reason="unavailable", after_s=RETRY_S)
            return False
        capabilities = instance.capabilities
        terms = Terms(
            instance_id=instance.id,
            max_batch=capabilities.max_batch,
            max_batch_bytes=capabilities.max_batch_bytes,
            per_second=self._config.mail.bulk_per_second,
        )
        batch = await self._ledger.claim(campaign_id, terms)
        if batch is None:
            return False
        faultpoint("batch_claimed")
        await send_whole(self._hand_over(batch, instance))
        return True

    def _instance(self) -> EmailInstance | None:
        """Return the first service of the route that takes e-mails to many and is well."""
        for instance in self._caller.registry.route(EMAIL):
            if instance.state == "ready" and BULK in instance.capabilities.streams and instance.health.wait_s() is None:
                return instance
        return None

    async def _hand_over(self, batch: Batch, instance: EmailInstance) -> None:
        """Send one claimed batch and write down what became of it."""
        messages = await asyncio.to_thread(self._written, batch, instance.capabilities.adds_unsubscribe)

        async def send(chosen: EmailInstance) -> list[SendResult]:
            if clock.now() > batch.lease_until - MARGIN:
                raise LostBatch
            results = list(await chosen.provider.send(messages, stream="bulk", batch_id=str(batch.id)))
            if len(results) != len(messages):
                raise ValueError(f"{len(results)} results for {len(messages)} messages")
            return results

        try:
            outcome = await self._caller.call(
                EMAIL,
                send,
                name="send",
                result_type=list[SendResult],
                repeatable=False,
                instance_id=instance.id,
                deadline_s=CALL_S,
            )
        except LostBatch:
            log.warning("batch %s was held up for too long and is not sent", batch.id)
            await self._ledger.put_back(batch.id, reason="unavailable", after_s=0.0)
        except ProviderError as error:
            await self._failed(batch, instance, error)
        except NoProviderAvailable:
            await self._ledger.put_back(batch.id, reason="unavailable", after_s=RETRY_S)
        else:
            faultpoint("batch_sent")
            pairs = zip(batch.addressees, outcome.result, strict=True)
            endings = {one.id: _ending(result, last=one.attempts >= MAX_ATTEMPTS) for one, result in pairs}
            await self._ledger.settle(batch.id, endings)
            faultpoint("batch_settled")

    async def _failed(self, batch: Batch, instance: EmailInstance, error: ProviderError) -> None:
        """Decide what a batch's failure means: for the batch, and for the campaign."""
        log.warning("batch %s of campaign %s: %s", batch.id, batch.campaign_id, error.code)
        if error.effect is Effect.UNKNOWN:
            await self._ledger.doubt(batch.id)
            if isinstance(error, FOR_ADMINISTRATORS):
                await self._ledger.pause(batch.campaign_id, error.code)
            return
        if isinstance(error, InvalidRequest):
            if len(batch.addressees) > 1:
                await self._ledger.put_back(batch.id, reason=error.code, after_s=0.0, halve=True)
            else:
                await self._ledger.settle(batch.id, {batch.addressees[0].id: Ending(state="failed", code=error.code)})
            return
        elsewhere = self._instance() not in (None, instance)  # another service may take it at once
        await self._ledger.put_back(
            batch.id, reason=error.code, after_s=0.0 if elsewhere else error.retry_after or RETRY_S
        )
        if isinstance(error, FOR_ADMINISTRATORS) and not elsewhere:
            await self._ledger.pause(batch.campaign_id, error.code)

    def _written(self, batch: Batch, adds_unsubscribe: bool) -> list[EmailMessage]:
        """Return the messages of a batch, each in its reader's language."""
        text = Text(batch.subject, batch.html_body)
        site = self._templates.site(batch.postal_address)
        messages = []
        for one in batch.addressees:
            token = self._unsubscribing.token(one.user_id, batch.kind)
            headers = {} if adds_unsubscribe else _one_click(f"{site.url}/api/unsubscribe/{token}")
            message = framed(
                text,
                one.reader,
                site,
                sender=self._mailer.sender,
                footer="bulk",
                unsubscribe_url=site.unsubscribe_page(token),
                reply_to=batch.reply_to or None,
                headers=headers,
                metadata={"batch_id": str(batch.id), "recipient_id": str(one.id)},
            )
            messages.append(message)
        return messages

    async def _find_out(self, doubt: Doubt) -> None:
        """Ask the service what became of a batch whose answer was lost, or whose worker died."""
        try:
            known = await self._look_up(doubt)
        except NotNow:
            await self._ledger.found(doubt, {})
            return
        if known is None:
            unknown = dict.fromkeys(doubt.addresses, Ending(state="unknown", code="no_answer"))
            await self._ledger.settle(doubt.id, unknown)
            return
        endings = {
            row: _ending(result, last=True)
            for row, address in doubt.addresses.items()
            if (result := known.get(normal_email(address) or "")) is not None
        }
        early = doubt.looks < LOOKS or clock.now() - doubt.taken_at < LOOK_AGAIN
        if len(endings) < len(doubt.addresses) and early:
            await self._ledger.found(doubt, endings)
            return
        if not endings and not await self._ledger.listed(doubt):
            await self._ledger.put_back(doubt.id, reason="unavailable", after_s=0.0)
            return
        missing = dict.fromkeys(doubt.addresses.keys() - endings.keys(), Ending(state="failed", code="not_taken"))
        await self._ledger.settle(doubt.id, endings | missing)

    async def _look_up(self, doubt: Doubt) -> Mapping[str, SendResult] | None:
        """Return what a service knows of a batch, by address as we compare it; None when it can never tell.

        Raises NotNow.
        """
        instance = self._caller.registry.instance(doubt.instance_id)
        if instance is None or instance.kind != EMAIL.name or not instance.capabilities.lookup:
            return None

        async def look(chosen: EmailInstance) -> dict[str, SendResult]:
            known = await chosen.provider.lookup(str(doubt.id))
            if known is None:
                raise Unsupported("this service cannot tell")
            return dict(known)

        try:
            outcome = await self._caller.call(
                EMAIL,
                look,
                name="lookup",
                result_type=dict[str, SendResult],
                repeatable=True,
                instance_id=doubt.instance_id,
            )
        except Unsupported:
            return None
        except (ProviderError, NoProviderAvailable) as error:
            log.warning("batch %s cannot be looked up: %s", doubt.id, type(error).__name__)
            if clock.now() - doubt.taken_at > LAST_LOOK:
                return None
            raise NotNow from error
        return {normal_email(address) or address: result for address, result in outcome.result.items()}


def _ending(result: SendResult, *, last: bool) -> Ending:
    """Return what a service's word means for the ledger; `last`: a message that was not taken is not tried again."""
    code = storable(result.code, 64) if result.code else None
    match result.state:
        case "sent" | "queued":
            return Ending(state="sent", message_id=storable(result.message_id, 200) if result.message_id else None)
        case "unknown":
            return Ending(state="unknown", code=code or "unknown")
        case "failed" if not last:
            return Ending(state="pending")
    return Ending(state="failed", code=code or result.state)


def _one_click(url: str) -> dict[str, str]:
    """Return the headers by which mailbox providers offer a way out (RFC 8058)."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
