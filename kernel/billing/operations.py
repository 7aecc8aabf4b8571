"""Keys of calls that change something at a vendor: stored before the call, dropped after a final answer.

A call whose answer was lost keeps its key, and so its next try finds what the first one did. Once the vendor has
answered, the key is dropped, also after a failure: a vendor may go on giving the same answer to the same key for a day.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final, Literal

import msgspec
from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.billing.models import PaymentOperation
from kernel.core import clock
from kernel.core.database import Database
from kernel.core.ids import new_uuid
from kernel.spi import Effect, ProviderBug, ProviderError

Action = Literal["customer", "start", "cancel", "end", "reactivate"]
CONTRARY: Final[Mapping[Action, Action]] = {"cancel": "reactivate", "reactivate": "cancel"}


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """A call that is under way, and exactly what is asked in it."""

    key: str
    user_id: int
    instance_id: str
    action: Action
    subject: str
    request: dict[str, str]


_COLUMNS: Final = tuple(getattr(PaymentOperation, name) for name in Operation.__struct_fields__)


class Operations:
    """Hands out keys. Every method is one short transaction; whoever calls holds the user's lock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def under_way(
        self, user_id: int, instance_id: str, action: Action, subject: str, request: dict[str, str] | None = None
    ) -> AsyncIterator[Operation]:
        """Make one call in the block, under a key that an earlier try of the same left, or a new one.

        The caller drops the operation, in the transaction that keeps the result. It is dropped here when the vendor
        refused or failed for certain; otherwise it stays for the next try.
        """
        operation = await self._begin(user_id, instance_id, action, subject, request or {})
        try:
            yield operation
        except ProviderError as error:
            if _is_final(error):
                await self.forget(operation.key)
            raise

    async def _begin(
        self, user_id: int, instance_id: str, action: Action, subject: str, request: dict[str, str]
    ) -> Operation:
        about = (PaymentOperation.user_id == user_id, PaymentOperation.instance_id == instance_id)
        async with self._database.write() as session:
            if contrary := CONTRARY.get(action):  # what was torn off before is not to be answered from memory later
                opposed = (PaymentOperation.action == contrary, PaymentOperation.subject == subject)
                await session.execute(delete(PaymentOperation).where(*about, *opposed))
            same = (PaymentOperation.action == action, PaymentOperation.subject == subject)
            row = (await session.execute(select(*_COLUMNS).where(*about, *same))).one_or_none()
            if row is not None:
                return Operation(**row._asdict())
            operation = Operation(
                key=str(new_uuid()),
                user_id=user_id,
                instance_id=instance_id,
                action=action,
                subject=subject,
                request=request,
            )
            values = msgspec.structs.asdict(operation) | {"created_at": clock.now()}
            await session.execute(insert(PaymentOperation).values(**values))
            return operation

    async def forget_all(self, user_id: int, instance_id: str, action: Action) -> None:
        """Drop those of one kind: what they did has been found."""
        same = (
            PaymentOperation.user_id == user_id,
            PaymentOperation.instance_id == instance_id,
            PaymentOperation.action == action,
        )
        async with self._database.write() as session:
            await session.execute(delete(PaymentOperation).where(*same))

    async def forget(self, key: str) -> None:
        """Drop one that has ended."""
        async with self._database.write() as session:
            await drop(session, key)


async def drop(session: AsyncSession, key: str) -> None:
    """Drop one that has ended, in the transaction that keeps what came of it."""
    await session.execute(delete(PaymentOperation).where(PaymentOperation.key == key))


def _is_final(error: ProviderError) -> bool:
    """Say whether the vendor has answered, or never heard of it. A plugin's own failure tells nothing."""
    return error.effect is Effect.NONE or (error.upstream_status is not None and not isinstance(error, ProviderBug))
