"""Subscribers of an old price are told of a new one, and pay it with the first renewal after their notice."""

import asyncio
import time

import pytest
from sqlalchemy import delete

from kernel.accounts.current_user import CurrentUser
from kernel.billing.invariants import nobody_waits_in_ended_moves, told_before_moved
from kernel.billing.price_move_models import PriceMove
from kernel.billing.repricing.schemas import MoveIn, PriceMoveOut
from kernel.core.data.job_pause import JobPause
from kernel.core.errors import Absent, Conflict, InvalidFields
from tests.billing.conftest import BOSS, BillingHarness, NewHarness
from tests.stub_payment.catalog import PRO, TRIAL, YEARLY, YEN

pytestmark = pytest.mark.anyio

OLD, DAY_S = "price_old", 86_400
WISH = MoveIn(price_id=OLD, new_price_id=PRO)


async def loyal(harness: BillingHarness, **values: object) -> tuple[CurrentUser, str]:
    """Return somebody who pays an old price, and their subscription, which is renewed within the notice."""
    person, ref = await harness.subscriber()
    await harness.billing.prices.copy("bank")
    harness.bank.change(ref, **({"price": OLD, "period_end": int(time.time()) + 20 * DAY_S} | values))
    await harness.billing.subscriptions.sync(person.id, None)
    await harness.sent(person)
    return person, ref


async def begun(harness: BillingHarness, wish: MoveIn = WISH) -> PriceMoveOut:
    return await harness.billing.price_moves.begin(wish, BOSS)


async def work(harness: BillingHarness, *, days: int = 0) -> PriceMoveOut:
    """Let days pass at the vendor, do what is due, and return the latest move."""
    with harness.bank.open() as state:
        state["clock"] += days * DAY_S
    await harness.age("moved_subscriber", "run_after", minutes=10)
    await harness.billing.worker.price_moves.step()
    async with harness.database.read() as connection:
        assert await told_before_moved(connection) == []
        assert await nobody_waits_in_ended_moves(connection) == []
    return (await harness.billing.price_moves.moves())[0]


async def renewed(harness: BillingHarness, person: CurrentUser, ref: str) -> None:
    harness.bank.renew(ref)
    await harness.billing.subscriptions.sync(person.id, None)
    await harness.sent(person)


def price_of(harness: BillingHarness, ref: str) -> str:
    with harness.bank.open() as state:
        return str(state["subscriptions"][ref]["price"])


def reasons(move: PriceMoveOut) -> dict[str, int]:
    return {one.reason: one.count for one in move.left_out}


async def test_subscribers_are_told_once_and_pay_from_the_first_renewal_after_their_notice(
    harness: BillingHarness,
) -> None:
    ada, ref = await loyal(harness)
    await begun(harness)
    for _ in range(3):
        move = await work(harness)
    ((kind, details),) = await harness.letters(ada)
    assert (kind, details["old_amount"], details["amount"], details["currency"]) == (
        "price_changing",
        "900",
        "1900",
        "usd",
    )
    assert (move.told, move.pending, move.moved, move.state) == (1, 1, 0, "running")
    shown = await harness.shown(ada)
    assert shown is not None and shown.price is not None and shown.price_change is not None
    assert (shown.price.amount, shown.price_change.is_next) == (900, False)
    assert str(shown.price_change.starts) == details["until"]
    await renewed(harness, ada, ref)  # within the notice: the old price
    assert (await work(harness, days=40)).moved == 0, "there is time until the next renewal"
    assert price_of(harness, ref) == OLD
    bills = len(harness.bank.calls("change_at_renewal"))
    invoices = await harness.count("payment_invoice", ada)
    move = await work(harness, days=18)
    assert (move.moved, move.pending, move.state) == (1, 0, "finished") and move.ended_at
    assert price_of(harness, ref) == PRO and len(harness.bank.calls("change_at_renewal")) == bills + 1
    assert await harness.count("payment_invoice", ada) == invoices, "the current period is not charged again"
    shown = await harness.shown(ada)
    assert shown is not None and shown.price is not None and shown.price_change is not None
    assert (shown.price.amount, shown.price_change.is_next) == (900, True)
    assert shown.price_change.starts == shown.current_period_end
    await renewed(harness, ada, ref)
    shown = await harness.shown(ada)
    assert shown is not None and shown.price is not None and shown.price.amount == 1900
    assert shown.price_change is None
    await harness.promises_hold()
    assert await harness.count("payment_operation") == 0


