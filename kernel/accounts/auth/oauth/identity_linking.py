"""Which account belongs to an identity that a provider reports. Everything runs in the caller's transaction."""

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import SIGNUP
from kernel.accounts.models import User, UserIdentity
from kernel.accounts.validation import name_fault, normal_email, tidy_name
from kernel.core.errors import Conflict, Forbidden
from kernel.core.outbox import queue_email
from kernel.core.text.languages import FALLBACK
from kernel.spi import Identity as Person


async def find_account(session: AsyncSession, person: Person, instance_id: str) -> int | None:
    """Return the account of an identity, None for an unknown one.

    A new identity is linked with the account of its address when both sides have verified the address: then no
    other person can have made either. Raises Forbidden (`account_disabled`), and Conflict (`link_required`) when one
    side has not.
    """
    if (known := await _linked_account(session, person)) is not None:
        if await session.scalar(select(User.disabled).where(User.id == known)):
            raise Forbidden("This account is disabled.", code="account_disabled")
        await session.execute(update(UserIdentity).where(*_same(person)).values(instance_id=instance_id))
        return known
    email_norm = normal_email(person.email or "")
    if email_norm is None:
        return None
    columns = select(User.id, User.email_verified, User.disabled).where(User.email_norm == email_norm)
    row = (await session.execute(columns)).one_or_none()
    if row is None:
        return None
    if not (person.email_verified and row.email_verified):
        raise Conflict("There is an account with this email address. Please sign in to it.", code="link_required")
    if row.disabled:
        raise Forbidden("This account is disabled.", code="account_disabled")
    user_id: int = row.id
    await link_identity(session, person, instance_id, user_id)
    return user_id


async def link_identity(session: AsyncSession, person: Person, instance_id: str, user_id: int) -> bool:
    """Link an identity with an account; return whether the link is new. Raises Conflict (`identity_taken`)."""
    known = await _linked_account(session, person)
    if known == user_id:
        return False
    if known is not None:
        raise Conflict("This sign-in belongs to another account.", code="identity_taken")
    session.add(UserIdentity(user_id=user_id, issuer=person.issuer, subject=person.subject, instance_id=instance_id))
    await session.flush()
    return True


async def add_account(session: AsyncSession, person: Person, instance_id: str) -> int:
    """Create an account for a new identity that has a valid address, and return its id."""
    user = User(
        email=(person.email or "").strip(),
        email_norm=normal_email(person.email or ""),
        email_verified=person.email_verified,
        first_name=_name(person.first_name),
        last_name=_name(person.last_name),
    )
    session.add(user)
    await session.flush()
    await link_identity(session, person, instance_id, user.id)
    if user.email_verified:
        queue_email(session, SIGNUP, address=user.email, language=FALLBACK, user_id=user.id)
    return user.id


async def _linked_account(session: AsyncSession, person: Person) -> int | None:
    return (await session.execute(select(UserIdentity.user_id).where(*_same(person)))).scalar_one_or_none()


def _same(person: Person) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return UserIdentity.issuer == person.issuer, UserIdentity.subject == person.subject


def _name(given: str) -> str | None:
    """Return a name in the form in which it is stored, or None for one that a registration form would refuse, too."""
    return None if name_fault(given) else tidy_name(given)
