"""What administrators changed of people's rights, to be shown and put back under the rules of any such change."""

from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import WITH_LINKS
from kernel.accounts.auth.email_tokens import drop_tokens
from kernel.accounts.auth.sessions import end_sessions
from kernel.accounts.last_admin import ensure_not_last_admin, lock_admins
from kernel.accounts.models import User
from kernel.accounts.profile.deletion import is_being_deleted
from kernel.core.data.stored_rows import Values, name_behind_colon
from kernel.core.errors import Absent
from kernel.core.outbox import withdraw_emails

NOBODY = "This user does not exist."


def moment_kept(moment: datetime | None) -> str | None:
    """Return a moment as the history keeps it, to the second."""
    return None if moment is None else moment.astimezone(UTC).replace(microsecond=0).isoformat()


class RightsHistory:
    """Administrator or not; Pro given, taken away or left to the subscription; suspended or not."""

    async def read(self, session: AsyncSession, about: str) -> Values:
        """Return the rights of `user:7`; the end of a gift only where it has one. Raises Absent."""
        columns = select(User.is_admin, User.pro_override, User.pro_until, User.disabled)
        there = columns.where(User.id == int(name_behind_colon(about)), ~is_being_deleted())
        await lock_admins(session)
        row = (await session.execute(there.with_for_update())).one_or_none()
        if row is None:
            raise Absent(NOBODY)
        values = row._asdict()
        until = moment_kept(values.pop("pro_until"))
        return values if until is None else values | {"pro_until": until}

    async def put_back(self, session: AsyncSession, about: str, values: Values) -> None:
        """Store rights; a suspended user has no session and no mailed link left. Raises Conflict (`last_admin`).

        Pro is stored with its end; without one it is for good.
        """
        user_id = int(name_behind_colon(about))
        if values.get("is_admin") is False or values.get("disabled") is True:
            await ensure_not_last_admin(session, user_id)
        stored = dict(values)
        if "pro_override" in stored or "pro_until" in stored:
            until = stored.get("pro_until")
            stored["pro_until"] = None if until is None else datetime.fromisoformat(until)
        await session.execute(update(User).where(User.id == user_id).values(**stored))
        if values.get("disabled") is True:
            await end_sessions(session, user_id)
            await drop_tokens(session, user_id)
            await withdraw_emails(session, user_id, WITH_LINKS)
