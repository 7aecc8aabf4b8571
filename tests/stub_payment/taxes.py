"""The stub's taxes: a tenth of everything, for who has given an address."""

from typing import Any

import msgspec

from kernel.spi import (
    BillingDetails,
    BillingFault,
    BillingRefusal,
    InvalidRequest,
    Money,
    NoBillingDetails,
    NotFound,
    TaxLine,
    TaxPreview,
)


def kept(state: dict[str, Any], customer: str) -> BillingDetails | NoBillingDetails:
    """Return the details of a customer. Raises NotFound."""
    if customer not in state["customers"]:
        raise NotFound("no such customer")
    stored = state["customers"][customer].get("billing")
    return NoBillingDetails() if stored is None else BillingDetails(**stored)


def keep(state: dict[str, Any], customer: str, details: BillingDetails) -> BillingDetails | BillingRefusal:
    """Store the details of a customer, or return what is wrong with them."""
    faults: tuple[BillingFault, ...] = ("tax_id_unknown",) if details.tax_id.endswith("0") else ()
    if not details.postal_code:
        faults = (*faults, "postal_code_needed")
    if faults:
        return BillingRefusal(faults=faults)
    state["customers"][customer]["billing"] = msgspec.structs.asdict(details)
    return details


def told(state: dict[str, Any], customer: str, amount: int) -> TaxPreview:
    """Return an amount with its tax. Raises InvalidRequest for a customer without an address."""
    if "billing" not in state["customers"][customer]:
        raise InvalidRequest("no address", field="billing_details")
    net, tax = (Money(amount=part, currency="usd") for part in (amount, amount // 10))
    total = Money(amount=net.amount + tax.amount, currency="usd")
    return TaxPreview(net=net, taxes=(TaxLine(name="VAT", percent="10", money=tax),), total=total, due=total)
