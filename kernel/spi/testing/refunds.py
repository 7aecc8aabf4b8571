"""Rules for payment providers that tell what was refunded."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from .. import InvalidRequest, Invoice, NotFound, PaymentProvider, StartResult, misfit
from .buyers import started
from .waivers import waived

Confirm = Callable[[StartResult], Awaitable[None]]
Refund = Callable[[Invoice, int], Awaitable[None]]
"""Refunds so many minor units of an invoice at the vendor."""


class RefundRules:
    """Part of the group PAY. Rules apply only where `refunds` or `test_refunds` is claimed."""

    @pytest.fixture
    def refund(self, provider: PaymentProvider) -> Refund | None:
        """Return how an invoice is refunded at the vendor."""
        if not provider.capabilities().refunds:
            return None
        raise NotImplementedError("override the fixture `refund`: how the vendor of the tests refunds an invoice")

    async def test_PAY_27_an_invoice_tells_what_was_refunded(
        self, provider: Any, prices: tuple[str, str], confirm: Confirm, refund: Refund
    ) -> None:
        if not provider.capabilities().refunds:
            return waived("refunds is not claimed")
        begun = await started(provider, prices[0])
        await confirm(begun)
        (before,) = await provider.invoices(begun.subscription.customer)
        assert (before.refunded, before.refunded_at) == (None, None), "nothing was refunded"
        truth = await provider.subscription(begun.subscription.ref)
        amount = before.paid.amount
        for part, whole in ((amount // 3, amount // 3), (amount - amount // 3, amount)):
            await refund(before, part)
            (told,) = await provider.invoices(truth.customer)
            assert misfit(told, Invoice) is None
            assert told.refunded is not None and told.refunded_at is not None
            assert (told.refunded.amount, told.refunded.currency) == (whole, before.paid.currency)
            assert told.refunded_at >= before.created, "unix seconds"
            assert (told.state, told.total, told.paid) == (before.state, before.total, before.paid)
        assert await provider.subscription(truth.ref) == truth, "a refund ends nothing"

    async def test_PAY_28_a_test_refund_gives_back_what_was_paid_and_no_more(
        self, provider: Any, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        if not provider.capabilities().test_refunds:
            return waived("test_refunds is not claimed")
        begun = await started(provider, prices[0])
        await confirm(begun)
        customer = begun.subscription.customer
        (before,) = await provider.invoices(customer)
        for wrong in (0, -1, before.paid.amount + 1):
            with pytest.raises(InvalidRequest) as refused:
                await provider.refund(before.id, total=wrong)
            assert refused.value.field == "total"
        with pytest.raises(NotFound):
            await provider.refund("in_nobody", total=1)
        assert tuple(await provider.invoices(customer)) == (before,), "what is refused changes nothing"
        for total in (1, before.paid.amount, 1):
            for _ in range(2):
                await provider.refund(before.id, total=total)
        (after,) = await provider.invoices(customer)
        assert after.refunded == before.paid, "refunded twice, or taken back"
