"""Payment providers with faulty refunds."""

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from kernel.spi import InvalidRequest, Invoice, Money, NotFound, PaymentCapabilities
from tests.kit.careless import spoilt
from tests.kit.examples import example

provider, tests = example("payment")
Careful: Any = provider.ExamplePaymentPayments
given: Any = (tests.TestConformance, tests.EXAMPLE_PAYMENT)
replace = msgspec.structs.replace


GIVEN: dict[str, int] = {}
"""What the vendor refunded of each invoice."""


async def last_only(invoice: Invoice, amount: int) -> None:
    """Refund, and forget what was refunded before."""
    GIVEN[invoice.id] = amount


class Refunding(Careful):  # type: ignore[misc]
    """Tells what its vendor says."""

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), refunds=True, test_refunds=True)

    async def invoices(self, customer: str, *, limit: int = 24) -> Sequence[Invoice]:
        return tuple(_told(one) for one in await super().invoices(customer, limit=limit))

    async def refund(self, invoice: str, *, total: int) -> None:
        if invoice == "in_nobody":
            raise NotFound("no such invoice")
        if not 1 <= total <= 1900:
            raise InvalidRequest("not that much", field="total")
        GIVEN[invoice] = max(total, GIVEN.get(invoice, 0))


def _told(invoice: Invoice) -> Invoice:
    if not (given := GIVEN.get(invoice.id, 0)):
        return invoice
    money = Money(amount=given, currency=invoice.paid.currency)
    return replace(invoice, refunded=money, refunded_at=int(time.time()))


@spoilt("PAY_27", *given, refund=last_only)
class TellsTheLastRefundOnly(Refunding):
    """Tells of two refunds the last one."""


@spoilt("PAY_28", *given)
class RefundsAgain(Refunding):
    """Refunds once more whatever is asked for twice."""

    async def refund(self, invoice: str, *, total: int) -> None:
        before = GIVEN.get(invoice, 0)
        await super().refund(invoice, total=total)
        GIVEN[invoice] = before + total
