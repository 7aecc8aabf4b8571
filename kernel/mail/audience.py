"""Who gets e-mails to many."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.accounts.models import User
from kernel.mail.campaign_schemas import BulkKind
from kernel.mail.models import EmailSuppression
from kernel.mail.suppression import BLOCKED_BY

SUPPRESSED: Final = (
    exists()
    .where(EmailSuppression.address == User.email_norm, EmailSuppression.scope.in_(BLOCKED_BY["bulk"]))
    .correlate(User)
)
PRESENT: Final[ColumnElement[bool]] = User.leaving_at.is_(None) & User.disabled.is_(False)
WANTS_NEWS: Final[ColumnElement[bool]] = func.coalesce(User.email_marketing, True)
"""Whoever never chose is asked by every such e-mail, which can be ended with one click."""


def audience(kind: BulkKind) -> tuple[ColumnElement[bool], ...]:
    """Return what is true of everybody who gets an e-mail of this kind: their address is theirs and takes e-mail."""
    everybody: tuple[ColumnElement[bool], ...] = (PRESENT, User.email_verified.is_(True), ~SUPPRESSED)
    return (*everybody, WANTS_NEWS) if kind == "marketing" else everybody


async def count_audience(reader: AsyncConnection | AsyncSession, kind: BulkKind) -> int:
    """Return how many would get an e-mail of this kind now."""
    query: Select[Any] = select(func.count()).select_from(User).where(*audience(kind))
    return int((await reader.execute(query)).scalar_one())
