"""Taxes of the bank: on every invoice of a subscription that began with them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kernel.spi import BillingDetails, BillingFault, BillingRefusal
from plugins.sandbox_payments.taxes import RULES, faults
from tests.sandbox.bank import MONTH, YEAR, customer, open_bank, subscribe
from tests.sandbox.test_documents import latest

pytestmark = pytest.mark.anyio

FIRM = {"name": "Ada", "line1": "Lindenallee 7", "city": "Berlin", "postal_code": "10115", "company": "Reader Books"}


@pytest.mark.parametrize(
    ("country", "tax_id", "told"),
    [
        ("DE", "DE123456789", ()),
        ("DE", "de 123.456.789", ()),
        ("DE", "123456789", ("tax_id_malformed",)),
        ("FR", "DE123456789", ("tax_id_malformed",)),
        ("CH", "CHE-123.456.789", ()),
        ("CH", "CHE000000000", ("tax_id_unknown",)),
        ("US", "000000000", ("tax_id_unknown",)),
        ("BR", "1", ("tax_id_not_here",)),
    ],
)
def test_tax_ids_are_checked_by_country(country: str, tax_id: str, told: tuple[BillingFault, ...]) -> None:
    assert faults(BillingDetails(country=country, tax_id=tax_id, **FIRM)) == told


def test_the_table_is_that_of_the_readme() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    (_, _, chapter) = readme.partition("With *Compute taxes* the sandbox adds")
    (chapter, _, _) = chapter.partition("\n\n")
    for country, rule in RULES.items():
        assert country in chapter and f"{rule.rate / 100:g} %" in chapter, country


async def test_every_invoice_has_its_tax_and_a_new_address_counts_from_the_next(tmp_path: Path) -> None:
    bank = open_bank(tmp_path, taxes=True)
    who = await customer(bank)
    private = BillingDetails(country="DE", **FIRM | {"company": ""})
    assert await bank.save_billing_details(who, private) == private
    truth = await subscribe(bank, who=who)
    firm = BillingDetails(country="DE", tax_id="DE123456789", **FIRM)
    assert await bank.save_billing_details(who, firm) == firm
    wrong = BillingDetails(country="DE", tax_id="DE1", **FIRM | {"postal_code": ""})
    assert await bank.save_billing_details(who, wrong) == BillingRefusal(
        faults=("postal_code_needed", "tax_id_malformed")
    )
    first = (await latest(bank, who)).replace("\n", " ")
    assert "VAT, 19 % USD 3.61" in first and "Total USD 22.61" in first and "10115 Berlin" in first
    assert "Reader Books" not in first, "the invoice stays as it was"
    await bank.advance(32)
    second, before = await bank.invoices(who)
    assert [invoice.tax.amount if invoice.tax else None for invoice in (before, second)] == [361, 0]
    text = (await latest(bank, who)).replace("\n", " ")
    assert "reverse charge" in text and "Reader Books" in text and "Tax ID DE123456789" in text
    assert truth.customer == who
    await bank.aclose()


async def test_a_change_of_price_charges_the_tax_on_what_is_due(tmp_path: Path) -> None:
    bank = open_bank(tmp_path, taxes=True)
    who = await customer(bank)
    await bank.save_billing_details(who, BillingDetails(country="DE", **FIRM))
    truth = await subscribe(bank, who=who, price=MONTH)
    told = await bank.preview_change(truth.ref, price=YEAR)
    await bank.change_price(truth.ref, price=YEAR, idempotency_key="k", as_of=told.as_of)
    invoice, _ = await bank.invoices(who)
    assert invoice.paid == told.due
    assert invoice.tax is not None and invoice.tax.amount == round((19_000 - 1900) * 0.19)
    await bank.aclose()


async def test_who_began_without_taxes_stays_without(tmp_path: Path) -> None:
    bank = open_bank(tmp_path)
    truth = await subscribe(bank)
    await bank.aclose()
    bank = open_bank(tmp_path, taxes=True)
    await bank.advance(32)
    assert {invoice.total.amount for invoice in await bank.invoices(truth.customer)} == {1900}
    assert {invoice.tax for invoice in await bank.invoices(truth.customer)} == {None}
    await bank.aclose()


async def test_a_deleted_customer_leaves_no_address(tmp_path: Path) -> None:
    bank = open_bank(tmp_path, taxes=True)
    who = await customer(bank)
    await bank.save_billing_details(who, BillingDetails(country="DE", **FIRM))
    await subscribe(bank, who=who)
    await bank.delete_customer(who)
    await bank.aclose()
    with closing(sqlite3.connect(tmp_path / "instance" / "bank.db")) as books:
        kept = [str(row) for table in ("customer", "invoice") for row in books.execute(f"SELECT * FROM {table}")]
    assert kept and not any("Lindenallee" in row for row in kept)
