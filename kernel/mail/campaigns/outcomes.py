"""Stores the results of campaign messages, and their effect on the campaign."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import bindparam, case, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.mail.models import EmailBatch, EmailCampaign, EmailRecipient
from kernel.mail.schemas import RecipientState

RETRY: Final = timedelta(seconds=30)
LARGE: Final = 250
"""From this size on, a batch is not doubled but its limit is removed."""
FEW_FAILURES: Final = 20
FAILURES_SHARE: Final = 0.05
"""Beyond both, the email or the list is at fault, and continuing would harm the sender's reputation."""

ROWS: Final[Any] = EmailRecipient.__table__
"""For many rows at once, each with its own condition, which mapped classes do not support."""


class MessageOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one message."""

    state: RecipientState
    code: str | None = None
    message_id: str | None = None


async def record_outcomes(
    session: AsyncSession, outcomes: Mapping[int, MessageOutcome], *, batch_id: UUID | None = None
) -> None:
    """Store results; of a batch only where no definite result is stored."""
    if not outcomes:
        return
    statement = update(ROWS).where(ROWS.c.id == bindparam("row"))
    if batch_id is not None:
        in_doubt = or_(ROWS.c.state == "sending", ROWS.c.state == "unknown")
        statement = statement.where(ROWS.c.batch_id == batch_id, in_doubt)
    ends: dict[str, Any] = {name: bindparam(f"new_{name}") for name in MessageOutcome.__struct_fields__}
    rows = [{"row": row} | {f"new_{name}": getattr(ending, name) for name in ends} for row, ending in outcomes.items()]
    await session.execute(statement.values(updated_at=clock.now(), **ends), rows)


async def end_batch(session: AsyncSession, batch_id: UUID) -> UUID | None:
    """Delete a batch and lock its campaign; None when another worker was faster."""
    ending = delete(EmailBatch).where(EmailBatch.id == batch_id).returning(EmailBatch.campaign_id)
    campaign_id = (await session.execute(ending)).scalar_one_or_none()
    if campaign_id is not None:
        await session.execute(select(EmailCampaign.id).where(EmailCampaign.id == campaign_id).with_for_update())
    return campaign_id


async def schedule_next_batch(session: AsyncSession, campaign_id: UUID, outcomes: Mapping[int, MessageOutcome]) -> None:
    """Continue a campaign after a batch: at once, later or not at all, or finish it."""
    await keep_canceled(session, campaign_id)
    mine = (EmailCampaign.id == campaign_id) & (EmailCampaign.state == "sending")
    if outcomes and all(ending.state == "pending" for ending in outcomes.values()):
        later = {"run_after": clock.now() + RETRY, "reason": "unavailable"}
        await session.execute(update(EmailCampaign).where(mine).values(**later))
    else:  # the refused message is behind us
        grown = case((EmailCampaign.batch_limit < LARGE, EmailCampaign.batch_limit * 2), else_=None)
        await session.execute(update(EmailCampaign).where(mine).values(batch_limit=grown))
    await finish_if_done(session, campaign_id)
    await _pause_if_failing(session, campaign_id)


async def keep_canceled(session: AsyncSession, campaign_id: UUID) -> None:
    """Cancel everything that waits in a canceled campaign, even when that happened during a batch."""
    canceled = exists().where(EmailCampaign.id == campaign_id, EmailCampaign.state == "canceled")
    waiting = (EmailRecipient.campaign_id == campaign_id, EmailRecipient.state == "pending", canceled)
    values = {"state": "skipped", "code": "canceled", "batch_id": None, "updated_at": clock.now()}
    await session.execute(update(EmailRecipient).where(*waiting).values(**values))


async def requeue_failed(session: AsyncSession, campaign_id: UUID) -> None:
    """Let everybody wait again whose message failed, with as many tries as at first."""
    failed = (EmailRecipient.campaign_id == campaign_id, EmailRecipient.state == "failed")
    values = {"state": "pending", "code": None, "batch_id": None, "attempts": 0, "updated_at": clock.now()}
    await session.execute(update(EmailRecipient).where(*failed).values(**values))


async def _pause_if_failing(session: AsyncSession, campaign_id: UUID) -> None:
    mine = select(func.count()).where(EmailRecipient.campaign_id == campaign_id)
    failed = (await session.execute(mine.where(EmailRecipient.state == "failed"))).scalar_one()
    if failed <= FEW_FAILURES:
        return
    handled = (await session.execute(mine.where(EmailRecipient.state.in_(("sent", "failed"))))).scalar_one()
    fresh = failed - EmailCampaign.tolerated
    failing = (EmailCampaign.state == "sending", fresh > FEW_FAILURES, fresh > handled * FAILURES_SHARE)
    pausing = update(EmailCampaign).where(EmailCampaign.id == campaign_id, *failing)
    await session.execute(pausing.values(state="paused", reason="too_many_failures"))


async def finish_if_done(session: AsyncSession, campaign_id: UUID) -> None:
    """End a campaign that has nothing more to send and no pending batch."""
    open_rows = exists().where(
        EmailRecipient.campaign_id == campaign_id, EmailRecipient.state.in_(("pending", "sending"))
    )
    going = (EmailCampaign.id == campaign_id, EmailCampaign.state == "sending", ~open_rows)
    values = {"state": "done", "reason": None, "finished_at": clock.now()}
    await session.execute(update(EmailCampaign).where(*going).values(**values))
