"""What we read of Stripe's answers: the fields of its API version 2026-10-28 that we use, and no others.

Names are Stripe's, times in unix seconds, amounts as Stripe writes them. Fields that Stripe expands only on request
are otherwise a text (the id) or absent.
"""

from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A page of a list."""

    data: list[T]
    has_more: bool = False


class Card(msgspec.Struct, frozen=True):
    """A card, or what a wallet charges."""

    last4: str
    exp_month: int
    exp_year: int
    brand: str = ""


class PaymentMethod(msgspec.Struct, frozen=True):
    """What is charged; `card` is absent for a bank account and others."""

    id: str
    card: Card | None = None


class InvoiceSettings(msgspec.Struct, frozen=True):
    """What is charged for a subscription that names nothing of its own."""

    default_payment_method: PaymentMethod | str | None = None


class Address(msgspec.Struct, frozen=True):
    """Where a customer is."""

    country: str | None = None
    line1: str | None = None
    city: str | None = None
    postal_code: str | None = None
    state: str | None = None


class Verification(msgspec.Struct, frozen=True):
    """What an authority says of a tax id."""

    status: str


class TaxId(msgspec.Struct, frozen=True):
    """A tax id of a customer."""

    id: str
    value: str
    verification: Verification | None = None


class Customer(msgspec.Struct, frozen=True):
    """A customer; a deleted one has only its id."""

    id: str
    deleted: bool = False
    email: str | None = None
    name: str | None = None
    metadata: dict[str, str] = {}
    invoice_settings: InvoiceSettings | None = None
    individual_name: str | None = None
    business_name: str | None = None
    address: Address | None = None
    tax_ids: Page[TaxId] | None = None

    @property
    def placed(self) -> bool:
        """Return whether billing details were given: then the name is theirs."""
        return self.address is not None and bool(self.address.country)


class Intent(msgspec.Struct, frozen=True):
    """A PaymentIntent or a SetupIntent."""

    id: str
    status: str
    client_secret: str | None = None


class ConfirmationSecret(msgspec.Struct, frozen=True):
    """How a browser pays an invoice."""

    client_secret: str


class Bill(msgspec.Struct, frozen=True):
    """An invoice as something to be paid."""

    id: str
    status: str | None = None
    confirmation_secret: ConfirmationSecret | None = None


class Reference(msgspec.Struct, frozen=True):
    """Any object with an id."""

    id: str


class Item(msgspec.Struct, frozen=True):
    """What a subscription is for. Since API version 2025-03-31 only this has the period."""

    id: str
    price: Reference
    current_period_end: int | None = None


class Items(msgspec.Struct, frozen=True):
    """The items of one subscription; one, unless somebody added more at Stripe."""

    data: list[Item]


class PauseCollection(msgspec.Struct, frozen=True):
    """How long invoices are void."""

    resumes_at: int | None = None


class Subscription(msgspec.Struct, frozen=True):
    """A subscription."""

    id: str
    customer: str
    status: str
    items: Items
    cancel_at: int | None = None
    cancel_at_period_end: bool = False
    canceled_at: int | None = None
    ended_at: int | None = None
    trial_end: int | None = None
    metadata: dict[str, str] = {}
    default_payment_method: PaymentMethod | str | None = None
    latest_invoice: Bill | str | None = None
    pending_setup_intent: Intent | str | None = None
    discounts: list[Reference | str] = []
    billing_cycle_anchor: int | None = None
    pause_collection: PauseCollection | None = None


class Paying(msgspec.Struct, frozen=True):
    """What pays an invoice: one of the two, or something without refunds of ours."""

    payment_intent: str | None = None
    charge: str | None = None


class InvoicePayment(msgspec.Struct, frozen=True):
    """A payment of an invoice."""

    payment: Paying


class TaxRateDetails(msgspec.Struct, frozen=True):
    """Which rate a tax has."""

    tax_rate: str


class TaxRate(msgspec.Struct, frozen=True):
    """The rate of a tax in percent; the effective one is what Stripe Tax applied."""

    display_name: str
    percentage: float = 0.0
    effective_percentage: float | None = None


class Tax(msgspec.Struct, frozen=True):
    """A tax of an invoice; the total contains it, whether prices do or not."""

    amount: int
    tax_rate_details: TaxRateDetails | None = None


class Refund(msgspec.Struct, frozen=True):
    """A refund of a charge."""

    created: int
    status: str | None = None


class Charge(msgspec.Struct, frozen=True):
    """Money that was taken, and how much of it was given back."""

    id: str
    amount_refunded: int = 0
    payment_intent: str | None = None
    refunds: Page[Refund] | None = None


class Invoice(msgspec.Struct, frozen=True):
    """An invoice as a document."""

    id: str
    currency: str
    total: int
    amount_paid: int
    created: int
    number: str | None = None
    status: str | None = None
    hosted_invoice_url: str | None = None
    invoice_pdf: str | None = None
    due_date: int | None = None
    total_taxes: list[Tax] | None = None
    payments: Page[InvoicePayment] | None = None


class Period(msgspec.Struct, frozen=True):
    """What a line of an invoice is charged for."""

    end: int


class Line(msgspec.Struct, frozen=True):
    """A line of an invoice; below zero for a credit."""

    amount: int
    period: Period


class DiscountAmount(msgspec.Struct, frozen=True):
    """What a discount takes off an invoice."""

    amount: int


class Preview(msgspec.Struct, frozen=True):
    """An invoice that does not exist. A `starting_balance` below zero is a credit of the customer's."""

    currency: str
    total: int
    amount_due: int
    lines: Page[Line]
    total_taxes: list[Tax] | None = None
    starting_balance: int = 0
    total_discount_amounts: list[DiscountAmount] | None = None


