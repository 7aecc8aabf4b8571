"""Paddle's objects, as much of them as is read. Amounts are texts in the smallest unit, times RFC 3339."""

from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

T = TypeVar("T")


class Pagination(msgspec.Struct, frozen=True):
    """Where a list goes on."""

    has_more: bool = False


class Meta(msgspec.Struct, frozen=True):
    """What an answer says about itself."""

    pagination: Pagination = Pagination()


class Answer(msgspec.Struct, Generic[T], frozen=True):
    """The envelope of every success."""

    data: T
    meta: Meta = Meta()


class Amount(msgspec.Struct, frozen=True):
    """A price's amount."""

    amount: str
    currency_code: str


class Cycle(msgspec.Struct, frozen=True):
    """How often: every `frequency` intervals of day, week, month or year."""

    interval: str
    frequency: int


class Price(msgspec.Struct, frozen=True):
    """A price; `billing_cycle` is None for one that does not recur."""

    id: str
    product_id: str
    unit_price: Amount
    billing_cycle: Cycle | None = None
    trial_period: Cycle | None = None
    status: str = "active"


class Product(msgspec.Struct, frozen=True):
    """A product with its prices, where they were asked for."""

    id: str
    name: str
    description: str | None = None
    status: str = "active"
    prices: list[Price] = []


class Customer(msgspec.Struct, frozen=True):
    """A customer: active or archived; there is one for each email address."""

    id: str
    email: str
    status: str
    name: str | None = None
    custom_data: dict[str, Any] | None = None


class Period(msgspec.Struct, frozen=True):
    """A span of time."""

    starts_at: datetime
    ends_at: datetime


class ScheduledChange(msgspec.Struct, frozen=True):
    """What will happen to a subscription: cancel, pause or resume."""

    action: str
    effective_at: datetime


class SubscriptionItem(msgspec.Struct, frozen=True):
    """What a subscription is for."""

    price: Price
    quantity: int = 1
    trial_dates: Period | None = None


class Subscription(msgspec.Struct, frozen=True):
    """A subscription. It begins to exist when its first transaction was paid."""

    id: str
    status: str
    customer_id: str
    items: list[SubscriptionItem]
    canceled_at: datetime | None = None
    current_billing_period: Period | None = None
    scheduled_change: ScheduledChange | None = None


class Card(msgspec.Struct, frozen=True):
    """A card that has paid."""

    type: str = ""
    last4: str = ""
    expiry_month: int = 0
    expiry_year: int = 0


class Method(msgspec.Struct, frozen=True):
    """What a payment was made with."""

    type: str = ""
    card: Card | None = None


class Payment(msgspec.Struct, frozen=True):
    """An attempt to pay."""

    status: str
    method_details: Method | None = None


class Totals(msgspec.Struct, frozen=True):
    """What a transaction comes to: `grand_total` is due after credits."""

    total: str = "0"
    tax: str = "0"
    grand_total: str = "0"


class Details(msgspec.Struct, frozen=True):
    """The sums of a transaction."""

    totals: Totals = Totals()


class TransactionItem(msgspec.Struct, frozen=True):
    """What a transaction is for."""

    price: Price | None = None
    quantity: int = 1


class Adjustment(msgspec.Struct, frozen=True):
    """What was given back of a transaction, or disputed."""

    action: str
    status: str
    created_at: datetime
    totals: Totals = Totals()


class Transaction(msgspec.Struct, frozen=True):
    """A sale, from a checkout that was only opened to an invoice that was paid."""

    id: str
    status: str
    currency_code: str
    created_at: datetime
    customer_id: str | None = None
    origin: str = ""
    subscription_id: str | None = None
    invoice_number: str | None = None
    custom_data: dict[str, Any] | None = None
    items: list[TransactionItem] = []
    details: Details | None = None
    payments: list[Payment] = []
    adjustments: list[Adjustment] = []
    billed_at: datetime | None = None


class Link(msgspec.Struct, frozen=True):
    """Where a document is, for an hour."""

    url: str


class GeneralUrls(msgspec.Struct, frozen=True):
    """Pages of the portal for everything."""

    overview: str


class PortalUrls(msgspec.Struct, frozen=True):
    """Pages of the portal."""

    general: GeneralUrls


class PortalSession(msgspec.Struct, frozen=True):
    """A visit to the portal."""

    urls: PortalUrls


class EventType(msgspec.Struct, frozen=True):
    """A kind of event."""

    name: str


class Destination(msgspec.Struct, frozen=True):
    """A notification setting: where webhooks go."""

    id: str
    destination: str
    active: bool = True
    endpoint_secret_key: str = ""
    subscribed_events: list[EventType] = []


class EventSubject(msgspec.Struct, frozen=True):
    """What an event is about."""

    id: str = ""
    status: str = ""
    action: str = ""
    customer_id: str | None = None


class Event(msgspec.Struct, frozen=True):
    """A webhook."""

    event_id: str
    event_type: str
    data: EventSubject = EventSubject()
