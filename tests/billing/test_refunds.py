"""Refunds: seen on the invoice, told once for each amount, and no end of anything."""

import pytest

from kernel.accounts.current_user import CurrentUser
from kernel.accounts.user_summary import InvoiceOut
from kernel.billing.entitlement import DAY_S
from kernel.core import clock
from kernel.core.errors import Absent, InvalidFields, NoProvider
from tests.billing.conftest import BOSS, BillingHarness, NewHarness

pytestmark = pytest.mark.anyio


async def latest(harness: BillingHarness, person: CurrentUser) -> InvoiceOut:
    async with harness.database.read() as connection:
        return (await harness.billing.subscription_summaries.facts_in(connection, person.id)).invoices[0]


async def told(harness: BillingHarness, person: CurrentUser) -> None:
    """Hear of the customer's invoices, again and again."""
    (customer,) = harness.bank.customers(person.id)
    for _ in range(2):
        await harness.hear("invoice_changed", customer, times=2)
        await harness.follow_up()


async def test_a_refund_is_shown_and_told_once_for_each_amount(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    await harness.sent(ada)
    harness.bank.refund(500)
    await told(harness, ada)
    shown = await latest(harness, ada)
    assert (shown.refunded, shown.amount_paid, shown.status) == (500, 1900, "paid")
    # by the bank's own clock, as the invoice is: other tests move the product's
    assert shown.refunded_at is not None and 0 <= shown.refunded_at - shown.created < 60
    ((kind, details),) = await harness.letters(ada)
    assert kind == "refunded"
    assert details == {
        "number": shown.number,
        "date": str(shown.refunded_at),
        "amount": "500",
        "currency": "usd",
    }
    await harness.sent(ada)
    harness.bank.refund(1900)
    await told(harness, ada)
    ((_, rest),) = await harness.letters(ada)
    assert rest["amount"] == "1400", "what came to it"
    await harness.sent(ada)
    harness.bank.refund(500)  # the second refund failed, and is made again
    await told(harness, ada)
    assert (await latest(harness, ada)).refunded == 500
    harness.bank.refund(1900)
    await told(harness, ada)
    assert await harness.letters(ada) == []
    assert await harness.is_pro(ada), "a refund ends nothing"
    await harness.promises_hold()


async def test_a_refund_of_long_ago_is_shown_and_no_news(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    await harness.sent(ada)
    harness.bank.refund(1900, at=int(clock.now_unix()) - 30 * DAY_S)
    await told(harness, ada)
    assert (await latest(harness, ada)).refunded == 1900
    assert await harness.letters(ada) == []


async def test_no_letter_doubles_that_of_the_vendor(new_harness: NewHarness) -> None:
    harness = new_harness(refund_notices=True)
    ada, _ = await harness.subscriber()
    await harness.sent(ada)
    harness.bank.refund(1900)
    await told(harness, ada)
    assert (await latest(harness, ada)).refunded == 1900
    assert await harness.letters(ada) == []


async def test_a_void_invoice_keeps_its_amount_and_an_open_one_says_until_when(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.fail_renewal(ref)
    harness.bank.bill(due_at=1_900_000_000, tax=300)
    await told(harness, ada)
    shown = await latest(harness, ada)
    assert (shown.status, shown.amount_due, shown.tax, shown.due_at) == ("open", 1900, 300, 1_900_000_000)
    harness.bank.bill(void=True)
    await told(harness, ada)
    shown = await latest(harness, ada)
    assert (shown.status, shown.amount_due, shown.amount_paid, shown.total) == ("void", 0, 0, 1900)


async def test_an_administrator_refunds_a_test_payment_once(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    number = (await latest(harness, ada)).number
    admin = harness.billing.payment_admin
    for wrong, total, field in (("CW-nobody", None, "number"), (number, 1901, "total")):
        with pytest.raises(InvalidFields) as refused:
            await admin.refund("stub-pay", wrong, total, BOSS)
        assert list(refused.value.fields) == [field]
    with pytest.raises(Absent):
        await admin.refund("stripe", number, None, BOSS)
    assert harness.bank.calls("refund") == []
    for _ in range(2):
        done = await admin.refund("stub-pay", f" {number} ", 700, BOSS)
        assert (done.number, done.currency, done.paid, done.refunded) == (number, "usd", 1900, 700)
    await harness.follow_up()
    assert (await latest(harness, ada)).refunded == 700
    assert (await admin.refund("stub-pay", number, None, BOSS)).refunded == 1900
    harness.bank.does("refund=down")
    with pytest.raises(NoProvider):
        await admin.refund("stub-pay", number, None, BOSS)
