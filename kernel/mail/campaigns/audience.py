"""Who gets a campaign."""

from collections import Counter
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final, Protocol
from uuid import UUID

from sqlalchemy import ColumnElement, Select, exists, func, insert, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.models import User
from kernel.core import clock
from kernel.core.data.database import ReadConnection, changed_rows
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.text.languages import FALLBACK, is_language, spoken
from kernel.mail.models import EmailRecipient
from kernel.mail.schemas import BulkKind, Segment
from kernel.mail.suppression.models import EmailSuppression
from kernel.mail.suppression.service import BLOCKED_BY
from kernel.mail.templates.service import NO_LANGUAGE

SUPPRESSED: Final = (
    exists()
    .where(EmailSuppression.address == User.email_norm, EmailSuppression.scope.in_(BLOCKED_BY["bulk"]))
    .correlate(User)
)
PRESENT: Final[ColumnElement[bool]] = User.leaving_at.is_(None) & User.disabled.is_(False)
WANTS_NEWS: Final[ColumnElement[bool]] = func.coalesce(User.email_marketing, True)
"""Users who never chose are included; every such email offers to unsubscribe with one click."""
_SEEN: Final[ColumnElement[datetime]] = func.coalesce(User.last_seen_at, User.created_at)
BACKWARDS: Final = FieldError("backwards", "This day is before the first one.")


class AudienceFacts(Protocol):
    """What packages above know of users; assembly passes it in."""

    def pro(self) -> ColumnElement[bool]:
        """Match users who are Pro now."""
        ...

    def made_cover(self, genre: str | None) -> ColumnElement[bool]:
        """Match users with a cover in their gallery, of this genre if one is given."""
        ...


def segment_faults(segment: Segment) -> dict[str, FieldFault]:
    """Return what is wrong with the conditions, by field of the API."""
    found: dict[str, FieldFault] = {}
    if not all(map(is_language, segment.languages)):
        found["segment.languages"] = NO_LANGUAGE
    first, last = segment.signed_up_from, segment.signed_up_to
    if first is not None and last is not None and last < first:
        found["segment.signedUpTo"] = BACKWARDS
    return found


def audience(kind: BulkKind, segment: Segment, facts: AudienceFacts) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions on users who get an email of this kind now: among them, that their address takes email."""
    found: list[ColumnElement[bool]] = [PRESENT, User.email_verified.is_(True), ~SUPPRESSED]
    if kind == "marketing":
        found.append(WANTS_NEWS)
    if segment.plan != "any":
        found.append(facts.pro() if segment.plan == "pro" else ~facts.pro())
    if segment.languages:
        spoken = User.language.in_(segment.languages)
        found.append(or_(spoken, User.language.is_(None)) if FALLBACK in segment.languages else spoken)
    if segment.seen_within_days is not None:
        found.append(clock.now() - timedelta(days=segment.seen_within_days) <= _SEEN)
    if segment.unseen_for_days is not None:
        found.append(clock.now() - timedelta(days=segment.unseen_for_days) > _SEEN)
    if segment.signed_up_from is not None:
        found.append(User.created_at >= datetime.combine(segment.signed_up_from, time.min, UTC))
    if segment.signed_up_to is not None:
        found.append(User.created_at < datetime.combine(segment.signed_up_to, time.min, UTC) + timedelta(days=1))
    if genre := segment.genre.strip():
        found.append(facts.made_cover(genre))
    if segment.covers != "any":
        found.append(facts.made_cover(None) if segment.covers == "some" else ~facts.made_cover(None))
    return tuple(found)


async def count_audience(
    reader: ReadConnection | AsyncSession, kind: BulkKind, segment: Segment, facts: AudienceFacts
) -> int:
    """Return how many users would get an email of this kind now."""
    query: Select[Any] = select(func.count()).select_from(User).where(*audience(kind, segment, facts))
    return int((await reader.execute(query)).scalar_one())


async def count_languages(
    reader: ReadConnection | AsyncSession, kind: BulkKind, segment: Segment, facts: AudienceFacts
) -> dict[str, int]:
    """Return how many users would get an email of this kind now, by the language that they read."""
    people = select(User.language, func.count()).where(*audience(kind, segment, facts)).group_by(User.language)
    found = Counter[str]()
    for language, count in await reader.execute(people):
        found[spoken(language)] += count
    return dict(sorted(found.items()))


async def copy_audience(
    session: AsyncSession, campaign_id: UUID, kind: BulkKind, segment: Segment, facts: AudienceFacts
) -> int:
    """Write the people who get a campaign into its ledger, and return how many they are."""
    now = clock.now()
    people = select(
        literal(campaign_id, EmailRecipient.campaign_id.type),
        User.id,
        User.email,
        literal("pending"),
        literal(0),
        literal(now, EmailRecipient.created_at.type),
        literal(now, EmailRecipient.updated_at.type),
    ).where(*audience(kind, segment, facts))
    columns = ["campaign_id", "user_id", "address", "state", "attempts", "created_at", "updated_at"]
    return await changed_rows(session, insert(EmailRecipient).from_select(columns, people.order_by(User.id)))
