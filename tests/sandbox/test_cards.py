"""Every test card does what it is for, and no other card is accepted."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kernel.spi import CardOutcome, NoClient, NotFound, PaymentCard, SandboxClient
from plugins.sandbox_payments.cards import CARDS
from plugins.sandbox_payments.provider import SandboxPayments
from tests.sandbox.bank import TRIAL, YEN, pay_open, secret_of, start, subscribe, typed

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("outcome", "status", "code"),
    [
        ("succeeds", "succeeded", ""),
        ("declined", "declined", "card_declined"),
        ("insufficient_funds", "declined", "insufficient_funds"),
        ("confirmation", "requires_confirmation", "confirmation"),
        ("fails_at_renewal", "succeeded", ""),
        ("confirmation_at_renewal", "requires_confirmation", "confirmation"),
    ],
)
async def test_a_card_ends_a_first_payment_as_it_says(
    bank: SandboxPayments, outcome: CardOutcome, status: str, code: str
) -> None:
    started = await start(bank)
    result = await bank.pay(secret_of(started), typed(outcome))
    assert (result.status, result.code, bool(result.message)) == (status, code, status != "succeeded")
    truth = await bank.subscription(started.subscription.ref)
    assert truth.state == ("active" if status == "succeeded" else "incomplete")


async def test_the_form_is_told_of_every_card(bank: SandboxPayments) -> None:
    client = (await start(bank)).client
    assert isinstance(client, SandboxClient)
    assert client.cards == CARDS and len({card.outcome for card in CARDS}) == 6


async def test_a_confirmation_is_asked_of_the_card_that_pays(bank: SandboxPayments) -> None:
    secret = secret_of(await start(bank))
    assert (await bank.pay(secret, typed("confirmation"), confirmed=True)).status == "requires_confirmation"
    other = typed("confirmation_at_renewal")
    assert (await bank.pay(secret, other, confirmed=True)).status == "requires_confirmation"
    assert (await bank.pay(secret, other, confirmed=True)).status == "succeeded"


@pytest.mark.parametrize(
    ("number", "expiry", "cvc", "code"),
    [
        ("5105105105105100", "04/99", "123", "not_a_test_card"),
        ("", "04/99", "123", "not_a_test_card"),
        ("٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢", "04/99", "123", "not_a_test_card"),
        ("4242424242424242", "04/20", "123", "expired_card"),
        ("4242424242424242", "13/99", "123", "incorrect_expiry"),
        ("4242424242424242", "", "123", "incorrect_expiry"),
        ("4242424242424242", "٠٤/٩٩", "123", "incorrect_expiry"),
        ("4242424242424242", "04/99", "12", "incorrect_cvc"),
        ("4242424242424242", "04/99", "", "incorrect_cvc"),
        ("4242424242424242", "04/99", "12345", "incorrect_cvc"),
    ],
)
async def test_a_card_that_cannot_be_is_declined_and_says_why(
    bank: SandboxPayments, number: str, expiry: str, cvc: str, code: str
) -> None:
    started = await start(bank)
    result = await bank.pay(secret_of(started), PaymentCard(number=number, expiry=expiry, cvc=cvc))
    assert (result.status, result.code) == ("declined", code)
    assert (await bank.subscription(started.subscription.ref)).state == "incomplete"


@pytest.mark.parametrize(
    ("number", "expiry"),
    [
        ("4242-4242-4242-4242", " 04 / 99 "),
        (" 4242424242424242 ", "1299"),
        ("4242\u00a04242\u00a04242\u00a04242", "04-99"),
        ("4242424242424242", "04 99"),
    ],
)
async def test_a_card_may_be_written_as_people_do(bank: SandboxPayments, number: str, expiry: str) -> None:
    card = PaymentCard(number=number, expiry=expiry, cvc=" 1234 ")
    assert (await bank.pay(secret_of(await start(bank)), card)).status == "succeeded"


async def test_only_the_last_four_digits_of_a_card_are_kept(bank: SandboxPayments, tmp_path: Path) -> None:
    await subscribe(bank, "confirmation")
    await bank.pay(secret_of(await start(bank)), PaymentCard(number="5105105105105100", expiry="05/98", cvc="739"))
    with closing(sqlite3.connect(tmp_path / "instance" / "bank.db")) as books:
        written = "\n".join(books.iterdump())
    assert "3155" in written
    for part in ("400000250000", "5105105105105100", "'5100'", "'739'", "05/98"):
        assert part not in written


async def test_a_free_trial_wants_a_card_and_costs_nothing_yet(bank: SandboxPayments) -> None:
    started = await start(bank, TRIAL)
    assert started.subscription.state == "incomplete", "without a card there is no trial"
    assert isinstance(started.client, SandboxClient) and started.client.intent == "setup"
    assert await pay_open(bank, started.subscription.ref, "succeeds") == "succeeded"
    truth = await bank.subscription(started.subscription.ref)
    assert truth.state == "trialing" and truth.trial_end == truth.period_end
    assert truth.trial_end == pytest.approx(started.client.first_payment, abs=60)
    (invoice,) = await bank.invoices(truth.customer)
    assert (invoice.state, invoice.total.amount) == ("paid", 0)


async def test_yen_have_no_decimals(bank: SandboxPayments) -> None:
    truth = await subscribe(bank, price=YEN)
    (invoice,) = await bank.invoices(truth.customer)
    assert (invoice.paid.amount, invoice.paid.currency) == (500, "jpy")


async def test_what_was_paid_or_has_ended_opens_no_form(bank: SandboxPayments) -> None:
    paid, ended = await start(bank), await start(bank)
    await bank.pay(secret_of(paid), typed("succeeds"))
    await bank.cancel(ended.subscription.ref, at_period_end=True, idempotency_key="k")
    for started in (paid, ended):
        assert isinstance(await bank.confirmation(started.subscription.ref), NoClient)
    with pytest.raises(NotFound):
        await bank.pay(secret_of(ended), typed("succeeds"))
    assert (await bank.subscription(ended.subscription.ref)).state == "canceled"


async def test_secrets_cannot_be_guessed_from_one_another(bank: SandboxPayments) -> None:
    secrets = {secret_of(await start(bank)) for _ in range(4)}
    assert len(secrets) == 4 and all(len(secret) >= 32 for secret in secrets)
