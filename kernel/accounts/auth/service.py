"""Rules of accounts: register, sign in, sign out, set the language."""

from typing import Final

import msgspec
from sqlalchemy import CursorResult, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import VERIFY
from kernel.accounts.auth.new_devices import NewDevices
from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.sessions import Peer, find_session, start_session
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import Session, User
from kernel.accounts.second_step import SecondStep, email_links_are_on, has_second_factor, hold_sign_in, needs_issuer
from kernel.accounts.validation import (
    NO_EMAIL,
    email_fault,
    name_fault,
    normal_email,
    password_fault,
    tidy_name,
    too_long,
)
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.ids import token_hash
from kernel.core.errors import Conflict, Forbidden, InvalidFields, SignedOut
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.outbox import queue_email

NO_PASSWORD: Final = FieldError("no_password", "Please enter your password.")
WRONG: Final = "The email address or the password is not right."
EMAIL_LINK: Final = "email_link"
"""What a session names as its way in that a mailed link started; no instance can have this id."""
MAX_TYPED: Final = 1024
"""Maximum length of a typed address or password, in characters; longer input is refused unread."""


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    """What a visitor typed to sign in."""

    email: str
    password: str


class NewAccount(msgspec.Struct, frozen=True, kw_only=True):
    """What a visitor typed to create an account."""

    email: str
    password: str
    first_name: str | None = None
    last_name: str | None = None


class SignedIn(msgspec.Struct, frozen=True, kw_only=True):
    """A new session: the user, the token for its cookie, and the cookie of the device."""

    user: CurrentUser
    token: str
    device: str


def issuer_required() -> Forbidden:
    """Return the refusal of an administrator's password while administrators need an issuer."""
    return Forbidden("Administrators sign in through the issuer here.", code="issuer_required")


def record_sign_in(session: AsyncSession, user_id: int, peer: Peer, second_step: SecondStep | None = None) -> None:
    """Add a sign-in to the audit trail: one that is complete, or one that waits for the second factor."""
    outcome = "ok" if second_step is None else "second_factor_needed"
    audit(session, "user.sign_in", actor_id=user_id, ip=peer.ip, object=f"user:{user_id}", outcome=outcome)


async def admit(session: AsyncSession, user_id: int, peer: Peer) -> None:
    """Note when a user came, who is about to be signed in without a password, and in which language.

    Raises Forbidden (`account_disabled`, `issuer_required`).
    """
    row = (await session.execute(select(User.disabled, needs_issuer()).where(User.id == user_id))).one_or_none()
    if row is None or row[0]:
        raise Forbidden("This account is disabled.", code="account_disabled")
    if row[1]:
        raise issuer_required()
    seen = {"last_seen_at": clock.now(), "language": func.coalesce(User.language, peer.language)}
    await session.execute(update(User).where(User.id == user_id).values(**seen))


async def signed_in(database: Database, config: Config, devices: KnownDevices, token: str, peer: Peer) -> SignedIn:
    """Return the session that has just been started with a token. Raises SignedOut for one that has ended since."""
    found = await find_session(database, config, token)
    if found is None:
        raise SignedOut
    return SignedIn(user=found.user, token=token, device=devices.issue(found.user.id, peer.device))


