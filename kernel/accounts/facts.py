"""What the user object tells of plans and payments, which are floors above: assembly hands in somebody who knows."""

from collections.abc import Sequence
from typing import Final, Protocol, get_args, runtime_checkable

import msgspec
from sqlalchemy import ColumnElement
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.accounts.current import CurrentUser
from kernel.accounts.models import User
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


class PersonFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What an administrator's list tells of somebody: the state of their subscription, if any, this month's count, and
    how many covers there are in their gallery.
    """

    subscription: str | None = None
    generations_this_month: int = 0
    covers: int = 0


@runtime_checkable
class FactsSource(Protocol):
    """Knows the facts of users."""

    async def facts(self, user: CurrentUser) -> UserFacts:
        """Return what plans and payments say of the user."""
        ...

    def pro(self) -> ColumnElement[bool]:
        """Match users who are Pro now."""
        ...

    async def people(self, connection: AsyncConnection, user_ids: Sequence[int]) -> dict[int, PersonFacts]:
        """Return the facts of each of these users, in a few statements for all of them."""
        ...


class PlainFacts:
    """Without plans: only the administrator's word counts, and nothing has been made."""

    async def facts(self, user: CurrentUser) -> UserFacts:
        """Return the facts of somebody who never generated anything."""
        return UserFacts(is_pro=bool(user.is_pro_override), generations_this_month=0, downloads=EVERYTHING)

    def pro(self) -> ColumnElement[bool]:
        """Match those of whom the administrator says so."""
        return User.pro_override.is_(True)

    async def people(self, connection: AsyncConnection, user_ids: Sequence[int]) -> dict[int, PersonFacts]:
        """Return the facts of people who never generated anything."""
        return dict.fromkeys(user_ids, PersonFacts())
