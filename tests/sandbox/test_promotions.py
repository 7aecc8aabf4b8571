"""Promotion codes of the sandbox, over time."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from kernel.spi import InvalidRequest, Money, PromotionPreview, PromotionRefusal, SandboxClient, StartRequest
from plugins.sandbox_payments.provider import SandboxPayments
from tests.sandbox.bank import MONTH, TRIAL, YEAR, YEN, customer, open_bank, typed

pytestmark = pytest.mark.anyio


async def bought(bank: SandboxPayments, code: str | None, price: str = MONTH) -> tuple[str, str]:
    """Return the subscription and the customer of a purchase with a code."""
    who = await customer(bank)
    wish = StartRequest(
        customer=who, price=price, user_ref="u", return_url="http://x", idempotency_key=who, promotion_code=code
    )
    started = await bank.start_subscription(wish)
    assert isinstance(started.client, SandboxClient)
    assert (await bank.pay(started.client.client_secret, typed("succeeds"))).status == "succeeded"
    return started.subscription.ref, who


async def charges(bank: SandboxPayments, who: str) -> list[int]:
    """Return what was paid, oldest first."""
    return [invoice.paid.amount for invoice in reversed(await bank.invoices(who))]


@pytest.mark.parametrize(
    ("code", "paid"),
    [
        (None, [1900] * 5),
        ("SAVE20", [1520, 1520, 1520, 1900, 1900]),
        ("TAKE5", [1400, 1900, 1900, 1900, 1900]),
        ("HALF", [950] * 5),
    ],
)
async def test_a_discount_lasts_as_long_as_it_was_told(
    bank: SandboxPayments, code: str | None, paid: list[int]
) -> None:
    ref, who = await bought(bank, code)
    for number, amount in enumerate(paid[1:], 1):
        told = (await bank.subscription(ref)).next_charge
        assert told == (Money(amount=amount, currency="usd") if amount != 1900 else None)
        await bank.advance(31)
        assert (await charges(bank, who))[number] == amount
    assert (await charges(bank, who))[:5] == paid


async def test_a_trial_uses_nothing_of_a_discount_up(bank: SandboxPayments) -> None:
    told = await bank.preview_promotion(await customer(bank), price=TRIAL, code="TAKE5")
    assert isinstance(told, PromotionPreview)
    assert (told.due.amount, told.reduced.amount, told.full.amount) == (0, 1400, 1900)
    _, who = await bought(bank, "TAKE5", TRIAL)
    await bank.advance(50)
    assert await charges(bank, who) == [0, 1400, 1900]


async def test_unused_time_is_credited_as_it_was_paid(bank: SandboxPayments) -> None:
    ref, _ = await bought(bank, "TAKE5")
    told = await bank.preview_change(ref, price=YEAR)
    assert told.credit.amount <= 1400


async def test_codes_are_for_whom_they_say(bank: SandboxPayments) -> None:
    _, who = await bought(bank, None)
    for price, code, fault in (
        (MONTH, "NEWHERE", "new_customers_only"),
        (MONTH, "YEARLY", "not_for_price"),
        (YEN, "TAKE5", "not_for_price"),
    ):
        assert await bank.preview_promotion(who, price=price, code=code) == PromotionRefusal(fault=fault)  # type: ignore[arg-type]
    told = await bank.preview_promotion(who, price=YEAR, code="SAVE20")
    assert isinstance(told, PromotionPreview) and told.lasts == "once"


async def test_a_key_is_for_one_code(bank: SandboxPayments) -> None:
    who = await customer(bank)
    wish = StartRequest(customer=who, price=MONTH, user_ref="u", return_url="http://x", idempotency_key=who)
    await bank.start_subscription(wish)
    with pytest.raises(InvalidRequest):
        await bank.start_subscription(msgspec.structs.replace(wish, promotion_code="HALF"))


async def test_a_bank_from_before_codes_goes_on(tmp_path: Path) -> None:
    first = open_bank(tmp_path)
    ref, _ = await bought(first, None)
    await first.aclose()
    with sqlite3.connect(next(tmp_path.rglob("bank.db"))) as file:
        for column in ("promotion", "discount_end"):
            file.execute(f"ALTER TABLE subscription DROP COLUMN {column}")
    again = open_bank(tmp_path)
    assert (await again.subscription(ref)).promotion_code is None
    await again.aclose()
