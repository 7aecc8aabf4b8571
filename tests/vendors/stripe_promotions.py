"""Stripe's promotion codes: their coupons, who may use them, and what they take off."""

from typing import Any

Thing = dict[str, Any]

PRIOR = "This promotion code cannot be redeemed because the associated customer has prior transactions."


class Promotions:
    """Promotion codes by id, each with its coupon."""

    def __init__(self) -> None:
        self.codes: dict[str, Thing] = {}

    def offer(self, code: str, *, months: int | None = None, product: str | None = None, **more: Any) -> Thing:
        """Add a code; `more` are fields of the code, of its coupon, or `first_time`."""
        ref = f"promo_{code.lower()}"
        own = {name: more.pop(name) for name in ("customer", "expires_at", "max_redemptions") if name in more}
        restrictions = {"first_time_transaction": more.pop("first_time", False)}
        coupon = {"id": f"co_{code.lower()}", "object": "coupon", "duration": "once", "duration_in_months": months}
        if months:
            coupon["duration"] = "repeating"
        self.codes[ref] = {
            "id": ref,
            "object": "promotion_code",
            "code": code,
            "active": more.pop("active", True),
            "customer": None,
            "expires_at": None,
            "max_redemptions": None,
            "times_redeemed": more.pop("times_redeemed", 0),
            "restrictions": restrictions,
            "promotion": {"type": "coupon", "coupon": coupon | more},
            "only": product,
        } | own
        return self.codes[ref]

    def listed(self, form: Thing) -> list[Thing]:
        """Return the codes of a name, whatever its case."""
        wanted = form.get("code", "").lower()
        found = [entry for entry in self.codes.values() if entry["code"].lower() == wanted]
        if form.get("active") == "true":
            found = [entry for entry in found if entry["active"]]
        return [{name: value for name, value in entry.items() if name != "only"} for entry in found]

    def redeemable(self, form: Thing, invoices: list[Thing]) -> Thing | None:
        """Return the code that a form names. Raises ValueError for one that its customer cannot use."""
        discounts = form.get("discounts") or []
        if not discounts:
            return None
        found = self.codes.get(discounts[0]["promotion_code"])
        if found is None or not found["active"]:
            raise ValueError("This promotion code is not active.")
        if found["customer"] not in (None, form["customer"]):
            raise ValueError("This promotion code is for another customer.")
        if found["restrictions"]["first_time_transaction"] and any(
            invoice["customer"] == form["customer"] for invoice in invoices
        ):
            raise ValueError(PRIOR)
        return found

    def use(self, found: Thing) -> None:
        """Count a redemption."""
        found["times_redeemed"] += 1
        if found["max_redemptions"] and found["times_redeemed"] >= found["max_redemptions"]:
            found["active"] = False

    @staticmethod
    def taken_off(found: Thing | None, price: Thing) -> int:
        """Return what a code takes off a price. Raises ValueError for an amount in another currency."""
        if found is None or found["only"] not in (None, price["product"]):
            return 0
        coupon = found["promotion"]["coupon"]
        if percent := coupon.get("percent_off"):
            return round(price["unit_amount"] * percent / 100)
        if coupon["currency"] != price["currency"]:
            raise ValueError("The coupon's currency is not the price's.")
        return int(min(coupon["amount_off"], price["unit_amount"]))
