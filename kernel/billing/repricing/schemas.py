"""Wire of moves to a new price."""

from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import Meta

from kernel.billing.schemas import Ref
from kernel.core.schemas import In, Out

NOTICE_DAYS: Final = 30
"""What an administrator is offered: the notice of Google Play, and the longest that California allows."""

LEAST_NOTICE_DAYS: Final = 7
"""California, Business and Professions Code 17602 (AB 2863, 2025): a fee changes 7 to 30 days after its notice."""

MOST_NOTICE_DAYS: Final = 60
"""Google Play tells of a higher price 30 days before, in some countries 60 (its rules for developers, 2025)."""

MoveState = Literal["running", "stopped", "finished"]

LeftOutReason = Literal["ending", "unpaid", "ended", "changed", "refused"]
"""Why somebody is left out: has cancelled, has not paid, has no subscription any more, has another price, or the
provider refused the change.
"""


class MovePriceOut(Out, frozen=True, kw_only=True):
    """A price that subscribers can be moved to: minor units."""

    price_id: str
    amount: int


class SubscriberPriceOut(Out, frozen=True, kw_only=True):
    """The subscribers of one price; `amount` in minor units, null with the others where the price is unknown.

    `onSale`: it can still be bought. `targets`: the prices that these subscribers can be moved to.
    """

    price_id: str
    amount: int | None
    currency: str | None
    interval: str | None
    interval_count: int | None
    subscribers: int
    on_sale: bool
    targets: list[MovePriceOut]


class SubscriberPricesOut(Out, frozen=True, kw_only=True):
    """Who pays what, the most subscribers first. `movable`: the provider can change a price at the renewal."""

    prices: list[SubscriberPriceOut]
    movable: bool
    least_notice_days: int
    notice_days: int
    most_notice_days: int


class MoveIn(In, frozen=True, kw_only=True):
    """Which subscribers get which price, and how many days before at the least they are told."""

    price_id: Ref
    new_price_id: Ref
    notice_days: Annotated[int, Meta(ge=LEAST_NOTICE_DAYS, le=MOST_NOTICE_DAYS)] = NOTICE_DAYS


class MovePreviewOut(Out, frozen=True, kw_only=True):
    """Whom a move would concern: `people` are told now, `ending` and `unpaid` are left out.

    The first renewal at or after `noticeEnds` (unix seconds) costs the new price.
    """

    people: int
    ending: int
    unpaid: int
    old_amount: int
    new_amount: int
    currency: str
    interval: str
    notice_ends: int


class LeftOutCount(Out, frozen=True, kw_only=True):
    """How many were left out for one reason."""

    reason: LeftOutReason
    count: int


class PriceMoveOut(Out, frozen=True, kw_only=True):
    """A move and how far it has come. `told` are those who were told, and `moved` those of them who have the new price.

    `waiting` are still to be told; `pending` were told and are still to be moved, `stopped` will not be.
    """

    id: int
    state: MoveState
    started_at: datetime
    ended_at: datetime | None
    price_id: str
    new_price_id: str
    old_amount: int
    new_amount: int
    currency: str
    interval: str
    notice_days: int
    waiting: int
    told: int
    pending: int
    moved: int
    stopped: int
    left_out: list[LeftOutCount]
