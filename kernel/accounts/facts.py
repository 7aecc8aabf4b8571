"""What the user object tells of plans and payments, which are floors above: assembly hands in somebody who knows."""

from typing import Final, Protocol, get_args, runtime_checkable

import msgspec

from kernel.accounts.current import CurrentUser
from kernel.core.config import PictureFormat
from kernel.core.wire import Out


class PriceOut(msgspec.Struct, frozen=True, kw_only=True):
    """A price: minor units, currency code in lower case, billing interval."""

    amount: int
    currency: str
    interval: str


class SubscriptionOut(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription, in the words of the specification; times in unix seconds.

    `cancel_at` is any scheduled end, `grace_until` until when somebody stays on Pro whose renewal has failed.
    """

    status: str
    canceled_at: int | None
    cancel_at: int | None
    current_period_end: int | None
    grace_until: int | None
    price: PriceOut | None


class InvoiceOut(msgspec.Struct, frozen=True, kw_only=True):
    """An invoice, in the words of the specification: minor units, unix seconds, and where its document is."""

    id: str
    number: str
    status: str
    amount_paid: int
    currency: str
    created: int
    invoice_pdf: str | None


class Downloads(Out, frozen=True, kw_only=True):
    """What somebody may download: kinds of file, and the longest edge in pixels, None for full size."""

    formats: list[PictureFormat]
    longest_px: int | None


EVERYTHING: Final = Downloads(formats=list(get_args(PictureFormat)), longest_px=None)


class UserFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Whether somebody is Pro and by what, how many covers of this month are reserved or made, and what may be
    downloaded.
    """

    is_pro: bool
    generations_this_month: int
    downloads: Downloads
    subscription: SubscriptionOut | None = None
    invoices: tuple[InvoiceOut, ...] = ()


@runtime_checkable
class FactsSource(Protocol):
    """Knows the facts of a user."""

    async def facts(self, user: CurrentUser) -> UserFacts:
        """Return what plans and payments say of the user."""
        ...


class PlainFacts:
    """Without plans: only the administrator's word counts, and nothing has been made."""

    async def facts(self, user: CurrentUser) -> UserFacts:
        """Return the facts of somebody who never generated anything."""
        return UserFacts(is_pro=bool(user.is_pro_override), generations_this_month=0, downloads=EVERYTHING)
