"""Payment providers with faulty promotion codes."""

from typing import Any

import msgspec

from kernel.spi import (
    InvalidRequest,
    Money,
    NotFound,
    PaymentCapabilities,
    PromotionPreview,
    PromotionRefusal,
    StartRequest,
    StartResult,
)
from tests.kit.careless import spoilt
from tests.kit.examples import example

provider, tests = example("payment")
Careful: Any = provider.ExamplePaymentPayments
given: Any = (tests.TestConformance, tests.EXAMPLE_PAYMENT)
replace = msgspec.structs.replace

CODES = {"once": "FIRST", "expired": "OLD"}


class Discounting(Careful):  # type: ignore[misc]
    """Tells codes correctly."""

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), promotion_codes=True)

    async def preview_promotion(self, customer: str, *, price: str, code: str) -> PromotionPreview | PromotionRefusal:
        await super().subscriptions(customer)
        if price == "price_nobody":
            raise NotFound("no such price")
        if code != "FIRST":
            return PromotionRefusal(fault="expired" if code == "OLD" else "unknown")
        return self.told()

    def told(self) -> PromotionPreview:
        less, full = Money(amount=1, currency="usd"), Money(amount=2, currency="usd")
        return PromotionPreview(due=less, reduced=less, full=full, lasts="once")


@spoilt("PAY_23", *given, codes=CODES)
class TakesOffNothing(Discounting):
    """Shows the whole price as what a code leaves."""

    def told(self) -> PromotionPreview:
        told = super().told()
        return replace(told, reduced=told.full, due=told.full)


@spoilt("PAY_24", *given, codes=CODES)
class ForgetsTheCode(Discounting):
    """Refuses bad codes, and starts with good ones as without."""

    async def start_subscription(self, request: StartRequest) -> StartResult:
        if request.promotion_code not in (None, "FIRST"):
            raise InvalidRequest("no such code", field="promotion_code")
        started: StartResult = await super().start_subscription(replace(request, promotion_code=None))
        return started
