"""Refunds at the bank."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kernel.spi import InvalidRequest
from plugins.sandbox_payments.provider import SandboxPayments
from tests.sandbox.bank import TRIAL, open_bank, start, subscribe

pytestmark = pytest.mark.anyio


async def test_what_is_not_paid_is_not_refunded(bank: SandboxPayments) -> None:
    waiting, free = await start(bank), await subscribe(bank, price=TRIAL)
    for customer in (waiting.subscription.customer, free.customer):
        (invoice,) = await bank.invoices(customer)
        with pytest.raises(InvalidRequest):
            await bank.refund(invoice.id, total=1)


async def test_a_bank_of_before_refunds_learns_of_them(tmp_path: Path) -> None:
    old = open_bank(tmp_path)
    truth = await subscribe(old)
    before = await old.invoices(truth.customer)
    await old.aclose()
    with closing(sqlite3.connect(tmp_path / "instance" / "bank.db")) as books:
        for column in ("refunded", "refunded_at"):
            books.execute(f"ALTER TABLE invoice DROP COLUMN {column}")
    bank = open_bank(tmp_path)
    assert await bank.invoices(truth.customer) == before
    await bank.advance(3)
    await bank.refund(before[0].id, total=1900)
    (after,) = await bank.invoices(truth.customer)
    assert after.refunded == after.paid
    assert after.refunded_at is not None and after.refunded_at - await bank.now() < 60, "the bank's own time"
    await bank.aclose()
