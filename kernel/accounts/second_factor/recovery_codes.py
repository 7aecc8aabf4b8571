"""Recovery codes: ten, each of which stands in once for a lost second factor. Shown once; only hashes are stored."""

import secrets
from typing import Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import RecoveryCode
from kernel.core import clock
from kernel.core.data.database import ReadConnection, changed_rows
from kernel.core.data.ids import token_hash

CODES: Final = 10
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without characters that look alike on paper."""

LENGTH: Final = 16
"""Characters of a code: 79 bits, so that a stolen hash cannot be guessed, and needs no salt."""

GROUP: Final = 4


def _new_code() -> str:
    letters = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    return "-".join(letters[start : start + GROUP] for start in range(0, LENGTH, GROUP))


def _stored(user_id: int, code: str) -> str:
    """Return the form in which a code is stored. How it was typed does not matter: case, hyphens, spaces."""
    return token_hash(f"{user_id}:" + "".join(char for char in code.lower() if char.isalnum()))


async def replace_codes(session: AsyncSession, user_id: int) -> list[str]:
    """Give a user ten new codes and return them; the old ones no longer count."""
    await drop_codes(session, user_id)
    codes = [_new_code() for _ in range(CODES)]
    session.add_all([RecoveryCode(user_id=user_id, code_hash=_stored(user_id, code)) for code in codes])
    return codes


async def use_code(session: AsyncSession, user_id: int, code: str) -> bool:
    """Use a code up; False for one that is wrong or used."""
    this = update(RecoveryCode).where(
        RecoveryCode.user_id == user_id,
        RecoveryCode.code_hash == _stored(user_id, code),
        RecoveryCode.used_at.is_(None),
    )
    return await changed_rows(session, this.values(used_at=clock.now())) == 1


async def codes_left(session: AsyncSession | ReadConnection, user_id: int) -> int:
    """Return how many codes are not used yet."""
    left = select(func.count()).where(RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None))
    return int((await session.execute(left)).scalar_one())


async def has_codes(session: AsyncSession, user_id: int) -> bool:
    """Return whether a user was given codes, used or not."""
    given = select(RecoveryCode.id).where(RecoveryCode.user_id == user_id).limit(1)
    return (await session.execute(given)).first() is not None


async def drop_codes(session: AsyncSession, user_id: int) -> None:
    """Delete a user's codes."""
    await session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))
