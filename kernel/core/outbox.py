"""Account emails to be sent: a row in the transaction that causes one, sent by a worker afterwards."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import JSON, String, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.data.database import BigInt, Row, changed_rows
from kernel.core.data.job_table import LeasedJob
from kernel.core.data.moments import Moment

GIVE_UP_AFTER: Final = timedelta(hours=24)
"""An email that could not be sent for this long is dropped: by then it is outdated."""
HELD_BACK: Final = timedelta(hours=1)
"""What an email has at least left of its time when its sending goes on after a pause."""


class OutboxEmail(LeasedJob, Row):
    """One letter that is still to be sent; the row goes when the letter has gone. `kind` names its text.

    `lease_until` is set while it is handed over, which happens once: an email that may have been sent is not repeated.
    There is no foreign key to the user, because an email may outlive the account; and no secret, because links are
    made when the email is sent. `details` are words of the email that nobody could look up later.
    """

    __tablename__ = "letter"
    job_kind = "account_email"

    kind: Mapped[str] = mapped_column(String(32))
    address: Mapped[str] = mapped_column(String(254))
    user_id: Mapped[int | None] = mapped_column(BigInt, index=True)
    language: Mapped[str] = mapped_column(String(8))
    run_after: Mapped[datetime] = mapped_column(Moment, index=True)
    give_up_at: Mapped[datetime] = mapped_column(Moment)
    details: Mapped[dict[str, str]] = mapped_column(JSON, server_default="{}")


def queue_email(
    session: AsyncSession,
    kind: str,
    *,
    address: str,
    language: str,
    user_id: int | None = None,
    within: timedelta = GIVE_UP_AFTER,
    details: Mapping[str, str] | None = None,
) -> None:
    """Queue an email in the caller's transaction, so that it is sent exactly when that commits."""
    now = clock.now()
    session.add(
        OutboxEmail(
            kind=kind,
            address=address,
            user_id=user_id,
            language=language,
            created_at=now,
            run_after=now,
            give_up_at=now + within,
            details=dict(details or {}),
        )
    )


async def withdraw_email(session: AsyncSession, email_id: int) -> bool:
    """Delete a queued email; False when it is being sent, or gone."""
    queued = delete(OutboxEmail).where(OutboxEmail.id == email_id, OutboxEmail.lease_until.is_(None))
    return await changed_rows(session, queued) == 1


async def extend_emails(session: AsyncSession) -> None:
    """Give emails that were held back some more time, so that none is dropped because of that."""
    late = clock.now() + HELD_BACK
    held = update(OutboxEmail).where(OutboxEmail.lease_until.is_(None), OutboxEmail.give_up_at < late)
    await session.execute(held.values(give_up_at=late))


async def withdraw_emails(session: AsyncSession, user_id: int, kinds: Sequence[str] | None = None) -> None:
    """Delete a user's queued emails that are not being sent yet: those of these kinds, or all.

    One that a worker is just taking counts as being sent. To wait for it would be a deadlock: it waits for the user.
    """
    where = [OutboxEmail.user_id == user_id, OutboxEmail.lease_until.is_(None)]
    if kinds is not None:
        where.append(OutboxEmail.kind.in_(kinds))
    queued = select(OutboxEmail.id).where(*where).with_for_update(skip_locked=True)
    await session.execute(delete(OutboxEmail).where(OutboxEmail.id.in_(queued)))
