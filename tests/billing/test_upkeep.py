"""What workers do unasked: removals, backfill, torn calls, lost events, prices."""

import asyncio
import time

import pytest

from kernel.billing.belongings import Purchases
from kernel.billing.promises import operations_have_ended, removals_pending
from kernel.billing.removal import leave
from kernel.billing.uses import count_customers
from kernel.core.errors import InvalidFields, NoProvider
from tests.billing.conftest import House, NewHouse
from tests.stub_payment.provider import ONCE, PRO, QUARTER, YEARLY

pytestmark = pytest.mark.anyio


async def deleted(house: House, user_id: int) -> None:
    async with house.database.write() as session:
        await leave(session, user_id)
    await house.run('DELETE FROM "user" WHERE id = :id', id=user_id)


async def test_who_leaves_pays_no_more(house: House) -> None:
    ada, ref = await house.subscriber()
    await deleted(house, ada.id)
    for table in ("billing_customer", "subscription", "payment_invoice", "payment_lock", "payment_operation"):
        assert await house.count(table) == 0
    async with house.database.read() as connection:
        assert await removals_pending(connection) == ["1 at bank"]
        assert await count_customers(connection, "bank") == 1, "the instance must stay until it is done"
    await house.billing.upkeep.removals.step()
    assert house.bank.customers(ada.id) == []
    with house.bank.open() as state:
        assert state["subscriptions"][ref]["state"] == "canceled"
    assert await house.count("payment_removal") == 0


async def test_a_removal_waits_until_the_provider_is_back(house: House) -> None:
    ada, _ = await house.subscriber()
    await deleted(house, ada.id)
    for mode in ("down", "reset", "auth_failed", "lost"):
        house.bank.does(f"delete_customer={mode}")
        await house.billing.upkeep.removals.step()
        async with house.database.read() as connection:
            assert len(await removals_pending(connection)) == 1
        await house.age("payment_removal", "run_after", hours=1)
    await house.billing.upkeep.removals.step()
    assert house.bank.customers() == []
    assert await house.count("payment_removal") == 0


async def test_a_customer_whose_making_was_torn_off_goes_with_the_account(house: House) -> None:
    ada, purchases = await house.person(), Purchases(house.database)
    house.bank.does("ensure_customer=lost")
    with pytest.raises(NoProvider):
        await house.billing.service.start(ada)
    assert len(house.bank.customers(ada.id)) == 1 and await house.count("billing_customer", ada) == 0
    await house.run('UPDATE "user" SET leaving_at = created_at, email = :none WHERE id = :id', none="", id=ada.id)
    async with house.database.read() as connection:
        assert await count_customers(connection, "bank") == 1
    for left in (True, False):
        await purchases.remove(ada.id)
        async with house.database.write() as session:
            assert await purchases.left(session, ada.id) is left
        await house.age("payment_operation", "created_at", hours=1)
        await house.billing.upkeep.finish_operations()
        await house.billing.upkeep.removals.step()
    assert house.bank.customers(ada.id) == []
    assert await house.count("payment_operation") == await house.count("payment_removal") == 0


async def test_a_customer_who_is_gone_already_is_removed(house: House) -> None:
    ada, _ = await house.subscriber()
    await deleted(house, ada.id)
    house.bank.does("delete_customer=missing")
    await house.billing.upkeep.removals.step()
    assert await house.count("payment_removal") == 0


