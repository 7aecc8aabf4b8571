"""What the user object shows of plans and payments; packages above implement it, and assembly passes it in."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal, Protocol, get_args, runtime_checkable

import msgspec
from sqlalchemy import ColumnElement, false

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.pro_override import has_gift
from kernel.core.config import PictureFormat
from kernel.core.data.database import ReadConnection
from kernel.core.schemas import Out

EmailTrouble = Literal["bounced", "complained"]
"""Why an address gets no email at all: one came back for good, or its owner called one spam."""


class PriceOut(msgspec.Struct, frozen=True, kw_only=True):
    """A price: minor units, currency code in lower case, billing interval."""

    amount: int
    currency: str
    interval: str


class CardOut(msgspec.Struct, frozen=True, kw_only=True):
    """The card that is charged next. `brand` is empty for one that is known by its last digits alone.

    `expires_first`: it will have expired when the next payment is due.
    """

    brand: str
    last4: str
    exp_month: int
    exp_year: int
    expires_first: bool


class PriceChangeOut(msgspec.Struct, frozen=True, kw_only=True):
    """A new price that its owner was told of, in minor units: it is paid from the first renewal at `starts` or later.

    `is_next`: that renewal is the next one, at `starts`; times in unix seconds.
    """

    old_amount: int
    new_amount: int
    currency: str
    starts: int
    is_next: bool


class SubscriptionOut(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription, in the words of the specification; times in unix seconds.

    `cancel_at` is any scheduled end, `grace_until` until when somebody stays on Pro whose renewal has failed.
    `card_changeable`: another card can be given on this site (`POST /api/subscription/card`).
    `price_change`: what an administrator has announced and a later renewal will cost. `next_amount`: what the next
    renewal costs while a discount, perhaps of a `promotion_code`, makes it another amount than the price.
    `paused_until`: when a pause is over; it is paid until `current_period_end`. `pausable`: it can be paused.
    """

    status: str
    canceled_at: int | None
    cancel_at: int | None
    current_period_end: int | None
    grace_until: int | None
    price: PriceOut | None
    card: CardOut | None = None
    card_changeable: bool = False
    price_change: PriceChangeOut | None = None
    promotion_code: str | None = None
    next_amount: int | None = None
    paused_until: int | None = None
    pausable: bool = False


class InvoiceOut(msgspec.Struct, frozen=True, kw_only=True):
    """An invoice, in the words of the specification: minor units, unix seconds, and where its document is.

    `amount_due` is what is still to be paid of one that is open, `tax` what of the `total` is tax, and `refunded` what
    of `amount_paid` was given back in all, the last of it at `refunded_at`.
    """

    id: str
    number: str
    status: str
    amount_paid: int
    amount_due: int
    currency: str
    created: int
    invoice_pdf: str | None
    total: int
    tax: int | None
    due_at: int | None
    refunded: int
    refunded_at: int | None


class Downloads(Out, frozen=True, kw_only=True):
    """What somebody may download: kinds of file, and the longest edge in pixels, None for full size."""

    formats: list[PictureFormat]
    longest_px: int | None


EVERYTHING: Final = Downloads(formats=list(get_args(PictureFormat)), longest_px=None)


class SuppressionNote(Out, frozen=True, kw_only=True):
    """Why an address gets no email at all, and since when it was last said so."""

    id: int
    reason: EmailTrouble
    since: datetime


class UserSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a user is Pro and why, how many covers of this month are reserved or made, what they may download, and
    why they get no email. `credits` are covers beyond the limit of the month that they have left.
    """

    is_pro: bool
    generations_this_month: int
    downloads: Downloads
    subscription: SubscriptionOut | None = None
    invoices: tuple[InvoiceOut, ...] = ()
    email_trouble: EmailTrouble | None = None
    credits: int = 0


class ListedUserSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What an administrator's list shows of a user: the state of their subscription, if any, this month's count, and
    the number of covers in their gallery.
    """

    subscription: str | None = None
    generations_this_month: int = 0
    covers: int = 0
    suppression: SuppressionNote | None = None
    credits: int = 0


@runtime_checkable
class UserSummarySource(Protocol):
    """Provides the summaries of users."""

    async def summary(self, user: CurrentUser) -> UserSummary:
        """Return what plans and payments say of the user."""
        ...

    def pro(self) -> ColumnElement[bool]:
        """Match users who are Pro now."""
        ...

    def paying(self) -> ColumnElement[bool]:
        """Match users whose subscription is paid for now."""
        ...

    def past_due(self) -> ColumnElement[bool]:
        """Match users whose renewal failed and who have not paid since."""
        ...

    def suppressed(self) -> ColumnElement[bool]:
        """Match users whose address gets no email at all."""
        ...

    async def list_summaries(self, connection: ReadConnection, user_ids: Sequence[int]) -> dict[int, ListedUserSummary]:
        """Return the summary of each of these users, in a few statements for all of them."""
        ...


class PlainUserSummaries:
    """Without plans: only the administrator's setting counts, and no covers exist."""

    async def summary(self, user: CurrentUser) -> UserSummary:
        """Return the summary of a user without covers."""
        return UserSummary(is_pro=bool(user.is_pro_override), generations_this_month=0, downloads=EVERYTHING)

    def pro(self) -> ColumnElement[bool]:
        """Match those whom the administrator made Pro."""
        return has_gift()

    def paying(self) -> ColumnElement[bool]:
        """Match nobody: nothing is sold."""
        return false()

    def past_due(self) -> ColumnElement[bool]:
        """Match nobody: nothing is sold."""
        return false()

    def suppressed(self) -> ColumnElement[bool]:
        """Match nobody: no email is sent."""
        return false()

    async def list_summaries(self, connection: ReadConnection, user_ids: Sequence[int]) -> dict[int, ListedUserSummary]:
        """Return the summaries of users without covers."""
        return dict.fromkeys(user_ids, ListedUserSummary())
