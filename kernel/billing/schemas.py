"""Wire of payments."""

from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from kernel.accounts.user_summary import InvoiceOut, SubscriptionOut
from kernel.billing.models import CODE_CHARS, COMMENT_CHARS
from kernel.core.schemas import In, Out
from kernel.spi import CardOutcome, ClientIntent, ClientKind, FormStatus, PromotionDuration

MOST_OTHERS: Final = 3
"""Prices beside the one that is shown: one for each other period."""

Ref = Annotated[str, Meta(max_length=255)]
PromotionCode = Annotated[str, Meta(max_length=CODE_CHARS)]

CancelReason = Literal[
    "too_expensive",
    "missing_features",
    "switched_service",
    "unused",
    "customer_service",
    "too_complex",
    "low_quality",
    "other",
]
"""Why people end a subscription: Stripe's words (`cancellation_details.feedback`), so that they can be compared."""

CancelResult = Literal["ending", "ended", "stayed"]
"""What became of it: still runs until its period is over, has ended, or was continued."""


class SampleCardOut(Out, frozen=True, kw_only=True):
    """A test card that the form offers."""

    number: str
    outcome: CardOutcome


class ClientOut(Out, frozen=True, kw_only=True):
    """What confirms the payment, and what it needs.

    kind        fields                                    the browser
    elements    publishableKey, clientSecret, intent      shows Stripe's Payment Element
    sandbox     clientSecret, cards, intent               shows our own form, and the test cards that it takes
    redirect    url                                       goes to a page of the provider's and comes back
    script      url, integrity, element, data, intent     runs this module of the plugin's, and shows its element;
                                                          clientSecret where that pays by a call of ours
    none                                                  has nothing to confirm

    With the intent `setup` nothing is paid yet; `firstPayment` is when that begins, in unix seconds.
    """

    kind: ClientKind
    publishable_key: str | UnsetType = UNSET
    client_secret: str | UnsetType = UNSET
    intent: ClientIntent | UnsetType = UNSET
    first_payment: int | UnsetType = UNSET
    cards: list[SampleCardOut] | UnsetType = UNSET
    url: str | UnsetType = UNSET
    integrity: str | UnsetType = UNSET
    element: str | UnsetType = UNSET
    data: dict[str, str | int | bool] | UnsetType = UNSET


class StartOut(Out, frozen=True, kw_only=True):
    """What the browser needs to pay: the specified fields, and the same again by kind of client."""

    client_secret: str | None
    provider: str
    publishable_key: str | UnsetType = UNSET
    redirect_url: str | UnsetType = UNSET
    client: ClientOut


class StartIn(In, frozen=True, kw_only=True):
    """A price among those that are offered, the one that is shown if none is named, and a promotion code."""

    price_id: Ref | None = None
    promotion_code: PromotionCode | None = None


class PromotionIn(In, frozen=True, kw_only=True):
    """A promotion code as it was typed, and the price it is to take something off."""

    promotion_code: PromotionCode
    price_id: Ref | None = None


class PromotionOut(Out, frozen=True, kw_only=True):
    """What a start with a promotion code charges, as the provider says: minor units of one currency.

    `due` is charged first, nothing for a trial. Every charge costs `reduced` as long as the code `lasts`: for the first
    one, for those of the first `months` (0 where they do not matter), or for good; and `full` after that.
    """

    promotion_code: str
    price_id: str
    currency: str
    interval: str
    due: int
    reduced: int
    full: int
    lasts: PromotionDuration
    months: int


class OfferedPriceOut(Out, frozen=True, kw_only=True):
    """A price that Pro can be paid at: minor units. `current`: the user's subscription has it."""

    price_id: str
    amount: int
    currency: str
    interval: str
    current: bool


class OfferedPricesOut(Out, frozen=True, kw_only=True):
    """What Pro can be paid at, the price that is shown first. `changeable`: the user may change to another of them."""

    prices: list[OfferedPriceOut]
    changeable: bool


class ChangePreviewOut(Out, frozen=True, kw_only=True):
    """What a change of price charges: minor units of one currency, unix seconds.

    `due` is charged at once, `credit` taken off it before for unused time; `nextCharge` follows at `nextAt`. To agree,
    send `asOf` back: exactly this is charged then.
    """

    price_id: str
    currency: str
    due: int
    credit: int
    next_charge: int
    next_at: int
    as_of: int


class ChangePriceIn(In, frozen=True, kw_only=True):
    """The price to change to, and the preview that was agreed to."""

    price_id: Ref
    as_of: Annotated[int, Meta(ge=0, le=2**40)]


class SyncOut(Out, frozen=True, kw_only=True):
    """Whether the user is Pro."""

    is_pro: bool


class BillingOut(Out, frozen=True, kw_only=True):
    """The user's subscription and latest invoices. `portal`: the provider has a page for cards and invoices.

    `action_required`: something is open that only the user can pay.
    """

    subscription: SubscriptionOut | None
    invoices: list[InvoiceOut]
    portal: bool
    action_required: bool


