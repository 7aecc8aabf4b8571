"""Beginning a subscription: never a second one, never a second customer, whatever fails."""

import asyncio

import pytest

from kernel.billing.subscriptions.service import AlreadySubscribed
from kernel.billing.vendor.gateway import Declined
from kernel.core.errors import NoProvider, SignedOut
from kernel.spi import NoClient, SandboxClient
from tests.billing.conftest import BOSS, BillingHarness, NewHarness
from tests.stub_payment.catalog import TRIAL, YEARLY

pytestmark = pytest.mark.anyio


async def test_starting_a_subscription_does_not_grant_pro(harness: BillingHarness) -> None:
    ada = await harness.person()
    opened = await harness.billing.subscriptions.start(ada)
    (entry,) = harness.bank.subscriptions(ada.id)
    assert opened.client == SandboxClient(client_secret=f"{entry['ref']}_secret")
    shown = await harness.shown(ada)
    assert shown is not None and shown.status == "incomplete"
    assert not await harness.is_pro(ada)
    assert await harness.count("payment_operation") == 0


async def test_who_has_paid_is_pro_once_the_truth_was_read(harness: BillingHarness) -> None:
    ada, _ref = await harness.subscriber()
    assert await harness.is_pro(ada)
    shown = await harness.shown(ada)
    assert shown is not None and shown.status == "active" and shown.price is not None
    assert (shown.price.amount, shown.price.currency, shown.price.interval) == (1900, "usd", "month")
    assert [event.name for event in harness.seen] == ["subscription.incomplete", "subscription.active"]
    await harness.promises_hold()


async def test_eight_starts_at_once_make_one_subscription(new_harness: NewHarness) -> None:
    harnesses = [new_harness() for _ in range(4)]  # several processes
    ada = await harnesses[0].person()
    opened = await asyncio.gather(*(harness.billing.subscriptions.start(ada) for harness in harnesses * 2))
    assert len(harnesses[0].bank.customers(ada.id)) == 1
    assert len(harnesses[0].bank.subscriptions(ada.id, ended=True)) == 1
    assert len({entry.client.client_secret for entry in opened if isinstance(entry.client, SandboxClient)}) == 1


async def test_people_do_not_wait_for_each_other(harness: BillingHarness) -> None:
    ada, bob = await harness.person(), await harness.person()
    harness.bank.does("start_subscription=hold")
    waiting = asyncio.create_task(harness.billing.subscriptions.start(ada))
    while not harness.bank.calls("start_subscription"):
        await asyncio.sleep(0.01)
    await harness.billing.subscriptions.start(bob)
    assert not waiting.done()
    (harness.bank.folder / "release").touch()
    await waiting


async def test_who_comes_back_returns_to_the_same_payment(harness: BillingHarness) -> None:
    ada = await harness.person()
    first, again = [await harness.billing.subscriptions.start(ada) for _ in range(2)]
    assert first.client == again.client
    assert len(harness.bank.calls("start_subscription")) == 1


async def test_another_price_ends_the_payment_that_was_begun(harness: BillingHarness) -> None:
    ada = await harness.person()
    await harness.billing.subscriptions.start(ada)
    await harness.billing.prices.choose(harness.billing.payment_gateway.active(), "prod_pro", YEARLY, BOSS)
    await harness.billing.subscriptions.start(ada)
    states = [(entry["price"], entry["state"]) for entry in harness.bank.subscriptions(ada.id, ended=True)]
    assert states == [("price_pro", "canceled"), (YEARLY, "incomplete")]
    assert await harness.column("state", "subscription", ada) == ["canceled", "incomplete"]


@pytest.mark.parametrize("price", ["price_pro", YEARLY])
async def test_a_payment_that_arrives_while_one_starts_again_is_not_thrown_away(
    harness: BillingHarness, price: str
) -> None:
    ada = await harness.person()
    await harness.billing.subscriptions.start(ada)
    (entry,) = harness.bank.subscriptions(ada.id)
    await harness.billing.prices.choose(harness.billing.payment_gateway.active(), "prod_pro", price, BOSS)
    read = len(harness.bank.calls("invoices"))
    harness.bank.does("invoices=hold")
    starting = asyncio.create_task(harness.billing.subscriptions.start(ada))
    while len(harness.bank.calls("invoices")) == read:  # the subscription was read before, as one to be paid
        await asyncio.sleep(0.01)
    harness.bank.pay(entry["ref"])
    (harness.bank.folder / "release").touch()
    with pytest.raises(AlreadySubscribed):
        await starting
    assert [kept["state"] for kept in harness.bank.subscriptions(ada.id, ended=True)] == ["active"]
    assert await harness.is_pro(ada)
    await harness.promises_hold()


