"""Emails about money follow from what the vendor reports, each once, however often and in whatever order it is told."""

import asyncio

import pytest

from kernel.accounts.current_user import CurrentUser
from kernel.billing.entitlement import DAY_S
from kernel.core import clock
from tests.billing.conftest import BOSS, BillingHarness, NewHarness
from tests.stub_payment.catalog import YEARLY

pytestmark = pytest.mark.anyio


async def told(harness: BillingHarness, ref: str, *, times: int = 3) -> None:
    """Hear of a subscription and of its customer, again and again."""
    for topic in ("action_required", "subscription_changed"):
        await harness.hear(topic, ref, times=times)
    await harness.follow_up()
    await harness.hear("subscription_changed", ref)
    await harness.follow_up()


async def test_a_payment_has_one_receipt(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await told(harness, ref)
    ((kind, details),) = await harness.letters(ada)
    assert kind == "receipt"
    assert (details["amount"], details["currency"], details["instance"]) == ("1900", "usd", "bank")
    assert details["number"] == f"CW-{details['invoice']}" and abs(int(details["date"]) - clock.now_unix()) < 60
    assert await harness.sent(ada) == ["receipt"]
    await told(harness, ref)
    assert await harness.sent(ada) == [], "sent ones are not forgotten"


async def test_no_receipt_doubles_that_of_the_vendor(new_harness: NewHarness) -> None:
    harness = new_harness(receipts=True)
    ada, ref = await harness.subscriber()
    await told(harness, ref)
    assert await harness.letters(ada) == []


async def test_what_was_paid_long_before_is_no_news(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    (customer,) = harness.bank.customers(ada.id)
    with harness.bank.open() as state:
        created = int(clock.now_unix()) - 30 * DAY_S
        state["invoices"]["in_old"] = {"customer": customer, "created": created, "amount": 1900}
    await told(harness, ref)
    assert await harness.letters(ada) == []


async def test_a_failed_renewal_is_told_once_with_amount_and_day(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    harness.bank.fail_renewal(ref)
    await told(harness, ref)
    shown = await harness.shown(ada)
    ((kind, details),) = await harness.letters(ada)
    assert shown is not None and kind == "renewal_failed"
    assert details == {"amount": "1900", "currency": "usd", "until": str(shown.grace_until)}
    await harness.sent(ada)
    harness.bank.settle(ref)
    await told(harness, ref)
    assert await harness.sent(ada) == ["receipt"]
    harness.bank.change(ref, state="past_due")  # the vendor changes its mind about the same period
    await told(harness, ref)
    assert await harness.sent(ada) == []
    harness.bank.settle(ref)
    harness.bank.fail_renewal(ref)
    await told(harness, ref)
    assert await harness.sent(ada) == ["renewal_failed"], "the next period is another matter"
    await harness.promises_hold()


async def test_what_was_paid_before_it_was_told_is_told_as_paid_only(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    harness.bank.fail_renewal(ref)
    await told(harness, ref)
    harness.bank.settle(ref)
    await told(harness, ref)
    assert await harness.sent(ada) == ["receipt"]


async def test_a_renewal_that_the_bank_asks_about_is_told_so_instead(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    harness.bank.fail_renewal(ref, asks=True)
    await told(harness, ref)
    harness.bank.change(ref, needs_confirmation=False)  # the confirmation was not given in time
    await told(harness, ref)
    assert await harness.sent(ada) == ["confirm_payment"]


async def test_nothing_is_promised_whose_day_has_gone(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    harness.bank.change(ref, state="past_due")  # no invoice yet: nothing can be told
    await told(harness, ref)
    await harness.run("UPDATE subscription SET past_due_since = 1")
    harness.bank.fail_renewal(ref)
    await told(harness, ref)
    assert await harness.sent(ada) == []


async def test_a_cancellation_is_told_each_time_it_is_made(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    until = int(clock.now_unix()) + 9 * DAY_S
    harness.bank.change(ref, cancel_at=until, canceled_at=until - 5)
    await told(harness, ref)
    assert await harness.letters(ada) == [("subscription_canceled", {"until": str(until)})]
    harness.bank.change(ref, cancel_at=None, canceled_at=None)
    await told(harness, ref)
    assert await harness.sent(ada) == [], "taken back before it was sent"
    harness.bank.change(ref, cancel_at=until, canceled_at=until - 3)
    await told(harness, ref)
    assert await harness.sent(ada) == ["subscription_canceled"]


async def test_a_click_is_told_once_too(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    await harness.billing.subscriptions.cancel(ada.id)
    await told(harness, ref)
    assert await harness.sent(ada) == ["subscription_canceled"]


@pytest.mark.parametrize("gone", [False, True], ids=["canceled", "unknown to the vendor"])
async def test_an_end_is_told_once(harness: BillingHarness, gone: bool) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.fail_renewal(ref)
    await told(harness, ref)
    if gone:
        with harness.bank.open() as state:
            del state["subscriptions"][ref]
    else:
        harness.bank.change(ref, state="canceled", ended_at=1)
    await told(harness, ref)
    assert await harness.sent(ada) == ["receipt", "subscription_ended"]
    await told(harness, ref)
    assert await harness.sent(ada) == []


async def test_a_first_payment_that_was_given_up_is_no_end(harness: BillingHarness) -> None:
    ada = await harness.person()
    await harness.billing.subscriptions.start(ada)
    (entry,) = harness.bank.subscriptions(ada.id)
    harness.bank.change(entry["ref"], state="canceled", ended_at=1)
    await told(harness, entry["ref"])
    assert await harness.letters(ada) == []


async def test_two_processes_tell_it_once(new_harness: NewHarness) -> None:
    first, second = new_harness(), new_harness()
    ada, ref = await first.subscriber()
    await first.sent(ada)
    first.bank.fail_renewal(ref)
    await asyncio.gather(*(entry.billing.subscriptions.sync(ada.id, None) for entry in (first, second, first)))
    assert await first.sent(ada) == ["renewal_failed"]


async def test_who_deleted_the_account_is_told_nothing(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    await harness.age('"user"', "leaving_at", hours=1)
    harness.bank.change(ref, state="canceled", ended_at=1)
    await told(harness, ref)
    assert await harness.letters(ada) == []


async def trial(harness: BillingHarness, *, days: float) -> tuple[CurrentUser, str]:
    """Return somebody on a trial that ends in so many days; nothing about it was heard since it began."""
    active = harness.billing.payment_gateway.active()
    await harness.billing.prices.choose(active, "prod_pro", YEARLY, BOSS)
    person = await harness.person()
    await harness.billing.subscriptions.start(person)
    (entry,) = harness.bank.subscriptions(person.id)
    end = int(clock.now_unix() + days * DAY_S)
    harness.bank.change(entry["ref"], state="trialing", trial_end=end, period_end=end)
    await harness.billing.subscriptions.sync(person.id, None)
    return person, entry["ref"]


async def test_the_end_of_a_trial_is_told_once_three_days_before(harness: BillingHarness) -> None:
    ada, ref = await trial(harness, days=3.5)
    await told(harness, ref)
    assert await harness.letters(ada) == []
    end = int(clock.now_unix() + 2.9 * DAY_S)
    harness.bank.change(ref, trial_end=end, period_end=end)
    await told(harness, ref)
    ((kind, details),) = await harness.letters(ada)
    assert (kind, details) == ("trial_ending", {"until": str(end), "amount": "19000", "currency": "usd"})
    assert await harness.sent(ada) == ["trial_ending"]
    await told(harness, ref)
    assert await harness.sent(ada) == []


async def test_who_cancels_is_not_told_of_a_charge(harness: BillingHarness) -> None:
    ada, ref = await trial(harness, days=2)
    await told(harness, ref)
    await harness.billing.subscriptions.cancel(ada.id)
    assert await harness.sent(ada) == ["subscription_canceled"]
    await told(harness, ref)
    assert await harness.sent(ada) == []


async def test_a_trial_that_is_over_is_no_news(harness: BillingHarness) -> None:
    ada, ref = await trial(harness, days=-0.1)
    await told(harness, ref)
    assert await harness.letters(ada) == []


async def test_a_vendor_that_writes_before_trials_end_is_left_to_it(new_harness: NewHarness) -> None:
    harness = new_harness(trial_notices=True)
    ada, ref = await trial(harness, days=2)
    await told(harness, ref)
    assert await harness.letters(ada) == []


def card(*, months: int, last4: str = "4242") -> dict[str, object]:
    """A card whose last month is so many months from now."""
    month = clock.now().month - 1 + months
    return {"brand": "visa", "last4": last4, "exp_month": month % 12 + 1, "exp_year": clock.now().year + month // 12}


async def test_a_card_that_expires_before_the_next_payment_is_told_once(harness: BillingHarness) -> None:
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    due = int(clock.now_unix()) + 65 * DAY_S
    harness.bank.change(ref, period_end=due, card=card(months=3))
    await told(harness, ref)
    shown = await harness.shown(ada)
    assert shown is not None and shown.card is not None and not shown.card.expires_first
    assert await harness.letters(ada) == [], "good for the next payment"
    harness.bank.change(ref, card=card(months=1))
    await told(harness, ref)
    shown = await harness.shown(ada)
    assert shown is not None and shown.card is not None and shown.card.expires_first
    assert await harness.letters(ada) == [], "there is time"
    harness.bank.change(ref, card=card(months=-1))
    await told(harness, ref)
    old = card(months=-1)
    ((kind, details),) = await harness.letters(ada)
    assert kind == "card_expiring" and details == {
        "card": "Visa •••• 4242",
        "expires": f"{old['exp_month']:02}/{str(old['exp_year'])[2:]}",
        "until": str(due),
        "amount": "1900",
        "currency": "usd",
    }
    assert await harness.sent(ada) == ["card_expiring"]
    await told(harness, ref)
    assert await harness.sent(ada) == []
    harness.bank.change(ref, card=card(months=-1, last4="0005"))
    await told(harness, ref)
    assert [kind for kind, _ in await harness.letters(ada)] == ["card_expiring"], "another card is another matter"
    harness.bank.change(ref, card=card(months=30))
    await told(harness, ref)
    assert await harness.sent(ada) == [], "changed before it was sent"


@pytest.mark.parametrize("vendor", [{"card_notices": True}, {"portal": False}])
async def test_no_card_is_told_where_the_vendor_does_or_nothing_can_be_done(
    new_harness: NewHarness, vendor: dict[str, bool]
) -> None:
    harness = new_harness(**vendor)
    ada, ref = await harness.subscriber()
    await harness.sent(ada)
    harness.bank.change(ref, card=card(months=-1))
    await told(harness, ref)
    assert await harness.letters(ada) == []


@pytest.mark.parametrize("change", [{"exp_month": 13}, {"exp_year": 0}, {"last4": "4242 4242"}, {"last4": ""}])
async def test_a_card_that_cannot_be_is_not_shown(harness: BillingHarness, change: dict[str, object]) -> None:
    ada, ref = await harness.subscriber()
    harness.bank.change(ref, card=card(months=1) | change)
    await told(harness, ref)
    shown = await harness.shown(ada)
    assert shown is not None and shown.card is None
