"""Canceling, reactivating, paying what is open."""

import asyncio

import pytest

from kernel.core.errors import Absent, Conflict, InvalidFields, NoProvider
from kernel.spi import PaymentCard, SandboxClient
from tests.billing.conftest import BillingHarness, NewHarness

pytestmark = pytest.mark.anyio
GOOD, DECLINED, ASKS, REAL = "4000000000000001", "4000000000000002", "4000000000000003", "4000000000000004"


def card(number: str) -> PaymentCard:
    return PaymentCard(number=number, expiry="12/40", cvc="123")


async def test_a_cancellation_leaves_pro_until_the_end_and_can_be_taken_back(harness: BillingHarness) -> None:
    ada, _ref = await harness.subscriber()
    await harness.billing.subscriptions.cancel(ada.id)
    shown = await harness.shown(ada)
    assert shown is not None and shown.cancel_at == shown.current_period_end and shown.canceled_at
    assert await harness.is_pro(ada)
    await harness.billing.subscriptions.reactivate(ada.id)
    shown = await harness.shown(ada)
    assert shown is not None and shown.cancel_at is None and shown.canceled_at is None


async def test_a_cancellation_made_elsewhere_can_be_taken_back(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, cancel_at=2_000_000_000, canceled_at=1)
    await harness.billing.subscriptions.reactivate(ada.id)
    assert harness.bank.subscriptions(ada.id)[0]["cancel_at"] is None


async def test_what_has_ended_cannot_be_taken_back(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state="canceled", ended_at=1)
    with pytest.raises(Conflict, match="has ended"):
        await harness.billing.subscriptions.reactivate(ada.id)
    assert not await harness.is_pro(ada), "and now we know"


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("state", ["past_due", "unpaid", "paused"])
async def test_what_is_not_paid_any_more_ends_at_once(small_harness: BillingHarness, state: str, heard: bool) -> None:
    harness = small_harness
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state=state)
    if heard:
        await harness.billing.subscriptions.sync(ada.id, None)
    await harness.billing.subscriptions.cancel(ada.id)
    assert harness.bank.subscriptions(ada.id) == []
    assert await harness.shown(ada) is None
    assert not await harness.is_pro(ada)


async def test_what_has_ended_elsewhere_need_not_be_cancelled(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state="canceled", ended_at=1)
    await harness.billing.subscriptions.cancel(ada.id)
    assert await harness.shown(ada) is None
    with pytest.raises(Absent):
        await harness.billing.subscriptions.cancel(ada.id)


async def test_a_provider_that_cannot_end_at_once_ends_later(new_harness: NewHarness) -> None:
    harness = new_harness(cancel_now=False)
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state="unpaid")
    await harness.billing.subscriptions.sync(ada.id, None)
    await harness.billing.subscriptions.cancel(ada.id)
    assert harness.bank.subscriptions(ada.id)[0]["cancel_at"]


async def test_without_a_subscription_there_is_nothing_to_change(harness: BillingHarness) -> None:
    ada = await harness.person()
    for change in (harness.billing.subscriptions.cancel, harness.billing.subscriptions.reactivate):
        with pytest.raises(Absent):
            await change(ada.id)


@pytest.mark.parametrize("mode", ["down", "broken", "limited", "reset", "lost", "failed"])
@pytest.mark.parametrize("operation", ["cancel", "reactivate"])
async def test_a_change_that_failed_can_be_tried_again(
    small_harness: BillingHarness, operation: str, mode: str
) -> None:
    ada, _ref = await small_harness.subscriber()
    if operation == "reactivate":
        await small_harness.billing.subscriptions.cancel(ada.id)
    change = getattr(small_harness.billing.subscriptions, operation)
    small_harness.bank.does(f"{operation}={mode}")
    with pytest.raises(NoProvider):
        await change(ada.id)
    await change(ada.id)
    assert (small_harness.bank.subscriptions(ada.id)[0]["cancel_at"] is not None) == (operation == "cancel")
    first, again = small_harness.bank.calls(operation)[-2:]
    assert (first["key"] == again["key"]) == (mode in ("reset", "lost"))
    assert await small_harness.count("payment_operation") == 0


