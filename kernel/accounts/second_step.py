"""The second step of a sign-in: who has a second factor, and sign-ins that wait for it.

Below the packages that sign people in, which all end here: no session starts before the second factor was shown.
Everything runs in the caller's transaction.
"""

from datetime import timedelta
from typing import Final, Literal

import msgspec
from sqlalchemy import ColumnElement, delete, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import HeldSignIn, Passkey, PasskeyChallenge, RecoveryCode, SignInPolicy, Totp, User
from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.core.data.ids import new_token, token_hash

MINUTES: Final = 10
"""How long a user may take for the second step."""

FactorKind = Literal["totp", "passkey", "recovery_code"]


class SecondStep(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in that waits: the token for the browser's cookie, and what its user can show."""

    token: str
    factors: tuple[FactorKind, ...]


def has_second_factor() -> ColumnElement[bool]:
    """Match users with an authenticator app or a passkey."""
    app = exists().where(Totp.user_id == User.id, Totp.confirmed_at.is_not(None)).correlate(User)
    return or_(app, exists().where(Passkey.user_id == User.id).correlate(User))


def lacks_required_factor() -> ColumnElement[bool]:
    """Match administrators without a second factor, while the site requires one of them."""
    required = exists().where(SignInPolicy.admins_need_second_factor.is_(True))
    return User.is_admin.is_(True) & required & ~has_second_factor()


def only_issuers_admit_admins() -> ColumnElement[bool]:
    """Match while administrators can sign in at an issuer only."""
    return exists().where(SignInPolicy.admins_only_issuer.is_(True))


async def email_links_are_on(session: AsyncSession | ReadConnection) -> bool:
    """Return whether people can sign in with a mailed link."""
    return bool((await session.execute(select(SignInPolicy.email_links))).scalar())


def needs_issuer() -> ColumnElement[bool]:
    """Match users whose password does not sign them in: administrators, while they need an issuer."""
    return User.is_admin.is_(True) & only_issuers_admit_admins()


async def factors_of(session: AsyncSession | ReadConnection, user_id: int) -> tuple[FactorKind, ...]:
    """Return what a user can show; nothing for one without a second factor. Recovery codes stand in for another one."""
    app = exists().where(Totp.user_id == user_id, Totp.confirmed_at.is_not(None))
    code = exists().where(RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None))
    row = (
        await session.execute(
            select(
                app.label("totp"), exists().where(Passkey.user_id == user_id).label("passkey"), code.label("recovery")
            )
        )
    ).one()
    found: list[FactorKind] = []
    if row.totp:
        found.append("totp")
    if row.passkey:
        found.append("passkey")
    if found and row.recovery:
        found.append("recovery_code")
    return tuple(found)


async def hold_sign_in(
    session: AsyncSession, user_id: int, method: str, *, issuer_session: str | None = None
) -> SecondStep | None:
    """Store a sign-in that needs a second factor; None for a user who has none. Expired ones of all users go."""
    factors = await factors_of(session, user_id)
    if not factors:
        return None
    now, token = clock.now(), new_token()
    await session.execute(delete(HeldSignIn).where(HeldSignIn.expires_at <= now))
    session.add(
        HeldSignIn(
            user_id=user_id,
            token_hash=token_hash(token),
            method=method,
            issuer_session=issuer_session,
            expires_at=now + timedelta(minutes=MINUTES),
        )
    )
    await session.flush()
    return SecondStep(token=token, factors=factors)


async def drop_held_sign_ins(session: AsyncSession, user_id: int) -> None:
    """Delete a user's sign-ins that wait: their first step is no longer good enough."""
    await session.execute(delete(HeldSignIn).where(HeldSignIn.user_id == user_id))


async def drop_second_factors(session: AsyncSession, user_id: int) -> bool:
    """Delete everything of a user's second factors; return whether there was one."""
    had = bool(await factors_of(session, user_id))
    for table in (Totp, Passkey, RecoveryCode, PasskeyChallenge):
        await session.execute(delete(table).where(table.user_id == user_id))
    await drop_held_sign_ins(session, user_id)
    return had
