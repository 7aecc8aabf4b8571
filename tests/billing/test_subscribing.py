"""Beginning a subscription: never a second one, never a second customer, whatever fails on the way."""

import asyncio

import pytest

from kernel.billing.service import AlreadySubscribed
from kernel.billing.vendor import Declined
from kernel.core.errors import NoProvider, SignedOut
from kernel.spi import NoClient, SandboxClient
from tests.billing.conftest import House, NewHouse
from tests.stub_payment.provider import TRIAL, YEARLY

pytestmark = pytest.mark.anyio


async def test_a_start_is_to_be_confirmed_and_makes_nobody_pro(house: House) -> None:
    ada = await house.person()
    opened = await house.billing.service.start(ada)
    (entry,) = house.bank.subscriptions(ada.id)
    assert opened.client == SandboxClient(client_secret=f"{entry['ref']}_secret")
    shown = await house.shown(ada)
    assert shown is not None and shown.status == "incomplete"
    assert not await house.is_pro(ada)
    assert await house.count("payment_operation") == 0


async def test_who_has_paid_is_pro_once_the_truth_was_read(house: House) -> None:
    ada, _ref = await house.subscriber()
    assert await house.is_pro(ada)
    shown = await house.shown(ada)
    assert shown is not None and shown.status == "active" and shown.price is not None
    assert (shown.price.amount, shown.price.currency, shown.price.interval) == (1900, "usd", "month")
    assert [event.name for event in house.seen] == ["subscription.incomplete", "subscription.active"]
    await house.promises_hold()


async def test_eight_starts_at_once_make_one_subscription(new_house: NewHouse) -> None:
    houses = [new_house() for _ in range(4)]  # several processes
    ada = await houses[0].person()
    opened = await asyncio.gather(*(house.billing.service.start(ada) for house in houses * 2))
    assert len(houses[0].bank.customers(ada.id)) == 1
    assert len(houses[0].bank.subscriptions(ada.id, ended=True)) == 1
    assert len({entry.client.client_secret for entry in opened if isinstance(entry.client, SandboxClient)}) == 1


async def test_people_do_not_wait_for_each_other(house: House) -> None:
    ada, bob = await house.person(), await house.person()
    house.bank.does("start_subscription=hold")
    waiting = asyncio.create_task(house.billing.service.start(ada))
    while not house.bank.calls("start_subscription"):
        await asyncio.sleep(0.01)
    await house.billing.service.start(bob)
    assert not waiting.done()
    (house.bank.folder / "release").touch()
    await waiting


async def test_who_comes_back_returns_to_the_same_payment(house: House) -> None:
    ada = await house.person()
    first, again = [await house.billing.service.start(ada) for _ in range(2)]
    assert first.client == again.client
    assert len(house.bank.calls("start_subscription")) == 1


async def test_another_price_ends_the_payment_that_was_begun(house: House) -> None:
    ada = await house.person()
    await house.billing.service.start(ada)
    await house.billing.prices.choose(house.billing.vendor.active(), "prod_pro", YEARLY)
    await house.billing.service.start(ada)
    states = [(entry["price"], entry["state"]) for entry in house.bank.subscriptions(ada.id, ended=True)]
    assert states == [("price_pro", "canceled"), (YEARLY, "incomplete")]
    assert await house.column("state", "subscription", ada) == ["canceled", "incomplete"]


@pytest.mark.parametrize("price", ["price_pro", YEARLY])
async def test_a_payment_that_arrives_while_one_starts_again_is_not_thrown_away(house: House, price: str) -> None:
    ada = await house.person()
    await house.billing.service.start(ada)
    (entry,) = house.bank.subscriptions(ada.id)
    await house.billing.prices.choose(house.billing.vendor.active(), "prod_pro", price)
    read = len(house.bank.calls("invoices"))
    house.bank.does("invoices=hold")
    starting = asyncio.create_task(house.billing.service.start(ada))
    while len(house.bank.calls("invoices")) == read:  # the subscription was read before, as one to be paid
        await asyncio.sleep(0.01)
    house.bank.pay(entry["ref"])
    (house.bank.folder / "release").touch()
    with pytest.raises(AlreadySubscribed):
        await starting
    assert [kept["state"] for kept in house.bank.subscriptions(ada.id, ended=True)] == ["active"]
    assert await house.is_pro(ada)
    await house.promises_hold()


async def test_who_has_a_subscription_gets_no_second_one(house: House) -> None:
    ada, ref = await house.subscriber()
    for state in ("active", "trialing", "past_due", "unpaid", "paused"):
        house.bank.change(ref, state=state)
        with pytest.raises(AlreadySubscribed, match="already has an active subscription"):
            await house.billing.service.start(ada)
    assert len(house.bank.subscriptions(ada.id, ended=True)) == 1


async def test_a_subscription_that_was_made_at_the_vendors_counts_too(house: House) -> None:
    ada = await house.person()
    await house.billing.service.start(ada)
    (entry,) = house.bank.subscriptions(ada.id)
    house.bank.change(entry["ref"], state="canceled", ended_at=1)
    house.bank.add(entry["customer"], "price_pro", state="active")
    with pytest.raises(AlreadySubscribed):
        await house.billing.service.start(ada)
    assert await house.is_pro(ada)


