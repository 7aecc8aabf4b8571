"""Payment providers with faulty taxes."""

from typing import Any

import msgspec

from kernel.spi import (
    BillingDetails,
    BillingRefusal,
    InvalidRequest,
    Money,
    NoBillingDetails,
    PaymentCapabilities,
    StartRequest,
    StartResult,
    TaxLine,
    TaxPreview,
)
from tests.kit.careless import spoilt
from tests.kit.examples import example

provider, tests = example("payment")
Careful: Any = provider.ExamplePaymentPayments
given: Any = (tests.TestConformance, tests.EXAMPLE_PAYMENT)
replace = msgspec.structs.replace

BAD = {"tax_id_malformed": "XX"}


class Taxing(Careful):  # type: ignore[misc]
    """Keeps billing details, and adds no tax."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.kept: dict[str, BillingDetails] = {}

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), taxes=True)

    async def billing_details(self, customer: str) -> BillingDetails | NoBillingDetails:
        await super().subscriptions(customer)
        return self.kept.get(customer, NoBillingDetails())

    async def save_billing_details(self, customer: str, details: BillingDetails) -> BillingDetails | BillingRefusal:
        await super().subscriptions(customer)
        if details.tax_id == "XX":
            return BillingRefusal(faults=("tax_id_malformed",))
        self.kept[customer] = details
        return details

    def placed(self, customer: str) -> None:
        if customer not in self.kept and customer != "cus_nobody":
            raise InvalidRequest("nowhere", field="billing_details")

    async def start_subscription(self, request: StartRequest) -> StartResult:
        self.placed(request.customer)
        started: StartResult = await super().start_subscription(request)
        return started

    async def preview_taxes(self, customer: str, *, price: str, promotion_code: str | None = None) -> TaxPreview:
        await super().subscriptions(customer)
        self.placed(customer)
        none = Money(amount=0, currency="usd")
        tax = TaxLine(name="VAT", percent="0", money=none)
        return TaxPreview(net=none, taxes=(tax,), total=none, due=none)


@spoilt("PAY_29", *given, bad_tax_ids=BAD)
class KeepsWhatItRefuses(Taxing):
    """Stores the rest of what has a wrong tax id."""

    async def save_billing_details(self, customer: str, details: BillingDetails) -> BillingDetails | BillingRefusal:
        told = await super().save_billing_details(customer, details)
        if isinstance(told, BillingRefusal):
            self.kept[customer] = replace(details, tax_id="")
        return told


@spoilt("PAY_30", *given, bad_tax_ids=BAD)
class ChargesSomethingElse(Taxing):
    """Tells that nothing is charged."""
