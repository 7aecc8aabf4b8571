"""The stub's promotion codes: fixed ones, and ONCEONLY, which the first start uses up."""

from typing import Any

from kernel.spi import InvalidRequest, Money, PromotionFault, PromotionPreview, PromotionRefusal

REFUSED: dict[str, PromotionFault] = {
    "OLD": "expired",
    "FULL": "used_up",
    "OTHER": "not_for_price",
    "NEW": "new_customers_only",
}
TAKEN = ("SAVE20", "ONCEONLY")


def told(state: dict[str, Any], amount: int, code: str) -> PromotionPreview | PromotionRefusal:
    """Return what a code does: a fifth less for three months."""
    if code in REFUSED:
        return PromotionRefusal(fault=REFUSED[code])
    if code not in TAKEN:
        return PromotionRefusal(fault="unknown")
    if code in state.get("used", ()):
        return PromotionRefusal(fault="used_up")
    reduced = Money(amount=amount * 4 // 5, currency="usd")
    full = Money(amount=amount, currency="usd")
    return PromotionPreview(due=reduced, reduced=reduced, full=full, lasts="months", months=3)


def use(state: dict[str, Any], ref: str, amount: int, code: str | None) -> None:
    """Note the code of a subscription. Raises InvalidRequest for one that gives nothing."""
    if code is None:
        return
    answer = told(state, amount, code)
    if isinstance(answer, PromotionRefusal):
        raise InvalidRequest("the code gives nothing", field="promotion_code")
    if code == "ONCEONLY":
        state.setdefault("used", []).append(code)
    next_charge = {"amount": answer.reduced.amount, "currency": "usd"}
    state["subscriptions"][ref].update(promotion_code=code, next_charge=next_charge)
