"""Sign-in at a provider's own page: send the browser there, and handle its return."""

import logging
from collections.abc import Mapping

import msgspec
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.auth.new_devices import NewDevice, NewDevices
from kernel.accounts.auth.oauth.identity_linking import add_account, find_account, link_identity
from kernel.accounts.auth.oauth.state import OAuthState, OAuthStateStore
from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.service import record_sign_in
from kernel.accounts.auth.sessions import Peer, start_session
from kernel.accounts.auth.signin_gateway import SigninGateway, SigninMethod
from kernel.accounts.current_user import CurrentUser
from kernel.accounts.models import User, UserIdentity
from kernel.accounts.second_step import SecondStep, hold_sign_in
from kernel.accounts.validation import normal_email
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.data.ids import new_token
from kernel.core.errors import AppError, Forbidden
from kernel.core.web.access import is_recent, reauthentication_required
from kernel.spi import AuthFailed, InvalidRequest, ProofTooWeak, SigninBegin, SigninReturn
from kernel.spi import Identity as Person

log = logging.getLogger(__name__)


class OAuthStart(msgspec.Struct, frozen=True, kw_only=True):
    """Where to send the browser, and the cookie by which it is recognized when it returns."""

    url: str
    browser: str


class OAuthReturn(msgspec.Struct, frozen=True, kw_only=True):
    """A new session: the token for its cookie, the cookie of the device, and the user's language."""

    token: str
    device: str
    language: str | None


OAuthArrival = OAuthReturn | SecondStep
"""Where a return ends: in a session, or before the second factor of an account that has one."""


