"""The stored state is the vendor's, whatever events come: lost, late, twice, out of order, for unknown users."""

import asyncio
import itertools

import msgspec
import pytest
from sqlalchemy.exc import IntegrityError

from kernel.billing.entitlement import DAY_S
from kernel.billing.subscriptions.vendor_sync import VendorRead
from kernel.core import clock
from kernel.core.errors import NoProvider
from kernel.spi import SubscriptionTruth
from tests.billing.conftest import BillingHarness, NewHarness

pytestmark = pytest.mark.anyio


async def test_an_event_makes_the_truth_be_read(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state="past_due")
    await harness.hear("subscription_changed", ref)
    shown = await harness.shown(ada)
    assert shown is not None and shown.status == "active", "the event alone changes nothing"
    await harness.follow_up()
    shown = await harness.shown(ada)
    assert shown is not None and shown.status == "past_due"
    assert shown.grace_until is not None and abs(shown.grace_until - clock.now_unix() - 7 * DAY_S) < 60
    assert await harness.is_pro(ada)
    assert harness.seen[-1].name == "subscription.past_due" and harness.seen[-1].subject == str(ada.id)
    assert await harness.count("payment_change") == 0


async def test_an_event_ten_times_is_read_once(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    before = len(harness.bank.calls("subscriptions"))
    await harness.hear("subscription_changed", ref, times=10)
    await harness.follow_up()
    assert len(harness.bank.calls("subscriptions")) == before + 1
    assert await harness.column("state", "subscription", ada) == ["active"]


@pytest.mark.parametrize("order", list(itertools.permutations(["active", "past_due", "canceled"]))[:4])
async def test_the_order_of_events_does_not_matter(small_harness: BillingHarness, order: tuple[str, ...]) -> None:
    ada, ref = await small_harness.subscriber()
    small_harness.bank.change(ref, state="canceled", ended_at=1)  # the state at the vendor when the events arrive
    for topic in ("invoice_changed", "subscription_changed", "action_required"):
        (customer,) = small_harness.bank.customers(ada.id)
        await small_harness.hear(topic, customer if topic == "invoice_changed" else ref)
        await small_harness.follow_up()
        assert await small_harness.column("state", "subscription", ada) == ["canceled"]
    for state in order:
        small_harness.bank.change(ref, state=state)
        await small_harness.hear("subscription_changed", ref)
        await small_harness.follow_up()
    assert await small_harness.column("state", "subscription", ada) == [order[-1]]
    await small_harness.promises_hold()


async def test_an_event_that_comes_before_our_own_answer_finds_its_owner(harness: BillingHarness) -> None:
    ada = await harness.person()
    await harness.billing.subscriptions.start(ada)
    (entry,) = harness.bank.subscriptions(ada.id)
    harness.bank.change(entry["ref"], state="canceled", ended_at=1)
    fresh = harness.bank.add(entry["customer"], "price_pro", state="active")
    await harness.hear("subscription_changed", fresh)
    await harness.follow_up()
    assert await harness.is_pro(ada)


async def test_events_of_unknown_customers_change_nothing(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    with harness.bank.open() as state:
        state["customers"]["cus_stranger"] = {"user_ref": "elsewhere", "email": ""}
    theirs = harness.bank.add("cus_stranger", "price_pro", state="active")
    for topic, ref in (
        ("subscription_changed", theirs),
        ("subscription_changed", "sub_nowhere"),
        ("invoice_changed", "cus_stranger"),
        ("customer_deleted", "cus_nowhere"),
        ("something_else", "x"),
    ):
        await harness.hear(topic, ref)
    await harness.follow_up()
    assert await harness.count("payment_change") == 0
    assert await harness.count("subscription") == 1
    assert await harness.is_pro(ada)


async def test_a_dispute_gives_a_notice_and_a_sync(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    (customer,) = harness.bank.customers(ada.id)
    harness.bank.change(ref, state="canceled", ended_at=1)  # what some vendors do then
    await harness.hear("payment_disputed", customer, times=2)
    await harness.follow_up()
    assert not await harness.is_pro(ada)
    assert await harness.notices() == [("payment_disputed", "bank", customer, {"label": "Bank", "ref": customer}, 2)]
    await harness.run("UPDATE notice SET dismissed_at = last_at")
    await harness.hear("payment_disputed", "du_another")
    await harness.follow_up()
    assert await harness.count("notice WHERE dismissed_at IS NULL") == 1, "another dispute shows again"
    assert await harness.count("payment_change") == 0


async def test_a_customer_deleted_at_the_vendors_has_no_subscription(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    (customer,) = harness.bank.customers(ada.id)
    harness.bank.drop_customer(customer)
    with harness.bank.open() as state:
        del state["subscriptions"][ref]
    await harness.hear("customer_deleted", customer)
    await harness.follow_up()
    assert not await harness.is_pro(ada)
    assert await harness.column("state", "subscription", ada) == ["canceled"]


async def test_what_cannot_be_read_now_is_read_later(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state="unpaid")
    await harness.hear("subscription_changed", ref)
    harness.bank.does("subscriptions=down")
    await harness.follow_up()
    assert await harness.is_pro(ada)
    await harness.age("payment_change", "run_after", hours=1)
    await harness.follow_up()
    assert not await harness.is_pro(ada)
    assert await harness.count("payment_change") == 0


async def test_an_event_that_comes_while_the_truth_is_read_is_not_lost(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.does("invoices=hold")  # the subscription itself has been read by then
    await harness.hear("subscription_changed", ref)
    following = asyncio.create_task(harness.follow_up())
    while not any(call["mode"] == "hold" for call in harness.bank.calls("invoices")):
        await asyncio.sleep(0.01)
    harness.bank.change(ref, state="unpaid")
    await harness.hear("subscription_changed", ref)
    (harness.bank.folder / "release").touch()
    await following
    await harness.follow_up()
    assert await harness.column("state", "subscription", ada) == ["unpaid"]


async def test_an_older_reading_does_not_replace_a_newer_one(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    readings = harness.billing.vendor_sync
    (customer,) = await harness.billing.customers.of(ada.id)
    truth = SubscriptionTruth(ref=ref, customer=customer.customer, price="price_pro", state="active", period_end=None)

    def reading(**changes: str) -> VendorRead:
        return VendorRead(truths=(msgspec.structs.replace(truth, **changes),), vanished=(), invoices=(), gone=False)

    older, newer = await readings.begin(customer.id), await readings.begin(customer.id)
    assert older is not None and newer is not None
    await readings.write_down(customer, newer, reading(state="canceled"))
    await readings.write_down(customer, older, reading(state="active"))
    assert await harness.column("state", "subscription", ada) == ["canceled"]
    assert await harness.count("payment_change") == 1, "and it is read once more, to be sure"
    await harness.follow_up()
    assert await harness.column("state", "subscription", ada) == ["active"]


async def test_the_days_of_grace_begin_once(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state="past_due")
    await harness.billing.subscriptions.sync(ada.id, None)
    await harness.run("UPDATE subscription SET past_due_since = past_due_since - :days", days=6 * DAY_S)
    await harness.billing.subscriptions.sync(ada.id, None)
    assert await harness.is_pro(ada)
    await harness.run("UPDATE subscription SET past_due_since = past_due_since - :days", days=DAY_S)
    await harness.billing.subscriptions.sync(ada.id, None)
    assert not await harness.is_pro(ada)
    harness.bank.change(ref, state="active")
    await harness.billing.subscriptions.sync(ada.id, None)
    assert await harness.is_pro(ada)
    assert await harness.column("past_due_since", "subscription", ada) == [None]


async def test_a_second_live_subscription_is_reported_and_takes_over_when_the_first_ends(
    harness: BillingHarness,
) -> None:
    ada, first = await harness.subscriber()
    (customer,) = harness.bank.customers(ada.id)
    second = harness.bank.add(customer, "price_pro", state="active")
    await harness.billing.subscriptions.sync(ada.id, None)
    with pytest.raises(AssertionError, match="has 2"):
        await harness.promises_hold()
    harness.bank.change(first, state="canceled", ended_at=1)
    await harness.billing.subscriptions.sync(ada.id, None)
    await harness.promises_hold()
    assert await harness.is_pro(ada)
    harness.bank.change(second, state="canceled", ended_at=1)
    assert not await harness.billing.subscriptions.sync(ada.id, None)


async def test_the_database_takes_no_second_current_subscription(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    (customer,) = harness.bank.customers(ada.id)
    harness.bank.add(customer, "price_pro", state="active")
    await harness.billing.subscriptions.sync(ada.id, None)
    with pytest.raises(IntegrityError):
        await harness.run("UPDATE subscription SET is_current = true WHERE user_id = :id", id=ada.id)


async def test_a_first_payment_left_open_beside_a_subscription_is_ended(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    (customer,) = harness.bank.customers(ada.id)
    stray = harness.bank.add(customer, "price_pro")
    await harness.billing.subscriptions.sync(ada.id, None)
    states = {entry["ref"]: entry["state"] for entry in harness.bank.subscriptions(ada.id, ended=True)}
    assert states[stray] == "canceled"
    assert await harness.column("state", "subscription", ada) == ["active", "canceled"]


async def test_invoices_are_kept_and_read_afresh(harness: BillingHarness) -> None:
    ada, _ref = await harness.subscriber()
    async with harness.database.read() as connection:
        (invoice,) = (await harness.billing.subscription_summaries.facts_in(connection, ada.id)).invoices
    assert (invoice.amount_paid, invoice.currency, invoice.status) == (1900, "usd", "paid")
    assert invoice.invoice_pdf == f"/api/subscription/invoices/{invoice.id}/pdf"
    await harness.billing.subscriptions.sync(ada.id, None)
    assert await harness.count("payment_invoice", ada) == 1


async def test_syncs_of_several_processes_agree(new_harness: NewHarness) -> None:
    harnesses = [new_harness() for _ in range(3)]
    ada, _ref = await harnesses[0].subscriber()
    await asyncio.gather(*(harness.billing.subscriptions.sync(ada.id, None) for harness in harnesses * 2))
    assert await harnesses[0].column("state", "subscription", ada) == ["active"]


async def test_the_administrators_word_comes_first(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    entitlement = harness.billing.entitlement
    assert not await entitlement.is_pro(ada.id, False)
    assert await entitlement.is_pro((await harness.person()).id, True)


async def test_a_failed_sync_is_reported_and_changes_nothing(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, state="unpaid")
    harness.bank.does("subscriptions=reset")
    with pytest.raises(NoProvider):
        await harness.billing.subscriptions.sync(ada.id, None)
    assert await harness.is_pro(ada)


async def test_one_slow_customer_holds_up_no_other_and_is_read_by_one_at_a_time(harness: BillingHarness) -> None:
    (ada, slow), (bob, quick) = await harness.subscriber(), await harness.subscriber()
    (customer,) = harness.bank.customers(ada.id)
    for ref in (slow, quick):
        harness.bank.change(ref, state="unpaid")
    before = len(harness.bank.calls("subscriptions"))
    harness.bank.does("subscriptions=hold")
    await harness.hear("subscription_changed", slow)
    await harness.hear("invoice_changed", customer)
    await harness.hear("subscription_changed", quick)
    following = asyncio.create_task(harness.follow_up())
    while await harness.is_pro(bob) or not any(call["mode"] == "hold" for call in harness.bank.calls("subscriptions")):
        await asyncio.sleep(0.01)
    assert await harness.is_pro(ada) and not following.done()
    assert len(harness.bank.calls("subscriptions")) == before + 2, "the second event of the slow one waits"
    (harness.bank.folder / "release").touch()
    await following
    assert not await harness.is_pro(ada)
    assert await harness.count("payment_change") == 0