async def test_a_change_of_mind_does_not_repeat_an_old_answer(harness: BillingHarness) -> None:
    ada, _ref = await harness.subscriber()
    harness.bank.does("cancel=lost")
    with pytest.raises(NoProvider):
        await harness.billing.subscriptions.cancel(ada.id)
    await harness.billing.subscriptions.reactivate(ada.id)
    await harness.billing.subscriptions.cancel(ada.id)
    keys = [call["key"] for call in harness.bank.calls("cancel")]
    assert len(set(keys)) == 2


async def test_eight_cancellations_at_once_are_one(harness: BillingHarness) -> None:
    ada, _ref = await harness.subscriber()
    await asyncio.gather(*(harness.billing.subscriptions.cancel(ada.id) for _ in range(8)))
    assert harness.bank.subscriptions(ada.id)[0]["cancel_at"]


async def test_paying_in_our_own_form_makes_pro(harness: BillingHarness) -> None:
    ada = await harness.person()
    opened = await harness.billing.subscriptions.start(ada)
    assert isinstance(opened.client, SandboxClient)
    secret = opened.client.client_secret
    assert (
        await harness.billing.subscriptions.pay(ada.id, secret, card(DECLINED), confirmed=False)
    ).status == "declined"
    asked = await harness.billing.subscriptions.pay(ada.id, secret, card(ASKS), confirmed=False)
    assert asked.status == "requires_confirmation" and not await harness.is_pro(ada)
    paid = await harness.billing.subscriptions.pay(ada.id, secret, card(ASKS), confirmed=True)
    assert paid.status == "succeeded" and await harness.is_pro(ada)


async def test_a_card_that_is_no_test_card_is_a_wrong_field(harness: BillingHarness) -> None:
    ada = await harness.person()
    opened = await harness.billing.subscriptions.start(ada)
    assert isinstance(opened.client, SandboxClient)
    with pytest.raises(InvalidFields):
        await harness.billing.subscriptions.pay(ada.id, opened.client.client_secret, card(REAL), confirmed=False)


async def test_nobody_pays_with_the_secret_of_somebody_else(harness: BillingHarness) -> None:
    ada, bob = await harness.person(), await harness.person()
    opened = await harness.billing.subscriptions.start(ada)
    await harness.billing.subscriptions.start(bob)
    assert isinstance(opened.client, SandboxClient)
    for secret in (opened.client.client_secret, "", "sub_1", "nonsense"):
        with pytest.raises(Absent):
            await harness.billing.subscriptions.pay(bob.id, secret, card(GOOD), confirmed=True)
    assert harness.bank.calls("pay") == []


async def test_a_failed_renewal_can_be_paid(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    with pytest.raises(Absent):
        await harness.billing.subscriptions.open_payment(ada.id)
    harness.bank.change(ref, state="past_due")
    await harness.billing.subscriptions.sync(ada.id, None)
    opened = await harness.billing.subscriptions.open_payment(ada.id)
    assert isinstance(opened.client, SandboxClient)
    await harness.billing.subscriptions.pay(ada.id, opened.client.client_secret, card(GOOD), confirmed=False)
    shown = await harness.shown(ada)
    assert shown is not None and shown.status == "active" and shown.grace_until is None


async def test_the_portal_is_there_for_customers_where_there_is_one(new_harness: NewHarness) -> None:
    harness = new_harness()
    ada, bob = (await harness.subscriber())[0], await harness.person()
    assert (await harness.billing.subscriptions.portal(ada.id)).startswith("https://bank.example/")
    with pytest.raises(Absent):
        await harness.billing.subscriptions.portal(bob.id)
    with pytest.raises(Absent):
        await new_harness(portal=False).billing.subscriptions.portal(ada.id)


async def test_what_was_begun_with_a_provider_ends_with_it(new_harness: NewHarness) -> None:
    ada, _ref = await new_harness().subscriber()
    moved = new_harness(route=("second",))
    await moved.billing.subscriptions.cancel(ada.id)
    assert moved.bank.subscriptions(ada.id)[0]["cancel_at"]
    assert await moved.billing.subscriptions.sync(ada.id, None)
    assert moved.second.calls("subscriptions") == []
