"""What becomes due when the bank's clock is advanced: each event at its time, however late it is processed."""

import math
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.spi import CardOnFile, CardOutcome, InvalidRequest, NotFound, PaymentDeclined
from plugins.sandbox_payments.months import months_after
from plugins.sandbox_payments.provider import SandboxPayments
from plugins.sandbox_payments.rows import DAY_S
from tests.sandbox.bank import MONTH, TRIAL, YEAR, YEN, open_bank, pay_open, secret_of, start, subscribe, typed

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("begun", "months", "then"),
    [
        ((2026, 1, 31), 1, (2026, 2, 28)),
        ((2026, 1, 31), 2, (2026, 3, 31)),
        ((2027, 12, 31), 2, (2028, 2, 29)),
        ((2028, 2, 29), 12, (2029, 2, 28)),
        ((2028, 2, 29), 48, (2032, 2, 29)),
        ((2026, 12, 5), 1, (2027, 1, 5)),
    ],
)
def test_months_keep_their_day(begun: tuple[int, int, int], months: int, then: tuple[int, int, int]) -> None:
    start_at, end_at = datetime(*begun, 8, 30, tzinfo=UTC), datetime(*then, 8, 30, tzinfo=UTC)
    assert months_after(int(start_at.timestamp()), months) == int(end_at.timestamp())


async def test_a_month_that_passes_is_charged(bank: SandboxPayments) -> None:
    truth = await subscribe(bank)
    await bank.advance(32)
    later = await bank.subscription(truth.ref)
    assert later.state == "active" and (later.period_end or 0) > await bank.now()
    invoices = await bank.invoices(truth.customer)
    assert [(entry.state, entry.paid.amount) for entry in invoices] == [("paid", 1900)] * 2
    assert invoices[0].created == truth.period_end, "written at its time, and not when somebody looked"


async def test_a_new_price_can_wait_for_the_renewal(tmp_path: Path) -> None:
    bank = open_bank(tmp_path / "bank")
    truth = await subscribe(bank)
    await bank.aclose()
    bank = open_bank(tmp_path / "bank", monthly=2900)
    new = "price_month_2900_usd"
    for _ in range(2):
        changed = await bank.change_price(truth.ref, price=new, idempotency_key="k", at_renewal=True)
        assert (changed.price, changed.period_end) == (new, truth.period_end)
    for price in (YEAR, YEN):
        with pytest.raises(InvalidRequest):
            await bank.change_price(truth.ref, price=price, idempotency_key="k", at_renewal=True)
    assert [entry.paid.amount for entry in await bank.invoices(truth.customer)] == [1900]
    await bank.advance(32)
    assert [entry.paid.amount for entry in await bank.invoices(truth.customer)] == [2900, 1900]
    await bank.aclose()


async def test_a_card_that_has_expired_pays_no_renewal(bank: SandboxPayments) -> None:
    started = await start(bank)
    soon = datetime.fromtimestamp(await bank.now(), UTC)
    await bank.pay(secret_of(started), typed("succeeds", expiry=f"{soon:%m/%y}"))
    truth = await bank.subscription(started.subscription.ref)
    assert truth.card == CardOnFile(brand="visa", last4="4242", exp_month=soon.month, exp_year=soon.year)
    await bank.advance(32)
    assert (await bank.subscription(truth.ref)).state == "past_due"
    assert await pay_open(bank, truth.ref, "succeeds") == "succeeded"
    later = await bank.subscription(truth.ref)
    assert later.state == "active" and later.card is not None and later.card.exp_year == 2099


async def test_a_year_in_one_step_is_twelve_months(bank: SandboxPayments) -> None:
    monthly, yearly = await subscribe(bank), await subscribe(bank, price=YEAR)
    await bank.advance(366)
    assert len(await bank.invoices(monthly.customer, limit=100)) == 13
    assert [entry.paid.amount for entry in await bank.invoices(yearly.customer)] == [19_000] * 2
    numbers = [entry.number for who in (monthly, yearly) for entry in await bank.invoices(who.customer, limit=100)]
    assert sorted(numbers) == [f"SBX-{number:06d}" for number in range(1, 16)], "numbers have no gaps"


