"""Promotion codes: told before they are used, and used once."""

import pytest

from kernel.core.errors import InvalidFields, NoProvider
from kernel.core.field_errors import FieldError
from tests.billing.conftest import BOSS, BillingHarness, NewHarness
from tests.stub_payment.catalog import PRO, YEARLY

pytestmark = pytest.mark.anyio


def fault(error: pytest.ExceptionInfo[InvalidFields]) -> str:
    """Return the code of the one wrong field."""
    assert error.value.fields is not None
    ((name, sentence),) = error.value.fields.items()
    assert name == "promotionCode" and isinstance(sentence, FieldError)
    return sentence.code


async def test_what_a_code_takes_off_is_told_and_nothing_is_started(harness: BillingHarness) -> None:
    ada = await harness.person()
    for _ in range(2):
        price, told = await harness.billing.promotions.preview(ada, None, " save20 ")
        assert (price.price, told.due.amount, told.full.amount) == (PRO, 1520, 1900)
        assert (told.lasts, told.months) == ("months", 3)
    assert harness.bank.subscriptions(ada.id) == []
    assert len(harness.bank.customers(ada.id)) == 1


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("nobody", "promotion_unknown"),
        ("old", "promotion_expired"),
        ("FULL", "promotion_used_up"),
        ("Other", "promotion_not_for_price"),
        ("new", "promotion_new_only"),
    ],
)
async def test_a_code_that_gives_nothing_says_why_and_starts_nothing(
    harness: BillingHarness, code: str, told: str
) -> None:
    ada = await harness.person()
    with pytest.raises(InvalidFields) as looked:
        await harness.billing.promotions.preview(ada, None, code)
    with pytest.raises(InvalidFields) as started:
        await harness.billing.subscriptions.start(ada, None, code)
    assert fault(looked) == fault(started) == told
    assert harness.bank.subscriptions(ada.id) == [] and await harness.count("payment_operation") == 0


async def test_a_vendor_without_codes_knows_none(new_harness: NewHarness) -> None:
    harness = new_harness(promotions=False)
    ada = await harness.person()
    with pytest.raises(InvalidFields) as looked:
        await harness.billing.promotions.preview(ada, None, "SAVE20")
    with pytest.raises(InvalidFields) as started:
        await harness.billing.subscriptions.start(ada, None, "SAVE20")
    assert fault(looked) == fault(started) == "promotion_unknown"
    assert harness.bank.calls("preview_promotion") == []


async def test_starting_twice_with_a_code_is_starting_once(harness: BillingHarness) -> None:
    ada = await harness.person()
    first = await harness.billing.subscriptions.start(ada, None, "onceonly")
    again = await harness.billing.subscriptions.start(ada, None, "ONCEONLY ")
    assert first.client == again.client
    assert len(harness.bank.calls("start_subscription")) == 1
    (entry,) = harness.bank.subscriptions(ada.id)
    harness.bank.pay(entry["ref"])
    assert await harness.billing.subscriptions.sync(ada.id, None)
    shown = await harness.shown(ada)
    assert shown is not None and (shown.promotion_code, shown.next_amount) == ("ONCEONLY", 1520)


@pytest.mark.parametrize("mode", ["reset", "lost"])
async def test_a_lost_answer_uses_a_code_once(harness: BillingHarness, mode: str) -> None:
    ada = await harness.person()
    harness.bank.does(f"start_subscription={mode}")
    with pytest.raises(NoProvider):
        await harness.billing.subscriptions.start(ada, None, "ONCEONLY")
    await harness.billing.subscriptions.start(ada, None, "ONCEONLY")
    assert len(harness.bank.subscriptions(ada.id)) == 1
    assert len({call["key"] for call in harness.bank.calls("start_subscription")}) == 1
    assert await harness.count("payment_operation") == 0


async def test_another_code_is_a_new_start_as_another_price_is(harness: BillingHarness) -> None:
    await harness.billing.prices.choose(harness.billing.payment_gateway.active(), "prod_pro", PRO, BOSS, (YEARLY,))
    ada = await harness.person()
    wishes = [(None, None), (None, "SAVE20"), (None, "ONCEONLY"), (YEARLY, "SAVE20"), (YEARLY, None)]
    for price, code in wishes:
        await harness.billing.subscriptions.start(ada, price, code)
        (entry,) = harness.bank.subscriptions(ada.id)
        assert (entry["price"], entry.get("promotion_code")) == (price or PRO, code), "only the last one can be paid"
    assert len({call["key"] for call in harness.bank.calls("start_subscription")}) == len(wishes)


async def test_letters_tell_the_amount_with_the_discount(new_harness: NewHarness) -> None:
    harness = new_harness()
    ada = await harness.person()
    await harness.billing.subscriptions.start(ada, None, "SAVE20")
    (entry,) = harness.bank.subscriptions(ada.id)
    harness.bank.pay(entry["ref"])
    await harness.billing.subscriptions.sync(ada.id, None)
    card = {"brand": "visa", "last4": "4242", "exp_month": 1, "exp_year": 2020}
    harness.bank.change(entry["ref"], card=card)
    await harness.billing.subscriptions.sync(ada.id, None)
    details = next(details for kind, details in await harness.letters(ada) if kind == "card_expiring")
    assert details["amount"] == "1520"


async def test_a_code_that_was_used_up_meanwhile_says_so(harness: BillingHarness) -> None:
    ada, bob = await harness.person(), await harness.person()
    await harness.billing.promotions.preview(ada, None, "ONCEONLY")
    await harness.billing.subscriptions.start(bob, None, "ONCEONLY")
    with pytest.raises(InvalidFields) as refused:
        await harness.billing.subscriptions.start(ada, None, "ONCEONLY")
    assert fault(refused) == "promotion_used_up"
