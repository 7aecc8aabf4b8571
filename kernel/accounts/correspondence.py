"""What accounts write to people, and what is decided only when a letter is sent.

A reset is asked for under an address: whether there is an account is looked up here, by the worker, so that the answer
to the asker takes the same time either way. Links are made here, too: no table ever holds one.
"""

from typing import Final, Literal

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.fields import normal_email
from kernel.accounts.models import User
from kernel.accounts.tokens import issue_token

LetterKind = Literal[
    "reset", "verify", "change", "address_in_use", "email_changed", "password_changed", "account_deleted"
]

RESET: Final[LetterKind] = "reset"
VERIFY: Final[LetterKind] = "verify"
CHANGE: Final[LetterKind] = "change"
ADDRESS_IN_USE: Final[LetterKind] = "address_in_use"
EMAIL_CHANGED: Final[LetterKind] = "email_changed"
PASSWORD_CHANGED: Final[LetterKind] = "password_changed"
ACCOUNT_DELETED: Final[LetterKind] = "account_deleted"

SIGNUP: Final = "signup"
"""The greeting of somebody whose address was just confirmed. Its text is an administrator's, see kernel/mail."""

WITH_LINKS: Final = (RESET, VERIFY, CHANGE)
"""Letters that are taken back when the password changes: whoever asked for them may not be the owner."""


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """What a letter turned out to be: its kind, the path of the page it leads to, and the reader's language."""

    kind: LetterKind
    path: str
    language: str


async def open_letter(
    session: AsyncSession, kind: str, *, user_id: int | None, address: str, language: str
) -> Due | None:
    """Decide on a letter that is about to be sent; None when there is nobody to write to, or nothing to say any more.

    The user's own language goes before the one of the browser in which the letter was asked for.
    """
    match kind:
        case "reset":
            return await _reset(session, address, language)
        case "verify" | "change":
            return await _confirmation(session, user_id, address, language)
        case "email_changed" | "password_changed":
            return Due(kind=kind, path="/account", language=language)
        case "account_deleted":
            return Due(kind=kind, path="/", language=language)
    return None


async def _reset(session: AsyncSession, address: str, language: str) -> Due | None:
    columns = select(User.id, User.language).where(
        User.email_norm == (normal_email(address) or ""), User.disabled.is_(False)
    )
    row = (await session.execute(columns)).one_or_none()
    if row is None:
        return None
    token = await issue_token(session, row.id, "reset", address)
    return Due(kind=RESET, path=f"/reset#token={token}", language=row.language or language)


async def _confirmation(session: AsyncSession, user_id: int | None, address: str, language: str) -> Due | None:
    """Confirm the account's own address, or a new one; an address that has another account gets other words."""
    email_norm = normal_email(address) or ""
    columns = select(User.email_norm, User.email_verified, User.language)
    user = (await session.execute(columns.where(User.id == user_id, User.disabled.is_(False)))).one_or_none()
    if user is None or (user.email_norm == email_norm and user.email_verified):
        return None
    spoken = user.language or language
    if user.email_norm != email_norm:
        taken = (await session.execute(select(User.id).where(User.email_norm == email_norm))).first()
        if taken is not None:
            return Due(kind=ADDRESS_IN_USE, path="/sign-in", language=spoken)
    token = await issue_token(session, user_id or 0, "email", address)
    kind = VERIFY if user.email_norm == email_norm else CHANGE
    return Due(kind=kind, path=f"/confirm-email#token={token}", language=spoken)