async def test_who_has_cancelled_or_not_paid_is_left_out(harness: BillingHarness) -> None:
    ada, _ = await loyal(harness)
    bob, _ = await loyal(harness, cancel_at=2_000_000_000)
    eve, _ = await loyal(harness, state="unpaid")
    told = await harness.billing.price_moves.preview(WISH)
    assert (told.people, told.ending, told.unpaid, told.old_amount, told.new_amount) == (1, 1, 1, 900, 1900)
    await begun(harness)
    assert reasons(await work(harness)) == {"ending": 1, "unpaid": 1}
    assert [kind for kind, _ in await harness.letters(ada)] == ["price_changing"]
    assert await harness.letters(bob) == [] and await harness.letters(eve) == []


async def test_who_cancels_or_changes_their_plan_meanwhile_drops_out(harness: BillingHarness) -> None:
    ada, _ = await loyal(harness)
    bob, at_bob = await loyal(harness)
    eve, at_eve = await loyal(harness)
    await begun(harness)
    await work(harness)
    assert await harness.letters(ada) != []
    await harness.billing.subscriptions.cancel(ada.id)
    shown = await harness.shown(ada)
    assert shown is not None and shown.price_change is None
    harness.bank.change(at_bob, price=YEARLY)
    harness.bank.change(at_eve, state="canceled", ended_at=1)
    for person in (bob, eve):
        await harness.billing.subscriptions.sync(person.id, None)
    move = await work(harness)
    assert (reasons(move), move.told, move.state) == ({"changed": 1, "ended": 1, "ending": 1}, 3, "finished")
    assert "price_changing" not in [kind for kind, _ in await harness.letters(ada)], "it is not true any more"
    assert harness.bank.calls("change_at_renewal") == []


async def test_what_the_vendor_knows_better_counts(harness: BillingHarness) -> None:
    ada, ref = await loyal(harness, period_end=2_000_000_000)
    await begun(harness)
    await work(harness)
    harness.bank.change(ref, cancel_at=2_000_000_000, period_end=2_000_000_000)
    with harness.bank.open() as state:
        state["clock"] += 2_000_000_000
    assert reasons(await work(harness)) == {"ending": 1}
    assert price_of(harness, ref) == OLD and await harness.is_pro(ada)


@pytest.mark.parametrize("mode", ["down", "broken", "limited", "reset", "lost", "failed"])
async def test_a_vendor_that_is_away_is_asked_again(small_harness: BillingHarness, mode: str) -> None:
    harness = small_harness
    ada, ref = await loyal(harness)
    await begun(harness)
    await work(harness)
    await renewed(harness, ada, ref)
    harness.bank.does(f"change_at_renewal={mode}")
    move = await work(harness, days=59)
    assert (move.moved, move.pending) == (0, 1)
    move = await work(harness)
    assert (move.moved, move.state, price_of(harness, ref)) == (1, "finished", PRO)
    calls = harness.bank.calls("change_at_renewal")
    assert len(calls) == (1 if mode in ("lost", "failed") else 2), "what has happened is not asked for again"
    if mode == "reset":
        assert calls[0]["key"] == calls[1]["key"]
    assert await harness.sent(ada) == [], "told once"


async def test_what_the_vendor_refuses_is_left_out(small_harness: BillingHarness) -> None:
    ada, ref = await loyal(small_harness)
    await begun(small_harness)
    await work(small_harness)
    await renewed(small_harness, ada, ref)
    small_harness.bank.does("change_at_renewal=invalid")
    move = await work(small_harness, days=59)
    assert (reasons(move), move.state) == ({"refused": 1}, "finished")


async def test_several_workers_tell_and_move_once(harness: BillingHarness, new_harness: NewHarness) -> None:
    other = new_harness()
    people = [await loyal(harness) for _ in range(3)]
    await begun(harness)
    await asyncio.gather(*(one.billing.worker.price_moves.step() for one in (harness, other) * 2))
    for ada, ref in people:
        assert await harness.sent(ada) == ["price_changing"]
        await renewed(harness, ada, ref)
    with harness.bank.open() as state:
        state["clock"] += 59 * DAY_S
    await harness.age("moved_subscriber", "run_after", minutes=10)
    await asyncio.gather(*(one.billing.worker.price_moves.step() for one in (harness, other) * 2))
    assert len(harness.bank.calls("change_at_renewal")) == 3
    assert [price_of(harness, ref) for _, ref in people] == [PRO] * 3


