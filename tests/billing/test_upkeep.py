"""Background work: deletions, backfill, interrupted calls, lost events, prices."""

import asyncio
import time

import pytest

from kernel.billing.customers.deletion import delete_customers_later
from kernel.billing.invariants import operations_have_ended, removals_pending
from kernel.billing.owned_data import BillingData
from kernel.billing.provider_usage import count_customers
from kernel.core.errors import InvalidFields, NoProvider
from tests.billing.conftest import BOSS, BillingHarness, NewHarness
from tests.stub_payment.catalog import ONCE, PRO, QUARTER, YEARLY

pytestmark = pytest.mark.anyio


async def deleted(harness: BillingHarness, user_id: int) -> None:
    async with harness.database.write() as session:
        await delete_customers_later(session, user_id)
    await harness.run('DELETE FROM "user" WHERE id = :id', id=user_id)


async def test_deleting_an_account_ends_its_subscription(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await deleted(harness, ada.id)
    for table in ("billing_customer", "subscription", "payment_invoice", "payment_lock", "payment_operation"):
        assert await harness.count(table) == 0
    async with harness.database.read() as connection:
        assert await removals_pending(connection) == ["1 at bank"]
        assert await count_customers(connection, "bank") == 1, "the instance must stay until it is done"
    await harness.billing.worker.deletions.step()
    assert harness.bank.customers(ada.id) == []
    with harness.bank.open() as state:
        assert state["subscriptions"][ref]["state"] == "canceled"
    assert await harness.count("payment_removal") == 0


async def test_a_removal_waits_until_the_provider_is_back(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    await deleted(harness, ada.id)
    for mode in ("down", "reset", "auth_failed", "lost"):
        harness.bank.does(f"delete_customer={mode}")
        await harness.billing.worker.deletions.step()
        async with harness.database.read() as connection:
            assert len(await removals_pending(connection)) == 1
        await harness.age("payment_removal", "run_after", hours=1)
    await harness.billing.worker.deletions.step()
    assert harness.bank.customers() == []
    assert await harness.count("payment_removal") == 0


async def test_a_half_created_customer_is_deleted_with_the_account(harness: BillingHarness) -> None:
    ada, purchases = await harness.person(), BillingData(harness.database)
    harness.bank.does("ensure_customer=lost")
    with pytest.raises(NoProvider):
        await harness.billing.subscriptions.start(ada)
    assert len(harness.bank.customers(ada.id)) == 1 and await harness.count("billing_customer", ada) == 0
    await harness.run('UPDATE "user" SET leaving_at = created_at, email = :none WHERE id = :id', none="", id=ada.id)
    async with harness.database.read() as connection:
        assert await count_customers(connection, "bank") == 1
    for left in (True, False):
        await purchases.remove(ada.id)
        async with harness.database.write() as session:
            assert await purchases.left(session, ada.id) is left
        await harness.age("payment_operation", "created_at", hours=1)
        await harness.billing.worker.finish_operations()
        await harness.billing.worker.deletions.step()
    assert harness.bank.customers(ada.id) == []
    assert await harness.count("payment_operation") == await harness.count("payment_removal") == 0


async def test_an_already_deleted_customer_counts_as_removed(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    await deleted(harness, ada.id)
    harness.bank.does("delete_customer=missing")
    await harness.billing.worker.deletions.step()
    assert await harness.count("payment_removal") == 0


async def test_the_backfill_makes_everybody_a_customer_and_counts(
    new_harness: NewHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernel.billing.customers.backfill.PAUSE_S", 0.01)
    harness, other = new_harness(), new_harness()
    await harness.subscriber()
    people = [await harness.person() for _ in range(6)]
    harness.bank.does("ensure_customer=invalid", "ensure_customer=limited")
    await harness.billing.backfill.begin("bank")
    await asyncio.gather(harness.billing.backfill.step(), other.billing.backfill.step())
    progress = await harness.billing.backfill.progress("bank")
    assert (progress.running, progress.processed, progress.errors) == (False, 6, 1)
    assert len(harness.bank.customers()) == 6
    await harness.billing.backfill.begin("bank")
    await harness.billing.backfill.step()
    progress = await harness.billing.backfill.progress("bank")
    assert (progress.processed, progress.errors) == (1, 0), "the one that failed"
    assert all(len(harness.bank.customers(person.id)) == 1 for person in people)


async def test_an_interrupted_backfill_continues(harness: BillingHarness) -> None:
    people = [await harness.person() for _ in range(4)]
    await harness.billing.backfill.begin("bank")
    harness.bank.does("ensure_customer=ok", "ensure_customer=ok", "ensure_customer=hold")
    working = asyncio.create_task(harness.billing.backfill.step())
    while len(harness.bank.calls("ensure_customer")) < 3:
        await asyncio.sleep(0.01)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    await harness.billing.backfill.begin("bank")  # a repeated request
    assert (await harness.billing.backfill.progress("bank")).processed == 2
    await harness.age("payment_backfill", "run_after", hours=1)
    await harness.billing.backfill.step()
    progress = await harness.billing.backfill.progress("bank")
    assert (progress.running, progress.processed, progress.errors) == (False, 4, 0)
    assert all(len(harness.bank.customers(person.id)) == 1 for person in people)


async def test_a_backfill_gives_up_when_nothing_works(harness: BillingHarness) -> None:
    for _ in range(12):
        await harness.person()
    harness.bank.does("ensure_customer=auth_failed*")
    await harness.billing.backfill.begin("bank")
    began = time.monotonic()
    await harness.billing.backfill.step()
    assert time.monotonic() - began >= 9 / 15, "vendors limit how fast they may be asked"
    progress = await harness.billing.backfill.progress("bank")
    assert (progress.running, progress.processed, progress.errors) == (False, 10, 10)


async def test_an_interrupted_call_is_finished(harness: BillingHarness) -> None:
    ada, bob = await harness.person(), await harness.person()
    harness.bank.does("start_subscription=lost", "ensure_customer=ok", "ensure_customer=lost")
    for person in (ada, bob):
        with pytest.raises(NoProvider):
            await harness.billing.subscriptions.start(person)
    await harness.age("payment_operation", "created_at", hours=2)
    async with harness.database.read() as connection:
        assert len(await operations_have_ended(connection)) == 2
    await harness.billing.worker.finish_operations()
    assert await harness.count("payment_operation") == 0
    assert await harness.column("state", "subscription", ada) == ["incomplete"]
    assert await harness.column("customer", "billing_customer", bob) == harness.bank.customers(bob.id)


async def test_a_subscription_is_read_again_although_every_event_was_lost(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state="canceled", ended_at=1)
    await harness.billing.worker.read_again()
    assert await harness.is_pro(ada), "it is not its time yet"
    await harness.age("billing_customer", "check_after", hours=1)
    harness.bank.does("subscriptions=down")
    await harness.billing.worker.read_again()
    assert await harness.is_pro(ada)
    await harness.age("billing_customer", "check_after", hours=1)
    await harness.billing.worker.read_again()
    assert not await harness.is_pro(ada)


async def test_the_price_is_the_chosen_one(harness: BillingHarness) -> None:
    prices, vendor = harness.billing.prices, harness.billing.payment_gateway
    async with harness.database.read() as connection:
        assert (await prices.shown_in(connection)).amount == 1900
    await prices.choose(vendor.active(), "prod_pro", YEARLY, BOSS)
    async with harness.database.read() as connection:
        price = await prices.shown_in(connection)
    assert (price.amount, price.currency, price.interval) == (19_000, "usd", "year")
    ada = await harness.person()
    await harness.billing.subscriptions.start(ada)
    assert harness.bank.subscriptions(ada.id)[0]["price"] == YEARLY
    async with harness.database.read() as connection:
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
    small_harness: BillingHarness, product: str | None, price: str | None, fields: set[str]
) -> None:
    with pytest.raises(InvalidFields) as told:
        await small_harness.billing.prices.choose(small_harness.billing.payment_gateway.active(), product, price, BOSS)
    assert set(told.value.fields) == fields
    if not product or not price:
        assert told.value.message == "Please select both a product and a price"


async def test_a_chosen_price_that_is_gone_is_not_replaced_by_another(harness: BillingHarness) -> None:
    await harness.billing.prices.choose(harness.billing.payment_gateway.active(), "prod_pro", YEARLY, BOSS)
    await harness.run("UPDATE setting SET default_values = :other", other='{"priceId": "price_gone"}')
    with pytest.raises(NoProvider) as told:
        await harness.billing.subscriptions.start(await harness.person())
    assert (told.value.code, told.value.message) == ("not_for_sale", "Pro cannot be bought at the moment.")


async def test_copies_of_prices_are_made_once_a_day(harness: BillingHarness) -> None:
    await harness.billing.prices.refresh_copies()
    await harness.billing.prices.refresh_copies()
    assert len(harness.bank.calls("products")) == 1
    await harness.age("payment_price", "seen_at", hours=25)
    await harness.billing.prices.refresh_copies()
    assert len(harness.bank.calls("products")) == 2


async def test_a_lock_whose_holder_was_killed_is_given_on(new_harness: NewHarness) -> None:
    harness, other = new_harness(), new_harness()
    ada = await harness.person()
    harness.bank.does("start_subscription=hold")
    killed = asyncio.create_task(harness.billing.subscriptions.start(ada))
    while not harness.bank.calls("start_subscription"):
        await asyncio.sleep(0.01)
    with pytest.raises(NoProvider, match="being changed"):
        async with other.billing.locks.hold(ada.id, patience_s=0.3):
            pass
    await harness.age("payment_lock", "until", hours=1)
    await other.billing.subscriptions.start(ada)
    (harness.bank.folder / "release").touch()
    await asyncio.wait({killed})
    assert len(harness.bank.subscriptions(ada.id, ended=True)) == 1
