"""Who gets a campaign."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.core.data.database import ReadConnection
from kernel.mail.schemas import BulkKind
from kernel.mail.suppression.models import EmailSuppression
from kernel.mail.suppression.service import BLOCKED_BY

SUPPRESSED: Final = (
    exists()
    .where(EmailSuppression.address == User.email_norm, EmailSuppression.scope.in_(BLOCKED_BY["bulk"]))
    .correlate(User)
)
PRESENT: Final[ColumnElement[bool]] = User.leaving_at.is_(None) & User.disabled.is_(False)
WANTS_NEWS: Final[ColumnElement[bool]] = func.coalesce(User.email_marketing, True)
"""Users who never chose are included; every such email offers to unsubscribe with one click."""


def audience(kind: BulkKind) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions on users who get an email of this kind: their address is verified and takes email."""
    everybody: tuple[ColumnElement[bool], ...] = (PRESENT, User.email_verified.is_(True), ~SUPPRESSED)
    return (*everybody, WANTS_NEWS) if kind == "marketing" else everybody


async def count_audience(reader: ReadConnection | AsyncSession, kind: BulkKind) -> int:
    """Return how many users would get an email of this kind now."""
    query: Select[Any] = select(func.count()).select_from(User).where(*audience(kind))
    return int((await reader.execute(query)).scalar_one())
