"""Administrators: making the first one, making more, resetting a password."""

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import SECOND_FACTOR_REMOVED
from kernel.accounts.auth.email_tokens import drop_tokens
from kernel.accounts.auth.sessions import end_sessions
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.models import User, UserIdentity
from kernel.accounts.second_step import drop_second_factors
from kernel.accounts.validation import email_fault, normal_email, password_fault
from kernel.core.audit import audit
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent, InvalidFields
from kernel.core.field_errors import FieldFault
from kernel.core.outbox import queue_email
from kernel.core.text.languages import FALLBACK
from kernel.providers import Registry


async def new_credential(gateway: SigninGateway, email: str, password: str) -> str:
    """Return what to store for an administrator's password. Raises InvalidFields with all bad fields, NoProvider."""
    faults = {"email": email_fault(email), "password": password_fault(password, email)}
    found: dict[str, FieldFault] = {field: text for field, text in faults.items() if text is not None}
    credential = ""
    if "password" not in found:
        try:
            credential = await gateway.enroll(password)
        except InvalidFields as error:
            found |= error.fields
    if found:
        raise InvalidFields(found)
    return credential


async def has_admin(session: AsyncSession | ReadConnection) -> bool:
    """Return whether there is an administrator who can sign in."""
    found = select(User.id).where(User.is_admin.is_(True), User.disabled.is_(False)).limit(1)
    return (await session.execute(found)).first() is not None


async def install_admin(session: AsyncSession, email: str, credential: str) -> int:
    """Make the account of an address an administrator and return its id; create it if there is none.

    Another person may have registered the operator's address before: that account gets the new password, and its
    existing sessions, linked sign-ins and second factors are removed.
    """
    email_norm = normal_email(email) or ""
    user = (await session.execute(select(User).where(User.email_norm == email_norm))).scalar_one_or_none()
    if user is None:
        user = User(email=email.strip(), email_norm=email_norm)
        session.add(user)
    user.is_admin, user.disabled, user.password_hash = True, False, credential
    await session.flush()
    await end_sessions(session, user.id)
    await drop_tokens(session, user.id)
    await session.execute(delete(UserIdentity).where(UserIdentity.user_id == user.id))
    await drop_second_factors(session, user.id)
    return user.id


async def create_admin(database: Database, registry: Registry, email: str, password: str) -> int:
    """Make an administrator from the command line; an account of that address is taken over. Returns the id.

    Raises InvalidFields and NoProvider.
    """
    credential = await new_credential(SigninGateway(registry), email, password)
    async with database.write() as session:
        user_id = await install_admin(session, email, credential)
        audit(session, "admin.create", object=f"user:{user_id}", keys=("isAdmin",))
    return user_id


async def promote(database: Database, email: str) -> int:
    """Make an existing account an administrator. Raises Absent."""
    async with database.write() as session:
        user_id = await _by_email(session, email)
        await session.execute(update(User).where(User.id == user_id).values(is_admin=True))
        audit(session, "admin.promote", object=f"user:{user_id}", keys=("isAdmin",))
    return user_id


async def reset_password(database: Database, registry: Registry, email: str, password: str) -> int:
    """Give an account a new password and end all its sessions. Raises Absent, InvalidFields and NoProvider."""
    credential = await new_credential(SigninGateway(registry), email, password)
    async with database.write() as session:
        user_id = await _by_email(session, email)
        await session.execute(update(User).where(User.id == user_id).values(password_hash=credential))
        await end_sessions(session, user_id)
        await drop_tokens(session, user_id)
        audit(session, "user.reset_password", object=f"user:{user_id}", keys=("password",))
    return user_id


async def remove_second_factors(database: Database, email: str) -> int:
    """Take all second factors of an account away; its owner gets an email about it. Raises Absent."""
    async with database.write() as session:
        user_id = await _by_email(session, email)
        row = (await session.execute(select(User.email, User.language).where(User.id == user_id))).one()
        if await drop_second_factors(session, user_id):
            language = row.language or FALLBACK
            queue_email(session, SECOND_FACTOR_REMOVED, address=row.email, language=language, user_id=user_id)
            audit(session, "user.remove_second_factors", object=f"user:{user_id}")
    return user_id


async def _by_email(session: AsyncSession, email: str) -> int:
    user_id = (
        await session.execute(select(User.id).where(User.email_norm == (normal_email(email) or "")))
    ).scalar_one_or_none()
    if user_id is None:
        raise Absent("There is no account with this email address.")
    return user_id
