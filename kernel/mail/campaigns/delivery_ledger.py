"""The ledger of campaigns: each step of a message is one short transaction.

A batch is claimed and committed before it is sent, and settled afterwards. What a worker held when it died stays
claimed until the service reports what became of it; no email is sent twice.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import bindparam, func, insert, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.data.database import Database, changed_rows
from kernel.core.data.ids import new_uuid
from kernel.core.data.job_pause import is_paused
from kernel.core.queue.job_loop import Waiting
from kernel.mail.campaigns.audience import PRESENT, SUPPRESSED, WANTS_NEWS, AudienceFacts, copy_audience
from kernel.mail.campaigns.letter import Letter, stored_letter
from kernel.mail.campaigns.outcomes import (
    ROWS,
    MessageOutcome,
    end_batch,
    finish_if_done,
    keep_canceled,
    record_outcomes,
    schedule_next_batch,
)
from kernel.mail.models import EmailBatch, EmailCampaign, EmailRecipient
from kernel.mail.schemas import BulkKind, Segment
from kernel.mail.templates.layout import Reader

LEASE: Final = timedelta(seconds=240)
"""Longer than a batch may take, see sender.py. A batch that is still held then belongs to a worker that died."""

LOOK_AGAIN: Final = timedelta(minutes=10)
"""Services list a message some time after they accepted it."""

LAST_LOOK: Final = timedelta(hours=24)
"""How long a batch waits for a service that cannot be reached."""

MAX_ATTEMPTS: Final = 5


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions for a batch: the service's id, its maximum batch size, and how many messages we send per second."""

    instance_id: str
    max_batch: int
    max_batch_bytes: int
    per_second: float


