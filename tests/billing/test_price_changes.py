"""Changes of price at a vendor that fails."""

import pytest

from kernel.billing.vendor.gateway import Declined
from kernel.core.errors import NoProvider
from tests.billing.conftest import BOSS, BillingHarness
from tests.stub_payment.catalog import PRO, YEARLY

pytestmark = pytest.mark.anyio


async def sell_both(harness: BillingHarness) -> None:
    active = harness.billing.payment_gateway.active()
    await harness.billing.prices.choose(active, "prod_pro", PRO, BOSS, (YEARLY,))


async def price_of(harness: BillingHarness, ref: str) -> str:
    with harness.bank.open() as state:
        return str(state["subscriptions"][ref]["price"])


async def test_a_lost_answer_is_no_second_charge(harness: BillingHarness) -> None:
    await sell_both(harness)
    person, _ = await harness.subscriber()
    told = await harness.billing.price_changes.preview(person.id, YEARLY)
    harness.bank.does("change_price=reset")
    with pytest.raises(NoProvider):
        await harness.billing.price_changes.change(person.id, YEARLY, told.as_of)
    assert await harness.count("payment_operation", person) == 1
    await harness.billing.price_changes.change(person.id, YEARLY, told.as_of + 60)
    first, second = harness.bank.calls("change_price")
    assert (first["key"], first["as_of"]) == (second["key"], second["as_of"]), "the same call again"
    assert await harness.count("payment_operation", person) == 0
    assert await harness.column("total", "payment_invoice", person) == [1900, 17_100]


async def test_another_wish_is_another_call(harness: BillingHarness) -> None:
    await sell_both(harness)
    person, ref = await harness.subscriber()
    told = await harness.billing.price_changes.preview(person.id, YEARLY)
    harness.bank.does("change_price=lost")
    with pytest.raises(NoProvider):
        await harness.billing.price_changes.change(person.id, YEARLY, told.as_of)
    await harness.billing.subscriptions.sync(person.id, None)
    for price in (PRO, YEARLY):
        await harness.billing.price_changes.change(person.id, price, told.as_of)
        assert await price_of(harness, ref) == price
    assert len({call["key"] for call in harness.bank.calls("change_price")}) == 3


async def test_a_declined_change_changes_nothing(harness: BillingHarness) -> None:
    await sell_both(harness)
    person, ref = await harness.subscriber()
    told = await harness.billing.price_changes.preview(person.id, YEARLY)
    harness.bank.does("change_price=declined")
    with pytest.raises(Declined):
        await harness.billing.price_changes.change(person.id, YEARLY, told.as_of)
    assert await price_of(harness, ref) == PRO
    assert await harness.count("payment_operation", person) == 0


async def test_an_interrupted_change_is_finished_by_a_worker(harness: BillingHarness) -> None:
    await sell_both(harness)
    person, _ = await harness.subscriber()
    told = await harness.billing.price_changes.preview(person.id, YEARLY)
    harness.bank.does("change_price=lost")
    with pytest.raises(NoProvider):
        await harness.billing.price_changes.change(person.id, YEARLY, told.as_of)
    await harness.age("payment_operation", "created_at", minutes=10)
    await harness.billing.worker.finish_operations()
    assert await harness.count("payment_operation", person) == 0
    shown = await harness.shown(person)
    assert shown is not None and shown.price is not None and shown.price.interval == "year"
