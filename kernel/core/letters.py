"""Letters that somebody is to get: a row in the transaction that calls for one, sent by a worker afterwards."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from advanced_alchemy.types import DateTimeUTC
from sqlalchemy import String, delete
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.database import BigInt, Row

TimeUTC = DateTimeUTC(timezone=True)

GIVE_UP_AFTER: Final = timedelta(hours=24)
"""A letter that could not be sent for so long is given up: by then it says nothing new."""


class Letter(Row):
    """One letter that is still to be sent; the row goes when the letter has gone. `kind` names its text.

    `lease_until` is set while it is handed over, which happens once: a letter that may have gone out is not repeated.
    There is no key to the user, because a letter may outlive the account; no secret stands here either, because links
    are made when the letter is sent.
    """

    __tablename__ = "letter"

    kind: Mapped[str] = mapped_column(String(32))
    address: Mapped[str] = mapped_column(String(254))
    user_id: Mapped[int | None] = mapped_column(BigInt, index=True)
    language: Mapped[str] = mapped_column(String(8))
    attempts: Mapped[int] = mapped_column(default=0)
    run_after: Mapped[datetime] = mapped_column(TimeUTC, index=True)
    give_up_at: Mapped[datetime] = mapped_column(TimeUTC)
    lease_until: Mapped[datetime | None] = mapped_column(TimeUTC, default=None)


def write_letter(
    session: AsyncSession,
    kind: str,
    *,
    address: str,
    language: str,
    user_id: int | None = None,
    within: timedelta = GIVE_UP_AFTER,
) -> None:
    """Ask for a letter in the caller's transaction, so that it is sent exactly when the deed is done."""
    now = clock.now()
    session.add(
        Letter(
            kind=kind,
            address=address,
            user_id=user_id,
            language=language,
            created_at=now,
            run_after=now,
            give_up_at=now + within,
        )
    )


async def withdraw_letters(session: AsyncSession, user_id: int, kinds: Sequence[str] | None = None) -> None:
    """Take back what a user was to get and is not being sent yet: letters of these kinds, or all."""
    where = [Letter.user_id == user_id, Letter.lease_until.is_(None)]
    if kinds is not None:
        where.append(Letter.kind.in_(kinds))
    await session.execute(delete(Letter).where(*where))
