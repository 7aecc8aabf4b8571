"""Sends campaigns: claim, commit, hand over, settle; unknown results are looked up before anything else is sent."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from kernel.accounts.validation import normal_email
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.fault_points import faultpoint
from kernel.core.process.job_scope import working_on
from kernel.core.process.metrics import EMAILS
from kernel.core.queue.job_loop import repeat, run_to_end
from kernel.core.text.storable import storable
from kernel.mail.campaigns.audience import AudienceFacts
from kernel.mail.campaigns.delivery_ledger import (
    LAST_LOOK,
    LOOK_AGAIN,
    MAX_ATTEMPTS,
    Batch,
    DeliveryLedger,
    Terms,
    UnconfirmedBatch,
)
from kernel.mail.campaigns.outcomes import MessageOutcome
from kernel.mail.mailer import STOP_S, EmailInstance, Mailer
from kernel.mail.models import EmailCampaign
from kernel.mail.suppression.unsubscribe import UnsubscribeService
from kernel.mail.templates.layout import render_campaign_email
from kernel.mail.templates.service import TemplateService
from kernel.mail.templates.template_text import TemplateText
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
"""Time limit for handing over one batch; its lease is longer."""
MARGIN: Final = timedelta(seconds=CALL_S + 10)
"""What must be left of the lease when a batch is handed over: a worker that was suspended must not send what another
one may have taken over.
"""
RETRY_S: Final = 15.0
FOR_ADMINISTRATORS: Final = (AuthFailed, SettingsInvalid, QuotaExhausted, Unsupported, ProviderBug)
"""Failures that waiting does not cure: the campaign is paused until an administrator has resolved them."""

LOOKS: Final = 2
"""After this many lookups, a missing message counts as not accepted."""

BULK: Final = "bulk"


class LostBatch(CallAbandoned):
    """The lease of a batch is about to end: another worker may take it over."""


class SendLater(Exception):
    """The service cannot be reached at the moment."""


class CampaignSender:
    """Sends what is due; runs in every worker."""

    def __init__(
        self,
        config: Config,
        database: Database,
        caller: Caller,
        mailer: Mailer,
        templates: TemplateService,
        unsubscribe_service: UnsubscribeService,
        facts: AudienceFacts,
    ) -> None:
        self._config = config
        self._ledger = DeliveryLedger(database, facts)
        self._caller = caller
        self._mailer = mailer
        self._templates = templates
        self._unsubscribe_service = unsubscribe_service

    async def run(self) -> None:
        """Send until cancelled; one failure does not end the loop."""
        await repeat("campaigns", self.send_due, waiting=self._ledger.waiting())

    async def send_due(self) -> bool:
        """Resolve one unconfirmed batch, begin what was scheduled for now, and send one batch of each due campaign.

        Returns whether anything was sent or resolved.
        """
        busy = False
        if batch := await self._ledger.take_unconfirmed():
            await self._resolve(batch)
            busy = True
        await self._ledger.begin_scheduled()
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
        with working_on(EmailCampaign.job_kind, campaign_id):
            await run_to_end(self._hand_over(batch, instance), at_most_s=STOP_S)
        return True

    def _instance(self) -> EmailInstance | None:
        """Return the first healthy service of the failover order that sends campaigns."""
        for instance in self._caller.registry.failover_order(EMAIL):
            if instance.state == "ready" and BULK in instance.capabilities.streams and instance.health.wait_s() is None:
                return instance
        return None

    async def _hand_over(self, batch: Batch, instance: EmailInstance) -> None:
        """Send one claimed batch and store the results."""
        messages = await asyncio.to_thread(self._render, batch, instance.capabilities.adds_unsubscribe)

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
            log.warning("batch %s was delayed too long and is not sent", batch.id)
            await self._ledger.put_back(batch.id, reason="unavailable", after_s=0.0)
        except ProviderError as error:
            await self._handle_failure(batch, instance, error)
        except NoProviderAvailable:
            await self._ledger.put_back(batch.id, reason="unavailable", after_s=RETRY_S)
        else:
            faultpoint("batch_sent")
            for result in outcome.result:
                EMAILS.labels(BULK, result.state).inc()
            pairs = zip(batch.addressees, outcome.result, strict=True)
            outcomes = {one.id: _outcome(result, last=one.attempts >= MAX_ATTEMPTS) for one, result in pairs}
            await self._ledger.settle(batch.id, outcomes)
            faultpoint("batch_settled")

    async def _handle_failure(self, batch: Batch, instance: EmailInstance, error: ProviderError) -> None:
        """Decide what a batch's failure means for the batch and for the campaign."""
        log.warning("batch %s of campaign %s: %s", batch.id, batch.campaign_id, error.code)
        if error.effect is Effect.UNKNOWN:
            await self._ledger.mark_unconfirmed(batch.id)
            if isinstance(error, FOR_ADMINISTRATORS):
                await self._ledger.pause(batch.campaign_id, error.code)
            return
        if isinstance(error, InvalidRequest):
            if len(batch.addressees) > 1:
                await self._ledger.put_back(batch.id, reason=error.code, after_s=0.0, halve=True)
            else:
                await self._ledger.settle(
                    batch.id, {batch.addressees[0].id: MessageOutcome(state="failed", code=error.code)}
                )
            return
        elsewhere = self._instance() not in (None, instance)  # another service may accept it at once
        await self._ledger.put_back(
            batch.id, reason=error.code, after_s=0.0 if elsewhere else error.retry_after or RETRY_S
        )
        if isinstance(error, FOR_ADMINISTRATORS) and not elsewhere:
            await self._ledger.pause(batch.campaign_id, error.code)

    def _render(self, batch: Batch, adds_unsubscribe: bool) -> list[EmailMessage]:
        """Return the messages of a batch, each in its reader's language."""
        texts: dict[str | None, TemplateText] = {}
        site = self._templates.site(batch.postal_address)
        list_id = {"List-Id": f"<{batch.kind}.{urlsplit(site.url).hostname}>"}  # RFC 2919: lets mailboxes sort them
        messages = []
        for one in batch.addressees:
            if (version := batch.letter.version_for(one.reader.language)) not in texts:
                text = batch.letter.text(version)
                texts[version] = TemplateText(text.subject, text.html_body)
            token = self._unsubscribe_service.token(one.user_id, batch.kind)
            headers = list_id | ({} if adds_unsubscribe else _one_click(f"{site.url}/api/unsubscribe/{token}"))
            message = render_campaign_email(
                texts[version],
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

    async def _resolve(self, batch: UnconfirmedBatch) -> None:
        """Ask the service for the results of a batch whose answer was lost, or whose worker died."""
        try:
            known = await self._look_up(batch)
        except SendLater:
            await self._ledger.record_lookup(batch, {})
            return
        if known is None:
            unknown = dict.fromkeys(batch.addresses, MessageOutcome(state="unknown", code="no_answer"))
            await self._ledger.settle(batch.id, unknown)
            return
        outcomes = {
            row: _outcome(result, last=False)
            for row, address in batch.addresses.items()
            if (result := known.get(normal_email(address) or "")) is not None
        }
        early = batch.looks < LOOKS or clock.now() - batch.taken_at < LOOK_AGAIN
        if len(outcomes) < len(batch.addresses) and early:
            await self._ledger.record_lookup(batch, outcomes)
            return
        if not outcomes and not await self._ledger.has_results(batch):
            await self._ledger.put_back(batch.id, reason="unavailable", after_s=0.0)
            return
        missing = dict.fromkeys(
            batch.addresses.keys() - outcomes.keys(), MessageOutcome(state="failed", code="not_taken")
        )
        await self._ledger.settle(batch.id, outcomes | missing)

    async def _look_up(self, batch: UnconfirmedBatch) -> Mapping[str, SendResult] | None:
        """Return what a service reports of a batch, by normalized address; None when it never can.

        Raises SendLater.
        """
        instance = self._caller.registry.instance(batch.instance_id)
        if instance is None or instance.kind != EMAIL.name or not instance.capabilities.lookup:
            return None

        async def look(chosen: EmailInstance) -> dict[str, SendResult]:
            known = await chosen.provider.lookup(str(batch.id))
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
                instance_id=batch.instance_id,
            )
        except Unsupported:
            return None
        except (ProviderError, NoProviderAvailable) as error:
            log.warning("batch %s cannot be looked up: %s", batch.id, type(error).__name__)
            if clock.now() - batch.taken_at > LAST_LOOK:
                return None
            raise SendLater from error
        return {normal_email(address) or address: result for address, result in outcome.result.items()}


def _outcome(result: SendResult, *, last: bool) -> MessageOutcome:
    """Translate a service's result for the ledger; `last`: a message that was not accepted is not tried again."""
    code = storable(result.code, 64) if result.code else None
    match result.state:
        case "sent" | "queued":
            return MessageOutcome(
                state="sent", message_id=storable(result.message_id, 200) if result.message_id else None
            )
        case "unknown":
            return MessageOutcome(state="unknown", code=code or "unknown")
        case "failed" if not last:
            return MessageOutcome(state="pending")
    return MessageOutcome(state="failed", code=code or result.state)


def _one_click(url: str) -> dict[str, str]:
    """Return the headers for one-click unsubscribing (RFC 8058)."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
