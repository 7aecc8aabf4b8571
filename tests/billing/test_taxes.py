"""Billing details: asked for where taxes are computed, kept at the vendor, and refused with a reason at its field."""

import pytest

from kernel.core.errors import Absent, Conflict, InvalidFields, NoProvider
from kernel.spi import BillingDetails
from tests.billing.conftest import BillingHarness, NewHarness

pytestmark = pytest.mark.anyio

HOME = BillingDetails(name="Ada", country="DE", line1="Lindenallee 7", city="Berlin", postal_code="10115")


def given(**changes: str) -> BillingDetails:
    values = {name: getattr(HOME, name) for name in HOME.__struct_fields__}
    return BillingDetails(**values | changes)


async def test_where_no_taxes_are_computed_nothing_is_asked(harness: BillingHarness) -> None:
    ada = await harness.person()
    buyers = harness.billing.buyers
    assert await buyers.read(ada.id) == (False, None)
    with pytest.raises(Absent):
        await buyers.save(ada, HOME)
    with pytest.raises(Absent):
        await buyers.preview(ada, None, None)
    assert harness.bank.calls("ensure_customer") == []


async def test_a_start_needs_the_address_and_then_costs_what_was_told(new_harness: NewHarness) -> None:
    harness = new_harness(taxes=True)
    ada, buyers = await harness.person(), harness.billing.buyers
    assert await buyers.read(ada.id) == (True, None)
    for call in (harness.billing.subscriptions.start(ada), buyers.preview(ada, None, None)):
        with pytest.raises(Conflict, match="billing address"):
            await call
    assert await harness.count("payment_operation") == 0
    assert await buyers.save(ada, given(name=" Ada ", country="de", tax_id="DE123")) == HOME, "no tax id of a person"
    assert await buyers.read(ada.id) == (True, HOME)
    told = await buyers.preview(ada, None, None)
    assert (told.net.amount, told.taxes[0].money.amount, told.total.amount) == (1900, 190, 2090)
    assert (await harness.billing.subscriptions.start(ada)).client is not None


async def test_everything_that_is_wrong_is_told_at_once(new_harness: NewHarness) -> None:
    harness = new_harness(taxes=True)
    ada, buyers = await harness.person(), harness.billing.buyers
    with pytest.raises(InvalidFields) as refused:
        await buyers.save(ada, given(name=" ", country="D1", line1="", city=""))
    assert set(refused.value.fields) == {"name", "country", "line1", "city"}
    with pytest.raises(InvalidFields) as refused:
        await buyers.save(ada, given(postal_code="", company="Reader Books", tax_id="DE00"))
    assert set(refused.value.fields) == {"postalCode", "taxId"}
    assert await buyers.read(ada.id) == (True, None)


async def test_another_address_begins_an_open_payment_anew(new_harness: NewHarness) -> None:
    harness = new_harness(taxes=True)
    ada, buyers = await harness.person(), harness.billing.buyers
    await buyers.save(ada, HOME)
    await harness.billing.subscriptions.start(ada)
    await buyers.save(ada, given(country="FR"))
    states = [entry["state"] for entry in harness.bank.subscriptions(ada.id, ended=True)]
    assert states == ["canceled"], "its amount was that of another country"
    await harness.billing.subscriptions.start(ada)
    await harness.promises_hold()


async def test_a_subscriber_changes_the_address_and_goes_on(new_harness: NewHarness) -> None:
    harness = new_harness(taxes=True)
    ada, buyers = await harness.person(), harness.billing.buyers
    await buyers.save(ada, HOME)
    await harness.billing.subscriptions.start(ada)
    (entry,) = harness.bank.subscriptions(ada.id)
    harness.bank.pay(entry["ref"])
    assert await harness.billing.subscriptions.sync(ada.id, None)
    await buyers.save(ada, given(country="FR", company="Reader Books", tax_id="FR12"))
    asked, details = await buyers.read(ada.id)
    assert asked and details == given(country="FR", company="Reader Books", tax_id="FR12")
    assert await harness.is_pro(ada)
    harness.bank.does("billing_details=down", "save_billing_details=down", "preview_taxes=down")
    for call in (buyers.read(ada.id), buyers.save(ada, HOME), buyers.preview(ada, None, None)):
        with pytest.raises(NoProvider):
            await call