async def test_many_small_steps_end_where_one_large_step_ends(tmp_path: Path) -> None:
    told = []
    for folder, steps in (("one", [60]), ("many", [1] * 60)):
        bank = open_bank(tmp_path / folder, after_retries="unpaid")
        people = [
            await subscribe(bank, outcome, price)
            for outcome, price in (("succeeds", MONTH), ("fails_at_renewal", MONTH), ("succeeds", TRIAL))
        ]
        begun = people[0].period_end or 0
        for days in steps:
            await bank.advance(days)
            await bank.subscription(people[0].ref)
        story: list[object] = []
        for person in people:
            truth = await bank.subscription(person.ref)
            bills = await bank.invoices(person.customer)
            story += [truth.state, round(((truth.period_end or 0) - begun) / DAY_S)]
            story += [
                (bill.number, bill.state, bill.total.amount, round((bill.created - begun) / DAY_S)) for bill in bills
            ]
        told.append(story)
        await bank.aclose()
    assert told[0] == told[1]


async def test_a_trial_becomes_a_paid_month(bank: SandboxPayments) -> None:
    truth = await subscribe(bank, price=TRIAL)
    await bank.advance(14)
    later = await bank.subscription(truth.ref)
    assert (later.state, [bill.paid.amount for bill in await bank.invoices(truth.customer)]) == ("active", [1900, 0])
    assert (later.period_end or 0) - (truth.trial_end or 0) >= 28 * DAY_S


async def test_a_trial_that_was_cancelled_costs_nothing(bank: SandboxPayments) -> None:
    truth = await subscribe(bank, price=TRIAL)
    ending = await bank.cancel(truth.ref, at_period_end=True, idempotency_key="k")
    assert (ending.state, ending.cancel_at) == ("trialing", truth.trial_end)
    await bank.advance(15)
    assert (await bank.subscription(truth.ref)).state == "canceled"
    assert [bill.total.amount for bill in await bank.invoices(truth.customer)] == [0]


@pytest.mark.parametrize("outcome", ["fails_at_renewal", "confirmation_at_renewal"])
@pytest.mark.parametrize("after", ["canceled", "unpaid"])
async def test_a_failed_renewal_is_tried_again_and_then_given_up(
    tmp_path: Path, outcome: CardOutcome, after: str
) -> None:
    bank = open_bank(tmp_path, after_retries=after)
    truth = await subscribe(bank, outcome)
    states = []
    await bank.advance(math.ceil(((truth.period_end or 0) - await bank.now()) / DAY_S))
    for _ in range(6):
        states.append((await bank.subscription(truth.ref)).state)
        await bank.advance(1)
    assert states == ["past_due"] * 5 + [after]
    newest = (await bank.invoices(truth.customer))[0]
    assert newest.state == ("void" if after == "canceled" else "open"), "who has ended owes nothing"
    assert newest.paid.amount == 0
    await bank.aclose()


async def test_a_new_card_pays_the_open_invoice(bank: SandboxPayments) -> None:
    truth = await subscribe(bank, "fails_at_renewal")
    await bank.advance(32)
    overdue = await bank.subscription(truth.ref)
    assert overdue.state == "past_due"
    assert await pay_open(bank, truth.ref, "insufficient_funds") == "declined"
    assert await pay_open(bank, truth.ref, "succeeds") == "succeeded"
    paid = await bank.subscription(truth.ref)
    assert (paid.state, paid.period_end) == ("active", overdue.period_end)
    await bank.advance(31)
    assert [bill.state for bill in await bank.invoices(truth.customer)] == ["paid"] * 3


async def test_who_pays_late_has_a_whole_month_from_then(tmp_path: Path) -> None:
    bank = open_bank(tmp_path, after_retries="unpaid")
    truth = await subscribe(bank, "fails_at_renewal")
    await bank.advance(200)
    assert (await bank.subscription(truth.ref)).state == "unpaid"
    assert len(await bank.invoices(truth.customer)) == 2, "nothing is owed for months without Pro"
    await pay_open(bank, truth.ref, "succeeds")
    paid = await bank.subscription(truth.ref)
    assert paid.state == "active" and (paid.period_end or 0) - await bank.now() >= 28 * DAY_S - 60
    await bank.aclose()


