"""The invariants of emails, for `coverwright doctor`: each check returns its violations."""

from datetime import timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import and_, func, or_, select

from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants
from kernel.core.outbox import OutboxEmail
from kernel.core.text.languages import is_language
from kernel.mail.campaigns.audience import segment_faults
from kernel.mail.campaigns.letter import SentText, stored_letter
from kernel.mail.models import EmailBatch, EmailCampaign, EmailDraft, EmailRecipient
from kernel.mail.schemas import BodyFormat, BulkKind, LetterVersion, Segment

OUTBOX_GRACE: Final = timedelta(hours=1)
"""No worker ran, or none sent emails, for this long."""


GRACE: Final = timedelta(hours=1)
"""No worker ran, or none began campaigns or resolved batches, for this long."""

OPEN: Final = ("scheduled", "sending", "paused")


async def drafts_can_be_opened(connection: ReadConnection) -> list[str]:
    """Return the drafts with something that no form shows, and those that a list tells other languages of."""
    names = ("id", "kind", "language", "body_format", "versions", "languages", "segment")
    columns = [getattr(EmailDraft, name) for name in names]
    broken = []
    for row in await connection.execute(select(*columns)):
        fault = (
            _fault(row.kind, BulkKind)
            or _fault(row.body_format, BodyFormat)
            or _fault(row.versions, dict[str, LetterVersion])
            or _fault(row.segment, Segment)
        )
        written = [row.language, *row.versions]
        if fault is None and not all(map(is_language, written)):
            fault = "a language that the site has not"
        if fault is None and row.languages != written:
            fault = "listed with other languages than it is written in"
        if fault is not None:
            broken.append(f"draft {row.id}: {fault}")
    return broken


async def campaigns_can_be_sent(connection: ReadConnection) -> list[str]:
    """Return the campaigns that are to go out and lack words, an address or readers, or could not be read."""
    names = ("id", "kind", "language", "subject", "html_body", "source", "versions", "postal_address", "segment")
    waiting = select(*(getattr(EmailCampaign, name) for name in names)).where(EmailCampaign.state.in_(OPEN))
    rows = await connection.execute(waiting)
    return [f"campaign {row.id}: {fault}" for row in rows if (fault := _letter_fault(row)) is not None]


def _letter_fault(row: Any) -> str | None:
    fault = _fault(row.kind, BulkKind) or _fault(row.versions, dict[str, SentText]) or _fault(row.segment, Segment)
    if fault is not None:
        return fault
    if not row.postal_address.strip():
        return "no postal address"
    if not all(map(is_language, [row.language, *row.versions])):
        return "a language that the site has not"
    if row.language in row.versions:
        return "one language twice"
    letter = stored_letter(row)
    for code, text in ((row.language, letter.fallback), *letter.versions.items()):
        if not text.subject.strip():
            return f"no subject in {code}"
        if not text.html_body.strip():
            return f"no text in {code}"
    return "people who cannot be found" if segment_faults(msgspec.convert(row.segment, Segment)) else None


async def scheduled_campaigns_begin(connection: ReadConnection) -> list[str]:
    """Return scheduled campaigns with an audience already or long overdue, and begun ones without an audience."""
    scheduled = EmailCampaign.state == "scheduled"
    early = select(EmailCampaign.id).where(scheduled, EmailCampaign.recipients != 0)
    late = select(EmailCampaign.id).where(scheduled, EmailCampaign.run_after < clock.now() - GRACE)
    begun = EmailCampaign.state.in_(("sending", "paused"))
    empty = select(EmailCampaign.id).where(begun, EmailCampaign.recipients == 0)
    found = ((early, "chose people early"), (late, "has not begun"), (empty, "has begun for nobody"))
    return [f"campaign {row} {fault}" for query, fault in found for row in (await connection.execute(query)).scalars()]


def _fault(value: object, kind: Any) -> str | None:
    """Return why a stored value is not what it should be; None when it is."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return str(error)
    return None


async def ledgers_add_up(connection: ReadConnection) -> list[str]:
    """Return the campaigns whose ledger has more or fewer rows than their audience had people."""
    counted = (
        select(EmailCampaign.id, EmailCampaign.recipients, func.count(EmailRecipient.id).label("rows"))
        .outerjoin(EmailRecipient, EmailRecipient.campaign_id == EmailCampaign.id)
        .group_by(EmailCampaign.id, EmailCampaign.recipients)
        .having(func.count(EmailRecipient.id) != EmailCampaign.recipients)
    )
    rows = await connection.execute(counted)
    return [f"campaign {row.id}: {row.rows} rows for {row.recipients} people" for row in rows]


async def ended_campaigns_are_settled(connection: ReadConnection) -> list[str]:
    """Return the campaigns that have ended although a recipient still waits, and ended ones without an end time."""
    ended = EmailCampaign.state.in_(("done", "canceled"))
    waiting = (
        select(EmailCampaign.id, EmailCampaign.state)
        .join(EmailRecipient, EmailRecipient.campaign_id == EmailCampaign.id)
        .where(
            or_(
                and_(ended, EmailRecipient.state == "pending"),
                and_(EmailCampaign.state == "done", EmailRecipient.state == "sending"),
            )
        )
        .distinct()
    )
    unsaid = select(EmailCampaign.id, EmailCampaign.state).where(ended != EmailCampaign.finished_at.is_not(None))
    broken = [f"campaign {row.id} is {row.state}, and somebody waits" for row in await connection.execute(waiting)]
    return broken + [f"campaign {row.id} is {row.state}" for row in await connection.execute(unsaid)]


async def messages_in_hand_have_batches(connection: ReadConnection) -> list[str]:
    """Return messages that are being sent without a batch, and batches that no worker has resolved."""
    lonely = (
        select(EmailRecipient.id)
        .outerjoin(EmailBatch, EmailBatch.id == EmailRecipient.batch_id)
        .where(EmailRecipient.state == "sending", EmailBatch.id.is_(None))
    )
    late = select(EmailBatch.id).where(EmailBatch.lease_until < clock.now() - GRACE)
    broken = [f"recipient {row} is in no batch" for row in (await connection.execute(lonely)).scalars()]
    return broken + [f"batch {row} waits" for row in (await connection.execute(late)).scalars()]


async def emails_leave_the_outbox(connection: ReadConnection) -> list[str]:
    """Return emails that have been due for too long."""
    late = select(OutboxEmail.id, OutboxEmail.kind).where(OutboxEmail.run_after < clock.now() - OUTBOX_GRACE)
    return [f"letter {row.id} ({row.kind}) waits" for row in await connection.execute(late)]


INVARIANTS: Final[Invariants] = {
    "every draft of an email to many can be opened, and is listed with its languages": drafts_can_be_opened,
    "every email to many that is to go out has its words, in known languages, and its readers": campaigns_can_be_sent,
    "an email to many chooses its people when its moment comes, and no sooner": scheduled_campaigns_begin,
    "the ledger of every campaign has one row for each person of its audience": ledgers_add_up,
    "no recipient waits for an email that has ended": ended_campaigns_are_settled,
    "every message that is being handed over is in a batch that is seen to": messages_in_hand_have_batches,
    "every account email is sent or given up in time": emails_leave_the_outbox,
}
