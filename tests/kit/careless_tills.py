"""Payment providers with a faulty form, document or clock."""

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from kernel.spi import (
    ChangePreview,
    FormResult,
    InvalidRequest,
    Invoice,
    Money,
    PaymentCapabilities,
    PaymentCard,
    RedirectClient,
    SandboxClient,
    StartRequest,
    StartResult,
    SubscriptionTruth,
)
from kernel.spi import ClientData as Client
from tests.kit.careless import spoilt
from tests.kit.examples import example

provider, tests = example("payment")
Careful: Any = provider.ExamplePaymentPayments
given: Any = (tests.TestConformance, tests.EXAMPLE_PAYMENT)
replace = msgspec.structs.replace

CARDS = {
    status: PaymentCard(number=number, expiry="12/99", cvc="123")
    for status, number in (("succeeded", "1111"), ("declined", "2222"), ("requires_confirmation", "3333 3333 3333"))
}
DAY_S = 86_400


class Till(Careful):  # type: ignore[misc]
    """Has a correct form, over a vendor that has none."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.paid: set[str] = set()

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), client="sandbox", documents=True, test_clock=True)

    async def start_subscription(self, request: StartRequest) -> StartResult:
        started: StartResult = await super().start_subscription(request)
        return replace(started, client=SandboxClient(client_secret=started.subscription.ref))

    async def confirmation(self, ref: str) -> Client:
        return SandboxClient(client_secret=ref)

    async def subscription(self, ref: str) -> SubscriptionTruth:
        truth: SubscriptionTruth = await super().subscription(ref)
        return replace(truth, state="active" if ref in self.paid else "incomplete")

    async def invoices(self, customer: str, *, limit: int = 24) -> Sequence[Invoice]:
        money = Money(amount=500, currency="jpy")
        return [
            Invoice(id=ref, number=ref, state="paid", total=money, paid=money, created=0) for ref in sorted(self.paid)
        ] or [Invoice(id="in_1", number="1", state="open", total=money, paid=money, created=0)]

    async def pay(self, client_secret: str, card: PaymentCard, *, confirmed: bool = False) -> FormResult:
        await self.subscription(client_secret)
        return self.charge(client_secret, card, confirmed)

    def charge(self, ref: str, card: PaymentCard, confirmed: bool) -> FormResult:
        if card == CARDS["declined"]:
            return FormResult(status="declined", message="No.")
        if card == CARDS["requires_confirmation"] and not confirmed:
            return FormResult(status="requires_confirmation", message="Sure?")
        self.paid.add(ref)
        return FormResult(status="succeeded")

    async def invoice_pdf(self, invoice: str) -> bytes:
        return b"%PDF-1.7\n%%EOF\n"

    async def now(self) -> float:
        return time.time()

    async def advance(self, days: int) -> float:
        if not 1 <= days <= 366:
            raise InvalidRequest("no")
        return time.time() + days * DAY_S


@spoilt("CAP_04", *given)
class FormlessForm(Careful):  # type: ignore[misc]
    """Claims a form that it does not have."""

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), client="sandbox")


@spoilt("PAY_13", *given, cards=CARDS)
class BelievesTheBrowser(Till):
    """Trusts a confirmation that was not required."""


@spoilt("PAY_14", *given, cards=CARDS)
class PaysEachTime(Till):
    """Makes a payment of every click."""

    def charge(self, ref: str, card: PaymentCard, confirmed: bool) -> FormResult:
        return super().charge(f"{ref}-{len(self.paid)}", card, confirmed)


@spoilt("PAY_15", *given, cards=CARDS)
class TellsTheCard(Till):
    """Repeats the number of a card that it declines."""

    def charge(self, ref: str, card: PaymentCard, confirmed: bool) -> FormResult:
        return replace(super().charge(ref, card, confirmed), message=f"{card.number} was declined")


@spoilt("PAY_16", *given, cards=CARDS)
class DocumentForEverybody(Till):
    """Returns a document for invoices that do not exist."""


@spoilt("PAY_17", *given, cards=CARDS)
class ForgetsTheTime(Till):
    """Reports that its clock has advanced when it has not."""


@spoilt("PAY_18", *given)
class NothingEverHappens(Careful):  # type: ignore[misc]
    """Has a clock that can be advanced, and nothing becomes due."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.ahead = 0.0

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), test_clock=True)

    async def now(self) -> float:
        return time.time() + self.ahead

    async def advance(self, days: int) -> float:
        self.ahead += days * DAY_S
        return await self.now()


class Previewing(Careful):  # type: ignore[misc]
    """Says what a change charges, and charges that."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.due, self.bills, self.keys = 100, 0, set[str]()

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), change_price=True, preview_change=True)

    async def preview_change(self, ref: str, *, price: str) -> ChangePreview:
        truth: SubscriptionTruth = await super().subscription(ref)
        money, moment = Money(amount=self.due, currency="usd"), int(time.time())
        return ChangePreview(due=money, credit=money, next_charge=money, next_at=truth.period_end or 0, as_of=moment)

    async def change_price(
        self, ref: str, *, price: str, idempotency_key: str, as_of: int | None = None
    ) -> SubscriptionTruth:
        if as_of is not None and as_of < time.time() - 3600:
            raise InvalidRequest("old", field="as_of")
        self.bills += self.charges(idempotency_key)
        changed: SubscriptionTruth = await super().change_price(ref, price=price, idempotency_key=idempotency_key)
        return changed

    def charges(self, key: str) -> bool:
        first = key not in self.keys
        self.keys.add(key)
        return first

    async def invoices(self, customer: str, *, limit: int = 24) -> Sequence[Invoice]:
        money = Money(amount=self.due, currency="usd")
        more = [
            Invoice(id=f"in_{number}", number=f"{number}", state="paid", total=money, paid=money, created=2**31)
            for number in range(self.bills)
        ]
        return [*more, *(await super().invoices(customer))]


@spoilt("PAY_19", *given)
class ChargesForLooking(Previewing):
    """Makes an invoice of every preview."""

    async def preview_change(self, ref: str, *, price: str) -> ChangePreview:
        self.bills += 1
        return await super().preview_change(ref, price=price)


@spoilt("PAY_20", *given)
class ChargesTwice(Previewing):
    """Charges a repeated change again."""

    def charges(self, key: str) -> bool:
        return True


@spoilt("PAY_22", *given)
class ChargesBeforeTheRenewal(Previewing):
    """Makes an invoice of a change that was to wait for the renewal."""

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), preview_change=False, change_at_renewal=True)

    async def change_price(
        self, ref: str, *, price: str, idempotency_key: str, as_of: int | None = None, at_renewal: bool = False
    ) -> SubscriptionTruth:
        return await super().change_price(ref, price=price, idempotency_key=idempotency_key, as_of=as_of)


@spoilt("PAY_21", *given)
class TakesEveryCard(Careful):  # type: ignore[misc]
    """Offers to change the card of a subscription that nobody has paid."""

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), change_card=True)

    async def card_form(self, ref: str) -> Client:
        return RedirectClient(url="https://bank.example/card")
