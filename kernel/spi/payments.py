"""Contract of the kind `payment`: subscriptions at one vendor. Locks, entitlement and records belong to the kernel."""

import re
from collections.abc import Sequence
from typing import Final, Literal, Protocol

import msgspec

from .payment_clients import ClientData, ClientKind
from .provider import Provider
from .webhooks import ProviderEvent, WebhookRequest

SubscriptionState = Literal["incomplete", "trialing", "active", "past_due", "unpaid", "paused", "canceled"]
"""`incomplete`: the first payment is open. `past_due`: a renewal failed and is retried; `unpaid`: no longer retried.

`canceled` is the end, for any reason; a subscription that will end is still `active`, with `cancel_at`.
"""

Interval = Literal["day", "week", "month", "year"]
"""What a price recurs by."""
InvoiceState = Literal["draft", "open", "paid", "void", "uncollectible"]
"""`void`: taken back. `uncollectible`: given up."""


_WHOLE: Final = frozenset(
    ("bif", "clp", "djf", "gnf", "isk", "jpy", "kmf", "krw", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xof", "xpf")
)
_THOUSANDTHS: Final = frozenset(("bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"))
"""Currencies whose smallest unit is not a hundredth (ISO 4217, 2024)."""


def decimal_places(currency: str) -> int:
    """Return the number of decimal places of an ISO 4217 currency."""
    code = currency.lower()
    return 0 if code in _WHOLE else 3 if code in _THOUSANDTHS else 2


class Money(msgspec.Struct, frozen=True, kw_only=True):
    """An amount in minor units of an ISO 4217 currency, in lower case; in whole units where there are none."""

    amount: int
    currency: str


_SOURCE: Final = re.compile(r"https://(?:\*\.)?[a-z0-9.-]+(?::[0-9]{1,5})?")


class BrowserOrigins(msgspec.Struct, frozen=True, kw_only=True):
    """Further origins of the vendor's form in the browser, as sources of a content security policy: `https://host`.

    Only the pages where people pay get them. `styles` and `images` are sheets and pictures outside the vendor's frames;
    a sheet within the page, or an attribute `style`, is never allowed. `popups`: the form opens windows of the vendor's
    that report back to it.
    """

    scripts: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    connections: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    popups: bool = False


def is_source(text: str) -> bool:
    """Return whether a text is an origin as `BrowserOrigins` holds them: `https://host`, `https://*.host:8443`."""
    return _SOURCE.fullmatch(text) is not None


class PaymentCapabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What one instance can do. `client`: which component of the SPA confirms a payment; `sandbox` is a `PaymentForm`,
    and `script` may be one.

    `live`: real money moves. `cancel_now`: it can end a subscription before its period does. `documents`: it makes the
    documents of invoices itself (`InvoiceDocuments`). `sends_receipts`, `sends_trial_notices`,
    `sends_card_notices`, `sends_refund_notices`: the vendor emails receipts, before a trial ends, before a card
    expires, and about refunds; so we do not.
    `test_clock`: its time can be advanced (`TestClock`). `preview_change`: it says beforehand what a change of price
    charges (`ChangePreviews`); only then does the kernel offer one. `change_at_renewal`: `change_price` can leave the
    current period as it was paid; only then can administrators move subscribers to another price. `change_card`: it
    takes another card in between (`CardChanges`). `promotion_codes`: its vendor has codes that take something off
    (`PromotionCodes`). `pause`: it can put off the next payments of a monthly subscription (`Pauses`). `refunds`: its
    invoices say what was refunded. `test_refunds`: administrators can try that out (`TestRefunds`). `taxes`: its
    vendor computes them, and needs to know where the buyer is (`Taxes`).
    """

    client: ClientKind
    live: bool = True
    cancel_now: bool = True
    reactivate: bool = True
    change_price: bool = False
    portal: bool = False
    webhooks: bool = True
    documents: bool = False
    sends_receipts: bool = False
    sends_trial_notices: bool = False
    sends_card_notices: bool = False
    sends_refund_notices: bool = False
    test_clock: bool = False
    preview_change: bool = False
    change_at_renewal: bool = False
    change_card: bool = False
    promotion_codes: bool = False
    pause: bool = False
    refunds: bool = False
    test_refunds: bool = False
    taxes: bool = False
    origins: BrowserOrigins = BrowserOrigins()


class CatalogPrice(msgspec.Struct, frozen=True, kw_only=True):
    """A price; `interval` None for one that does not recur. It recurs every `interval_count` intervals.

    The first `trial_days` are free.
    """

    id: str
    money: Money
    interval: Interval | None
    interval_count: int = 1
    trial_days: int = 0


class CatalogProduct(msgspec.Struct, frozen=True, kw_only=True):
    """A product with its prices."""

    id: str
    name: str
    description: str
    active: bool
    prices: tuple[CatalogPrice, ...]


class CustomerRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A person who wants to pay. `user_ref` is the kernel's id; `known` is what was returned last time."""

    user_ref: str
    email: str
    idempotency_key: str
    name: str = ""
    known: str | None = None


class StartRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription to be started. `idempotency_key` is stored before the call and is the same for every attempt.

    `promotion_code`, in capitals, is given only where `promotion_codes` is claimed.
    """

    customer: str
    price: str
    user_ref: str
    return_url: str
    idempotency_key: str
    promotion_code: str | None = None


class CardOnFile(msgspec.Struct, frozen=True, kw_only=True):
    """The card that is charged at the next renewal, as much of it as its owner may be shown.

    `brand`: `visa`, `mastercard`, `amex`, `discover`, `diners`, `jcb`, `unionpay`, or anything else for a card that is
    named by its digits alone. It is good until the end of its last month.
    """

    brand: str
    last4: str
    exp_month: int
    exp_year: int


class SubscriptionTruth(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription as the vendor sees it now; times in unix seconds.

    `cancel_at` is any scheduled end, however the vendor writes it; `canceled_at` when that was requested.
    `needs_confirmation`: a renewal is `past_due` because the bank asks the person to confirm it.
    `card`: None where something else pays, or the vendor does not tell. `promotion_code`: what it was started with.
    `next_charge`: what the next renewal costs while a discount makes it another amount than the price. `paused_until`:
    when a pause is over that `pause` has begun: until then `period_end` stays the end of what is paid, and the state is
    `paused` from that on. `started_by`: the ref that its start returned, where the vendor makes a subscription, with a
    ref of its own, only once it is paid. Every method goes on taking that ref, and the kernel keeps one of the two.
    """

    ref: str
    customer: str
    price: str
    state: SubscriptionState
    period_end: int | None
    cancel_at: int | None = None
    canceled_at: int | None = None
    ended_at: int | None = None
    trial_end: int | None = None
    needs_confirmation: bool = False
    card: CardOnFile | None = None
    promotion_code: str | None = None
    next_charge: Money | None = None
    paused_until: int | None = None
    started_by: str | None = None


class StartResult(msgspec.Struct, frozen=True, kw_only=True):
    """The started subscription and what the browser needs to confirm it.

    Where the vendor has none before it is paid, the ref is that of what is to be paid: see `started_by`.
    """

    subscription: SubscriptionTruth
    client: ClientData


class Invoice(msgspec.Struct, frozen=True, kw_only=True):
    """An invoice; times in unix seconds. `page_url` is where to look at it or pay it, `pdf_url` the document.

    `tax` is what of the total is tax, None where none was computed. `due_at`: until when it is to be paid, where that
    is not at once. `refunded` is what of `paid` was given back in all, the last of it at `refunded_at`; both None for
    nothing.
    """

    id: str
    number: str
    state: InvoiceState
    total: Money
    paid: Money
    created: int
    page_url: str | None = None
    pdf_url: str | None = None
    tax: Money | None = None
    due_at: int | None = None
    refunded: Money | None = None
    refunded_at: int | None = None


class PaymentProvider(Provider, Protocol):
    """Calls one payment vendor, and stores nothing: the kernel stores ids and asks again.

    Every method may raise InvalidRequest, RateLimited, Unavailable, DeadlineExceeded, AuthFailed and SettingsInvalid.
    None repeats by itself what may have been carried out, and none trusts what a browser brought back.
    """

    def capabilities(self) -> PaymentCapabilities:
        """Return what this instance can do; no I/O."""
        ...

    async def products(self) -> Sequence[CatalogProduct]:
        """List what can be sold, all pages of it. Called from the administrators' page. Must not move money."""
        ...

    async def ensure_customer(self, request: CustomerRequest) -> str:
        """Return the id of the customer for this person: `known` if it still exists, else a new one.

        Called before a subscription is started and by the backfill, one call at a time per person. Must not search for
        the address: a vendor's search is delayed, and an address does not prove an identity.
        """
        ...

    async def start_subscription(self, request: StartRequest) -> StartResult:
        """Start a subscription that the browser then confirms; the same key returns the same subscription.

        Called when a user subscribes, after the kernel has checked that there is no live subscription. Must not charge
        a stored card without the person's consent. Raises PaymentDeclined, NotFound for a customer or price that does
        not exist any more, and InvalidRequest with the field `promotion_code` for a code that takes nothing off: then
        nothing is started. The effect is unknown when the answer was lost.
        """
        ...

    async def confirmation(self, ref: str) -> ClientData:
        """Return what the browser needs to pay what is open: the first payment, or a renewal that failed.

        Called when a user returns to the payment page. Nothing open is a `NoClient`. Raises NotFound.
        """
        ...

    async def subscription(self, ref: str) -> SubscriptionTruth:
        """Return the current state of one subscription. Called after every event. Raises NotFound."""
        ...

    async def subscriptions(self, customer: str) -> Sequence[SubscriptionTruth]:
        """Return a customer's subscriptions in every state but `canceled`, newest first, all pages of them.

        Called by the nightly reconciliation and before a start. Must not return an empty list for a failure. Raises
        NotFound.
        """
        ...

    async def cancel(self, ref: str, *, at_period_end: bool, idempotency_key: str) -> SubscriptionTruth:
        """End a subscription now or at the end of the period; one that has ended already is returned as it is.

        Raises NotFound, and Unsupported for "now" unless `cancel_now` is claimed.
        """
        ...

    async def reactivate(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """Take back a cancellation that has not taken effect, however it was made.

        Raises NotFound, InvalidRequest when it has ended, and Unsupported unless `reactivate` is claimed.
        """
        ...

    async def change_price(
        self,
        ref: str,
        *,
        price: str,
        idempotency_key: str,
        as_of: int | None = None,
        at_renewal: bool = False,
    ) -> SubscriptionTruth:
        """Change the subscription to another price; what that costs now is the vendor's rule.

        Called when a subscriber has seen what it charges and agreed; `as_of` is the preview's, and given only where
        `preview_change` is claimed: exactly what was shown is charged. Must not leave two prices on one subscription,
        nor the new one when its payment is declined.

        Called with `at_renewal`, and only where `change_at_renewal` is claimed, when an administrator moves a
        subscriber who was told to a new price of the same interval and currency: the state has the new price at once,
        but nothing is charged or credited now, the period ends when it did, and the next renewal is the first to cost
        the new price. Raises InvalidRequest for a price of another interval or currency, without any change.

        Raises NotFound, PaymentDeclined, InvalidRequest with the field `as_of` for a preview that is no longer true,
        and Unsupported unless `change_price` is claimed.
        """
        ...

    async def invoices(self, customer: str, *, limit: int = 24) -> Sequence[Invoice]:
        """List a customer's latest invoices, newest first, without drafts. Raises NotFound."""
        ...

    async def portal(self, customer: str, *, return_url: str) -> str:
        """Return the address of the vendor's page where the person manages cards and invoices.

        Raises NotFound, and Unsupported unless `portal` is claimed.
        """
        ...

    async def delete_customer(self, customer: str) -> None:
        """End every subscription of the customer and delete it, or archive it where nobody is deleted; succeed if it
        does not exist.

        Called when an account is deleted, again and again until it succeeds. Must not suppress failures: the person
        would go on paying.
        """
        ...

    async def read_webhook(self, request: WebhookRequest) -> Sequence[ProviderEvent]:
        """Verify the raw body and translate. Raises WebhookRejected; returns nothing for events that are not relevant.

        Called inside the vendor's request; must not call the vendor. A signature older than five minutes, measured
        by `received_unix`, is rejected; an event of another mode (test or live) is not relevant. Topics:
        `subscription_changed` and `action_required` (`ref` is the subscription), `invoice_changed` and
        `customer_deleted` (`ref` is the customer), and `payment_disputed` (`ref` is the customer, or the dispute where
        the vendor names none): administrators get a notice.
        """
        ...
