"""Shapes of the wire: one action for many users."""

from datetime import date, datetime
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from kernel.accounts.admin.user_filter import Role
from kernel.core.schemas import In, Line, Out, RowId
from kernel.plans.credits import MOST

MAX_CHOSEN: Final = 1000
"""Users that are named one by one."""

PeopleAction = Literal["suspend", "reinstate", "gift", "credit", "end_sessions", "lift"]

Why = Literal["self", "last_admin", "suspended", "not_suspended", "gift_longer", "signed_out", "gets_email", "gone"]
"""Why a user is left out: it is the administrator who asks, or the last one; they are that way already; or the account
is gone. `gift_longer`: Pro is given them at least until then.
"""


class PeopleFilter(In, frozen=True, kw_only=True):
    """Users by the filter of their list."""

    search: Annotated[Line, Meta(max_length=100)] = ""
    role: Role = "all"
    since: date | None = msgspec.field(name="from", default=None)
    until: date | None = msgspec.field(name="to", default=None)


class PeopleChange(In, frozen=True, kw_only=True):
    """What is to be done, with users who are named or match a filter: one of `ids` and `matching`.

    `until` belongs to `gift`, and `amount`, `reason` and `run` to `credit`. `run` is a name for all calls of one
    action: nobody gets the credits of a run twice. `cursor` is that of the answer before.
    """

    ids: Annotated[tuple[RowId, ...], Meta(min_length=1, max_length=MAX_CHOSEN)] | None = None
    matching: PeopleFilter | None = None
    action: PeopleAction
    until: Annotated[datetime, Meta(tz=True)] | None = None
    amount: Annotated[int, Meta(ge=1, le=MOST)] | None = None
    reason: Annotated[Line, Meta(min_length=1, max_length=200)] | None = None
    run: Annotated[Line, Meta(min_length=8, max_length=64)] | None = None
    cursor: Annotated[str, Meta(max_length=100)] | None = None


class PeopleLeftOut(Out, frozen=True, kw_only=True):
    """How many users an action leaves out for one reason, and the addresses of the newest of them."""

    why: Why
    count: int
    emails: list[str]


class PeopleCheck(Out, frozen=True, kw_only=True):
    """With how many users something would be done, and whom it would leave out.

    `cursor` begins the action: it leaves out who has signed up since. None without users.
    """

    changes: int
    left_out: list[PeopleLeftOut]
    cursor: str | None


class LeftOut(Out, frozen=True, kw_only=True):
    """A user with whom nothing was done. The address is null when the account is gone."""

    id: int
    email: str | None
    why: Why


class PeopleChanged(Out, frozen=True, kw_only=True):
    """The users with whom it was done, and those left out. There are more while there is a `cursor`."""

    changed: list[int]
    left_out: list[LeftOut]
    cursor: str | None