class AccountService:
    """Rules of registering and signing in. Takes the database; knows no HTTP and no vendor."""

    def __init__(
        self,
        database: Database,
        config: Config,
        gateway: SigninGateway,
        limits: AccountRateLimits,
        devices: KnownDevices,
        new_devices: NewDevices,
    ) -> None:
        self._database = database
        self._config = config
        self._gateway = gateway
        self._limits = limits
        self._devices = devices
        self._new_devices = new_devices

    async def email_links_are_on(self) -> bool:
        """Return whether people can sign in with a mailed link."""
        async with self._database.read() as connection:
            return await email_links_are_on(connection)

    async def register(self, form: NewAccount, peer: Peer) -> SignedIn:
        """Create an account and sign it in at once.

        Raises InvalidFields with all bad fields, Forbidden where registration is closed, TooMany, and Conflict
        (`email_taken`) for an address that has an account. That answer reveals who has one; without a working mail
        service there is no other way to inform the owner, so the number of answers per client address is limited
        instead.
        """
        if not self._config.accounts.registration:
            raise Forbidden("Registration is closed.", code="registration_closed")
        faults = {
            "email": email_fault(form.email),
            "password": password_fault(form.password, form.email),
            "firstName": name_fault(form.first_name),
            "lastName": name_fault(form.last_name),
        }
        found: dict[str, FieldFault] = {field: text for field, text in faults.items() if text is not None}
        counters = await self._limits.registration(peer)
        credential = ""
        if "password" not in found:
            try:
                credential = await self._gateway.enroll(form.password)
            except InvalidFields as error:
                found |= error.fields
        if found:
            await self._limits.take_back(counters)
            raise InvalidFields(found)
        user = User(
            email=form.email.strip(),
            email_norm=normal_email(form.email) or "",
            first_name=tidy_name(form.first_name),
            last_name=tidy_name(form.last_name),
            password_hash=credential,
            language=peer.language,
            last_seen_at=clock.now(),
        )
        try:
            async with self._database.write() as session:
                session.add(user)
                await session.flush()
                audit(session, "user.register", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}")
                queue_email(session, VERIFY, address=user.email, language=peer.spoken, user_id=user.id)
                token = await start_session(session, self._config, user.id, self._gateway.form().id, peer)
        except IntegrityError as error:
            raise Conflict("An account with this email address already exists.", code="email_taken") from error
        return await signed_in(self._database, self._config, self._devices, token, peer)

    async def sign_in(self, form: Credentials, peer: Peer) -> SignedIn | SecondStep:
        """Check a password and start a session, or wait for the second factor of a user who has one.

        Raises SignedOut (`invalid_credentials`), the same and as late for an unknown account as for a wrong password;
        InvalidFields, TooMany, NoProvider, and Forbidden (`account_disabled`, `issuer_required`) for one who knows the
        password.
        """
        self._check_typed(form)
        method = self._gateway.form()
        email_norm = normal_email(form.email)
        row = None
        if email_norm is not None:
            columns = select(
                User.id,
                User.password_hash,
                User.disabled,
                has_second_factor().label("has_second_factor"),
                needs_issuer().label("needs_issuer"),
            ).where(User.email_norm == email_norm)
            async with self._database.read() as connection:
                row = (await connection.execute(columns)).one_or_none()
        device = self._devices.known(peer.device, row.id) if row is not None else None
        counters = await self._limits.sign_in(email_norm or form.email, peer, device)
        stored: str | None = row.password_hash if row is not None else None
        identity = await self._gateway.verify(method, email_norm or form.email, form.password, stored)
        if identity is None or row is None or stored is None:
            await self._record_failure(row.id if row is not None else None, peer, "wrong_credentials")
            raise SignedOut(WRONG, code="invalid_credentials")
        if row.disabled:
            await self._record_failure(row.id, peer, "disabled")
            raise Forbidden("This account is disabled.", code="account_disabled")
        if row.needs_issuer:
            await self._record_failure(row.id, peer, "issuer_required")
            raise issuer_required()
        new_device = None if row.has_second_factor else await self._new_devices.find(row.id, peer)
        async with self._database.write() as session:
            if not await self._still_theirs(session, row.id, stored, identity.credential, peer):
                raise SignedOut(WRONG, code="invalid_credentials")
            second_step = await hold_sign_in(session, row.id, method.id)
            if second_step is None:
                token = await start_session(session, self._config, row.id, method.id, peer)
                if new_device is not None:
                    new_device.queue_email_in(session)
            record_sign_in(session, row.id, peer, second_step)
        await self._limits.take_back(counters)
        return second_step or await signed_in(self._database, self._config, self._devices, token, peer)

    async def sign_out(self, user: CurrentUser | None, peer: Peer) -> None:
        """End the session of the request. An unknown token changes nothing."""
        if user is None or peer.token is None:
            return
        async with self._database.write() as session:
            await session.execute(delete(Session).where(Session.token_hash == token_hash(peer.token)))
            audit(session, "user.sign_out", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}")

    async def set_language(self, user: CurrentUser, code: str) -> None:
        """Store the language that the user chose."""
        if user.language == code:
            return
        async with self._database.write() as session:
            await session.execute(update(User).where(User.id == user.id).values(language=code))

    def _check_typed(self, form: Credentials) -> None:
        found: dict[str, FieldFault] = {}
        for field, text, missing in (
            ("email", form.email.strip(), NO_EMAIL),
            ("password", form.password, NO_PASSWORD),
        ):
            if not text:
                found[field] = missing
            elif len(text) > MAX_TYPED:
                found[field] = too_long(MAX_TYPED)
        if found:
            raise InvalidFields(found)

    async def _still_theirs(
        self, session: AsyncSession, user_id: int, stored: str, fresh: str | None, peer: Peer
    ) -> bool:
        """Store a new hash and return whether the password that was checked is still the account's.

        It may have been replaced during the check; a session on the old one would outlive the change. A language that
        was chosen in this browser before the account had one becomes the account's.
        """
        result = await session.execute(
            update(User)
            .where(User.id == user_id, User.password_hash == stored, User.disabled.is_(False))
            .values(
                password_hash=fresh or stored,
                last_seen_at=clock.now(),
                language=func.coalesce(User.language, peer.language),
            )
        )
        return isinstance(result, CursorResult) and result.rowcount == 1

    async def _record_failure(self, user_id: int | None, peer: Peer, outcome: str) -> None:
        """Record the failure. The input is not stored: people type passwords into the wrong field."""
        about = f"user:{user_id}" if user_id is not None else ""
        async with self._database.write() as session:
            audit(session, "user.sign_in", ip=peer.ip, object=about, outcome=outcome)
