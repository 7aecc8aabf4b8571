"""Which account belongs to somebody whom a provider names. All of it inside the caller's transaction."""

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.correspondence import SIGNUP
from kernel.accounts.fields import name_fault, normal_email, tidy_name
from kernel.accounts.models import Identity, User
from kernel.core.errors import Conflict, Forbidden
from kernel.core.languages import FALLBACK
from kernel.core.letters import write_letter
from kernel.spi import Identity as Person


async def find_account(session: AsyncSession, person: Person, instance_id: str) -> int | None:
    """Return the account of a person, None for a stranger.

    Somebody new is connected with the account of their address when both sides have verified it: then nobody else can
    have made either. Raises Forbidden (`account_disabled`), and Conflict (`link_required`) when one side has not.
    """
    if (known := await _known(session, person)) is not None:
        if await session.scalar(select(User.disabled).where(User.id == known)):
            raise Forbidden("This account is disabled.", code="account_disabled")
        await session.execute(update(Identity).where(*_same(person)).values(instance_id=instance_id))
        return known
    email_norm = normal_email(person.email or "")
    if email_norm is None:
        return None
    columns = select(User.id, User.email_verified, User.disabled).where(User.email_norm == email_norm)
    row = (await session.execute(columns)).one_or_none()
    if row is None:
        return None
    if not (person.email_verified and row.email_verified):
        raise Conflict("There is an account with this e-mail address. Please sign in to it.", code="link_required")
    if row.disabled:
        raise Forbidden("This account is disabled.", code="account_disabled")
    user_id: int = row.id
    await connect(session, person, instance_id, user_id)
    return user_id


async def connect(session: AsyncSession, person: Person, instance_id: str, user_id: int) -> bool:
    """Connect a person with an account; say whether that is new. Raises Conflict (`identity_taken`)."""
    known = await _known(session, person)
    if known == user_id:
        return False
    if known is not None:
        raise Conflict("This sign-in belongs to another account.", code="identity_taken")
    session.add(Identity(user_id=user_id, issuer=person.issuer, subject=person.subject, instance_id=instance_id))
    await session.flush()
    return True


async def add_account(session: AsyncSession, person: Person, instance_id: str) -> int:
    """Make an account for a stranger whose address is an address, and return its id."""
    user = User(
        email=(person.email or "").strip(),
        email_norm=normal_email(person.email or ""),
        email_verified=person.email_verified,
        first_name=_name(person.first_name),
        last_name=_name(person.last_name),
    )
    session.add(user)
    await session.flush()
    await connect(session, person, instance_id, user.id)
    if user.email_verified:
        write_letter(session, SIGNUP, address=user.email, language=FALLBACK, user_id=user.id)
    return user.id


async def _known(session: AsyncSession, person: Person) -> int | None:
    return (await session.execute(select(Identity.user_id).where(*_same(person)))).scalar_one_or_none()


def _same(person: Person) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return Identity.issuer == person.issuer, Identity.subject == person.subject


def _name(given: str) -> str | None:
    """Return a name as we keep it, or None for one that we would not take from the person either."""
    return None if name_fault(given) else tidy_name(given)
