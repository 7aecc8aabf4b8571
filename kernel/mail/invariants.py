"""The invariants of emails, for `coverwright doctor`: each check returns its violations."""

from datetime import timedelta
from typing import Final

from sqlalchemy import and_, func, or_, select

from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.core.invariants import Invariants
from kernel.core.outbox import OutboxEmail
from kernel.mail.models import EmailBatch, EmailCampaign, EmailRecipient

OUTBOX_GRACE: Final = timedelta(hours=1)
"""No worker ran, or none sent emails, for this long."""


GRACE: Final = timedelta(hours=1)
"""No worker ran, or none resolved batches, for this long."""


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
    "the ledger of every campaign has one row for each person of its audience": ledgers_add_up,
    "no recipient waits for an email that has ended": ended_campaigns_are_settled,
    "every message that is being handed over is in a batch that is seen to": messages_in_hand_have_batches,
    "every account email is sent or given up in time": emails_leave_the_outbox,
}
