"""What is stored is what the vendor says, whatever was heard of it: lost, late, twice, in reverse, from strangers."""

import asyncio
import itertools

import msgspec
import pytest
from sqlalchemy.exc import IntegrityError

from kernel.billing.entitlement import DAY_S
from kernel.billing.readings import Reading
from kernel.core import clock
from kernel.core.errors import NoProvider
from kernel.spi import SubscriptionTruth
from tests.billing.conftest import House, NewHouse

pytestmark = pytest.mark.anyio


async def test_an_event_makes_the_truth_be_read(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.change(ref, state="past_due")
    await house.hear("subscription_changed", ref)
    shown = await house.shown(ada)
    assert shown is not None and shown.status == "active", "the event alone changes nothing"
    await house.follow_up()
    shown = await house.shown(ada)
    assert shown is not None and shown.status == "past_due"
    assert shown.grace_until is not None and abs(shown.grace_until - clock.now_unix() - 7 * DAY_S) < 60
    assert await house.is_pro(ada)
    assert house.seen[-1].name == "subscription.past_due" and house.seen[-1].subject == str(ada.id)
    assert await house.count("payment_change") == 0


async def test_an_event_ten_times_is_read_once(house: House) -> None:
    ada, ref = await house.subscriber()
    before = len(house.bank.calls("subscriptions"))
    await house.hear("subscription_changed", ref, times=10)
    await house.follow_up()
    assert len(house.bank.calls("subscriptions")) == before + 1
    assert await house.column("state", "subscription", ada) == ["active"]


@pytest.mark.parametrize("order", list(itertools.permutations(["active", "past_due", "canceled"]))[:4])
async def test_the_order_of_events_does_not_matter(small_house: House, order: tuple[str, ...]) -> None:
    ada, ref = await small_house.subscriber()
    small_house.bank.change(ref, state="canceled", ended_at=1)  # the truth by the time the events come in
    for topic in ("invoice_changed", "subscription_changed", "action_required"):
        (customer,) = small_house.bank.customers(ada.id)
        await small_house.hear(topic, customer if topic == "invoice_changed" else ref)
        await small_house.follow_up()
        assert await small_house.column("state", "subscription", ada) == ["canceled"]
    for state in order:
        small_house.bank.change(ref, state=state)
        await small_house.hear("subscription_changed", ref)
        await small_house.follow_up()
    assert await small_house.column("state", "subscription", ada) == [order[-1]]
    await small_house.promises_hold()


async def test_an_event_that_comes_before_our_own_answer_finds_its_owner(house: House) -> None:
    ada = await house.person()
    await house.billing.service.start(ada)
    (entry,) = house.bank.subscriptions(ada.id)
    house.bank.change(entry["ref"], state="canceled", ended_at=1)
    fresh = house.bank.add(entry["customer"], "price_pro", state="active")
    await house.hear("subscription_changed", fresh)
    await house.follow_up()
    assert await house.is_pro(ada)


async def test_events_of_strangers_change_nothing(house: House) -> None:
    ada, _ = await house.subscriber()
    with house.bank.open() as state:
        state["customers"]["cus_stranger"] = {"user_ref": "elsewhere", "email": ""}
    theirs = house.bank.add("cus_stranger", "price_pro", state="active")
    for topic, ref in (
        ("subscription_changed", theirs),
        ("subscription_changed", "sub_nowhere"),
        ("invoice_changed", "cus_stranger"),
        ("customer_deleted", "cus_nowhere"),
        ("something_else", "x"),
    ):
        await house.hear(topic, ref)
    await house.follow_up()
    assert await house.count("payment_change") == 0
    assert await house.count("subscription") == 1
    assert await house.is_pro(ada)


async def test_a_dispute_is_told_to_administrators_and_makes_the_truth_be_read(house: House) -> None:
    ada, ref = await house.subscriber()
    (customer,) = house.bank.customers(ada.id)
    house.bank.change(ref, state="canceled", ended_at=1)  # what some vendors do then
    await house.hear("payment_disputed", customer, times=2)
    await house.follow_up()
    assert not await house.is_pro(ada)
    assert await house.notices() == [("payment_disputed", "bank", customer, {"label": "Bank", "ref": customer}, 2)]
    await house.run("UPDATE notice SET dismissed_at = last_at")
    await house.hear("payment_disputed", "du_another")
    await house.follow_up()
    assert await house.count("notice WHERE dismissed_at IS NULL") == 1, "another dispute shows again"
    assert await house.count("payment_change") == 0


async def test_a_customer_deleted_at_the_vendors_has_no_subscription(house: House) -> None:
    ada, ref = await house.subscriber()
    (customer,) = house.bank.customers(ada.id)
    house.bank.drop_customer(customer)
    with house.bank.open() as state:
        del state["subscriptions"][ref]
    await house.hear("customer_deleted", customer)
    await house.follow_up()
    assert not await house.is_pro(ada)
    assert await house.column("state", "subscription", ada) == ["canceled"]


async def test_what_cannot_be_read_now_is_read_later(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.change(ref, state="unpaid")
    await house.hear("subscription_changed", ref)
    house.bank.does("subscriptions=down")
    await house.follow_up()
    assert await house.is_pro(ada)
    await house.age("payment_change", "run_after", hours=1)
    await house.follow_up()
    assert not await house.is_pro(ada)
    assert await house.count("payment_change") == 0


async def test_an_event_that_comes_while_the_truth_is_read_is_not_lost(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.does("invoices=hold")  # the subscription itself has been read by then
    await house.hear("subscription_changed", ref)
    following = asyncio.create_task(house.follow_up())
    while not any(call["mode"] == "hold" for call in house.bank.calls("invoices")):
        await asyncio.sleep(0.01)
    house.bank.change(ref, state="unpaid")
    await house.hear("subscription_changed", ref)
    (house.bank.folder / "release").touch()
    await following
    await house.follow_up()
    assert await house.column("state", "subscription", ada) == ["unpaid"]


async def test_an_older_reading_does_not_replace_a_newer_one(house: House) -> None:
    ada, ref = await house.subscriber()
    readings = house.billing.readings
    (customer,) = await house.billing.customers.of(ada.id)
    truth = SubscriptionTruth(ref=ref, customer=customer.customer, price="price_pro", state="active", period_end=None)

    def reading(**changes: str) -> Reading:
        return Reading(truths=(msgspec.structs.replace(truth, **changes),), vanished=(), invoices=(), gone=False)

    older, newer = await readings.begin(customer.id), await readings.begin(customer.id)
    assert older is not None and newer is not None
    await readings.write_down(customer, newer, reading(state="canceled"))
    await readings.write_down(customer, older, reading(state="active"))
    assert await house.column("state", "subscription", ada) == ["canceled"]
    assert await house.count("payment_change") == 1, "and it is read once more, to be sure"
    await house.follow_up()
    assert await house.column("state", "subscription", ada) == ["active"]


async def test_the_days_of_grace_begin_once(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.change(ref, state="past_due")
    await house.billing.service.sync(ada.id, None)
    await house.run("UPDATE subscription SET past_due_since = past_due_since - :days", days=6 * DAY_S)
    await house.billing.service.sync(ada.id, None)
    assert await house.is_pro(ada)
    await house.run("UPDATE subscription SET past_due_since = past_due_since - :days", days=DAY_S)
    await house.billing.service.sync(ada.id, None)
    assert not await house.is_pro(ada)
    house.bank.change(ref, state="active")
    await house.billing.service.sync(ada.id, None)
    assert await house.is_pro(ada)
    assert await house.column("past_due_since", "subscription", ada) == [None]


async def test_a_second_live_subscription_is_reported_and_takes_over_when_the_first_ends(house: House) -> None:
    ada, first = await house.subscriber()
    (customer,) = house.bank.customers(ada.id)
    second = house.bank.add(customer, "price_pro", state="active")
    await house.billing.service.sync(ada.id, None)
    with pytest.raises(AssertionError, match="has 2"):
        await house.promises_hold()
    house.bank.change(first, state="canceled", ended_at=1)
    await house.billing.service.sync(ada.id, None)
    await house.promises_hold()
    assert await house.is_pro(ada)
    house.bank.change(second, state="canceled", ended_at=1)
    assert not await house.billing.service.sync(ada.id, None)


async def test_the_database_takes_no_second_current_subscription(house: House) -> None:
    ada, _ = await house.subscriber()
    (customer,) = house.bank.customers(ada.id)
    house.bank.add(customer, "price_pro", state="active")
    await house.billing.service.sync(ada.id, None)
    with pytest.raises(IntegrityError):
        await house.run("UPDATE subscription SET is_current = true WHERE user_id = :id", id=ada.id)


async def test_a_first_payment_left_open_beside_a_subscription_is_ended(house: House) -> None:
    ada, _ = await house.subscriber()
    (customer,) = house.bank.customers(ada.id)
    stray = house.bank.add(customer, "price_pro")
    await house.billing.service.sync(ada.id, None)
    states = {entry["ref"]: entry["state"] for entry in house.bank.subscriptions(ada.id, ended=True)}
    assert states[stray] == "canceled"
    assert await house.column("state", "subscription", ada) == ["active", "canceled"]


async def test_invoices_are_kept_and_read_afresh(house: House) -> None:
    ada, _ref = await house.subscriber()
    async with house.database.read() as connection:
        (invoice,) = await house.billing.views.invoices(connection, ada.id)
    assert (invoice.amount_paid, invoice.currency, invoice.status) == (1900, "usd", "paid")
    assert invoice.invoice_pdf == f"/api/subscription/invoices/{invoice.id}/pdf"
    await house.billing.service.sync(ada.id, None)
    assert await house.count("payment_invoice", ada) == 1


async def test_syncs_of_several_processes_agree(new_house: NewHouse) -> None:
    houses = [new_house() for _ in range(3)]
    ada, _ref = await houses[0].subscriber()
    await asyncio.gather(*(house.billing.service.sync(ada.id, None) for house in houses * 2))
    assert await houses[0].column("state", "subscription", ada) == ["active"]


async def test_the_administrators_word_comes_first(house: House) -> None:
    ada, _ = await house.subscriber()
    entitlement = house.billing.entitlement
    assert not await entitlement.is_pro(ada.id, False)
    assert await entitlement.is_pro((await house.person()).id, True)


async def test_a_sync_that_fails_is_told_and_changes_nothing(house: House) -> None:
    ada, ref = await house.subscriber()
    house.bank.change(ref, state="unpaid")
    house.bank.does("subscriptions=reset")
    with pytest.raises(NoProvider):
        await house.billing.service.sync(ada.id, None)
    assert await house.is_pro(ada)