class OAuthService:
    """Rules of signing in at a provider's page. Every refusal is an AppError whose code the page /sign-in explains."""

    def __init__(
        self,
        database: Database,
        config: Config,
        gateway: SigninGateway,
        limits: AccountRateLimits,
        devices: KnownDevices,
        new_devices: NewDevices,
        pending: OAuthStateStore,
    ) -> None:
        self._database = database
        self._config = config
        self._gateway = gateway
        self._limits = limits
        self._devices = devices
        self._new_devices = new_devices
        self._pending = pending

    async def start(
        self, instance_id: str, target: str, browser: str | None, connecting: CurrentUser | None, peer: Peer
    ) -> OAuthStart:
        """Store a pending sign-in and return where to send the browser; `connecting` is the user who links another one.

        Raises NoProvider, TooMany, and Forbidden (`reauthentication_required`) when the user's own sign-in was too long
        ago: an unlocked screen must not be enough to add a permanent way to sign in.
        """
        if connecting is not None and not is_recent(connecting):
            raise reauthentication_required()
        method = self._gateway.redirect(instance_id)
        counters = await self._limits.redirect(peer)
        state, nonce = new_token(), new_token()
        return_url = f"{self._config.public_url}/api/auth/{instance_id}/return"
        redirect = await self._gateway.begin(method, SigninBegin(return_url=return_url, state=state, nonce=nonce))
        browser = browser or new_token()
        pending = OAuthState(
            instance_id=instance_id,
            nonce=nonce,
            memory=redirect.memory,
            target=target,
            counters=counters,
            user_id=connecting.id if connecting else None,
        )
        await self._pending.save(browser, state, pending)
        return OAuthStart(url=redirect.url, browser=browser)

    async def resume(self, instance_id: str, state: str | None, browser: str | None) -> OAuthState:
        """Return the sign-in from which a browser returns, once.

        Raises Forbidden (`sign_in_expired`), the same for a state of another browser or instance, used, old or made up.
        """
        pending = await self._pending.consume(browser, state) if browser and state else None
        if pending is None or pending.instance_id != instance_id:
            raise Forbidden("This sign-in is no longer valid.", code="sign_in_expired")
        return pending

    async def finish(
        self, pending: OAuthState, fields: Mapping[str, str], user: CurrentUser | None, peer: Peer
    ) -> OAuthArrival | None:
        """Sign the returning user in, or link the identity with the account that asked for it, without a new session.

        Raises Forbidden (`sign_in_denied`, `sign_in_failed`, `sign_in_too_weak`, `sign_in_expired`, `account_disabled`,
        `email_missing`, `registration_closed`), Conflict (`link_required`, `identity_taken`), TooMany and NoProvider.
        """
        try:
            arrival = await self._finish(pending, fields, user, peer)
        except AppError as error:
            about = f"instance:{pending.instance_id}"
            async with self._database.write() as session:
                audit(session, "user.sign_in", ip=peer.ip, object=about, outcome=error.code)
            raise
        await self._limits.take_back(pending.counters)
        return arrival

    async def logout_url(self, user: CurrentUser | None) -> str | None:
        """Return the provider's sign-out page for a session that was started there; None when there is none."""
        if user is None:
            return None
        columns = select(UserIdentity.issuer, UserIdentity.subject).where(
            UserIdentity.user_id == user.id, UserIdentity.instance_id == user.method
        )
        async with self._database.read() as connection:
            row = (await connection.execute(columns.order_by(UserIdentity.id.desc()).limit(1))).one_or_none()
        if row is None:
            return None
        return await self._gateway.logout_url(user.method, Person(issuer=row.issuer, subject=row.subject))

    async def _finish(
        self, pending: OAuthState, fields: Mapping[str, str], user: CurrentUser | None, peer: Peer
    ) -> OAuthArrival | None:
        method = self._gateway.redirect(pending.instance_id)
        person = await self._person(method, pending, fields)
        if pending.user_id is not None and (user is None or user.id != pending.user_id):
            raise Forbidden("This sign-in is no longer valid.", code="sign_in_expired")
        try:
            return await self._admit(person, method, pending.user_id, peer)
        except IntegrityError:  # two returns of one new person at the same time: now the other's row is found
            return await self._admit(person, method, pending.user_id, peer)

    async def _person(self, method: SigninMethod, pending: OAuthState, fields: Mapping[str, str]) -> Person:
        request = SigninReturn(fields=fields, memory=pending.memory, nonce=pending.nonce)
        try:
            return await self._gateway.complete(method, request)
        except InvalidRequest as error:
            raise Forbidden("The sign-in was not completed.", code="sign_in_denied") from error
        except ProofTooWeak as error:
            log.info("sign-in instance %s: %s", method.id, error.detail)
            raise Forbidden("This site asks for a stronger or more recent sign-in.", code="sign_in_too_weak") from error
        except AuthFailed as error:
            log.warning("sign-in instance %s refused a return: %s", method.id, error.detail)
            raise Forbidden("The sign-in could not be verified.", code="sign_in_failed") from error

    async def _admit(
        self, person: Person, method: SigninMethod, user_id: int | None, peer: Peer
    ) -> OAuthArrival | None:
        if user_id is None:
            return await self._enter(person, method, peer)
        await self._connect(person, method, user_id, peer)
        return None

    async def _connect(self, person: Person, method: SigninMethod, user_id: int, peer: Peer) -> None:
        async with self._database.write() as session:
            if await link_identity(session, person, method.id, user_id):
                audit(session, "identity.connect", actor_id=user_id, ip=peer.ip, object=f"user:{user_id}")

    async def _enter(self, person: Person, method: SigninMethod, peer: Peer) -> OAuthArrival:
        async with self._database.write() as session:
            user_id = await find_account(session, person, method.id)
        if user_id is not None:
            new_device = await self._new_devices.find(user_id, peer)
            async with self._database.write() as session:
                return await self._open(session, user_id, person, method, peer, new_device)
        await self._check_stranger(person, method, peer)
        async with self._database.write() as session:
            user_id = await add_account(session, person, method.id)
            audit(session, "user.register", actor_id=user_id, ip=peer.ip, object=f"user:{user_id}")
            return await self._open(session, user_id, person, method, peer)

    async def _check_stranger(self, person: Person, method: SigninMethod, peer: Peer) -> None:
        """Raise Forbidden or TooMany when no account may be created for a new identity."""
        if not (method.registration and self._config.accounts.registration):
            raise Forbidden("Registration is closed.", code="registration_closed")
        if normal_email(person.email or "") is None:
            raise Forbidden("The provider did not share an email address.", code="email_missing")
        await self._limits.registration(peer)

    async def _open(
        self,
        session: AsyncSession,
        user_id: int,
        person: Person,
        method: SigninMethod,
        peer: Peer,
        new_device: NewDevice | None = None,
    ) -> OAuthArrival:
        """Start a session in the caller's transaction, unless a second factor is to be shown here first."""
        alive = update(User).where(User.id == user_id, User.disabled.is_(False))
        # a language that was chosen before the account had one becomes the account's
        seen = alive.values(last_seen_at=clock.now(), language=func.coalesce(User.language, peer.language))
        row = (await session.execute(seen.returning(User.language))).one_or_none()
        if row is None:
            raise Forbidden("This account is disabled.", code="account_disabled")
        if not person.multi_factor:
            held = await hold_sign_in(session, user_id, method.id, issuer_session=person.session_id)
            if held is not None:
                record_sign_in(session, user_id, peer, held)
                return held
        token = await start_session(session, self._config, user_id, method.id, peer, issuer_session=person.session_id)
        record_sign_in(session, user_id, peer)
        if new_device is not None:
            new_device.queue_email_in(session)
        return OAuthReturn(token=token, device=self._devices.issue(user_id, peer.device), language=row.language)