async def test_the_backfill_makes_everybody_a_customer_and_counts(
    new_house: NewHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernel.billing.backfill.PAUSE_S", 0.01)
    house, other = new_house(), new_house()
    await house.subscriber()
    people = [await house.person() for _ in range(6)]
    house.bank.does("ensure_customer=invalid", "ensure_customer=limited")
    await house.billing.backfill.begin("bank")
    await asyncio.gather(house.billing.backfill.step(), other.billing.backfill.step())
    progress = await house.billing.backfill.progress("bank")
    assert (progress.running, progress.processed, progress.errors) == (False, 6, 1)
    assert len(house.bank.customers()) == 6
    await house.billing.backfill.begin("bank")
    await house.billing.backfill.step()
    progress = await house.billing.backfill.progress("bank")
    assert (progress.processed, progress.errors) == (1, 0), "the one that failed"
    assert all(len(house.bank.customers(person.id)) == 1 for person in people)


async def test_a_backfill_that_was_torn_off_goes_on(house: House) -> None:
    people = [await house.person() for _ in range(4)]
    await house.billing.backfill.begin("bank")
    house.bank.does("ensure_customer=ok", "ensure_customer=ok", "ensure_customer=hold")
    working = asyncio.create_task(house.billing.backfill.step())
    while len(house.bank.calls("ensure_customer")) < 3:
        await asyncio.sleep(0.01)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    await house.billing.backfill.begin("bank")  # somebody presses the button again
    assert (await house.billing.backfill.progress("bank")).processed == 2
    await house.age("payment_backfill", "run_after", hours=1)
    await house.billing.backfill.step()
    progress = await house.billing.backfill.progress("bank")
    assert (progress.running, progress.processed, progress.errors) == (False, 4, 0)
    assert all(len(house.bank.customers(person.id)) == 1 for person in people)


async def test_a_backfill_gives_up_when_nothing_works(house: House) -> None:
    for _ in range(12):
        await house.person()
    house.bank.does("ensure_customer=auth_failed*")
    await house.billing.backfill.begin("bank")
    began = time.monotonic()
    await house.billing.backfill.step()
    assert time.monotonic() - began >= 9 / 15, "vendors limit how fast they may be asked"
    progress = await house.billing.backfill.progress("bank")
    assert (progress.running, progress.processed, progress.errors) == (False, 10, 10)


async def test_a_call_that_was_torn_off_is_finished(house: House) -> None:
    ada, bob = await house.person(), await house.person()
    house.bank.does("start_subscription=lost", "ensure_customer=ok", "ensure_customer=lost")
    for person in (ada, bob):
        with pytest.raises(NoProvider):
            await house.billing.service.start(person)
    await house.age("payment_operation", "created_at", hours=2)
    async with house.database.read() as connection:
        assert len(await operations_have_ended(connection)) == 2
    await house.billing.upkeep.finish_operations()
    assert await house.count("payment_operation") == 0
    assert await house.column("state", "subscription", ada) == ["incomplete"]
    assert await house.column("customer", "billing_customer", bob) == house.bank.customers(bob.id)


async def test_a_subscription_is_read_again_although_every_event_was_lost(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.change(ref, state="canceled", ended_at=1)
    await house.billing.upkeep.read_again()
    assert await house.is_pro(ada), "it is not its time yet"
    await house.age("billing_customer", "check_after", hours=1)
    house.bank.does("subscriptions=down")
    await house.billing.upkeep.read_again()
    assert await house.is_pro(ada)
    await house.age("billing_customer", "check_after", hours=1)
    await house.billing.upkeep.read_again()
    assert not await house.is_pro(ada)


async def test_the_price_is_the_chosen_one(house: House) -> None:
    prices, vendor = house.billing.prices, house.billing.vendor
    async with house.database.read() as connection:
        assert (await prices.shown(connection)).amount == 1900
    await prices.choose(vendor.active(), "prod_pro", YEARLY)
    async with house.database.read() as connection:
        price = await prices.shown(connection)
    assert (price.amount, price.currency, price.interval) == (19_000, "usd", "year")
    ada = await house.person()
    await house.billing.service.start(ada)
    assert house.bank.subscriptions(ada.id)[0]["price"] == YEARLY
    async with house.database.read() as connection:
        choice = await prices.choice(connection)
    assert choice is not None and (choice.product, choice.price) == ("prod_pro", YEARLY)


@pytest.mark.parametrize(
    ("product", "price", "fields"),
    [
        (None, None, {"productId", "priceId"}),
        ("prod_pro", None, {"priceId"}),
        ("", PRO, {"productId"}),
        ("prod_nowhere", PRO, {"productId"}),
        ("prod_old", "price_old", {"productId"}),
        ("prod_pro", "price_old", {"priceId"}),
        ("prod_pro", ONCE, {"priceId"}),
        ("prod_pro", QUARTER, {"priceId"}),
    ],
)
async def test_only_what_recurs_and_is_there_can_be_chosen(
    small_house: House, product: str | None, price: str | None, fields: set[str]
) -> None:
    with pytest.raises(InvalidFields) as told:
        await small_house.billing.prices.choose(small_house.billing.vendor.active(), product, price)
    assert set(told.value.fields) == fields
    if not product or not price:
        assert told.value.message == "Please select both a product and a price"


async def test_a_chosen_price_that_is_gone_is_not_replaced_by_another(house: House) -> None:
    await house.billing.prices.choose(house.billing.vendor.active(), "prod_pro", YEARLY)
    await house.run("UPDATE setting SET default_values = :other", other='{"priceId": "price_gone"}')
    with pytest.raises(NoProvider) as told:
        await house.billing.service.start(await house.person())
    assert (told.value.code, told.value.message) == ("not_for_sale", "Pro cannot be bought at the moment.")


async def test_copies_of_prices_are_made_once_a_day(house: House) -> None:
    await house.billing.prices.keep_copies()
    await house.billing.prices.keep_copies()
    assert len(house.bank.calls("products")) == 1
    await house.age("payment_price", "seen_at", hours=25)
    await house.billing.prices.keep_copies()
    assert len(house.bank.calls("products")) == 2


async def test_a_lock_whose_holder_was_killed_is_given_on(new_house: NewHouse) -> None:
    house, other = new_house(), new_house()
    ada = await house.person()
    house.bank.does("start_subscription=hold")
    killed = asyncio.create_task(house.billing.service.start(ada))
    while not house.bank.calls("start_subscription"):
        await asyncio.sleep(0.01)
    with pytest.raises(NoProvider, match="being changed"):
        async with other.billing.locks.hold(ada.id, patience_s=0.3):
            pass
    await house.age("payment_lock", "until", hours=1)
    await other.billing.service.start(ada)
    (house.bank.folder / "release").touch()
    await asyncio.wait({killed})
    assert len(house.bank.subscriptions(ada.id, ended=True)) == 1
