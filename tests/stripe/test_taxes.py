"""Taxes at Stripe: billing details are its customers, amounts its previews."""

from decimal import Decimal

import msgspec
import pytest

from kernel.spi import BillingDetails, BillingRefusal, InvalidRequest, Money
from tests.stripe.conftest import PERSON, Shop

pytestmark = pytest.mark.anyio

FIRM = BillingDetails(
    name="Ada Reader",
    country="DE",
    line1="Lindenallee 7",
    city="Berlin",
    postal_code="10115",
    company="Reader Books GmbH",
    tax_id="DE123456789",
)


async def test_invoices_are_for_the_company_and_the_account_does_not_rename_it(shop: Shop) -> None:
    taxed, customer = shop.open(automatic_tax=True), await shop.customer()
    assert await taxed.save_billing_details(customer, FIRM) == FIRM
    kept = shop.books.customers[customer]
    assert (kept["name"], kept["individual_name"], kept["business_name"]) == (FIRM.company, FIRM.name, FIRM.company)
    (sent,) = shop.vendor.sent("POST", f"/v1/customers/{customer}")
    assert sent["tax"] == {"validate_location": "immediately"}
    renamed = msgspec.structs.replace(PERSON, known=customer, name="Ada King", email="king@example.org")
    assert await taxed.ensure_customer(renamed) == customer
    assert (kept["name"], kept["email"]) == (FIRM.company, "king@example.org")
    told = await taxed.preview_taxes(customer, price=shop.month)
    assert (told.total, told.taxes[0].percent) == (Money(amount=999, currency="usd"), "0"), "it owes the tax itself"


async def test_what_is_refused_leaves_nothing_behind(shop: Shop) -> None:
    taxed, customer = shop.open(automatic_tax=True), await shop.customer()
    await taxed.save_billing_details(customer, FIRM)
    nowhere = msgspec.structs.replace(FIRM, postal_code="", tax_id="DE987654321")
    assert await taxed.save_billing_details(customer, nowhere) == BillingRefusal(faults=("postal_code_needed",))
    assert [one["value"] for one in shop.books.customers[customer]["tax_ids"]] == [FIRM.tax_id]
    strange = msgspec.structs.replace(FIRM, country="AQ", tax_id="AQ1")
    assert await taxed.save_billing_details(customer, strange) == BillingRefusal(faults=("tax_id_not_here",))
    assert await taxed.billing_details(customer) == FIRM
    other = msgspec.structs.replace(FIRM, tax_id="DE987654321")
    for _ in range(2):
        assert await taxed.save_billing_details(customer, other) == other
    assert [one["value"] for one in shop.books.customers[customer]["tax_ids"]] == [other.tax_id]


async def test_a_tax_has_the_name_and_the_rate_of_the_place(shop: Shop) -> None:
    taxed, customer = shop.open(automatic_tax=True), await shop.customer()
    home = BillingDetails(name="Ada", country="US", line1="1 Elm St", city="Albany", region="NY", postal_code="12207")
    await taxed.save_billing_details(customer, home)
    told = await taxed.preview_taxes(customer, price=shop.month)
    (tax,) = told.taxes
    assert (tax.name, Decimal(tax.percent), tax.money.amount) == ("Sales tax", Decimal("8.875"), 89)
    shop.books.promotions.offer("FIVE", amount_off=500, currency="usd")
    less = await taxed.preview_taxes(customer, price=shop.month, promotion_code="FIVE")
    assert (less.net.amount, less.total.amount) == (499, 499 + 44)


async def test_a_promotion_without_an_address_says_what_is_missing(shop: Shop) -> None:
    taxed = shop.open(automatic_tax=True)
    shop.books.promotions.offer("FIVE", amount_off=500, currency="usd")
    error = await shop.trouble(taxed.preview_promotion(await shop.customer(), price=shop.month, code="FIVE"))
    assert isinstance(error, InvalidRequest) and error.field == "billing_details"