class PauseIn(In, frozen=True, kw_only=True):
    """For how many months after the paid period nothing is to be paid."""

    months: Annotated[int, Meta(ge=1, le=3)]


class CancelIn(In, frozen=True, kw_only=True):
    """Why a subscription is ended, if its owner wants to say so."""

    reason: CancelReason | None = None
    comment: Annotated[str, Meta(max_length=COMMENT_CHARS)] = ""


class CancellationOut(Out, frozen=True, kw_only=True):
    """Somebody's cancellation. `reason` is null and `comment` empty where they did not say why."""

    id: int
    user_id: int
    email: str
    canceled_at: datetime
    reason: CancelReason | None
    comment: str
    result: CancelResult


class CancelReasonCount(Out, frozen=True, kw_only=True):
    """How often a reason was given; null is none."""

    reason: CancelReason | None
    count: int


class PortalOut(Out, frozen=True, kw_only=True):
    """Where the provider's own page is."""

    url: str


class CardIn(In, frozen=True, kw_only=True):
    """A test card as it was typed. Only its last four digits are ever kept."""

    number: Annotated[str, Meta(max_length=40)]
    expiry: Annotated[str, Meta(max_length=10)]
    cvc: Annotated[str, Meta(max_length=10)]


class PayIn(In, frozen=True, kw_only=True):
    """A payment in our own form; `confirmed` when the person has agreed to what required confirmation."""

    client_secret: Ref
    card: CardIn
    confirmed: bool = False


class PayOut(Out, frozen=True, kw_only=True):
    """How it ended, and why when it was declined: a word of the provider's, and a sentence."""

    status: FormStatus
    code: str | UnsetType = UNSET
    message: str | UnsetType = UNSET


class SelectedPrice(Out, frozen=True, kw_only=True):
    """The price of Pro: minor units, currency code in lower case, billing interval."""

    amount: int
    currency: str
    interval: str


class RecurringOut(Out, frozen=True, kw_only=True, rename=None):
    """How often a price is paid, and how many days are free at first."""

    interval: str
    interval_count: int
    trial_period_days: int


class ProductPriceOut(Out, frozen=True, kw_only=True, rename=None):
    """A price of the provider's, in the words of the specification; minor units."""

    id: str
    type: Literal["recurring", "one_time"]
    unit_amount: int
    currency: str
    recurring: RecurringOut | None


class ProductOut(Out, frozen=True, kw_only=True):
    """A product of the provider's, with its prices."""

    id: str
    name: str
    description: str
    active: bool
    prices: list[ProductPriceOut]


class ChoiceIn(In, frozen=True, kw_only=True):
    """What is sold as Pro: a product and a price are needed. `otherPriceIds` are offered too, for other periods."""

    product_id: Ref | None = None
    price_id: Ref | None = None
    other_price_ids: Annotated[tuple[Ref, ...], Meta(max_length=MOST_OTHERS)] = ()


class ChoiceOut(Out, frozen=True, kw_only=True):
    """What is sold as Pro."""

    product_id: str
    price_id: str
    other_price_ids: list[str]


class BackfillSummary(Out, frozen=True, kw_only=True):
    """How many users were looked at, and for how many of them no customer could be made."""

    processed: int
    errors: int


class BackfillOut(Out, frozen=True, kw_only=True):
    """How far it has come; it goes on by itself while it is `running`."""

    summary: BackfillSummary
    running: bool


class PaymentsOverview(Out, frozen=True, kw_only=True):
    """Who sells, and to how many. `live`: real money moves. The choice is null while the configured price is sold.

    `sends_receipts`, `sends_trial_notices`, `sends_card_notices`, `sends_refund_notices`: the provider emails them, so
    that we do not. `test_refunds`: its payments are for tests, and can be refunded here.
    """

    provider: str
    live: bool
    sends_receipts: bool
    sends_trial_notices: bool
    sends_card_notices: bool
    sends_refund_notices: bool
    test_refunds: bool
    promotion_codes: bool
    users: int
    pro: int
    customers: int
    product_id: str | None
    price_id: str | None
    other_price_ids: list[str]


class ClockIn(In, frozen=True, kw_only=True):
    """By how many days the provider's time is moved."""

    advance_days: Annotated[int, Meta(ge=1, le=366)]


class RefundIn(In, frozen=True, kw_only=True):
    """The number of an invoice, and how much of it is to be refunded in all: minor units, null for the whole."""

    number: Ref
    total: Annotated[int, Meta(ge=1, le=2**53)] | None = None


class RefundOut(Out, frozen=True, kw_only=True):
    """An invoice of which something was refunded: minor units."""

    number: str
    currency: str
    paid: int
    refunded: int


class ClockOut(Out, frozen=True, kw_only=True):
    """The provider's time in unix seconds."""

    now: float
