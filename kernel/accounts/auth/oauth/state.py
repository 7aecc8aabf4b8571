"""Pending sign-ins at a provider's page: stored encrypted, tied to the browser that left, used once."""

from datetime import timedelta
from typing import Final

import msgspec
from sqlalchemy import delete, select

from kernel.accounts.models import PendingSignIn
from kernel.core import clock
from kernel.core.data.database import Database, changed_rows
from kernel.core.data.ids import token_hash
from kernel.core.vault import Vault, VaultError

MINUTES: Final = 10
"""How long a user may take at the provider."""


class OAuthState(msgspec.Struct, frozen=True, kw_only=True):
    """What is stored of a sign-in until the browser returns. `user_id`: an account to link with, if any."""

    instance_id: str
    nonce: str
    memory: dict[str, str]
    target: str
    counters: tuple[str, ...]
    user_id: int | None


class OAuthStateStore:
    """Stores pending sign-ins. The key of a row is the hash of the browser's cookie and the state together.

    So a stolen state is worth nothing without the cookie, and one browser may have several pending sign-ins.
    """

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def save(self, browser: str, state: str, pending: OAuthState) -> None:
        """Store one, and delete expired ones."""
        key = _key(browser, state)
        sealed = self._vault.seal(msgspec.json.encode(pending).decode(), place=place_of_sign_in(key))
        now = clock.now()
        async with self._database.write() as session:
            await session.execute(delete(PendingSignIn).where(PendingSignIn.expires_at <= now))
            session.add(PendingSignIn(key_hash=key, sealed=sealed, expires_at=now + timedelta(minutes=MINUTES)))

    async def consume(self, browser: str, state: str) -> OAuthState | None:
        """Return a pending sign-in and delete it; None when there is none, or it has expired."""
        key = _key(browser, state)
        columns = select(PendingSignIn.sealed, PendingSignIn.expires_at).where(PendingSignIn.key_hash == key)
        async with self._database.read() as connection:
            row = (await connection.execute(columns)).one_or_none()
        if row is None:
            return None
        async with self._database.write() as session:
            gone = await changed_rows(session, delete(PendingSignIn).where(PendingSignIn.key_hash == key))
        if not gone or row.expires_at <= clock.now():  # when the same return arrives twice, only one finds the row
            return None
        try:
            return msgspec.json.decode(self._vault.open(row.sealed, place=place_of_sign_in(key)), type=OAuthState)
        except VaultError:  # the key was changed meanwhile
            return None


def _key(browser: str, state: str) -> str:
    return token_hash(f"{browser}.{state}")


def place_of_sign_in(key: str) -> str:
    """Return the place to which a pending sign-in is bound; `key` is that of its row."""
    return f"pending_sign_in:{key}"