async def test_a_cancellation_takes_effect_at_the_end_of_the_period(bank: SandboxPayments) -> None:
    truth = await subscribe(bank)
    first = await bank.cancel(truth.ref, at_period_end=True, idempotency_key="a")
    assert await bank.cancel(truth.ref, at_period_end=True, idempotency_key="b") == first, "asked for once is enough"
    await bank.advance(32)
    ended = await bank.subscription(truth.ref)
    assert (ended.state, ended.ended_at, ended.cancel_at) == ("canceled", truth.period_end, None)
    assert len(await bank.invoices(truth.customer)) == 1
    with pytest.raises(InvalidRequest):
        await bank.reactivate(truth.ref, idempotency_key="c")


async def test_a_cancellation_that_was_taken_back_never_was(bank: SandboxPayments) -> None:
    truth = await subscribe(bank)
    await bank.cancel(truth.ref, at_period_end=True, idempotency_key="a")
    back = await bank.reactivate(truth.ref, idempotency_key="b")
    assert back == truth == await bank.reactivate(truth.ref, idempotency_key="c")
    await bank.advance(32)
    assert (await bank.subscription(truth.ref)).state == "active"


async def test_a_first_payment_is_open_for_a_day_at_most(bank: SandboxPayments) -> None:
    started = await start(bank)
    await bank.advance(1)
    with pytest.raises(NotFound):
        await bank.pay(secret_of(started), typed("succeeds"))
    assert (await bank.subscription(started.subscription.ref)).state == "canceled"
    assert await bank.subscriptions(started.subscription.customer) == ()


async def test_a_dearer_price_costs_the_difference_at_once(bank: SandboxPayments) -> None:
    truth = await subscribe(bank)
    changed = await bank.change_price(truth.ref, price=YEAR, idempotency_key="k")
    assert (changed.price, changed.state) == (YEAR, "active")
    assert (changed.period_end or 0) - (truth.period_end or 0) > 300 * DAY_S
    newest = (await bank.invoices(truth.customer))[0]
    assert newest.state == "paid" and 19_000 - 1_900 <= newest.paid.amount <= 19_000 - 1_890
    assert await bank.change_price(truth.ref, price=YEAR, idempotency_key="l") == changed
    assert len(await bank.invoices(truth.customer)) == 2, "asked for twice is charged once"


async def test_what_a_cheaper_price_leaves_over_pays_the_months_to_come(bank: SandboxPayments) -> None:
    truth = await subscribe(bank, price=YEAR)
    await bank.change_price(truth.ref, price=MONTH, idempotency_key="k")
    await bank.advance(366)
    bills = await bank.invoices(truth.customer, limit=100)
    total = sum(bill.paid.amount for bill in bills)
    assert 19_000 < total <= 13 * 1_900 + 10, "thirteen months cost what they cost, whatever was paid before"
    assert [bill.paid.amount for bill in bills][-2:] == [0, 19_000]


async def test_a_declined_change_changes_nothing(bank: SandboxPayments) -> None:
    truth = await subscribe(bank, "fails_at_renewal")
    with pytest.raises(PaymentDeclined):
        await bank.change_price(truth.ref, price=YEAR, idempotency_key="k")
    assert await bank.subscription(truth.ref) == truth
    assert len(await bank.invoices(truth.customer)) == 1


@pytest.mark.parametrize("price", [YEN, "price_of_nobody"])
async def test_only_prices_on_sale_in_the_same_currency_replace_one(bank: SandboxPayments, price: str) -> None:
    truth = await subscribe(bank)
    with pytest.raises((InvalidRequest, NotFound)):
        await bank.change_price(truth.ref, price=price, idempotency_key="k")
    assert await bank.subscription(truth.ref) == truth


async def test_who_has_not_paid_cannot_change_the_price(bank: SandboxPayments) -> None:
    started = await start(bank)
    with pytest.raises(InvalidRequest):
        await bank.change_price(started.subscription.ref, price=YEAR, idempotency_key="k")


async def test_a_deleted_customer_is_never_charged_again_and_has_no_name(bank: SandboxPayments) -> None:
    truth = await subscribe(bank)
    await bank.delete_customer(truth.customer)
    await bank.advance(366)
    assert (await bank.subscription(truth.ref)).state == "canceled"
    for call in (bank.invoices, bank.subscriptions):
        with pytest.raises(NotFound):
            await call(truth.customer)


async def test_the_clock_has_a_furthest_day(bank: SandboxPayments) -> None:
    with pytest.raises(InvalidRequest):
        for _ in range(100):
            await bank.advance(366)
    assert datetime.fromtimestamp(await bank.now(), UTC).year < 2099
