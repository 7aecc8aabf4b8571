"""Keys of calls that change something at a vendor: stored before the call, deleted after a final answer.

A call whose answer was lost keeps its key, so its retry finds what the first one did. Once the vendor has answered, the
key is deleted, also after a failure: a vendor may go on giving the same answer to the same key for a day.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final, Literal

import msgspec
from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.billing.models import PaymentOperation
from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.data.ids import new_uuid_text
from kernel.spi import Effect, ProviderBug, ProviderError

Action = Literal["customer", "start", "cancel", "end", "reactivate", "price", "move", "pause", "resume"]
CONTRARY: Final[Mapping[Action, Action]] = {
    "cancel": "reactivate",
    "reactivate": "cancel",
    "pause": "resume",
    "resume": "pause",
}


class VendorOperation(msgspec.Struct, frozen=True, kw_only=True):
    """A pending call with its exact request."""

    key: str
    user_id: int
    instance_id: str
    action: Action
    subject: str
    request: dict[str, str]


_COLUMNS: Final = tuple(getattr(PaymentOperation, name) for name in VendorOperation.__struct_fields__)


class VendorOperations:
    """Issues keys. Every method is one short transaction; the caller holds the user's lock."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def open_operation(
        self, user_id: int, instance_id: str, action: Action, subject: str, request: dict[str, str] | None = None
    ) -> AsyncIterator[VendorOperation]:
        """Make one call in the block, under the key of an earlier attempt at the same call, or a new one.

        The caller deletes the operation, in the transaction that stores the result. It is deleted here when the vendor
        refused or the call certainly failed; otherwise it stays for the retry.
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
    ) -> VendorOperation:
        about = (PaymentOperation.user_id == user_id, PaymentOperation.instance_id == instance_id)
        async with self._database.write() as session:
            if contrary := CONTRARY.get(action):  # the vendor must not answer an interrupted opposite from memory
                opposed = (PaymentOperation.action == contrary, PaymentOperation.subject == subject)
                await session.execute(delete(PaymentOperation).where(*about, *opposed))
            same = (PaymentOperation.action == action, PaymentOperation.subject == subject)
            row = (await session.execute(select(*_COLUMNS).where(*about, *same))).one_or_none()
            if row is not None:
                return VendorOperation(**row._asdict())
            operation = VendorOperation(
                key=new_uuid_text(),
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
        """Delete those of one kind: their result was found by other means."""
        same = (
            PaymentOperation.user_id == user_id,
            PaymentOperation.instance_id == instance_id,
            PaymentOperation.action == action,
        )
        async with self._database.write() as session:
            await session.execute(delete(PaymentOperation).where(*same))

    async def forget_others(self, user_id: int, instance_id: str, action: Action, subject: str) -> None:
        """Delete those of one kind about something else: the vendor must not answer an earlier wish from memory."""
        others = (
            PaymentOperation.user_id == user_id,
            PaymentOperation.instance_id == instance_id,
            PaymentOperation.action == action,
            PaymentOperation.subject != subject,
        )
        async with self._database.write() as session:
            await session.execute(delete(PaymentOperation).where(*others))

    async def forget(self, key: str) -> None:
        """Delete one that has ended."""
        async with self._database.write() as session:
            await drop(session, key)


async def drop(session: AsyncSession, key: str) -> None:
    """Delete one that has ended, in the transaction that stores its result."""
    await session.execute(delete(PaymentOperation).where(PaymentOperation.key == key))


def _is_final(error: ProviderError) -> bool:
    """Return whether the vendor has answered, or never received the call. A plugin's own failure proves neither."""
    return error.effect is Effect.NONE or (error.upstream_status is not None and not isinstance(error, ProviderBug))
