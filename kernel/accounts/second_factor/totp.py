"""Codes of an authenticator app (TOTP, RFC 6238): six digits, every 30 seconds."""

import hmac
import logging
from typing import Final

import pyotp
from sqlalchemy import or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import Totp
from kernel.core import clock
from kernel.core.data.database import changed_rows, insert_into
from kernel.core.vault import Vault, VaultError

log = logging.getLogger(__name__)

STEP_S: Final = 30
STEPS_APART: Final = (0, -1, 1)
"""A code of the step before or after counts, too (RFC 6238 §5.2): clocks differ, and typing takes a while."""

QR_SCALE: Final = 5
"""Pixels of one module."""


def place_of_totp(user_id: int) -> str:
    """Return the place to which the secret of a user's app is bound."""
    return f"totp:{user_id}"


def matching_step(secret: str, code: str) -> int | None:
    """Return the time step of a code that is valid now, None for any other."""
    typed, codes = "".join(code.split()), pyotp.TOTP(secret)
    now = int(clock.now_unix()) // STEP_S
    found = None
    for apart in STEPS_APART:  # all of them, whichever fits
        if hmac.compare_digest(codes.generate_otp(max(now + apart, 0)).encode(), typed.encode()) and found is None:
            found = now + apart
    return found


def setup_uri(secret: str, email: str, site: str) -> str:
    """Return the address that an app reads from the QR code; it shows the site and the account."""
    return pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=site)


def qr_code(uri: str) -> str:
    """Return a QR code as the address of an SVG picture, dark on white with the quiet zone that readers need."""
    import segno  # takes as long to load as a tenth of the whole server, and few ask for a code

    return str(segno.make(uri, error="m", micro=False).svg_data_uri(scale=QR_SCALE, dark="#000", light="#fff"))


class TotpCodes:
    """Keeps the secrets of apps, and uses their codes up. Everything runs in the caller's transaction."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    async def begin_in(self, session: AsyncSession, user_id: int) -> str | None:
        """Store a new secret that is not confirmed yet, and return it; None where an app is confirmed already."""
        secret, now = pyotp.random_base32(), clock.now()
        sealed = self._vault.seal(secret, place=place_of_totp(user_id))
        row = insert_into(session, Totp).values(user_id=user_id, sealed=sealed, created_at=now)
        fresh = {"sealed": sealed, "created_at": now}
        upsert = row.on_conflict_do_update(
            index_elements=["user_id"], set_=fresh, where=Totp.confirmed_at.is_(None)
        ).returning(Totp.id)
        return secret if (await session.execute(upsert)).first() is not None else None

    async def confirm_in(self, session: AsyncSession, user_id: int, code: str) -> bool:
        """Confirm the app that is being set up with its first code, which is used up by that; False for a wrong one."""
        return await self._use(session, user_id, code, confirmed=False)

    async def use_in(self, session: AsyncSession, user_id: int, code: str) -> bool:
        """Use a code up; False for one that is wrong, or not later than the last one that was used."""
        return await self._use(session, user_id, code, confirmed=True)

    async def _use(self, session: AsyncSession, user_id: int, code: str, *, confirmed: bool) -> bool:
        state = Totp.confirmed_at.is_not(None) if confirmed else Totp.confirmed_at.is_(None)
        sealed = await session.scalar(select(Totp.sealed).where(Totp.user_id == user_id, state))
        if sealed is None:
            return False
        try:
            secret = self._vault.open(sealed, place=place_of_totp(user_id))
        except VaultError:
            log.error("the authenticator app of user %d cannot be decrypted with any key", user_id)
            return False
        step = matching_step(secret, code)
        if step is None:
            return False
        # one statement: of two requests with the same code only one finds an earlier step
        later = or_(Totp.last_step.is_(None), Totp.last_step < step)
        this = update(Totp).where(Totp.user_id == user_id, Totp.sealed == sealed, state, later)
        now = clock.now()
        values = {"last_step": step, "last_used_at": now} | ({} if confirmed else {"confirmed_at": now})
        return await changed_rows(session, this.values(**values)) == 1