class Addressee(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a batch, and its recipient."""

    id: int
    user_id: int
    attempts: int
    reader: Reader


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Messages that only this worker may hand over, until `lease_until`."""

    id: UUID
    campaign_id: UUID
    kind: BulkKind
    letter: Letter
    reply_to: str
    postal_address: str
    lease_until: datetime
    addressees: tuple[Addressee, ...]


class UnconfirmedBatch(msgspec.Struct, frozen=True, kw_only=True):
    """A batch with an unknown result."""

    id: UUID
    campaign_id: UUID
    instance_id: str
    taken_at: datetime
    looks: int
    addresses: Mapping[int, str]


class DeliveryLedger:
    """Claims and settles batches, and resolves unconfirmed ones; takes the database, knows no service."""

    def __init__(self, database: Database, facts: AudienceFacts) -> None:
        self._database = database
        self._facts = facts

    def waiting(self) -> Waiting:
        """Return what tells whether anything is to be sent, now or later, or was sent without a result."""
        sending = select(EmailCampaign.id).where(EmailCampaign.state.in_(("scheduled", "sending")))
        return Waiting(self._database, select(union_all(sending, select(EmailBatch.id)).subquery()))

    async def due(self) -> list[UUID]:
        """Return the campaigns that have something to send now."""
        query = select(EmailCampaign.id).where(_due()).order_by(EmailCampaign.run_after)
        async with self._database.read() as connection:
            return list((await connection.execute(query.limit(10))).scalars())

    async def begin_scheduled(self) -> None:
        """Begin the campaigns whose moment has come: their audience is copied into the ledger as it is now."""
        query = select(EmailCampaign.id).where(_due("scheduled")).limit(10)
        async with self._database.read() as connection:
            found = list((await connection.execute(query)).scalars())
        for campaign_id in found:
            async with self._database.write() as session:
                mine = select(EmailCampaign).where(EmailCampaign.id == campaign_id, _due("scheduled"))
                campaign = (await session.execute(mine.with_for_update(skip_locked=True))).scalar_one_or_none()
                if campaign is None:
                    continue
                segment = msgspec.convert(campaign.segment, Segment)
                kind = _kind(campaign)
                campaign.recipients = await copy_audience(session, campaign_id, kind, segment, self._facts)
                campaign.state = "sending"
                if not campaign.recipients:
                    campaign.state, campaign.reason, campaign.finished_at = "done", "no_recipients", clock.now()

    async def claim(self, campaign_id: UUID, terms: Terms) -> Batch | None:
        """Take the next messages of a campaign; None when another worker holds it, or nothing is to be sent now.

        Recipients who may not get it any more are skipped here: the list may be hours old.
        """
        now = clock.now()
        async with self._database.write() as session:
            mine = select(EmailCampaign).where(EmailCampaign.id == campaign_id, _due())
            campaign = (await session.execute(mine.with_for_update(skip_locked=True))).scalar_one_or_none()
            if campaign is None:
                return None
            addressees = await self._next(session, campaign, terms)
            if not addressees:
                campaign.run_after = now + timedelta(seconds=1)
                await session.flush()
                await finish_if_done(session, campaign_id)
                return None
            batch_id, lease_until = new_uuid(), now + LEASE
            held = {"instance_id": terms.instance_id, "taken_at": now, "lease_until": lease_until, "looks": 0}
            await session.execute(insert(EmailBatch).values(id=batch_id, campaign_id=campaign_id, **held))
            values = {"state": "sending", "batch_id": batch_id, "attempts": ROWS.c.attempts + 1, "updated_at": now}
            taking = update(ROWS).where(ROWS.c.id == bindparam("row")).values(address=bindparam("to"), **values)
            await session.execute(taking, [{"row": one.id, "to": one.reader.email} for one in addressees])
            campaign.run_after = now + timedelta(seconds=len(addressees) / terms.per_second)
            campaign.reason = None
            return Batch(
                id=batch_id,
                campaign_id=campaign_id,
                kind=_kind(campaign),
                letter=stored_letter(campaign),
                reply_to=campaign.reply_to,
                postal_address=campaign.postal_address,
                lease_until=lease_until,
                addressees=tuple(addressees),
            )

    async def _next(self, session: AsyncSession, campaign: EmailCampaign, terms: Terms) -> list[Addressee]:
        most = _batch_size(campaign, terms)
        while True:
            rows = (await session.execute(_waiting(campaign.id, most))).all()
            refused = {row.id: code for row in rows if (code := _refusal(row, campaign.kind)) is not None}
            if refused:
                await record_outcomes(
                    session, {row: MessageOutcome(state="skipped", code=code) for row, code in refused.items()}
                )
            if len(refused) < len(rows) or not rows:
                return [
                    Addressee(
                        id=row.id,
                        user_id=row.user_id,
                        attempts=row.attempts + 1,
                        reader=Reader(
                            email=row.email, first_name=row.first_name, last_name=row.last_name, language=row.language
                        ),
                    )
                    for row in rows
                    if row.id not in refused
                ]

    async def settle(self, batch_id: UUID, outcomes: Mapping[int, MessageOutcome]) -> None:
        """Store the results of a batch's messages; `failed` ones that may be tried again go back into the queue.

        Also for a batch whose lease has ended meanwhile: a service's answer is better than an unknown result.
        """
        async with self._database.write() as session:
            campaign_id = await end_batch(session, batch_id)
            if campaign_id is None:  # another worker was faster, and may have ended the campaign: no retries
                outcomes = {row: outcome for row, outcome in outcomes.items() if outcome.state != "pending"}
            await record_outcomes(session, outcomes, batch_id=batch_id)
            if campaign_id is not None:
                again = (EmailRecipient.batch_id == batch_id, EmailRecipient.state == "pending")
                await session.execute(update(EmailRecipient).where(*again).values(batch_id=None))
                await schedule_next_batch(session, campaign_id, outcomes)

    async def put_back(self, batch_id: UUID, *, reason: str, after_s: float, halve: bool = False) -> None:
        """Requeue a batch that was certainly not sent; the campaign waits for this long, and stores the reason.

        `halve` makes the next batches smaller, to find the message because of which a service refuses the batch.
        """
        async with self._database.write() as session:
            campaign_id = await end_batch(session, batch_id)
            if campaign_id is None:
                return
            held = (EmailRecipient.batch_id == batch_id, EmailRecipient.state == "sending")
            count = await changed_rows(session, update(EmailRecipient).where(*held).values(**_BACK))
            waiting: dict[str, Any] = {"reason": reason, "run_after": clock.now() + timedelta(seconds=after_s)}
            if halve:
                waiting |= {"batch_limit": max(1, count // 2), "reason": None}
            going = (EmailCampaign.id == campaign_id, EmailCampaign.state == "sending")
            await session.execute(update(EmailCampaign).where(*going).values(**waiting))
            await keep_canceled(session, campaign_id)

    async def pause(self, campaign_id: UUID, reason: str) -> None:
        """Stop a campaign until an administrator has resolved the reason."""
        async with self._database.write() as session:
            going = (EmailCampaign.id == campaign_id, EmailCampaign.state == "sending")
            await session.execute(update(EmailCampaign).where(*going).values(state="paused", reason=reason))

    async def wait(self, campaign_id: UUID, *, reason: str, after_s: float) -> None:
        """Let a campaign wait: no service can send it now."""
        async with self._database.write() as session:
            values = {"reason": reason, "run_after": clock.now() + timedelta(seconds=after_s)}
            await session.execute(update(EmailCampaign).where(EmailCampaign.id == campaign_id, _due()).values(**values))

    async def mark_unconfirmed(self, batch_id: UUID) -> None:
        """Give up the lease of a batch that may have been sent: its result has to be looked up."""
        async with self._database.write() as session:
            await session.execute(update(EmailBatch).where(EmailBatch.id == batch_id).values(lease_until=clock.now()))

    async def take_unconfirmed(self) -> UnconfirmedBatch | None:
        """Take one unconfirmed batch that is due, if there is one."""
        now = clock.now()
        async with self._database.read() as connection:  # most of the time there is none, and no reason to write
            if (await connection.execute(select(EmailBatch.id).where(EmailBatch.lease_until <= now))).first() is None:
                return None
        async with self._database.write() as session:
            late = select(EmailBatch).where(EmailBatch.lease_until <= now).order_by(EmailBatch.lease_until).limit(1)
            batch = (await session.execute(late.with_for_update(skip_locked=True))).scalar_one_or_none()
            if batch is None:
                return None
            batch.lease_until, batch.looks = now + LEASE, batch.looks + 1
            rows = await session.execute(
                select(EmailRecipient.id, EmailRecipient.address).where(
                    EmailRecipient.batch_id == batch.id, EmailRecipient.state == "sending"
                )
            )
            return UnconfirmedBatch(
                id=batch.id,
                campaign_id=batch.campaign_id,
                instance_id=batch.instance_id,
                taken_at=batch.taken_at,
                looks=batch.looks,
                addresses={row.id: row.address for row in rows},
            )

    async def record_lookup(self, batch: UnconfirmedBatch, outcomes: Mapping[int, MessageOutcome]) -> None:
        """Store what a service reports of some messages of a batch, and look up the others later."""
        async with self._database.write() as session:
            later = clock.now() + LOOK_AGAIN
            await session.execute(update(EmailBatch).where(EmailBatch.id == batch.id).values(lease_until=later))
            await record_outcomes(session, outcomes, batch_id=batch.id)

    async def has_results(self, batch: UnconfirmedBatch) -> bool:
        """Return whether the service has listed any message of a batch already."""
        arrived = select(EmailRecipient.id).where(
            EmailRecipient.batch_id == batch.id, EmailRecipient.state.in_(("sent", "failed"))
        )
        async with self._database.read() as connection:
            return (await connection.execute(arrived.limit(1))).first() is not None


_BACK: Final[dict[str, Any]] = {"state": "pending", "batch_id": None, "attempts": EmailRecipient.attempts - 1}


def _kind(campaign: EmailCampaign) -> BulkKind:
    return "marketing" if campaign.kind == "marketing" else "broadcast"


def _due(state: str = "sending") -> Any:
    due = (EmailCampaign.state == state) & (EmailCampaign.run_after <= clock.now())
    return due & ~is_paused(EmailCampaign.job_kind)


def _batch_size(campaign: EmailCampaign, terms: Terms) -> int:
    """Return how many messages of a campaign fit into one batch; both bodies, encoded, take three times their size."""
    one = 3 * 2 * stored_letter(campaign).longest() + 8_000
    fitting = max(1, terms.max_batch_bytes // one)
    second = max(1, int(terms.per_second * 30))  # a low rate must not make a batch that is held for long
    return max(1, min(terms.max_batch, fitting, second, campaign.batch_limit or terms.max_batch))


def _waiting(campaign_id: UUID, most: int) -> Any:
    columns = (
        EmailRecipient.id,
        EmailRecipient.user_id,
        EmailRecipient.attempts,
        User.email,
        User.first_name,
        User.last_name,
        User.language,
        User.email_verified,
        func.coalesce(PRESENT, False).label("present"),
        WANTS_NEWS.label("wants_news"),
        SUPPRESSED.label("suppressed"),
    )
    query = select(*columns).outerjoin(User, User.id == EmailRecipient.user_id)
    mine = (EmailRecipient.campaign_id == campaign_id, EmailRecipient.state == "pending")
    return query.where(*mine).order_by(EmailRecipient.attempts, EmailRecipient.id).limit(most)


def _refusal(row: Any, kind: str) -> str | None:
    """Return why a recipient on the list does not get the email after all."""
    if row.user_id is None or not row.present:
        return "gone"
    if not row.email_verified:
        return "unverified"
    if row.suppressed:
        return "suppressed"
    return "unsubscribed" if kind == "marketing" and not row.wants_news else None
