"""Sign-ins under way at a provider's page: kept sealed, found by the browser that left, used once."""

from datetime import timedelta
from typing import Final

import msgspec
from sqlalchemy import delete, select

from kernel.accounts.models import PendingSignIn
from kernel.core import clock
from kernel.core.database import Database, changed_rows
from kernel.core.ids import token_hash
from kernel.core.vault import Vault, VaultError

MINUTES: Final = 10
"""How long somebody may take at the provider."""


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered of a sign-in until the browser returns. `user_id`: an account to connect with, if any."""

    instance_id: str
    nonce: str
    memory: dict[str, str]
    target: str
    counters: tuple[str, ...]
    user_id: int | None


class PendingStore:
    """Keeps pending sign-ins. A row is named by the hash of the browser's cookie and the state together.

    So a stolen state is worth nothing without the cookie, and one browser may have several sign-ins under way.
    """

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database = database
        self._vault = vault

    async def keep(self, browser: str, state: str, pending: Pending) -> None:
        """Store one, and drop those that nobody came back to."""
        key = _key(browser, state)
        sealed = self._vault.seal(msgspec.json.encode(pending).decode(), place=_place(key))
        now = clock.now()
        async with self._database.write() as session:
            await session.execute(delete(PendingSignIn).where(PendingSignIn.expires_at <= now))
            session.add(PendingSignIn(key_hash=key, sealed=sealed, expires_at=now + timedelta(minutes=MINUTES)))

    async def take(self, browser: str, state: str) -> Pending | None:
        """Return what is remembered and forget it; None when there is nothing, or no longer."""
        key = _key(browser, state)
        columns = select(PendingSignIn.sealed, PendingSignIn.expires_at).where(PendingSignIn.key_hash == key)
        async with self._database.read() as connection:
            row = (await connection.execute(columns)).one_or_none()
        if row is None:
            return None
        async with self._database.write() as session:
            gone = await changed_rows(session, delete(PendingSignIn).where(PendingSignIn.key_hash == key))
        if not gone or row.expires_at <= clock.now():  # of two returns at once only one finds the row
            return None
        try:
            return msgspec.json.decode(self._vault.open(row.sealed, place=_place(key)), type=Pending)
        except VaultError:  # the key was changed meanwhile
            return None


def _key(browser: str, state: str) -> str:
    return token_hash(f"{browser}.{state}")


def _place(key: str) -> str:
    return f"pending_sign_in:{key}"
