"""What users change about themselves: names, address, email preferences, and sign-in methods."""

from datetime import datetime

import msgspec
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError

from kernel.accounts.auth.account_emails import CHANGE, EMAIL_CHANGED, SIGNUP, VERIFY
from kernel.accounts.auth.email_tokens import claim_token, drop_tokens
from kernel.accounts.auth.rate_limits import AccountRateLimits
from kernel.accounts.auth.reauthentication import NOT_CURRENT, Reauthentication
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import User, UserIdentity, person_name_key
from kernel.accounts.second_step import needs_issuer
from kernel.accounts.validation import email_fault, name_fault, normal_email, tidy_name
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.data.database import Database, changed_rows
from kernel.core.errors import Absent, Conflict, Forbidden, InvalidFields
from kernel.core.field_errors import FieldError
from kernel.core.outbox import queue_email, withdraw_emails
from kernel.core.text.casefold_search import fold


class LinkedIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """A linked sign-in at a provider; `instance_id` is the instance of the last sign-in."""

    id: int
    instance_id: str
    created_at: datetime


class ProfileService:
    """Rules of a user's own data."""

    def __init__(self, database: Database, limits: AccountRateLimits, reauthentication: Reauthentication) -> None:
        self._database = database
        self._limits = limits
        self._reauthentication = reauthentication

    async def rename(self, user: CurrentUser, names: dict[str, str | None], peer: Peer) -> None:
        """Store first and last name, those that are given by their name in the API. Raises InvalidFields."""
        found = {field: fault for field, name in names.items() if (fault := name_fault(name)) is not None}
        if found:
            raise InvalidFields(found)
        columns = {"firstName": "first_name", "lastName": "last_name"}
        values = {columns[field]: tidy_name(name) for field, name in names.items()}
        if not values:
            return
        async with self._database.write() as session:
            held = select(User.first_name, User.last_name).where(User.id == user.id).with_for_update()
            if (stored := (await session.execute(held)).one_or_none()) is not None:
                name_key = person_name_key(**(stored._asdict() | values))
                await session.execute(update(User).where(User.id == user.id).values(**values, name_key=name_key))
            audit(session, "user.profile", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}", keys=tuple(names))

    async def prefer(self, user: CurrentUser, *, marketing: bool, peer: Peer) -> None:
        """Store whether the user wants marketing emails."""
        async with self._database.write() as session:
            await session.execute(update(User).where(User.id == user.id).values(email_marketing=marketing))
            keys = ("emailMarketingEnabled",)
            audit(session, "user.preferences", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}", keys=keys)

    async def ask_address(self, user: CurrentUser, email: str, current: str | None, peer: Peer) -> None:
        """Send a link to a new address, which replaces the old one when the link is used. Drops an earlier request.

        An address that has an account is treated like any other: its owner gets an email that says so.
        Raises InvalidFields with all bad fields, TooMany, and Forbidden (`reauthentication_required`).
        """
        found = {"email": fault} if (fault := email_fault(email)) is not None else {}
        if not found and normal_email(email) == normal_email(user.email):
            found["email"] = FieldError("same_email", "This is already your email address.")
        if not (await self._reauthentication.check(user, current, peer)).right:
            found["currentPassword"] = NOT_CURRENT
        if found:
            raise InvalidFields(found)
        await self._limits.email_by_user(user.id)
        await self._limits.email_to_address(normal_email(email) or "")
        async with self._database.write() as session:
            await withdraw_emails(session, user.id, (CHANGE,))
            await drop_tokens(session, user.id, "email")
            language = user.language or peer.spoken
            queue_email(session, CHANGE, address=email.strip(), language=language, user_id=user.id)
            audit(session, "user.ask_email", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}", keys=("email",))

    async def ask_confirmation(self, user: CurrentUser, peer: Peer) -> None:
        """Send the link that confirms the account's own address once more. Raises TooMany."""
        if user.email_verified:
            return
        await self._limits.email_by_user(user.id)
        async with self._database.write() as session:
            language = user.language or peer.spoken
            queue_email(session, VERIFY, address=user.email, language=language, user_id=user.id)

    async def confirm_address(self, token: str, peer: Peer) -> None:
        """Make the address to which a link was sent the verified one of its account; the old address gets an email.

        Raises Forbidden (`link_expired`), TooMany, and Conflict (`email_taken`) when it got another account meanwhile.
        """
        await self._limits.links(peer)
        try:
            await self._confirm(token, peer)
        except IntegrityError as error:
            raise Conflict("An account with this email address already exists.", code="email_taken") from error

    async def ways(self, user: CurrentUser) -> list[LinkedIdentity]:
        """Return the linked sign-ins at providers, oldest first."""
        columns = select(UserIdentity.id, UserIdentity.instance_id, UserIdentity.created_at)
        async with self._database.read() as connection:
            rows = await connection.execute(columns.where(UserIdentity.user_id == user.id).order_by(UserIdentity.id))
            return [LinkedIdentity(**row._asdict()) for row in rows]

    async def disconnect(self, user: CurrentUser, identity_id: int, peer: Peer) -> None:
        """Unlink one. Raises Absent, and Conflict (`last_way_in`) for the only sign-in method of the account."""
        async with self._database.write() as session:
            mine = UserIdentity.user_id == user.id
            usable = User.password_hash.is_not(None) & ~needs_issuer()
            held = select(usable).where(User.id == user.id).with_for_update()
            has_password = bool((await session.execute(held)).scalar_one_or_none())
            if not await changed_rows(session, delete(UserIdentity).where(mine, UserIdentity.id == identity_id)):
                raise Absent
            left = (await session.execute(select(func.count()).select_from(UserIdentity).where(mine))).scalar_one()
            if not has_password and not left:
                raise Conflict("This is your only way to sign in.", code="last_way_in")
            audit(session, "identity.disconnect", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}")

    async def _confirm(self, token: str, peer: Peer) -> None:
        async with self._database.write() as session:
            claimed = await claim_token(session, token, "email")
            user = (
                await session.execute(
                    select(User).where(User.id == claimed.user_id, User.disabled.is_(False)).with_for_update()
                )
            ).scalar_one_or_none()
            if user is None:
                raise Forbidden("This link is no longer valid.", code="link_expired")
            before, email_norm = user.email, normal_email(claimed.address) or ""
            about = {"actor_id": user.id, "ip": peer.ip, "object": f"user:{user.id}"}
            language = user.language or peer.spoken
            if not user.email_verified:
                user.email_verified, user.email_verified_at = True, clock.now()
                queue_email(session, SIGNUP, address=claimed.address, language=language, user_id=user.id)
            if user.email_norm == email_norm:
                audit(session, "user.verify_email", **about)  # type: ignore[arg-type]
                return
            user.email, user.email_norm, user.email_key = claimed.address, email_norm, fold(claimed.address)
            await drop_tokens(session, user.id)
            queue_email(session, EMAIL_CHANGED, address=before, language=language, user_id=user.id)
            audit(session, "user.email", keys=("email",), **about)  # type: ignore[arg-type]
