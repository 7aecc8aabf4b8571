"""Bookkeeping of e-mails to many: writing down what became of messages, and what follows for their campaign."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import bindparam, case, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.mail.campaign_models import EmailBatch, EmailCampaign, EmailRecipient
from kernel.mail.campaign_schemas import RecipientState

RETRY: Final = timedelta(seconds=30)
LARGE: Final = 250
"""A batch of so many is not doubled but freed of its limit."""
FEW_FAILURES: Final = 20
FAILURES_SHARE: Final = 0.05
"""Beyond both, something is wrong with the e-mail or the list, and going on would cost the sender's name."""

ROWS: Final[Any] = EmailRecipient.__table__
"""For many rows at once, each with its own condition, which mapped classes do not take."""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one message."""

    state: RecipientState
    code: str | None = None
    message_id: str | None = None


async def write_endings(session: AsyncSession, endings: Mapping[int, Ending], *, batch_id: UUID | None = None) -> None:
    """Write down endings; of a batch only where nothing better is known."""
    if not endings:
        return
    statement = update(ROWS).where(ROWS.c.id == bindparam("row"))
    if batch_id is not None:
        in_doubt = or_(ROWS.c.state == "sending", ROWS.c.state == "unknown")
        statement = statement.where(ROWS.c.batch_id == batch_id, in_doubt)
    ends: dict[str, Any] = {name: bindparam(f"new_{name}") for name in Ending.__struct_fields__}
    rows = [{"row": row} | {f"new_{name}": getattr(ending, name) for name in ends} for row, ending in endings.items()]
    await session.execute(statement.values(updated_at=clock.now(), **ends), rows)


async def end_batch(session: AsyncSession, batch_id: UUID) -> UUID | None:
    """Forget a batch, and let nobody else change its campaign meanwhile; None when somebody was faster."""
    ending = delete(EmailBatch).where(EmailBatch.id == batch_id).returning(EmailBatch.campaign_id)
    campaign_id = (await session.execute(ending)).scalar_one_or_none()
    if campaign_id is not None:
        await session.execute(select(EmailCampaign.id).where(EmailCampaign.id == campaign_id).with_for_update())
    return campaign_id


async def go_on(session: AsyncSession, campaign_id: UUID, endings: Mapping[int, Ending]) -> None:
    """Let a campaign go on after a batch: at once, later, not at all, or to its end."""
    await keep_canceled(session, campaign_id)
    mine = (EmailCampaign.id == campaign_id) & (EmailCampaign.state == "sending")
    if endings and all(ending.state == "pending" for ending in endings.values()):
        later = {"run_after": clock.now() + RETRY, "reason": "unavailable"}
        await session.execute(update(EmailCampaign).where(mine).values(**later))
    else:  # whom the service refused is behind us
        grown = case((EmailCampaign.batch_limit < LARGE, EmailCampaign.batch_limit * 2), else_=None)
        await session.execute(update(EmailCampaign).where(mine).values(batch_limit=grown))
    await finish_if_done(session, campaign_id)
    await _pause_if_failing(session, campaign_id)


async def keep_canceled(session: AsyncSession, campaign_id: UUID) -> None:
    """Let nothing wait any more in a campaign that was canceled, be it while a batch was in hand."""
    canceled = exists().where(EmailCampaign.id == campaign_id, EmailCampaign.state == "canceled")
    waiting = (EmailRecipient.campaign_id == campaign_id, EmailRecipient.state == "pending", canceled)
    values = {"state": "skipped", "code": "canceled", "batch_id": None, "updated_at": clock.now()}
    await session.execute(update(EmailRecipient).where(*waiting).values(**values))


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
    """End a campaign that has nothing more to send and nothing in hand."""
    open_rows = exists().where(
        EmailRecipient.campaign_id == campaign_id, EmailRecipient.state.in_(("pending", "sending"))
    )
    going = (EmailCampaign.id == campaign_id, EmailCampaign.state == "sending", ~open_rows)
    values = {"state": "done", "reason": None, "finished_at": clock.now()}
    await session.execute(update(EmailCampaign).where(*going).values(**values))
