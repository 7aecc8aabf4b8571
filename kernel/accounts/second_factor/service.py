"""A user's own second factors: what there is, setting one up, removing it, new recovery codes."""

from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.account_emails import SECOND_FACTOR_ADDED, SECOND_FACTOR_REMOVED, AccountEmailKind
from kernel.accounts.auth.sessions import Peer
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import Passkey, Totp, User
from kernel.accounts.schemas import FactorProof
from kernel.accounts.second_factor.passkeys import PasskeyRefused, Passkeys
from kernel.accounts.second_factor.recovery_codes import codes_left, drop_codes, has_codes, replace_codes
from kernel.accounts.second_factor.totp import TotpCodes, qr_code, setup_uri
from kernel.accounts.second_factor.verification import NO_CODE, PASSKEY_REFUSED, WRONG_CODE, FactorVerification
from kernel.accounts.second_step import factors_of
from kernel.accounts.validation import name_fault, tidy_name
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.data.database import Database, changed_rows
from kernel.core.errors import Absent, Conflict, InvalidFields, SignedOut
from kernel.core.field_errors import FieldError
from kernel.core.outbox import queue_email

NO_NAME: Final = FieldError("no_name", "Please enter a name.")


class AuthenticatorApp(msgspec.Struct, frozen=True, kw_only=True):
    """The authenticator app of an account."""

    confirmed_at: datetime
    last_used_at: datetime | None


