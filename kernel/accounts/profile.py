"""What people change about themselves: names, address, wishes for mail, and the ways in."""

from datetime import datetime

import msgspec
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError

from kernel.accounts.correspondence import CHANGE, EMAIL_CHANGED, SIGNUP, VERIFY
from kernel.accounts.current import CurrentUser
from kernel.accounts.fields import email_fault, name_fault, normal_email, tidy_name
from kernel.accounts.limits import Limits
from kernel.accounts.models import Identity, User
from kernel.accounts.proof import NOT_CURRENT, Proof
from kernel.accounts.sessions import Peer
from kernel.accounts.tokens import claim_token, drop_tokens
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.database import Database, changed_rows
from kernel.core.errors import Absent, Conflict, Forbidden, InvalidFields
from kernel.core.letters import withdraw_letters, write_letter
from kernel.core.objections import Objection


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """A sign-in elsewhere that is connected with an account; `instance_id` is where it came through last."""

    id: int
    instance_id: str
    created_at: datetime


class ProfileService:
    """Rules of one's own data."""

    def __init__(self, database: Database, limits: Limits, proof: Proof) -> None:
        self._database = database
        self._limits = limits
        self._proof = proof

    async def rename(self, user: CurrentUser, names: dict[str, str | None], peer: Peer) -> None:
        """Keep first and last name, those that are given by their name on the wire. Raises InvalidFields."""
        found = {field: fault for field, name in names.items() if (fault := name_fault(name)) is not None}
        if found:
            raise InvalidFields(found)
        columns = {"firstName": "first_name", "lastName": "last_name"}
        values = {columns[field]: tidy_name(name) for field, name in names.items()}
        if not values:
            return
        async with self._database.write() as session:
            await session.execute(update(User).where(User.id == user.id).values(**values))
            audit(session, "user.profile", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}", keys=tuple(names))

    async def prefer(self, user: CurrentUser, *, marketing: bool, peer: Peer) -> None:
        """Keep whether somebody wants news by mail."""
        async with self._database.write() as session:
            await session.execute(update(User).where(User.id == user.id).values(email_marketing=marketing))
            keys = ("emailMarketingEnabled",)
            audit(session, "user.preferences", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}", keys=keys)

    async def ask_address(self, user: CurrentUser, email: str, current: str | None, peer: Peer) -> None:
        """Send a link to a new address; it counts from when the link is used. An earlier wish for another one ends.

        An address that has an account is treated like any other: its owner gets a letter that says so.
        Raises InvalidFields with all bad fields, TooMany, and Forbidden (`reauth_required`).
        """
        found = {"email": fault} if (fault := email_fault(email)) is not None else {}
        if not found and normal_email(email) == normal_email(user.email):
            found["email"] = Objection("same_email", "This is your address already.")
        if not (await self._proof.check(user, current, peer)).right:
            found["currentPassword"] = NOT_CURRENT
        if found:
            raise InvalidFields(found)
        await self._limits.own_letter(user.id)
        async with self._database.write() as session:
            await withdraw_letters(session, user.id, (CHANGE,))
            await drop_tokens(session, user.id, "email")
            language = user.language or peer.spoken
            write_letter(session, CHANGE, address=email.strip(), language=language, user_id=user.id)
            audit(session, "user.ask_email", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}", keys=("email",))

    async def ask_confirmation(self, user: CurrentUser, peer: Peer) -> None:
        """Send the link that confirms the account's own address once more. Raises TooMany."""
        if user.email_verified:
            return
        await self._limits.own_letter(user.id)
        async with self._database.write() as session:
            language = user.language or peer.spoken
            write_letter(session, VERIFY, address=user.email, language=language, user_id=user.id)

    async def confirm_address(self, token: str, peer: Peer) -> None:
        """Make the address that a link was sent to the verified one of its account; the old one is told.

        Raises Forbidden (`link_expired`), TooMany, and Conflict (`email_taken`) when it got another account meanwhile.
        """
        await self._limits.links(peer)
        try:
            await self._confirm(token, peer)
        except IntegrityError as error:
            raise Conflict("There is an account with this e-mail address already.", code="email_taken") from error

    async def ways(self, user: CurrentUser) -> list[Way]:
        """Return the sign-ins elsewhere that are connected, oldest first."""
        columns = select(Identity.id, Identity.instance_id, Identity.created_at)
        async with self._database.read() as connection:
            rows = await connection.execute(columns.where(Identity.user_id == user.id).order_by(Identity.id))
            return [Way(**row._asdict()) for row in rows]

    async def disconnect(self, user: CurrentUser, identity_id: int, peer: Peer) -> None:
        """Take one away. Raises Absent, and Conflict (`last_way_in`) for the only way into the account."""
        async with self._database.write() as session:
            mine = Identity.user_id == user.id
            held = select(User.password_hash).where(User.id == user.id).with_for_update()
            password = (await session.execute(held)).scalar_one_or_none()
            if not await changed_rows(session, delete(Identity).where(mine, Identity.id == identity_id)):
                raise Absent
            left = (await session.execute(select(func.count()).select_from(Identity).where(mine))).scalar_one()
            if password is None and not left:
                raise Conflict("This is the only way into your account.", code="last_way_in")
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
                raise Forbidden("This link is not valid any more.", code="link_expired")
            before, email_norm = user.email, normal_email(claimed.address) or ""
            about = {"actor_id": user.id, "ip": peer.ip, "object": f"user:{user.id}"}
            language = user.language or peer.spoken
            if not user.email_verified:
                user.email_verified, user.email_verified_at = True, clock.now()
                write_letter(session, SIGNUP, address=claimed.address, language=language, user_id=user.id)
            if user.email_norm == email_norm:
                audit(session, "user.verify_email", **about)  # type: ignore[arg-type]
                return
            user.email, user.email_norm = claimed.address, email_norm
            await drop_tokens(session, user.id, "reset")
            write_letter(session, EMAIL_CHANGED, address=before, language=language, user_id=user.id)
            audit(session, "user.email", keys=("email",), **about)  # type: ignore[arg-type]
