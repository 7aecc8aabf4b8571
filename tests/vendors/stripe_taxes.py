"""Stripe Tax: addresses that it knows, tax ids that it takes, and the tax on an amount (docs.stripe.com/tax)."""

import re
from typing import Any

Thing = dict[str, Any]

RATES = {"DE": 19.0, "FR": 20.0, "US": 8.875}
VAT = re.compile(r"[A-Z]{2}[0-9A-Z]{9}")
NOWHERE = "The customer's location isn't recognized. Set a valid customer address to calculate tax."
"""With the code customer_tax_location_invalid."""


class NoPlace(ValueError):
    """Stripe does not know where the customer is."""


def country_of(customer: Thing) -> str:
    """Return the country of a customer. Raises NoPlace."""
    address = customer.get("address") or {}
    if not address.get("country") or not address.get("postal_code"):
        raise NoPlace(NOWHERE)
    return str(address["country"])


def taxed(customer: Thing, net: int) -> tuple[int, list[Thing]]:
    """Return a total with its taxes on it; a company in the Union owes them itself. Raises NoPlace."""
    country = country_of(customer)
    exempt = country in ("DE", "FR") and bool(customer.get("tax_ids"))
    rate = 0.0 if exempt else RATES.get(country, 0.0)
    amount = round(max(0, net) * rate / 100)
    details = {"tax_rate": f"txr_{country}_{rate:g}"}
    return net + amount, [{"amount": amount, "tax_behavior": "exclusive", "tax_rate_details": details}]


def rate_of(ref: str) -> Thing:
    """Return a tax rate."""
    _, country, percent = ref.split("_")
    name = "Sales tax" if country == "US" else "VAT"
    return {
        "id": ref,
        "object": "tax_rate",
        "display_name": name,
        "country": country,
        "percentage": float(percent),
        "effective_percentage": float(percent),
    }


def new_tax_id(customer: Thing, ref: str, form: Thing) -> Thing:
    """Add a tax id to a customer. Raises ValueError for one that is none."""
    if form["type"] == "eu_vat" and not VAT.fullmatch(form["value"]):
        raise ValueError(f"Invalid value for {form['type']}.")
    status = "unverified" if form["value"].endswith("000000000") else "pending"
    made = {"id": ref, "object": "tax_id", **form, "verification": {"status": status}}
    customer.setdefault("tax_ids", []).append(made)
    return made