class Coupon(msgspec.Struct, frozen=True):
    """What is taken off, and for how long: `once`, `repeating` for months, or `forever`."""

    id: str
    duration: str
    duration_in_months: int | None = None
    redeem_by: int | None = None
    max_redemptions: int | None = None
    times_redeemed: int = 0


class Promotion(msgspec.Struct, frozen=True):
    """What a promotion code gives."""

    coupon: Coupon | str | None = None


class Restrictions(msgspec.Struct, frozen=True):
    """Who may use a promotion code."""

    first_time_transaction: bool = False


class PromotionCode(msgspec.Struct, frozen=True):
    """A code that customers type. `customer`: it is for this one alone."""

    id: str
    active: bool
    promotion: Promotion
    restrictions: Restrictions
    customer: str | None = None
    expires_at: int | None = None
    max_redemptions: int | None = None
    times_redeemed: int = 0


class Recurring(msgspec.Struct, frozen=True):
    """How a price recurs."""

    interval: str
    interval_count: int = 1
    usage_type: str = "licensed"


class Price(msgspec.Struct, frozen=True):
    """A price; `unit_amount` is absent where it is not one whole amount."""

    id: str
    product: str
    currency: str
    unit_amount: int | None = None
    recurring: Recurring | None = None


class Product(msgspec.Struct, frozen=True):
    """A product."""

    id: str
    name: str
    active: bool
    description: str | None = None


class Account(msgspec.Struct, frozen=True):
    """The account that the key belongs to."""

    id: str
    charges_enabled: bool = False


class Endpoint(msgspec.Struct, frozen=True):
    """Where Stripe sends webhooks. `secret` is returned once, when it is made."""

    id: str
    url: str
    status: str = ""
    api_version: str | None = None
    enabled_events: list[str] = []
    secret: str | None = None


class TaxSettings(msgspec.Struct, frozen=True):
    """Whether Stripe Tax is ready."""

    status: str


class PortalSession(msgspec.Struct, frozen=True):
    """A session of the customer portal."""

    url: str


class SubscriptionDetails(msgspec.Struct, frozen=True):
    """The subscription that an invoice belongs to."""

    subscription: str


class Parent(msgspec.Struct, frozen=True):
    """What an invoice belongs to."""

    subscription_details: SubscriptionDetails | None = None


class EventObject(msgspec.Struct, frozen=True):
    """The object of an event. Its fields depend on the type and on the endpoint's version."""

    id: str | None = None
    customer: str | None = None
    subscription: str | None = None
    parent: Parent | None = None


class EventData(msgspec.Struct, frozen=True):
    """The object as it was when the event happened."""

    object: EventObject


class Event(msgspec.Struct, frozen=True):
    """A webhook's body."""

    id: str
    type: str
    livemode: bool
    data: EventData
    object: str = ""