class OwnPasskey(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey of an account."""

    id: int
    name: str
    created_at: datetime
    last_used_at: datetime | None


class SecondFactors(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an account has."""

    app: AuthenticatorApp | None
    passkeys: tuple[OwnPasskey, ...]
    recovery_codes_left: int


class TotpSetup(msgspec.Struct, frozen=True, kw_only=True):
    """The secret of an app that is not confirmed yet: as text, and as a QR code (the address of an SVG picture)."""

    secret: str
    qr_code: str


class SecondFactorService:
    """Rules of a user's second factors. Every change asks for a recent sign-in first; the routes say so."""

    def __init__(
        self,
        database: Database,
        config: Config,
        totp_codes: TotpCodes,
        passkeys: Passkeys,
        verification: FactorVerification,
    ) -> None:
        self._database = database
        self._site_name = config.site.name
        self._totp_codes = totp_codes
        self._passkeys = passkeys
        self._verification = verification

    @property
    def passkeys_possible(self) -> bool:
        """Whether browsers can use passkeys at the site's address."""
        return self._passkeys.possible

    async def all(self, user: CurrentUser) -> SecondFactors:
        """Return what the user has; passkeys in the order in which they were added."""
        app = select(Totp.confirmed_at, Totp.last_used_at).where(
            Totp.user_id == user.id, Totp.confirmed_at.is_not(None)
        )
        passkeys = select(Passkey.id, Passkey.name, Passkey.created_at, Passkey.last_used_at)
        async with self._database.read() as connection:
            row = (await connection.execute(app)).one_or_none()
            listed = await connection.execute(passkeys.where(Passkey.user_id == user.id).order_by(Passkey.id))
            return SecondFactors(
                app=AuthenticatorApp(**row._asdict()) if row is not None else None,
                passkeys=tuple(OwnPasskey(**passkey._asdict()) for passkey in listed),
                recovery_codes_left=await codes_left(connection, user.id),
            )

    async def begin_app(self, user: CurrentUser) -> TotpSetup:
        """Return a new secret for an app, in place of one that was not confirmed. Raises Conflict (`app_present`)."""
        async with self._database.write() as session:
            await self._lock(session, user.id)
            secret = await self._totp_codes.begin_in(session, user.id)
        if secret is None:
            raise Conflict("An authenticator app is set up already. Remove it first.", code="app_present")
        return TotpSetup(secret=secret, qr_code=qr_code(setup_uri(secret, user.email, self._site_name)))

    async def confirm_app(self, user: CurrentUser, code: str, peer: Peer) -> list[str]:
        """Make the app a second factor; return recovery codes for an account without any, otherwise nothing.

        Raises InvalidFields for a wrong code and TooMany.
        """
        if not code.strip():
            raise InvalidFields({"code": NO_CODE})
        checked = await self._verification.count(user.id, FactorProof(code=code), "", peer)
        async with self._database.write() as session:
            await self._lock(session, user.id)
            if not await self._totp_codes.confirm_in(session, user.id, code):
                raise InvalidFields({"code": WRONG_CODE})
            codes = await self._added(session, user, "totp", peer)
        await self._verification.forget(checked)
        return codes

    async def remove_app(self, user: CurrentUser, peer: Peer) -> None:
        """Remove the app. Raises Absent."""
        async with self._database.write() as session:
            await self._lock(session, user.id)
            app = delete(Totp).where(Totp.user_id == user.id, Totp.confirmed_at.is_not(None))
            await self._removed(session, user, await changed_rows(session, app), "totp", peer)

    async def begin_passkey(self, user: CurrentUser) -> str:
        """Return what the browser needs to make a passkey. Raises Conflict (`passkeys_impossible`)."""
        try:
            return await self._passkeys.registration_options(user.id, user.email, _registration(user))
        except PasskeyRefused as error:
            raise Conflict("No further passkey can be added here.", code="passkeys_impossible") from error

    async def add_passkey(self, user: CurrentUser, name: str, answer: str, peer: Peer) -> list[str]:
        """Store the passkey that the browser has made; return recovery codes for an account without any.

        Raises InvalidFields.
        """
        tidy = _checked_name(name)
        challenge = await self._passkeys.take_challenge(user.id, _registration(user))
        try:
            passkey = self._passkeys.registered(user.id, tidy, answer, challenge)
        except PasskeyRefused as error:
            raise InvalidFields({"passkey": PASSKEY_REFUSED}) from error
        try:
            async with self._database.write() as session:
                await self._lock(session, user.id)
                session.add(passkey)
                await session.flush()
                return await self._added(session, user, "passkey", peer)
        except IntegrityError as error:  # an authenticator that is registered already, for whichever account
            raise InvalidFields({"passkey": PASSKEY_REFUSED}) from error

    async def rename_passkey(self, user: CurrentUser, passkey_id: int, name: str) -> None:
        """Give a passkey another name. Raises InvalidFields and Absent."""
        this = update(Passkey).where(Passkey.id == passkey_id, Passkey.user_id == user.id)
        async with self._database.write() as session:
            if not await changed_rows(session, this.values(name=_checked_name(name))):
                raise Absent

    async def remove_passkey(self, user: CurrentUser, passkey_id: int, peer: Peer) -> None:
        """Remove a passkey. Raises Absent."""
        async with self._database.write() as session:
            await self._lock(session, user.id)
            this = delete(Passkey).where(Passkey.id == passkey_id, Passkey.user_id == user.id)
            await self._removed(session, user, await changed_rows(session, this), "passkey", peer)

    async def renew_recovery_codes(self, user: CurrentUser, peer: Peer) -> list[str]:
        """Replace the recovery codes. Raises Conflict (`no_second_factor`) for a user whom they would not help."""
        async with self._database.write() as session:
            await self._lock(session, user.id)
            if not await factors_of(session, user.id):
                raise Conflict("There is no second factor.", code="no_second_factor")
            audit(session, "user.renew_recovery_codes", actor_id=user.id, ip=peer.ip, object=f"user:{user.id}")
            return await replace_codes(session, user.id)

    async def _lock(self, session: AsyncSession, user_id: int) -> None:
        """Let changes of one user's factors wait for each other. Raises SignedOut when the account is gone."""
        there = select(User.id).where(User.id == user_id, User.disabled.is_(False)).with_for_update()
        if (await session.execute(there)).first() is None:
            raise SignedOut

    async def _added(self, session: AsyncSession, user: CurrentUser, factor: str, peer: Peer) -> list[str]:
        _tell(session, user, SECOND_FACTOR_ADDED, peer)
        about = f"user:{user.id}"
        audit(session, "user.add_second_factor", actor_id=user.id, ip=peer.ip, object=about, keys=(factor,))
        return [] if await has_codes(session, user.id) else await replace_codes(session, user.id)

    async def _removed(self, session: AsyncSession, user: CurrentUser, count: int, factor: str, peer: Peer) -> None:
        """Report a removal; with the last factor, its recovery codes go. Raises Absent where nothing was removed."""
        if not count:
            raise Absent
        if not await factors_of(session, user.id):
            await drop_codes(session, user.id)
        _tell(session, user, SECOND_FACTOR_REMOVED, peer)
        about = f"user:{user.id}"
        audit(session, "user.remove_second_factor", actor_id=user.id, ip=peer.ip, object=about, keys=(factor,))


def _registration(user: CurrentUser) -> str:
    return f"register:{user.session_id}"


def _checked_name(name: str) -> str:
    """Return a name in the form in which it is stored. Raises InvalidFields."""
    tidy = tidy_name(name)
    fault = NO_NAME if tidy is None else name_fault(name)
    if tidy is None or fault is not None:
        raise InvalidFields({"name": fault or NO_NAME})
    return tidy


def _tell(session: AsyncSession, user: CurrentUser, kind: AccountEmailKind, peer: Peer) -> None:
    queue_email(session, kind, address=user.email, language=user.language or peer.spoken, user_id=user.id)