async def test_who_has_a_subscription_gets_no_second_one(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    for state in ("active", "trialing", "past_due", "unpaid", "paused"):
        harness.bank.change(ref, state=state)
        with pytest.raises(AlreadySubscribed, match="already has an active subscription"):
            await harness.billing.subscriptions.start(ada)
    assert len(harness.bank.subscriptions(ada.id, ended=True)) == 1


async def test_a_subscription_that_was_made_at_the_vendors_counts_too(harness: BillingHarness) -> None:
    ada = await harness.person()
    await harness.billing.subscriptions.start(ada)
    (entry,) = harness.bank.subscriptions(ada.id)
    harness.bank.change(entry["ref"], state="canceled", ended_at=1)
    harness.bank.add(entry["customer"], "price_pro", state="active")
    with pytest.raises(AlreadySubscribed):
        await harness.billing.subscriptions.start(ada)
    assert await harness.is_pro(ada)


async def test_a_former_subscriber_can_subscribe_again(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state="canceled", ended_at=1)
    opened = await harness.billing.subscriptions.start(ada)
    assert isinstance(opened.client, SandboxClient)
    assert not await harness.is_pro(ada)


async def test_what_costs_nothing_needs_no_confirmation(harness: BillingHarness) -> None:
    ada = await harness.person()
    await harness.billing.prices.choose(harness.billing.payment_gateway.active(), "prod_pro", TRIAL, BOSS)
    opened = await harness.billing.subscriptions.start(ada)
    assert isinstance(opened.client, NoClient)
    assert await harness.is_pro(ada)
    with pytest.raises(AlreadySubscribed):
        await harness.billing.subscriptions.start(ada)


@pytest.mark.parametrize("mode", ["down", "broken", "limited", "reset", "lost", "failed", "auth_failed"])
@pytest.mark.parametrize("operation", ["products", "ensure_customer", "start_subscription"])
async def test_a_failure_is_reported_and_the_next_try_works(
    small_harness: BillingHarness, operation: str, mode: str
) -> None:
    ada = await small_harness.person()
    small_harness.bank.does(f"{operation}={mode}")
    with pytest.raises(NoProvider) as told:
        await small_harness.billing.subscriptions.start(ada)
    assert told.value.message == "Payments cannot be handled just now. Please try again in a moment."
    assert told.value.retry_after
    await small_harness.billing.subscriptions.start(ada)
    assert len(small_harness.bank.subscriptions(ada.id, ended=True)) == 1
    assert mode == "failed" or len(small_harness.bank.customers(ada.id)) == 1
    assert await small_harness.count("payment_operation") == 0


@pytest.mark.parametrize("mode", ["down", "reset", "limited"])
@pytest.mark.parametrize("operation", ["subscriptions", "invoices", "confirmation"])
async def test_what_could_not_be_read_is_not_taken_for_nothing(
    small_harness: BillingHarness, operation: str, mode: str
) -> None:
    ada = await small_harness.person()
    first = await small_harness.billing.subscriptions.start(ada)
    small_harness.bank.does(f"{operation}={mode}")
    with pytest.raises(NoProvider):
        await small_harness.billing.subscriptions.start(ada)
    assert (await small_harness.billing.subscriptions.start(ada)).client == first.client
    assert len(small_harness.bank.calls("start_subscription")) == 1


async def test_a_try_whose_answer_was_lost_is_repeated_under_its_key(harness: BillingHarness) -> None:
    ada = await harness.person()
    harness.bank.does("ensure_customer=lost")
    with pytest.raises(NoProvider):
        await harness.billing.subscriptions.start(ada)
    assert await harness.column("action", "payment_operation", ada) == ["customer"]
    await harness.billing.subscriptions.start(ada)
    first, again = harness.bank.calls("ensure_customer")
    assert first["key"] == again["key"]


async def test_a_key_is_not_used_again_once_the_vendor_has_answered(harness: BillingHarness) -> None:
    ada = await harness.person()
    harness.bank.does("start_subscription=broken")
    with pytest.raises(NoProvider):
        await harness.billing.subscriptions.start(ada)
    await harness.billing.subscriptions.start(ada)
    first, again = harness.bank.calls("start_subscription")
    assert first["key"] != again["key"]


async def test_a_declined_card_has_our_message(harness: BillingHarness) -> None:
    ada = await harness.person()
    harness.bank.does("start_subscription=declined")
    with pytest.raises(Declined) as told:
        await harness.billing.subscriptions.start(ada)
    assert "secret reason" not in told.value.message
    await harness.billing.subscriptions.start(ada)


async def test_a_customer_that_was_deleted_at_the_vendors_is_made_again(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    (old,) = harness.bank.customers(ada.id)
    harness.bank.drop_customer(old)
    await harness.billing.subscriptions.start(ada)
    (new,) = harness.bank.customers(ada.id)
    assert new != old
    assert await harness.column("customer", "billing_customer", ada) == [new]
    assert not await harness.is_pro(ada)


async def test_users_with_a_subscription_stay_at_the_old_provider(new_harness: NewHarness) -> None:
    harness = new_harness()
    ada, _ = await harness.subscriber()
    bob = await harness.person()
    await harness.billing.subscriptions.start(bob)
    moved = new_harness(route=("second",))
    with pytest.raises(AlreadySubscribed):
        await moved.billing.subscriptions.start(ada)
    assert moved.second.customers(ada.id) == []
    await moved.billing.subscriptions.start(bob)
    assert [entry["state"] for entry in moved.bank.subscriptions(bob.id, ended=True)] == ["canceled"]
    assert [entry["state"] for entry in moved.second.subscriptions(bob.id)] == ["incomplete"]


async def test_without_a_provider_nothing_can_be_bought(new_harness: NewHarness) -> None:
    harness = new_harness(route=())
    with pytest.raises(NoProvider):
        await harness.billing.subscriptions.start(await harness.person())


async def test_a_customer_of_an_account_that_went_away_meanwhile_is_removed(harness: BillingHarness) -> None:
    ada = await harness.person()
    harness.bank.does("ensure_customer=hold")
    starting = asyncio.create_task(harness.billing.subscriptions.start(ada))
    while not harness.bank.calls("ensure_customer"):
        await asyncio.sleep(0.01)
    await harness.run('DELETE FROM "user" WHERE id = :id', id=ada.id)
    (harness.bank.folder / "release").touch()
    with pytest.raises(SignedOut):
        await starting
    assert len(harness.bank.customers(ada.id)) == 1
    await harness.billing.worker.deletions.step()
    assert harness.bank.customers(ada.id) == []