async def test_a_stop_leaves_the_rest_at_the_old_price(harness: BillingHarness) -> None:
    ada, at_ada = await loyal(harness)
    bob, at_bob = await loyal(harness)
    move = await begun(harness)
    await work(harness)
    await harness.sent(ada)
    await renewed(harness, bob, at_bob)
    assert (await work(harness, days=59)).moved == 1
    stopped = await harness.billing.price_moves.stop(move.id, BOSS)
    assert (stopped.state, stopped.moved, stopped.stopped, stopped.pending) == ("stopped", 1, 1, 0)
    await renewed(harness, ada, at_ada)
    await work(harness, days=59)
    assert (price_of(harness, at_ada), price_of(harness, at_bob)) == (OLD, PRO)
    shown = await harness.shown(ada)
    assert shown is not None and shown.price_change is None
    with pytest.raises(Conflict):
        await harness.billing.price_moves.stop(move.id, BOSS)
    with pytest.raises(Absent):
        await harness.billing.price_moves.stop(move.id + 7, BOSS)
    again = await begun(harness)
    assert again.waiting == 1, "those who are left can be moved later"


async def test_while_moves_are_paused_nobody_is_told(harness: BillingHarness) -> None:
    ada, _ = await loyal(harness)
    await begun(harness)
    async with harness.database.write() as session:
        session.add(JobPause(name=PriceMove.job_kind))
    assert (await work(harness)).told == 0 and await harness.letters(ada) == []
    async with harness.database.write() as session:
        await session.execute(delete(JobPause))
    assert (await work(harness)).told == 1


async def test_a_letter_that_was_not_sent_is_withdrawn_by_a_stop(harness: BillingHarness) -> None:
    ada, _ = await loyal(harness)
    move = await begun(harness)
    await work(harness)
    await harness.billing.price_moves.stop(move.id, BOSS)
    assert await harness.letters(ada) == []


async def test_what_the_vendor_has_changed_comes_next_before_that_is_noted(harness: BillingHarness) -> None:
    ada, ref = await loyal(harness)
    await begun(harness)
    await work(harness)
    await renewed(harness, ada, ref)
    harness.bank.does("change_at_renewal=lost")
    assert (await work(harness, days=59)).moved == 0 and price_of(harness, ref) == PRO
    await harness.billing.subscriptions.sync(ada.id, None)
    shown = await harness.shown(ada)
    assert shown is not None and shown.price is not None and shown.price_change is not None
    assert (shown.price.amount, shown.price_change.is_next) == (900, True)
    assert shown.price_change.starts == shown.current_period_end


async def test_a_stop_while_the_vendor_is_asked_tells_what_has_happened(harness: BillingHarness) -> None:
    ada, ref = await loyal(harness)
    move = await begun(harness)
    await work(harness)
    await renewed(harness, ada, ref)
    harness.bank.does("change_at_renewal=lost")
    await work(harness, days=59)
    await harness.billing.price_moves.stop(move.id, BOSS)
    ended = await work(harness)
    assert (ended.state, ended.moved, ended.stopped, price_of(harness, ref)) == ("stopped", 1, 0, PRO)


async def test_only_old_prices_go_to_prices_that_renew_alike(harness: BillingHarness) -> None:
    await loyal(harness)
    await harness.subscriber()
    told = await harness.billing.price_moves.subscribers()
    assert told.movable and (told.least_notice_days, told.notice_days, told.most_notice_days) == (7, 30, 60)
    groups = {one.price_id: (one.subscribers, one.amount, one.on_sale, len(one.targets)) for one in told.prices}
    assert groups == {PRO: (1, 1900, True, 0), OLD: (1, 900, False, 1)}
    for old, new, wrong in (
        (OLD, YEARLY, {"newPriceId"}),
        (OLD, YEN, {"newPriceId"}),
        (OLD, TRIAL, {"newPriceId"}),
        (OLD, OLD, {"newPriceId"}),
        (PRO, PRO, {"priceId", "newPriceId"}),
        ("price_nowhere", "price_nobody", {"priceId", "newPriceId"}),
    ):
        with pytest.raises(InvalidFields) as refused:
            await begun(harness, MoveIn(price_id=old, new_price_id=new))
        assert set(refused.value.fields) == wrong, (old, new)


async def test_one_price_is_moved_once_at_a_time_and_only_where_somebody_pays_it(harness: BillingHarness) -> None:
    await harness.billing.prices.copy("bank")
    with pytest.raises(Conflict) as nobody:
        await begun(harness)
    assert nobody.value.code == "nobody_to_move" and await harness.count("price_move") == 0
    await loyal(harness)
    results = await asyncio.gather(*(begun(harness) for _ in range(4)), return_exceptions=True)
    assert [type(one) for one in results].count(PriceMoveOut) == 1
    assert {one.code for one in results if isinstance(one, Conflict)} == {"move_running"}


async def test_a_vendor_that_cannot_wait_moves_nobody(new_harness: NewHarness) -> None:
    harness = new_harness(change_at_renewal=False)
    await loyal(harness)
    told = await harness.billing.price_moves.subscribers()
    assert not told.movable and not any(one.targets for one in told.prices)
    with pytest.raises(Conflict) as refused:
        await begun(harness)
    assert refused.value.code == "move_unsupported"