async def test_who_has_ended_may_begin_again(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.change(ref, state="canceled", ended_at=1)
    opened = await house.billing.service.start(ada)
    assert isinstance(opened.client, SandboxClient)
    assert not await house.is_pro(ada)


async def test_what_costs_nothing_needs_no_confirmation(house: House) -> None:
    ada = await house.person()
    await house.billing.prices.choose(house.billing.vendor.active(), "prod_pro", TRIAL)
    opened = await house.billing.service.start(ada)
    assert isinstance(opened.client, NoClient)
    assert await house.is_pro(ada)
    with pytest.raises(AlreadySubscribed):
        await house.billing.service.start(ada)


@pytest.mark.parametrize("mode", ["down", "broken", "limited", "reset", "lost", "failed", "auth_failed"])
@pytest.mark.parametrize("operation", ["products", "ensure_customer", "start_subscription"])
async def test_a_failure_is_told_and_the_next_try_works(small_house: House, operation: str, mode: str) -> None:
    ada = await small_house.person()
    small_house.bank.does(f"{operation}={mode}")
    with pytest.raises(NoProvider) as told:
        await small_house.billing.service.start(ada)
    assert told.value.message == "Payments cannot be handled just now. Please try again in a moment."
    assert told.value.retry_after
    await small_house.billing.service.start(ada)
    assert len(small_house.bank.subscriptions(ada.id, ended=True)) == 1
    assert mode == "failed" or len(small_house.bank.customers(ada.id)) == 1
    assert await small_house.count("payment_operation") == 0


@pytest.mark.parametrize("mode", ["down", "reset", "limited"])
@pytest.mark.parametrize("operation", ["subscriptions", "invoices", "confirmation"])
async def test_what_could_not_be_read_is_not_taken_for_nothing(small_house: House, operation: str, mode: str) -> None:
    ada = await small_house.person()
    first = await small_house.billing.service.start(ada)
    small_house.bank.does(f"{operation}={mode}")
    with pytest.raises(NoProvider):
        await small_house.billing.service.start(ada)
    assert (await small_house.billing.service.start(ada)).client == first.client
    assert len(small_house.bank.calls("start_subscription")) == 1


async def test_a_try_whose_answer_was_lost_is_repeated_under_its_key(house: House) -> None:
    ada = await house.person()
    house.bank.does("ensure_customer=lost")
    with pytest.raises(NoProvider):
        await house.billing.service.start(ada)
    assert await house.column("action", "payment_operation", ada) == ["customer"]
    await house.billing.service.start(ada)
    first, again = house.bank.calls("ensure_customer")
    assert first["key"] == again["key"]


async def test_a_key_is_not_used_again_once_the_vendor_has_answered(house: House) -> None:
    ada = await house.person()
    house.bank.does("start_subscription=broken")
    with pytest.raises(NoProvider):
        await house.billing.service.start(ada)
    await house.billing.service.start(ada)
    first, again = house.bank.calls("start_subscription")
    assert first["key"] != again["key"]


async def test_a_declined_card_is_told_in_our_words(house: House) -> None:
    ada = await house.person()
    house.bank.does("start_subscription=declined")
    with pytest.raises(Declined) as told:
        await house.billing.service.start(ada)
    assert "secret reason" not in told.value.message
    await house.billing.service.start(ada)


async def test_a_customer_that_was_deleted_at_the_vendors_is_made_again(house: House) -> None:
    ada, _ = await house.subscriber()
    (old,) = house.bank.customers(ada.id)
    house.bank.drop_customer(old)
    await house.billing.service.start(ada)
    (new,) = house.bank.customers(ada.id)
    assert new != old
    assert await house.column("customer", "billing_customer", ada) == [new]
    assert not await house.is_pro(ada)


async def test_a_new_provider_takes_over_only_who_has_nothing_at_the_old_one(new_house: NewHouse) -> None:
    house = new_house()
    ada, _ = await house.subscriber()
    bob = await house.person()
    await house.billing.service.start(bob)
    moved = new_house(route=("second",))
    with pytest.raises(AlreadySubscribed):
        await moved.billing.service.start(ada)
    assert moved.second.customers(ada.id) == []
    await moved.billing.service.start(bob)
    assert [entry["state"] for entry in moved.bank.subscriptions(bob.id, ended=True)] == ["canceled"]
    assert [entry["state"] for entry in moved.second.subscriptions(bob.id)] == ["incomplete"]


async def test_without_a_provider_nothing_can_be_bought(new_house: NewHouse) -> None:
    house = new_house(route=())
    with pytest.raises(NoProvider):
        await house.billing.service.start(await house.person())


async def test_a_customer_of_an_account_that_went_away_meanwhile_is_removed(house: House) -> None:
    ada = await house.person()
    house.bank.does("ensure_customer=hold")
    starting = asyncio.create_task(house.billing.service.start(ada))
    while not house.bank.calls("ensure_customer"):
        await asyncio.sleep(0.01)
    await house.run('DELETE FROM "user" WHERE id = :id', id=ada.id)
    (house.bank.folder / "release").touch()
    with pytest.raises(SignedOut):
        await starting
    assert len(house.bank.customers(ada.id)) == 1
    await house.billing.upkeep.removals.step()
    assert house.bank.customers(ada.id) == []
