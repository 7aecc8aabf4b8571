"""The suppression list: rules and transactions.

Nobody is locked out by it. An email that somebody has just asked for themselves, such as a link to a forgotten
password, is tried once a day all the same; when it arrives, a bounce is forgotten. Who is signed in sees that their
address gets nothing, and may lift that; so may an administrator.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Select, bindparam, case, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.accounts.validation import normal_email
from kernel.core import clock
from kernel.core.data.database import ReadConnection, changed_rows, insert_into
from kernel.mail.models import EmailRecipient
from kernel.mail.suppression.models import EmailSuppression
from kernel.providers.webhooks.inbox import InboxEvent
from kernel.spi import Stream

Scope = Literal["all", "bulk"]

SCOPES: Final[Mapping[str, Scope]] = {"bounced": "all", "complained": "all", "unsubscribed": "bulk"}
"""Topics of the contract that end email. An unsubscribed user still gets emails about the account."""

BLOCKED_BY: Final[Mapping[Stream, tuple[Scope, ...]]] = {"transactional": ("all",), "bulk": ("all", "bulk")}

TRY_AGAIN_AFTER: Final = timedelta(days=1)
"""How long after a report, or after the last try, an email that was asked for is tried again."""

REPORTED_WITHIN: Final = timedelta(days=14)
"""So long after a campaign a report may be about it."""

LAST_REPORT: Final = func.coalesce(EmailSuppression.last_at, EmailSuppression.created_at)

EMAIL_TROUBLE: Final[Select[Any]] = (
    select(EmailSuppression.reason)
    .join(User, User.email_norm == EmailSuppression.address)
    .where(User.id == bindparam("user_id"), EmailSuppression.scope == "all")
)
"""Why the user `user_id` gets no email at all: no row when they do."""


async def is_suppressed(reader: ReadConnection | AsyncSession, address: str, stream: Stream) -> bool:
    """Return whether this address must not get an email of this stream; the address as `normal_email` writes it."""
    query = select(EmailSuppression.id).where(
        EmailSuppression.address == address, EmailSuppression.scope.in_(BLOCKED_BY[stream])
    )
    return (await reader.execute(query.limit(1))).first() is not None


async def may_try_again(session: AsyncSession, address: str) -> bool:
    """Return whether an email that was asked for goes to this suppressed address; True once a day, and noted."""
    latest, now = func.coalesce(EmailSuppression.tried_at, LAST_REPORT), clock.now()
    due = (EmailSuppression.address == address, EmailSuppression.scope == "all", latest <= now - TRY_AGAIN_AFTER)
    return await changed_rows(session, update(EmailSuppression).where(*due).values(tried_at=now)) > 0


def suppressed() -> ColumnElement[bool]:
    """Match users whose address gets no email at all."""
    return exists().where(EmailSuppression.address == User.email_norm, EmailSuppression.scope == "all")


async def apply_email_event(session: AsyncSession, event: InboxEvent) -> None:
    """Apply a vendor's event. The same event may come again, and in any order.

    Only an email that was sent all the same, and arrived, makes a bounce forgotten.
    """
    address = normal_email(event.ref)
    if address is None:
        return
    if event.topic == "delivered":
        await session.execute(
            delete(EmailSuppression).where(
                EmailSuppression.address == address,
                EmailSuppression.reason == "bounced",
                EmailSuppression.tried_at > LAST_REPORT,
            )
        )
        return
    scope = SCOPES.get(event.topic)
    if scope is None:
        return
    values = {"address": address, "scope": scope, "reason": event.topic, "source": event.instance_id}
    row = insert_into(session, EmailSuppression).values(created_at=clock.now(), event_id=event.event_id, **values)
    # an address that bounces now may have complained before: the complaint says more
    worse = case((EmailSuppression.reason == "complained", "complained"), else_=event.topic)
    later = {"reason": worse, "source": event.instance_id, "event_id": event.event_id, "last_at": clock.now()}
    await session.execute(row.on_conflict_do_update(index_elements=["address", "scope"], set_=later))
    if scope == "all":
        await _note_on_campaign(session, address, event.topic)


async def _note_on_campaign(session: AsyncSession, address: str, topic: str) -> None:
    """Put a report down to the last campaign that went to this address lately: reports name no email."""
    now = clock.now()
    latest = (
        select(EmailRecipient.id)
        .join(User, User.id == EmailRecipient.user_id)
        .where(User.email_norm == address, EmailRecipient.state.in_(("sent", "unknown")))
        .where(EmailRecipient.updated_at > now - REPORTED_WITHIN)
        .order_by(EmailRecipient.id.desc())
        .limit(1)
    )
    row_id = (await session.execute(latest)).scalar_one_or_none()
    if row_id is not None:
        fresh = or_(EmailRecipient.reported.is_(None), EmailRecipient.reported == "bounced")
        noting = update(EmailRecipient).where(EmailRecipient.id == row_id, fresh)
        await session.execute(noting.values(reported=topic, reported_at=now))
