"""Set-up: a one-time token makes the first administrator. Being the first visitor is not enough."""

import contextlib
import logging
import os
import tempfile
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import ColumnElement, CursorResult, exists, select, update
from sqlalchemy.exc import IntegrityError

from kernel.accounts.admin.admins import create_admin, has_admin, install_admin, new_credential
from kernel.accounts.auth.rate_limits import AccountRateLimits, KnownDevices
from kernel.accounts.auth.service import SignedIn, signed_in
from kernel.accounts.auth.sessions import Peer, start_session
from kernel.accounts.auth.signin_gateway import SigninGateway
from kernel.accounts.models import SetupState, User
from kernel.core import clock
from kernel.core.audit import audit
from kernel.core.config import Config, ConfigError, read_env
from kernel.core.data.database import Database
from kernel.core.data.ids import new_token, token_hash
from kernel.core.errors import Conflict, Forbidden, InvalidFields, NoProvider
from kernel.providers import Registry

log = logging.getLogger(__name__)

ROW: Final = 1
METHOD: Final = "setup"


def token_file(config: Config) -> Path:
    """Return where the token is stored for an operator who did not see it printed."""
    return config.data_dir / "setup-token"


async def prepare_setup(
    database: Database, config: Config, registry: Registry, env: Mapping[str, str] | None = None
) -> str | None:
    """Return the set-up link while there is no administrator, otherwise None; called at each start.

    `COVERWRIGHT_ADMIN_EMAIL` with `COVERWRIGHT_ADMIN_PASSWORD[_FILE]` makes the administrator instead, once. Each start
    makes a new token; only its hash is stored, and the token itself in the data folder, readable by the operator only.
    Raises ConfigError for an invalid pair of variables.
    """
    if await make_named_administrator(database, registry, os.environ if env is None else env):
        token_file(config).unlink(missing_ok=True)
        return None
    token = new_token()
    try:
        waiting = await _store_token(database, config, token)
    except IntegrityError:  # another launcher added the row at the same moment
        waiting = await _store_token(database, config, token)
    if not waiting:
        token_file(config).unlink(missing_ok=True)
        return None
    _write_private(token_file(config), token)
    return f"{config.public_url}/setup#token={token}"


async def _store_token(database: Database, config: Config, token: str) -> bool:
    """Store the token's hash in place of an earlier one, unless there is an administrator; return whether it did."""
    async with database.write() as session:
        if await has_admin(session):
            return False
        row = await session.get(SetupState, ROW, with_for_update=True) or SetupState(id=ROW)
        row.token_hash, row.claimed_at = token_hash(token), None
        row.expires_at = clock.now() + timedelta(hours=config.accounts.setup_token_hours)
        session.add(row)
    return True


def names_administrator(env: Mapping[str, str]) -> bool:
    """Return whether the environment names an administrator, who must be there before anybody signs in."""
    return bool(env.get("COVERWRIGHT_ADMIN_EMAIL"))


async def make_named_administrator(database: Database, registry: Registry, env: Mapping[str, str]) -> bool:
    """Make the administrator that the environment names, if there is none; return whether there is one now.

    Raises ConfigError for an invalid pair of variables.
    """
    email, password = env.get("COVERWRIGHT_ADMIN_EMAIL"), read_env(env, "COVERWRIGHT_ADMIN_PASSWORD")
    if not email and not password:
        return False
    if not email or not password:
        raise ConfigError("COVERWRIGHT_ADMIN_EMAIL and COVERWRIGHT_ADMIN_PASSWORD[_FILE] go together")
    async with database.read() as connection:
        if await has_admin(connection):
            return True
    try:
        await create_admin(database, registry, email, password)
    except InvalidFields as error:
        names = {"email": "COVERWRIGHT_ADMIN_EMAIL", "password": "COVERWRIGHT_ADMIN_PASSWORD"}
        raise ConfigError("; ".join(f"{names[field]}: {text}" for field, text in error.fields.items())) from error
    except NoProvider as error:
        raise ConfigError("COVERWRIGHT_ADMIN_PASSWORD needs a sign-in instance with passwords in [routes]") from error
    log.info("made the administrator that the environment names")
    return True


def _write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, atomically."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".setup-")
    with os.fdopen(handle, "w") as file:
        file.write(text + "\n")
    os.replace(name, path)


class SetupService:
    """Exchanges the token for the first administrator."""

    def __init__(
        self,
        database: Database,
        config: Config,
        gateway: SigninGateway,
        limits: AccountRateLimits,
        devices: KnownDevices,
    ) -> None:
        self._database = database
        self._config = config
        self._gateway = gateway
        self._limits = limits
        self._devices = devices

    async def claim(self, token: str, email: str, password: str, peer: Peer) -> SignedIn:
        """Make the first administrator and sign them in.

        Raises Forbidden (`setup_refused`), the same for a wrong, used and expired token; InvalidFields and TooMany.
        Only the holder of the token learns what is wrong with the fields, so an invalid password does not use it up.
        """
        await self._limits.setup(peer)
        hashed = token_hash(token)
        async with self._database.read() as connection:
            good = (await connection.execute(select(SetupState.id).where(*self._claimable(hashed)))).first()
        if good is None:
            raise await self._refusal(peer)
        credential = await new_credential(self._gateway, email, password)
        try:
            user_id, session_token = await self._install(hashed, email, credential, peer)
        except IntegrityError as error:
            raise Conflict("This email address has just been taken. Please try again.", code="email_taken") from error
        if user_id is None:
            raise await self._refusal(peer)
        with contextlib.suppress(OSError):
            token_file(self._config).unlink(missing_ok=True)
        return await signed_in(self._database, self._config, self._devices, session_token, peer)

    async def _install(self, hashed: str, email: str, credential: str, peer: Peer) -> tuple[int | None, str]:
        """Use the token up and make the administrator, in one transaction; None when the token was used meanwhile."""
        async with self._database.write() as session:
            claim = update(SetupState).where(*self._claimable(hashed)).values(claimed_at=clock.now())
            result = await session.execute(claim)
            if not (isinstance(result, CursorResult) and result.rowcount == 1):
                return None, ""
            user_id = await install_admin(session, email, credential)
            token = await start_session(session, self._config, user_id, METHOD, peer)
            audit(session, "admin.setup", actor_id=user_id, ip=peer.ip, object=f"user:{user_id}", keys=("isAdmin",))
            return user_id, token

    def _claimable(self, hashed: str) -> tuple[ColumnElement[bool], ...]:
        """Return the conditions of the one UPDATE that only one of several claims passes."""
        admin = exists().where(User.is_admin.is_(True), User.disabled.is_(False))
        return (
            SetupState.id == ROW,
            SetupState.claimed_at.is_(None),
            SetupState.token_hash == hashed,
            SetupState.expires_at > clock.now(),
            ~admin,
        )

    async def _refusal(self, peer: Peer) -> Forbidden:
        """Record the failed claim and return the error to answer with."""
        async with self._database.write() as session:
            audit(session, "admin.setup", ip=peer.ip, outcome="refused")
        return Forbidden("This set-up link is no longer valid.", code="setup_refused")
