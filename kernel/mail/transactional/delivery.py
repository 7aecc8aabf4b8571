"""Sends account emails that are due: at most once each, as soon as a service accepts them.

An email is claimed, and its link made, in one transaction; then it is handed over. What was certainly not taken waits
for another attempt; what may have gone out is never repeated, not even after a crash.
"""

import logging
from datetime import datetime
from typing import Final, Protocol

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import SIGNUP, WITH_LINKS, prepare_account_email
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.job_table import Backoff, JobTable
from kernel.core.fault_points import faultpoint
from kernel.core.outbox import OutboxEmail
from kernel.core.process.job_scope import working_on
from kernel.core.queue.job_loop import Waiting, repeat, run_to_end
from kernel.mail.email_layout import render_account_email
from kernel.mail.mailer import STOP_S, Mailer
from kernel.mail.templates.service import TemplateService
from kernel.providers import NoProviderAvailable
from kernel.spi import Attachment, EmailMessage, ProviderError, SendResult, SendState

log = logging.getLogger(__name__)

BATCH: Final = 20
LEASE_S: Final = 300.0
"""Longer than a call may take. An email that is still being handed over then was left by a worker that died."""

BACKOFF: Final = Backoff(base_s=10.0, max_s=1800.0)

MOST_WAITS: Final = 5
"""Attempts after which a receipt goes out without its document, which is on the account page, too."""

ENDED: Final[frozenset[SendState]] = frozenset({"sent", "queued", "invalid", "rejected", "unknown"})
"""States that are not tried again; `failed` is: the service did not accept the email this time."""


class ClaimedEmail(msgspec.Struct, frozen=True, kw_only=True):
    """An email that this worker sends."""

    id: int
    attempts: int
    fence: int
    kind: str
    user_id: int | None
    address: str
    language: str
    give_up_at: datetime
    details: dict[str, str]


class InvoicePdfs(Protocol):
    """Makes the documents of invoices."""

    async def invoice_pdf(self, instance_id: str, invoice: str) -> bytes:
        """Return a PDF. Raises ProviderError and NoProviderAvailable."""
        ...


class EmailDelivery:
    """Sends emails; runs in every worker."""

    def __init__(
        self,
        config: Config,
        database: Database,
        mailer: Mailer,
        templates: TemplateService,
        invoice_documents: InvoicePdfs,
    ) -> None:
        self._config = config
        self._database = database
        self._mailer = mailer
        self._templates = templates
        self._invoice_documents = invoice_documents
        self._jobs = JobTable(OutboxEmail, ClaimedEmail, lease_s=LEASE_S, reclaim=False)

    async def run(self) -> None:
        """Send what is due until cancelled; one failure does not end the loop."""
        await repeat("emails", self.send_due, waiting=Waiting(self._database, self._jobs.open))

    async def send_due(self) -> bool:
        """Send the emails that are due, one after the other; say whether there may be more."""
        async with self._database.read() as connection:
            due = await self._jobs.due_ids(connection, limit=BATCH)
            any_interrupted = await self._jobs.any_abandoned(connection)
        for email_id in due:
            with working_on(self._jobs.kind, email_id):
                await run_to_end(self._send(email_id), at_most_s=STOP_S)
        if any_interrupted:
            async with self._database.write() as session:
                for email_id in await self._jobs.remove_abandoned(session):
                    log.warning("email %d may have gone out; it is not sent again", email_id)
        return len(due) == BATCH

    async def _send(self, email_id: int) -> None:
        prepared = await self._prepare(email_id)
        if prepared is None:
            return
        faultpoint("letter_claimed")
        email, message = prepared
        try:
            message = await self._with_invoice(email, message)
        except (ProviderError, NoProviderAvailable) as error:
            log.warning("the invoice of email %d cannot be had: %s", email_id, type(error).__name__)
            if email.attempts < MOST_WAITS:
                await self._settle(email, SendResult(state="failed", code="no_invoice"))
                return
        await self._settle(email, await self._mailer.send(message, asked_for=email.kind in WITH_LINKS))

    async def _with_invoice(self, email: ClaimedEmail, message: EmailMessage) -> EmailMessage:
        """Attach the document of the invoice that the email is about. Raises ProviderError and NoProviderAvailable."""
        details = email.details
        if "invoice" not in details:
            return message
        content = await self._invoice_documents.invoice_pdf(details["instance"], details["invoice"])
        name = "".join(char for char in details["number"] if char.isascii() and (char.isalnum() or char in "-_"))
        pdf = Attachment(name=f"{name[:60] or 'invoice'}.pdf", media_type="application/pdf", content=content)
        return msgspec.structs.replace(message, attachments=(pdf,))

    async def _prepare(self, email_id: int) -> tuple[ClaimedEmail, EmailMessage] | None:
        """Claim an email and make its message; None when another worker has it, or there is nothing to send."""
        async with self._database.write() as session:
            email = await self._jobs.claim(session, email_id)
            if email is None:
                return None
            message = await self._message(session, email) if email.give_up_at > clock.now() else None
            if message is None:
                await self._jobs.remove(session, email)
                return None
        return email, message

    async def _message(self, session: AsyncSession, email: ClaimedEmail) -> EmailMessage | None:
        """Make the message of an email; None when it has become pointless."""
        if email.kind == SIGNUP:
            return await self._templates.welcome(session, email.user_id, email.address)
        due = await prepare_account_email(
            session,
            email.kind,
            user_id=email.user_id,
            address=email.address,
            language=email.language,
            details=email.details,
        )
        if due is None:
            return None
        return render_account_email(due, name=self._config.site.name, url=self._config.public_url)

    async def _settle(self, email: ClaimedEmail, result: SendResult) -> None:
        """Put an email back that the service did not take; otherwise its row goes."""
        if result.state not in ("sent", "queued"):
            log.warning("email %d (%s) %s: %s", email.id, email.kind, result.state, result.code or "")
        async with self._database.write() as session:
            if result.state in ENDED:
                await self._jobs.remove(session, email)
            else:
                await self._jobs.put_back(session, email, after_s=BACKOFF.wait_s(email.attempts))
