"""Pauses at the sandbox, over time."""

import pytest

from kernel.spi import InvalidRequest, PaymentDeclined
from plugins.sandbox_payments.provider import SandboxPayments
from tests.sandbox.bank import TRIAL, YEAR, subscribe

pytestmark = pytest.mark.anyio

DAY_S = 86_400


async def test_to_resume_what_is_used_up_pays_a_period_from_now(bank: SandboxPayments) -> None:
    truth = await subscribe(bank)
    await bank.pause(truth.ref, months=3, idempotency_key="a")
    await bank.advance(45)
    back = await bank.resume(truth.ref, idempotency_key="b")
    assert back.state == "active" and (back.period_end or 0) - await bank.now() > 27 * DAY_S
    assert [invoice.paid.amount for invoice in await bank.invoices(truth.customer)] == [1900, 1900]
    await bank.advance(32)
    assert len(await bank.invoices(truth.customer)) == 3


async def test_a_declined_card_leaves_the_pause(bank: SandboxPayments) -> None:
    truth = await subscribe(bank, "fails_at_renewal")
    await bank.pause(truth.ref, months=1, idempotency_key="a")
    await bank.advance(40)
    paused = await bank.subscription(truth.ref)
    with pytest.raises(PaymentDeclined):
        await bank.resume(truth.ref, idempotency_key="b")
    assert await bank.subscription(truth.ref) == paused and paused.state == "paused"


@pytest.mark.parametrize("days", [0, 40])
async def test_a_cancellation_ends_a_pause(bank: SandboxPayments, days: int) -> None:
    truth = await subscribe(bank)
    await bank.pause(truth.ref, months=2, idempotency_key="a")
    if days:
        await bank.advance(days)
    ended = await bank.cancel(truth.ref, at_period_end=not days, idempotency_key="b")
    assert ended.paused_until is None and ended.state == ("canceled" if days else "active")
    await bank.advance(120)
    assert (await bank.subscription(truth.ref)).state == "canceled"
    assert len(await bank.invoices(truth.customer)) == 1


@pytest.mark.parametrize("price", [YEAR, TRIAL])
async def test_only_what_is_paid_monthly_pauses(bank: SandboxPayments, price: str) -> None:
    truth = await subscribe(bank, price=price)
    with pytest.raises(InvalidRequest):
        await bank.pause(truth.ref, months=1, idempotency_key="a")
