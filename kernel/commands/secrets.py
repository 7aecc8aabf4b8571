"""`coverwright secrets rotate`: encrypts everything that is encrypted with the present key."""

import sys
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import select, tuple_, update

from kernel.accounts.auth.oauth.state import place_of_sign_in
from kernel.accounts.models import PendingSignIn, Totp
from kernel.accounts.second_factor.totp import place_of_totp
from kernel.core.config import Config
from kernel.core.data.database import Database, changed_rows
from kernel.core.vault import Vault, VaultError, open_vault
from kernel.migrations.upgrade import migrate
from kernel.providers.administration.instance_store import place_of
from kernel.providers.models import ProviderSecret, WebhookDelivery
from kernel.providers.webhooks.inbox import place_of_delivery
from kernel.site.signing.models import SigningCertificate
from kernel.site.signing.service import place_of_signing_key

BATCH: Final = 200
"""Rows that are changed in one transaction."""

_SEALED: Final[tuple[tuple[Any, Any, Callable[[Any], str]], ...]] = (
    (ProviderSecret, ProviderSecret.sealed, lambda row: place_of(row.instance_id, row.field)),
    (WebhookDelivery, WebhookDelivery.body, lambda row: place_of_delivery(row.instance_id, row.id)),
    (Totp, Totp.sealed, lambda row: place_of_totp(row.user_id)),
    (PendingSignIn, PendingSignIn.sealed, lambda row: place_of_sign_in(row.key_hash)),
    (SigningCertificate, SigningCertificate.sealed, place_of_signing_key),
)
"""Every table with an encrypted column, that column, and the place to which the text of a row is bound."""


async def rotate(config: Config) -> int:
    """Encrypt anew what an older key has encrypted; return 1 when something cannot be decrypted with any key."""
    await migrate(config)
    vault, database = open_vault(config), Database(config.database_url)
    try:
        results = [await _rotate(database, vault, *sealed) for sealed in _SEALED]
    finally:
        await database.aclose()
    done, lost = (sum(counts) for counts in zip(*results, strict=True))
    print(f"{done} secrets are encrypted with the present key now.")
    if lost:
        print(f"{lost} cannot be decrypted with any key: they were left as they are.", file=sys.stderr)
    return int(lost > 0)


async def _rotate(
    database: Database, vault: Vault, table: Any, sealed: Any, place: Callable[[Any], str]
) -> tuple[int, int]:
    """Return how many rows of one table were encrypted anew, and how many cannot be decrypted.

    A row that somebody changes meanwhile is left to them: they write with the present key.
    """
    keys = tuple(table.__table__.primary_key.columns)
    every = select(table.__table__).order_by(*keys).limit(BATCH)
    done = lost = 0
    query = every
    while True:
        async with database.write() as session:
            rows = (await session.execute(query)).all()
            for row in rows:
                old = getattr(row, sealed.key)
                try:
                    new = vault.reseal(old, place=place(row))
                except VaultError:
                    lost += 1
                    continue
                if new is not None:
                    this = [key == getattr(row, key.name) for key in keys]
                    changed = update(table).where(*this, sealed == old).values({sealed.key: new})
                    done += await changed_rows(session, changed)
        if len(rows) < BATCH:
            return done, lost
        query = every.where(tuple_(*keys) > tuple(getattr(rows[-1], key.name) for key in keys))
