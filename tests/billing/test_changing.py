"""Cancelling, coming back, paying what is open."""

import asyncio

import pytest

from kernel.core.errors import Absent, Conflict, InvalidFields, NoProvider
from kernel.spi import PaymentCard, SandboxClient
from tests.billing.conftest import House, NewHouse

pytestmark = pytest.mark.anyio
GOOD, DECLINED, ASKS, REAL = "4000000000000001", "4000000000000002", "4000000000000003", "4000000000000004"


def card(number: str) -> PaymentCard:
    return PaymentCard(number=number, expiry="12/40", cvc="123")


async def test_a_cancellation_leaves_pro_until_the_end_and_can_be_taken_back(house: House) -> None:
    ada, _ref = await house.subscriber()
    await house.billing.service.cancel(ada.id)
    shown = await house.shown(ada)
    assert shown is not None and shown.cancel_at == shown.current_period_end and shown.canceled_at
    assert await house.is_pro(ada)
    await house.billing.service.reactivate(ada.id)
    shown = await house.shown(ada)
    assert shown is not None and shown.cancel_at is None and shown.canceled_at is None


async def test_a_cancellation_made_elsewhere_can_be_taken_back(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.change(ref, cancel_at=2_000_000_000, canceled_at=1)
    await house.billing.service.reactivate(ada.id)
    assert house.bank.subscriptions(ada.id)[0]["cancel_at"] is None


async def test_what_has_ended_cannot_be_taken_back(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.change(ref, state="canceled", ended_at=1)
    with pytest.raises(Conflict, match="has ended"):
        await house.billing.service.reactivate(ada.id)
    assert not await house.is_pro(ada), "and now we know"


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("state", ["past_due", "unpaid", "paused"])
async def test_what_is_not_paid_any_more_ends_at_once(small_house: House, state: str, heard: bool) -> None:
    house = small_house
    ada, ref = await house.subscriber()
    house.bank.change(ref, state=state)
    if heard:
        await house.billing.service.sync(ada.id, None)
    await house.billing.service.cancel(ada.id)
    assert house.bank.subscriptions(ada.id) == []
    assert await house.shown(ada) is None
    assert not await house.is_pro(ada)


async def test_what_has_ended_elsewhere_need_not_be_cancelled(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.change(ref, state="canceled", ended_at=1)
    await house.billing.service.cancel(ada.id)
    assert await house.shown(ada) is None
    with pytest.raises(Absent):
        await house.billing.service.cancel(ada.id)


async def test_a_provider_that_cannot_end_at_once_ends_later(new_house: NewHouse) -> None:
    house = new_house(cancel_now=False)
    ada, ref = await house.subscriber()
    house.bank.change(ref, state="unpaid")
    await house.billing.service.sync(ada.id, None)
    await house.billing.service.cancel(ada.id)
    assert house.bank.subscriptions(ada.id)[0]["cancel_at"]


async def test_without_a_subscription_there_is_nothing_to_change(house: House) -> None:
    ada = await house.person()
    for change in (house.billing.service.cancel, house.billing.service.reactivate):
        with pytest.raises(Absent):
            await change(ada.id)


@pytest.mark.parametrize("mode", ["down", "broken", "limited", "reset", "lost", "failed"])
@pytest.mark.parametrize("operation", ["cancel", "reactivate"])
async def test_a_change_that_failed_can_be_tried_again(small_house: House, operation: str, mode: str) -> None:
    ada, _ref = await small_house.subscriber()
    if operation == "reactivate":
        await small_house.billing.service.cancel(ada.id)
    change = getattr(small_house.billing.service, operation)
    small_house.bank.does(f"{operation}={mode}")
    with pytest.raises(NoProvider):
        await change(ada.id)
    await change(ada.id)
    assert (small_house.bank.subscriptions(ada.id)[0]["cancel_at"] is not None) == (operation == "cancel")
    first, again = small_house.bank.calls(operation)[-2:]
    assert (first["key"] == again["key"]) == (mode in ("reset", "lost"))
    assert await small_house.count("payment_operation") == 0


async def test_a_change_of_mind_does_not_repeat_an_old_answer(house: House) -> None:
    ada, _ref = await house.subscriber()
    house.bank.does("cancel=lost")
    with pytest.raises(NoProvider):
        await house.billing.service.cancel(ada.id)
    await house.billing.service.reactivate(ada.id)
    await house.billing.service.cancel(ada.id)
    keys = [call["key"] for call in house.bank.calls("cancel")]
    assert len(set(keys)) == 2


async def test_eight_cancellations_at_once_are_one(house: House) -> None:
    ada, _ref = await house.subscriber()
    await asyncio.gather(*(house.billing.service.cancel(ada.id) for _ in range(8)))
    assert house.bank.subscriptions(ada.id)[0]["cancel_at"]


async def test_paying_in_our_own_form_makes_pro(house: House) -> None:
    ada = await house.person()
    opened = await house.billing.service.start(ada)
    assert isinstance(opened.client, SandboxClient)
    secret = opened.client.client_secret
    assert (await house.billing.service.pay(ada.id, secret, card(DECLINED), confirmed=False)).status == "declined"
    asked = await house.billing.service.pay(ada.id, secret, card(ASKS), confirmed=False)
    assert asked.status == "requires_confirmation" and not await house.is_pro(ada)
    paid = await house.billing.service.pay(ada.id, secret, card(ASKS), confirmed=True)
    assert paid.status == "succeeded" and await house.is_pro(ada)


async def test_a_card_that_is_no_test_card_is_a_wrong_field(house: House) -> None:
    ada = await house.person()
    opened = await house.billing.service.start(ada)
    assert isinstance(opened.client, SandboxClient)
    with pytest.raises(InvalidFields):
        await house.billing.service.pay(ada.id, opened.client.client_secret, card(REAL), confirmed=False)


async def test_nobody_pays_with_the_secret_of_somebody_else(house: House) -> None:
    ada, bob = await house.person(), await house.person()
    opened = await house.billing.service.start(ada)
    await house.billing.service.start(bob)
    assert isinstance(opened.client, SandboxClient)
    for secret in (opened.client.client_secret, "", "sub_1", "nonsense"):
        with pytest.raises(Absent):
            await house.billing.service.pay(bob.id, secret, card(GOOD), confirmed=True)
    assert house.bank.calls("pay") == []


async def test_a_failed_renewal_can_be_paid(house: House) -> None:
    ada, ref = await house.subscriber()
    with pytest.raises(Absent):
        await house.billing.service.open_payment(ada.id)
    house.bank.change(ref, state="past_due")
    await house.billing.service.sync(ada.id, None)
    opened = await house.billing.service.open_payment(ada.id)
    assert isinstance(opened.client, SandboxClient)
    await house.billing.service.pay(ada.id, opened.client.client_secret, card(GOOD), confirmed=False)
    shown = await house.shown(ada)
    assert shown is not None and shown.status == "active" and shown.grace_until is None


async def test_the_portal_is_there_for_customers_where_there_is_one(new_house: NewHouse) -> None:
    house = new_house()
    ada, bob = (await house.subscriber())[0], await house.person()
    assert (await house.billing.service.portal(ada.id)).startswith("https://bank.example/")
    with pytest.raises(Absent):
        await house.billing.service.portal(bob.id)
    with pytest.raises(Absent):
        await new_house(portal=False).billing.service.portal(ada.id)


async def test_what_was_begun_with_a_provider_ends_with_it(new_house: NewHouse) -> None:
    ada, _ref = await new_house().subscriber()
    moved = new_house(route=("second",))
    await moved.billing.service.cancel(ada.id)
    assert moved.bank.subscriptions(ada.id)[0]["cancel_at"]
    assert await moved.billing.service.sync(ada.id, None)
    assert moved.second.calls("subscriptions") == []
