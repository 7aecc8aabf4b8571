"""Links that are mailed to a user: made when the email is sent, used once."""

from datetime import timedelta
from typing import Final, Literal

import msgspec
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import AccountToken
from kernel.core import clock
from kernel.core.data.ids import new_token, token_hash
from kernel.core.errors import Forbidden

Purpose = Literal["reset", "email", "sign_in"]

LIFETIMES: Final[dict[Purpose, timedelta]] = {
    "reset": timedelta(hours=1),
    "email": timedelta(hours=24),
    "sign_in": timedelta(minutes=30),
}
"""The page and the letter say the same. A letter may be slow: the ten minutes of ASVS 5.0 §6.5.5 were too short for a
link to a new password or to a session, which works once. A confirmation signs nobody in; it may take a day.
"""


class ClaimedToken(msgspec.Struct, frozen=True, kw_only=True):
    """Whose link was used, and the address it was sent to."""

    user_id: int
    address: str


async def issue_token(session: AsyncSession, user_id: int, purpose: Purpose, address: str) -> str:
    """Return the token of a new link. Earlier links of the purpose end; expired ones of all users are deleted."""
    now, token = clock.now(), new_token()
    await drop_tokens(session, user_id, purpose)
    await session.execute(delete(AccountToken).where(AccountToken.expires_at <= now))
    session.add(
        AccountToken(
            user_id=user_id,
            purpose=purpose,
            address=address,
            token_hash=token_hash(token),
            expires_at=now + LIFETIMES[purpose],
        )
    )
    return token


async def claim_token(session: AsyncSession, token: str, purpose: Purpose) -> ClaimedToken:
    """Use up a link. Raises Forbidden (`link_expired`), the same for one that is wrong, used or too old."""
    row = (
        await session.execute(
            delete(AccountToken)
            .where(
                AccountToken.token_hash == token_hash(token),
                AccountToken.purpose == purpose,
                AccountToken.expires_at > clock.now(),
            )
            .returning(AccountToken.user_id, AccountToken.address)
        )
    ).one_or_none()
    if row is None:
        raise Forbidden("This link is no longer valid.", code="link_expired")
    return ClaimedToken(user_id=row.user_id, address=row.address)


async def drop_tokens(session: AsyncSession, user_id: int, purpose: Purpose | None = None) -> None:
    """Delete a user's links, all or those of one purpose."""
    where = [AccountToken.user_id == user_id] + ([AccountToken.purpose == purpose] if purpose else [])
    await session.execute(delete(AccountToken).where(*where))
