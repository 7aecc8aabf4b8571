"""Optional parts of the kind `payment`; each is claimed in the capabilities of an instance."""

from typing import Literal, Protocol, runtime_checkable

import msgspec

from .payment_clients import ClientData, FormResult, PaymentCard
from .payments import Money, SubscriptionTruth

PromotionDuration = Literal["once", "months", "forever"]
"""How long a code takes something off: from the first charge, from those of some months, from all."""
PromotionFault = Literal["unknown", "expired", "used_up", "not_for_price", "new_customers_only"]
"""Why a code takes nothing off."""


class ChangePreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a change of price charges, all in one currency; times in unix seconds. No amount is below zero.

    `due` is charged at once. `credit` has been taken off for what is paid and not used. At `next_at` follows
    `next_charge`: the new price less what is left of the credit, before taxes that are computed only then. All this is
    as of `as_of`, and stays true for an hour unless the subscription changes.
    """

    due: Money
    credit: Money
    next_charge: Money
    next_at: int
    as_of: int


@runtime_checkable
class ChangePreviews(Protocol):
    """A payment provider that says beforehand what a change of price charges; claimed by `preview_change`."""

    async def preview_change(self, ref: str, *, price: str) -> ChangePreview:
        """Return what `change_price` would charge now.

        Called when a subscriber looks at another price. Must not move money, nor change the subscription. Raises
        NotFound for a subscription or price that does not exist, and InvalidRequest for a change that is not possible.
        """
        ...


class PromotionPreview(msgspec.Struct, frozen=True, kw_only=True, tag="preview"):
    """What a subscription costs with a promotion code, all in one currency. No amount is below zero.

    `due` is the first charge, nothing for a trial. Every charge costs `reduced` as long as the code `lasts`: for the
    first one, for those of the first `months`, or for good; and `full` after that.
    """

    due: Money
    reduced: Money
    full: Money
    lasts: PromotionDuration
    months: int | None = None


class PromotionRefusal(msgspec.Struct, frozen=True, kw_only=True, tag="refusal"):
    """Why a promotion code takes nothing off. `unknown` is also one that is not for this customer at all."""

    fault: PromotionFault


@runtime_checkable
class PromotionCodes(Protocol):
    """A payment provider whose vendor has promotion codes; claimed by `promotion_codes`."""

    async def preview_promotion(self, customer: str, *, price: str, code: str) -> PromotionPreview | PromotionRefusal:
        """Return what a start with this price and code would charge; codes have no case, and come in capitals.

        Called when somebody gives a code before paying. Must not move money, use the code up, or compute what the
        vendor can say. Raises NotFound for a customer or price that does not exist.
        """
        ...


@runtime_checkable
class Pauses(Protocol):
    """A payment provider that can put off payments for some months; claimed by `pause`."""

    async def pause(self, ref: str, *, months: int, idempotency_key: str) -> SubscriptionTruth:
        """Charge nothing for these months, 1 to 3, after the paid period; then go on by itself at `paused_until`.

        Called instead of `cancel`. One that is paused already is returned as it is. Must not charge, credit, or take
        away what is paid. Raises NotFound, and InvalidRequest for one that is not paid, ends, or is not paid monthly.
        """
        ...

    async def resume(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        """End a pause now; one that is not paused is returned as it is.

        What is paid goes on as if there had been no pause; once that is used up, a new period begins and is charged at
        once. Raises NotFound, InvalidRequest when it has ended, and PaymentDeclined without any change.
        """
        ...


@runtime_checkable
class CardChanges(Protocol):
    """A payment provider that takes another card for what is paid already; claimed by `change_card`."""

    async def card_form(self, ref: str) -> ClientData:
        """Return what the browser needs to give another card, as a set-up: it pays from the next renewal on.

        Called when a subscriber whose subscription is `active` or `trialing` asks for it, and again, with a
        `PaymentForm`, when the form is sent: the same secret then stands for the same subscription. Must not move
        money. Raises NotFound for a subscription that does not exist, and InvalidRequest for one that is not paid.
        """
        ...


@runtime_checkable
class PaymentForm(Protocol):
    """A payment provider that is paid through a call of the kernel's, with cards for tests.

    Claimed by the client `sandbox`, and by a `ScriptClient` with a `client_secret`.
    """

    async def pay(self, client_secret: str, card: PaymentCard, *, confirmed: bool = False) -> FormResult:
        """Pay what the secret identifies; `confirmed` when the person has agreed to what required confirmation.

        Called when the form is sent, for a secret of the person's own. What is paid already has succeeded: nothing is
        paid twice. Must not take a real card, store or log more of one than its last four digits, or trust `confirmed`
        for a payment that did not require it. Raises NotFound for a secret that identifies nothing (any more).
        """
        ...


@runtime_checkable
class InvoiceDocuments(Protocol):
    """A payment provider that makes the documents of invoices itself; claimed by `capabilities().documents`."""

    async def invoice_pdf(self, invoice: str) -> bytes:
        """Return the document of an invoice as a PDF. Called for the owner of the invoice. Raises NotFound."""
        ...


@runtime_checkable
class TestRefunds(Protocol):
    """A payment provider whose payments are for tests, and can be refunded here; claimed by `test_refunds`."""

    async def refund(self, invoice: str, *, total: int) -> None:
        """Refund a paid invoice until `total` minor units are refunded in all; one with as much already stays as it is.

        Called from the administrators' page. Must not end the subscription. Raises NotFound, and InvalidRequest with
        the field `total` for less than 1 or more than was paid, and for an invoice that is not paid.
        """
        ...


@runtime_checkable
class TestClock(Protocol):
    """A payment provider whose time can be advanced, to test renewals; claimed by `capabilities().test_clock`."""

    async def now(self) -> float:
        """Return the provider's time in unix seconds."""
        ...

    async def advance(self, days: int) -> float:
        """Advance the time by 1 to 366 days and return it; what became due by then has happened.

        Called from the administrators' page. Must not change any other clock than the provider's own. Raises
        InvalidRequest for other numbers of days.
        """
        ...
