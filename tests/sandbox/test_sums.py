"""Random sequences of actions and time: sums are right, and no wrong amount is owed."""

import tempfile
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.spi import CardOutcome, CustomerRequest, InvalidRequest, PaymentDeclined, StartRequest
from plugins.sandbox_payments.bank import Bank
from plugins.sandbox_payments.rows import InvoiceLine
from plugins.sandbox_payments.settings import SandboxSettings
from tests.sandbox.bank import MONTH, TRIAL, YEAR, typed

STEPS = st.lists(
    st.one_of(
        st.integers(1, 60),
        st.sampled_from((MONTH, YEAR, TRIAL, "cancel", "reactivate", "succeeds", "fails_at_renewal")),
    ),
    max_size=12,
)
PERSON = CustomerRequest(user_ref="u", email="ada@example.org", idempotency_key="k")


@settings(max_examples=40, deadline=None)
@given(STEPS, st.sampled_from((MONTH, YEAR, TRIAL)), st.sampled_from(("succeeds", "fails_at_renewal")))
def test_invoice_sums_are_always_right(steps: list[int | str], price: str, card: CardOutcome) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bank = Bank(Path(folder), SandboxSettings(after_retries="unpaid"))
        try:
            live(bank, steps, price, card)
        finally:
            bank.close()


def live(bank: Bank, steps: list[int | str], price: str, card: CardOutcome) -> None:
    who = bank.ensure_customer(PERSON)
    wish = StartRequest(customer=who, price=price, user_ref="u", return_url="", idempotency_key="k")
    row, invoice = bank.start(wish)
    assert invoice is not None
    bank.pay(invoice.secret, typed(card), confirmed=False)
    for step in steps:
        try:
            take(bank, row.ref, step)
        except (InvalidRequest, PaymentDeclined):
            continue
        check(bank, who, row.ref)


def take(bank: Bank, ref: str, step: int | str) -> None:
    match step:
        case int():
            bank.advance(step)
        case "cancel":
            bank.cancel(ref, at_period_end=True)
        case "reactivate":
            bank.reactivate(ref)
        case "succeeds" | "fails_at_renewal":
            if (waiting := bank.open_invoice(ref)) is not None:
                bank.pay(waiting.secret, typed(step), confirmed=False)
        case _:
            told = bank.preview_change(ref, step)
            before = len(bank.invoices(bank.subscription(ref).customer, 100))
            changed = bank.change_price(ref, step, told.as_of)
            made = bank.invoices(changed.customer, 100)[: -before or None]
            assert sum(bill.total for bill in made) == told.due.amount
            assert changed.period_end == told.next_at
            assert max(0, changed.amount - changed.credit) == told.next_charge.amount


def check(bank: Bank, who: str, ref: str) -> None:
    row, bills, now = bank.subscription(ref), bank.invoices(who, 100), bank.now()
    assert [bill.seq for bill in bills] == list(range(len(bills), 0, -1)), "numbers have no gaps"
    for bill in bills:
        lines = msgspec.json.decode(bill.lines, type=list[InvoiceLine])
        assert bill.total == sum(line.amount for line in lines) >= 0
        assert bill.created <= now and bill.period_start < bill.period_end
    waiting = [bill for bill in bills if bill.state == "open"]
    assert len(waiting) == (row.state in ("past_due", "unpaid")), "one thing is owed, or nothing"
    assert row.credit >= 0
    assert row.due is None or row.due > now, "nothing is left undone"
    if row.state in ("active", "trialing"):
        assert row.period_start <= now < row.period_end
    assert (row.state == "canceled") == (row.ended_at is not None)
