"""The rows of the database. Times are unix seconds of the bank's own clock."""

from typing import Final, Literal

import msgspec

from kernel.spi import SubscriptionState

DAY_S: Final = 86_400
FIRST_PAYMENT_S: Final = 23 * 3600
"""How long a first payment may stay open."""

RETRY_DAYS: Final = (1, 3, 5)
"""Days after a failed renewal on which it is retried."""

OpenOrNot = Literal["open", "paid", "void"]


class Customer(msgspec.Struct, kw_only=True):
    """A customer. A deleted one has no name and address. `billing` holds the billing details as JSON, if given."""

    id: str
    user_ref: str
    email: str
    name: str
    deleted: int = 0
    billing: str = ""


class Subscription(msgspec.Struct, kw_only=True):
    """A subscription with a copy of its price. Periods are counted in months from the anchor.

    `ends` is 1 when it ends with its period, `credit` the rest from a change of price, in minor units. `card` is
    the last four digits, `expiry` its last month as `MM/YY`, `outcome` what the card does, `tries` how often a failed
    renewal was retried. `promotion` is the code it was started with, `discount_end` until when that takes something
    off: unknown before the first charge. The renewal at the end of a paid period waits for `paused_until`. `tax_rate`
    is in hundredths of a percent, None where no taxes are computed.
    """

    ref: str
    customer: str
    price: str
    amount: int
    currency: str
    months: int
    trial_days: int
    created: int
    anchor: int
    period_start: int
    period_end: int
    state: SubscriptionState = "incomplete"
    cycle: int = 0
    trial_end: int | None = None
    ends: int = 0
    canceled_at: int | None = None
    ended_at: int | None = None
    next_try: int | None = None
    tries: int = 0
    credit: int = 0
    card: str = ""
    outcome: str = ""
    expiry: str = ""
    promotion: str = ""
    discount_end: int | None = None
    paused_until: int | None = None
    tax_rate: int | None = None
    tax_name: str = ""

    @property
    def live(self) -> bool:
        """Return whether it is between the first payment and the end."""
        return self.state not in ("incomplete", "canceled")

    @property
    def due(self) -> int | None:
        """Return when something becomes due for it."""
        end = self.period_end if self.ends else None
        match self.state:
            case "incomplete":
                return self.created + FIRST_PAYMENT_S
            case "active" | "trialing":
                return self.period_end
            case "paused":
                return self.paused_until
            case "past_due":
                return min((at for at in (self.next_try, end) if at is not None), default=None)
            case "unpaid":
                return end
        return None


class Invoice(msgspec.Struct, kw_only=True):
    """An invoice. `secret` identifies its payment; `challenge` is the card that requires a confirmation.

    `refunded` is what was given back in all, the last of it at `refunded_at`. `tax` is what of the total is tax, None
    where none is computed; `buyer` holds the billing details of that time as JSON.
    """

    id: str
    seq: int
    customer: str
    subscription: str
    state: OpenOrNot
    total: int
    currency: str
    created: int
    period_start: int
    period_end: int
    lines: str
    secret: str
    paid_at: int | None = None
    card: str = ""
    challenge: str = ""
    refunded: int = 0
    refunded_at: int | None = None
    tax: int | None = None
    buyer: str = ""

    @property
    def number(self) -> str:
        """Return its number, without gaps over the whole bank."""
        return f"SBX-{self.seq:06d}"


class InvoiceLine(msgspec.Struct, frozen=True):
    """A line of an invoice; the amount in minor units, below zero for a credit."""

    text: str
    amount: int


class Event(msgspec.Struct, kw_only=True):
    """An event for the site."""

    id: str
    type: str
    customer: str
    subscription: str
    created: int
    live: bool = False
