"""The bank's taxes: a short table, made up after the real ones, as a vendor would have a long and current one."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from kernel.spi import BillingDetails, BillingFault, InvalidRequest, Money, TaxLine, TaxPreview
from plugins.sandbox_payments import promotions
from plugins.sandbox_payments.catalogue import Price
from plugins.sandbox_payments.rows import Customer

UNKNOWN: Final = re.compile(r"^[A-Z]*0+$")
"""Tax ids that the registry does not know: nothing but zeros."""


class Rule(msgspec.Struct, frozen=True):
    """A country's tax, in hundredths of a percent, how its tax ids look, and whether companies owe it themselves."""

    name: str
    rate: int
    tax_id: str
    reverse: bool = False


RULES: Final[Mapping[str, Rule]] = {
    "AT": Rule("VAT", 2000, r"ATU\d{8}", reverse=True),
    "DE": Rule("VAT", 1900, r"DE\d{9}", reverse=True),
    "ES": Rule("VAT", 2100, r"ES[A-Z0-9]\d{7}[A-Z0-9]", reverse=True),
    "FR": Rule("VAT", 2000, r"FR[A-Z0-9]{2}\d{9}", reverse=True),
    "IE": Rule("VAT", 2300, r"IE\d[A-Z0-9]\d{5}[A-Z]{1,2}", reverse=True),
    "IT": Rule("VAT", 2200, r"IT\d{11}", reverse=True),
    "NL": Rule("VAT", 2100, r"NL\d{9}B\d{2}", reverse=True),
    "PL": Rule("VAT", 2300, r"PL\d{10}", reverse=True),
    "GB": Rule("VAT", 2000, r"GB\d{9}"),
    "CH": Rule("VAT", 810, r"CHE\d{9}"),
    "AU": Rule("GST", 1000, r"\d{11}"),
    "IN": Rule("GST", 1800, r"\d{2}[A-Z0-9]{13}"),
    "JP": Rule("Consumption tax", 1000, r"T\d{13}"),
    "KR": Rule("VAT", 1000, r"\d{10}"),
    "US": Rule("Sales tax", 800, r"\d{9}"),
}
"""Everywhere else nothing is added, and no tax ids are taken."""


def faults(details: BillingDetails) -> tuple[BillingFault, ...]:
    """Return what is wrong with billing details."""
    rule = RULES.get(details.country)
    found: list[BillingFault] = []
    if rule is not None and not details.postal_code:
        found.append("postal_code_needed")
    if details.tax_id:
        written = _plain(details.tax_id)
        if rule is None:
            found.append("tax_id_not_here")
        elif not re.fullmatch(rule.tax_id, written):
            found.append("tax_id_malformed")
        elif UNKNOWN.match(written):
            found.append("tax_id_unknown")
    return tuple(found)


def tax_of(customer: Customer) -> tuple[int, str]:
    """Return a customer's tax: hundredths of a percent, and its name. Raises InvalidRequest without an address."""
    details = details_of(customer)
    if details is None:
        raise InvalidRequest("the billing address is not known", field="billing_details")
    rule = RULES.get(details.country)
    if rule is None:
        return 0, "No tax"
    return (0, f"{rule.name} (reverse charge)") if rule.reverse and details.tax_id else (rule.rate, rule.name)


def details_of(customer: Customer) -> BillingDetails | None:
    """Return a customer's billing details."""
    return msgspec.json.decode(customer.billing, type=BillingDetails) if customer.billing else None


def tax_on(net: int, rate: int | None) -> int:
    """Return the tax on an amount, rounded half up; none where none is computed, and on credits."""
    return (max(0, net) * (rate or 0) + 5000) // 10_000


def with_tax(net: int, *, rate: int | None) -> int:
    """Return an amount with the tax on it."""
    return net + tax_on(net, rate)


def percent(rate: int) -> str:
    """Return a rate as a decimal number of percent."""
    return f"{rate / 100:.2f}".rstrip("0").rstrip(".")


def preview(customer: Customer, price: Price, code: str | None) -> TaxPreview:
    """Return what a start would charge, with taxes. Raises InvalidRequest."""
    rate, name = tax_of(customer)
    found = promotions.PROMOTIONS.get(code or "")
    net = price.amount - (found.taken_off(price.amount, price.months) if found else 0)
    tax = tax_on(net, rate)

    def money(amount: int) -> Money:
        return Money(amount=amount, currency=price.currency)

    return TaxPreview(
        net=money(net),
        taxes=(TaxLine(name=name, percent=percent(rate), money=money(tax)),),
        total=money(net + tax),
        due=money(0 if price.trial_days else net + tax),
    )


def _plain(tax_id: str) -> str:
    """Return a tax id without the signs that people put between its parts."""
    return re.sub(r"[\s.\-/]", "", tax_id).upper()
