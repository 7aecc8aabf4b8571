"""A lock per user across all processes, without a transaction that stays open meanwhile.

A lock is a row with an end. Its holder renews it; that of a killed process expires after a few seconds. Correctness
does not depend on the lock alone, because it can be lost: calls have keys, and reads are numbered.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, select, update

from kernel.billing.models import PaymentLock
from kernel.core import clock
from kernel.core.data.database import Database, changed_rows, insert_into
from kernel.core.data.ids import new_uuid_text
from kernel.core.errors import NoProvider
from kernel.core.queue.lease import hold_lease

log = logging.getLogger(__name__)

LEASE_S: Final = 8.0
PATIENCE_S: Final = 20.0
POLL_S: Final = 0.1
BUSY: Final = "Your subscription is being changed just now. Please try again in a moment."


class UserLocked(NoProvider):
    """Another process holds the user's lock: it does not finish, or it took over."""

    def __init__(self) -> None:
        super().__init__(BUSY, retry_after=LEASE_S)


class UserLocks:
    """Acquires and renews the locks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def hold(self, user_id: int, *, patience_s: float = PATIENCE_S) -> AsyncIterator[None]:
        """Hold a user's lock for the block. Raises Busy when it is not released in time.

        The block is canceled, and Busy raised, when the lock is lost nevertheless.
        """
        holder = new_uuid_text()
        await self._take(user_id, holder, patience_s)
        try:
            async with hold_lease(
                lambda: self._renew(user_id, holder),
                lease_s=LEASE_S,
                lost=UserLocked,
                name=f"payments of user {user_id}",
            ):
                yield
        finally:
            await asyncio.shield(self._drop(user_id, holder))

    async def _take(self, user_id: int, holder: str, patience_s: float) -> None:
        ends = asyncio.get_running_loop().time() + patience_s
        while not await self._try(user_id, holder):
            if asyncio.get_running_loop().time() >= ends:
                raise UserLocked
            await asyncio.sleep(POLL_S * random.uniform(0.5, 1.5))

    async def _try(self, user_id: int, holder: str) -> bool:
        query = select(PaymentLock.until).where(PaymentLock.user_id == user_id)
        async with self._database.read() as connection:
            until = (await connection.execute(query)).scalar_one_or_none()
        moment = clock.now()
        if until is not None and until > moment:
            return False
        fresh = {"holder": holder, "until": moment + timedelta(seconds=LEASE_S)}
        async with self._database.write() as session:
            row = insert_into(session, PaymentLock).values(user_id=user_id, **fresh)
            taken = row.on_conflict_do_update(index_elements=["user_id"], set_=fresh, where=PaymentLock.until <= moment)
            return (await session.execute(taken.returning(PaymentLock.user_id))).one_or_none() is not None

    async def _renew(self, user_id: int, holder: str) -> bool:
        mine = (PaymentLock.user_id == user_id, PaymentLock.holder == holder)
        until = clock.now() + timedelta(seconds=LEASE_S)
        async with self._database.write() as session:
            return await changed_rows(session, update(PaymentLock).where(*mine).values(until=until)) == 1

    async def _drop(self, user_id: int, holder: str) -> None:
        mine = (PaymentLock.user_id == user_id, PaymentLock.holder == holder)
        try:
            async with self._database.write() as session:
                await session.execute(delete(PaymentLock).where(*mine))
        except Exception as error:  # it expires by itself
            log.warning("payment lock of user %d not released: %s", user_id, type(error).__name__)
