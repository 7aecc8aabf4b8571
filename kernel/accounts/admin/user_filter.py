"""Which users administrators list, and in which order."""

from datetime import date, datetime, timedelta
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import ColumnElement, Select, func, true, tuple_

from kernel.accounts.models import USER_SEARCH, User
from kernel.accounts.pro_override import has_gift
from kernel.accounts.profile.deletion import is_being_deleted
from kernel.accounts.schemas import PersonOut
from kernel.accounts.user_summary import UserSummarySource
from kernel.core import clock
from kernel.core.data.database import ReadConnection
from kernel.core.data.search_index import search_condition
from kernel.core.text.casefold_search import fold
from kernel.core.web.paging import ForeignCursor, cursor_id, decode_cursor, encode_cursor

Role = Literal[
    "all",
    "pro",
    "admin",
    "paying",
    "gift",
    "past_due",
    "customer",
    "unconfirmed",
    "suppressed",
    "inactive",
    "suspended",
]
UserSort = Literal["newest", "email", "seen"]
"""By sign-up, by address, or by when they were last here; the last ones first, but for addresses."""

INACTIVE: Final = timedelta(days=90)
"""Who has not been seen for that long is listed as inactive."""

_SEEN: Final[ColumnElement[datetime]] = func.coalesce(User.last_seen_at, User.created_at)


class UserFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which users to list. `search` matches address, first and last name; `cursor` is that of the last one seen.

    `since` and `until` are the first and the last UTC day of their sign-up.
    """

    search: str = ""
    role: Role = "all"
    since: date | None = None
    until: date | None = None
    sort: UserSort = "newest"
    cursor: str | None = None
    limit: int = 100


async def matching(
    connection: ReadConnection, summaries: UserSummarySource, wanted: UserFilter
) -> list[ColumnElement[bool]]:
    """Return the conditions on the users of a filter; its order, cursor and limit have no part in them."""
    conditions = [~is_being_deleted()]
    if wanted.role != "all":
        conditions.append(_are(wanted.role, summaries))
    if wanted.since is not None:
        conditions.append(User.created_at >= clock.begin_of(wanted.since))
    if wanted.until is not None:
        conditions.append(User.created_at < clock.end_of(wanted.until))
    if text := " ".join(wanted.search.split()):
        conditions.append(await search_condition(connection, USER_SEARCH, fold(text)))
    return conditions


def cursor_of(person: PersonOut, sort: UserSort) -> str:
    """Return the cursor of a user in a list of this order."""
    match sort:
        case "email":
            return encode_cursor(fold(person.email), person.id)
        case "seen":
            return encode_cursor((person.last_seen_at or person.created_at).isoformat(), person.id)
    return encode_cursor(person.id)


def in_order(query: Select[Any], sort: UserSort, cursor: str | None) -> Select[Any]:
    """Sort, and go on behind a cursor. Raises InvalidFields."""
    parts = decode_cursor(cursor, 1 if sort == "newest" else 2)
    last = cursor_id(parts[-1]) if parts else None
    match sort:
        case "email":
            query = query.order_by(User.email_key, User.id)
            return query.where(tuple_(User.email_key, User.id) > (parts[0], last)) if parts else query
        case "seen":
            query = query.order_by(_SEEN.desc(), User.id.desc())
            seen = _moment(parts[0]) if parts else None
            return query.where(tuple_(_SEEN, User.id) < (seen, last)) if parts else query
    return query.order_by(User.id.desc()).where(*([User.id < last] if last is not None else []))


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ForeignCursor from error
    if moment.tzinfo is None:
        raise ForeignCursor
    return moment


def _are(role: Role, summaries: UserSummarySource) -> ColumnElement[bool]:
    match role:
        case "admin":
            return User.is_admin.is_(True)
        case "pro":
            return summaries.pro()
        case "paying":
            return summaries.paying()
        case "gift":
            return has_gift()
        case "past_due":
            return summaries.past_due()
        case "customer":
            return User.payment_customer.is_not(None)
        case "suppressed":
            return summaries.suppressed()
        case "unconfirmed":
            return User.email_verified.is_(False)
        case "inactive":
            return func.coalesce(User.last_seen_at, User.created_at) < clock.now() - INACTIVE
        case "suspended":
            return User.disabled.is_(True)
    return true()
