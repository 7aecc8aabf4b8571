"""The promotion codes of the bank: the same few at every bank, as with the test cards."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from kernel.spi import InvalidRequest, Money, PromotionDuration, PromotionFault, PromotionPreview, PromotionRefusal
from plugins.sandbox_payments.books import Books
from plugins.sandbox_payments.catalogue import Price
from plugins.sandbox_payments.months import months_after
from plugins.sandbox_payments.rows import Subscription

FOREVER: Final = 2**53
"""When a discount for good ends."""


class Promotion(msgspec.Struct, frozen=True, kw_only=True):
    """What a code takes off: a share, or an amount in minor units that never is the whole price."""

    percent: int = 0
    off: int = 0
    lasts: PromotionDuration
    months: int | None = None
    only_months: int | None = None
    """The one period, in months, whose prices it is for."""
    for_new: bool = False
    fault: PromotionFault | None = None

    def taken_off(self, amount: int, months: int) -> int:
        """Return what it takes off a price of this period; nothing where it is not for that."""
        if self.only_months is not None and months != self.only_months:
            return 0
        return amount * self.percent // 100 if self.percent else self.off if self.off < amount else 0


PROMOTIONS: Final[Mapping[str, Promotion]] = {
    "SAVE20": Promotion(percent=20, lasts="months", months=3),
    "TAKE5": Promotion(off=500, lasts="once"),
    "HALF": Promotion(percent=50, lasts="forever"),
    "NEWHERE": Promotion(percent=10, lasts="once", for_new=True),
    "YEARLY": Promotion(percent=25, lasts="once", only_months=12),
    "LASTYEAR": Promotion(percent=20, lasts="once", fault="expired"),
    "SOLDOUT": Promotion(percent=20, lasts="once", fault="used_up"),
}


def judge(books: Books, customer: str, price: Price, code: str) -> Promotion | PromotionRefusal:
    """Return what a code gives this customer at this price, or why nothing."""
    found = PROMOTIONS.get(code)
    if found is None:
        return PromotionRefusal(fault="unknown")
    if found.fault is not None:
        return PromotionRefusal(fault=found.fault)
    if not found.taken_off(price.amount, price.months):
        return PromotionRefusal(fault="not_for_price")
    if found.for_new and books.has_paid(customer):
        return PromotionRefusal(fault="new_customers_only")
    return found


def preview(
    books: Books, customer: str, price: Price, code: str, taxed: Callable[[int], int]
) -> PromotionPreview | PromotionRefusal:
    """Return what a start with a code would charge, or why it takes nothing off. `taxed` adds the tax to an amount."""
    found = judge(books, customer, price, code)
    if isinstance(found, PromotionRefusal):
        return found
    reduced = price.amount - found.taken_off(price.amount, price.months)
    lasts, months = found.lasts, found.months
    if months is not None and months <= price.months:  # over before the second charge
        lasts, months = "once", None

    def money(amount: int) -> Money:
        return Money(amount=taxed(amount), currency=price.currency)

    return PromotionPreview(
        due=money(0 if price.trial_days else reduced),
        reduced=money(reduced),
        full=money(price.amount),
        lasts=lasts,
        months=months,
    )


def check(books: Books, customer: str, price: Price, code: str | None) -> None:
    """Check that a start may use a code. Raises InvalidRequest."""
    if code is not None and isinstance(judge(books, customer, price, code), PromotionRefusal):
        raise InvalidRequest("this code takes nothing off", field="promotion_code")


def begin(row: Subscription, at: int) -> None:
    """Let the discount run from this charge, the first one, on: a free trial uses none of it up."""
    if (found := PROMOTIONS.get(row.promotion)) is not None:
        ends = {"once": at + 1, "months": months_after(at, found.months or 0), "forever": FOREVER}
        row.discount_end = ends[found.lasts]


def discount(row: Subscription, at: int, *, amount: int | None = None, months: int | None = None) -> int:
    """Return what is taken off a charge at this time, at another price if one is named."""
    found = PROMOTIONS.get(row.promotion)
    if found is None or (row.discount_end is not None and at >= row.discount_end):
        return 0
    return found.taken_off(row.amount if amount is None else amount, row.months if months is None else months)
