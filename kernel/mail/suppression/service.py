"""The suppression list: rules and transactions."""

from collections.abc import Mapping
from typing import Final, Literal

from sqlalchemy import ColumnElement, exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.accounts.validation import normal_email
from kernel.core import clock
from kernel.core.data.database import ReadConnection, insert_into
from kernel.mail.suppression.models import EmailSuppression
from kernel.providers.webhooks.inbox import InboxEvent
from kernel.spi import Stream

Scope = Literal["all", "bulk"]

SCOPES: Final[Mapping[str, Scope]] = {"bounced": "all", "complained": "all", "unsubscribed": "bulk"}
"""Topics of the contract that end email. An unsubscribed user still gets emails about the account."""

BLOCKED_BY: Final[Mapping[Stream, tuple[Scope, ...]]] = {"transactional": ("all",), "bulk": ("all", "bulk")}


async def is_suppressed(reader: ReadConnection | AsyncSession, address: str, stream: Stream) -> bool:
    """Return whether this address must not get an email of this stream; the address as `normal_email` writes it."""
    query = select(EmailSuppression.id).where(
        EmailSuppression.address == address, EmailSuppression.scope.in_(BLOCKED_BY[stream])
    )
    return (await reader.execute(query.limit(1))).first() is not None


def suppressed() -> ColumnElement[bool]:
    """Match users whose address gets no email at all."""
    return exists().where(EmailSuppression.address == User.email_norm, EmailSuppression.scope == "all")


async def apply_email_event(session: AsyncSession, event: InboxEvent) -> None:
    """Apply a vendor's event. The same event may come again, and in any order: nothing is undone."""
    scope, address = SCOPES.get(event.topic), normal_email(event.ref)
    if scope is None or address is None:
        return
    values = {"address": address, "scope": scope, "reason": event.topic, "source": event.instance_id}
    row = insert_into(session, EmailSuppression).values(created_at=clock.now(), **values)
    await session.execute(row.on_conflict_do_nothing())
