"""Payment providers with faulty pauses."""

import time
from typing import Any

import msgspec

from kernel.spi import InvalidRequest, PaymentCapabilities, SubscriptionTruth
from tests.kit.careless import spoilt
from tests.kit.examples import example

provider, tests = example("payment")
Careful: Any = provider.ExamplePaymentPayments
given: Any = (tests.TestConformance, tests.EXAMPLE_PAYMENT)
replace = msgspec.structs.replace

DAY_S = 86_400


class Pausing(Careful):  # type: ignore[misc]
    """Pauses correctly, as far as it says."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.until: int | None = None

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), pause=True)

    async def subscription(self, ref: str) -> SubscriptionTruth:
        return replace(await super().subscription(ref), paused_until=self.until)

    async def pause(self, ref: str, *, months: int, idempotency_key: str) -> SubscriptionTruth:
        truth: SubscriptionTruth = await self.subscription(ref)
        if truth.state != "active":
            raise InvalidRequest("not paid")
        self.until = self.until or (truth.period_end or 0) + 61 * DAY_S
        return await self.subscription(ref)

    async def resume(self, ref: str, *, idempotency_key: str) -> SubscriptionTruth:
        self.until = None
        return await self.subscription(ref)


@spoilt("PAY_25", *given)
class PausesAtOnce(Pausing):
    """Takes away at once what is paid."""

    async def pause(self, ref: str, *, months: int, idempotency_key: str) -> SubscriptionTruth:
        truth = await super().pause(ref, months=months, idempotency_key=idempotency_key)
        return replace(truth, state="paused", period_end=int(time.time()))


@spoilt("PAY_26", *given)
class NeverComesBack(Pausing):
    """Has a clock, and pauses for ever."""

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), test_clock=True)

    async def now(self) -> float:
        return time.time()

    async def advance(self, days: int) -> float:
        return time.time()
