"""Pausing instead of cancelling: no payments, Pro as long as it is paid, and back by itself."""

import time

import pytest
from sqlalchemy import select

from kernel.accounts.models import User
from kernel.billing.vendor.gateway import Declined
from kernel.core.errors import Absent, Conflict, NoProvider
from tests.billing.conftest import BillingHarness, NewHarness
from tests.stub_payment.bank import MONTH_S
from tests.stub_payment.catalog import YEARLY

pytestmark = pytest.mark.anyio


async def counted_as_pro(harness: BillingHarness, user_id: int) -> bool:
    """Return whether lists and statistics count somebody as Pro."""
    async with harness.database.read() as connection:
        query = select(User.id).where(User.id == user_id, harness.billing.entitlement.pro())
        return (await connection.execute(query)).first() is not None


async def state_listed(harness: BillingHarness, user_id: int) -> str | None:
    async with harness.database.read() as connection:
        return (await harness.billing.subscription_summaries.states_in(connection, [user_id])).get(user_id)


async def test_a_pause_leaves_pro_as_long_as_it_is_paid_and_comes_back(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    before = await harness.shown(ada)
    assert before is not None and before.pausable
    await harness.sent(ada)
    await harness.billing.pauses.pause(ada.id, 2)
    shown = await harness.shown(ada)
    assert shown is not None and before.current_period_end is not None
    assert shown.paused_until == before.current_period_end + 2 * MONTH_S
    assert shown.current_period_end == before.current_period_end and not shown.pausable
    assert await harness.is_pro(ada) and await counted_as_pro(harness, ada.id)
    assert await state_listed(harness, ada.id) == "paused"
    ((kind, details),) = await harness.letters(ada)
    assert kind == "subscription_paused"
    assert details == {"until": str(shown.current_period_end), "date": str(shown.paused_until)}
    # what is paid is used up: by our own clock, before the vendor has said so
    past = int(time.time()) - 60
    await harness.run("UPDATE subscription SET period_end = :past WHERE user_id = :id", past=past, id=ada.id)
    assert not await harness.is_pro(ada) and not await counted_as_pro(harness, ada.id)
    harness.bank.change(ref, state="paused", period_end=past)
    await harness.billing.subscriptions.sync(ada.id, None)
    assert not await harness.is_pro(ada)
    harness.bank.change(ref, state="active", period_end=past + MONTH_S, paused_until=None)
    assert await harness.billing.subscriptions.sync(ada.id, None)
    assert await counted_as_pro(harness, ada.id) and await state_listed(harness, ada.id) == "active"
    assert await harness.sent(ada) == ["subscription_resumed"], "the letter about the pause is not true any more"
    await harness.promises_hold()


async def test_resuming_while_it_is_paid_goes_on_as_before(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    before = await harness.shown(ada)
    await harness.billing.pauses.pause(ada.id, 1)
    for _ in range(2):
        await harness.billing.pauses.resume(ada.id)
    assert await harness.shown(ada) == before
    assert await harness.count("payment_operation") == 0


async def test_a_second_pause_changes_nothing(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    for months in (1, 3):
        await harness.billing.pauses.pause(ada.id, months)
    assert [call["months"] for call in harness.bank.calls("pause")] == [1]


@pytest.mark.parametrize("mode", ["down", "reset", "lost", "failed"])
@pytest.mark.parametrize("operation", ["pause", "resume"])
async def test_what_failed_can_be_tried_again(harness: BillingHarness, operation: str, mode: str) -> None:
    ada, _ = await harness.subscriber()
    if operation == "resume":
        await harness.billing.pauses.pause(ada.id, 1)

    async def change() -> None:
        if operation == "pause":
            await harness.billing.pauses.pause(ada.id, 1)
        else:
            await harness.billing.pauses.resume(ada.id)

    harness.bank.does(f"{operation}={mode}")
    with pytest.raises(NoProvider):
        await change()
    await change()
    shown = await harness.shown(ada)
    assert shown is not None and (shown.paused_until is not None) == (operation == "pause")
    first, again = harness.bank.calls(operation)[-2:]
    assert (first["key"] == again["key"]) == (mode in ("reset", "lost"))
    assert await harness.count("payment_operation") == 0


async def test_a_card_that_is_declined_leaves_the_pause(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.billing.pauses.pause(ada.id, 1)
    harness.bank.change(ref, state="paused", period_end=int(time.time()) - 60)
    harness.bank.does("resume=declined")
    with pytest.raises(Declined):
        await harness.billing.pauses.resume(ada.id)
    await harness.billing.subscriptions.sync(ada.id, None)
    shown = await harness.shown(ada)
    assert shown is not None and shown.paused_until is not None


async def test_cancelling_a_pause_says_cancelled_and_not_resumed(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.billing.pauses.pause(ada.id, 1)
    await harness.sent(ada)
    harness.bank.change(ref, paused_until=None)
    await harness.billing.subscriptions.cancel(ada.id)
    assert await harness.sent(ada) == ["subscription_canceled"]


async def test_what_cannot_pause_says_so(new_harness: NewHarness) -> None:
    harness = new_harness()
    ada, bob = await harness.person(), (await harness.subscriber())[0]
    for call in (harness.billing.pauses.pause(ada.id, 1), harness.billing.pauses.resume(ada.id)):
        with pytest.raises(Absent):
            await call
    without = new_harness(pause=False)
    with pytest.raises(Conflict):
        await without.billing.pauses.pause(bob.id, 1)
    shown = await without.shown(bob)
    assert shown is not None and not shown.pausable


async def test_a_paused_subscription_keeps_its_price(harness: BillingHarness) -> None:
    ada, _ = await harness.subscriber()
    await harness.billing.pauses.pause(ada.id, 1)
    with pytest.raises(Conflict, match="paused"):
        await harness.billing.price_changes.preview(ada.id, YEARLY)
    assert not (await harness.billing.price_changes.offered(ada.id)).changeable
