"""Promotion codes: looked up at Stripe, and told by its own previews of the first invoice with and without the code."""

import time
from collections.abc import Sequence
from typing import Any, Final

from kernel.spi import (
    InvalidRequest,
    Money,
    PromotionDuration,
    PromotionFault,
    PromotionPreview,
    PromotionRefusal,
)
from plugins.stripe_payments import wire
from plugins.stripe_payments.client import Api
from plugins.stripe_payments.errors import NO_ADDRESS
from plugins.stripe_payments.truths import money

DURATIONS: Final[dict[str, PromotionDuration]] = {"once": "once", "repeating": "months", "forever": "forever"}
MONTHS: Final = {"year": 12, "month": 1}
NOT_NEW: Final = "prior transactions"
"""In the sentence with which Stripe refuses a code for new customers; it has no code of its own (seen 2026-11)."""


class Promotions:
    """What codes take off a first invoice."""

    def __init__(self, api: Api, *, automatic_tax: bool) -> None:
        self._api = api
        self._automatic_tax = automatic_tax

    async def preview(self, customer: str, price: str, code: str) -> PromotionPreview | PromotionRefusal:
        """Return what a start with a code would charge, or why it takes nothing off. Raises ProviderError."""
        told, _ = await self._told(customer, price, code)
        return told

    async def discount(self, customer: str, price: str, code: str) -> dict[str, Any]:
        """Return what a start sends for a code. Raises InvalidRequest for one that takes nothing off."""
        told, found = await self._told(customer, price, code)
        if isinstance(told, PromotionRefusal) or found is None:
            raise InvalidRequest("this code takes nothing off", field="promotion_code")
        return {"discounts": [{"promotion_code": found.id}]}

    async def _told(
        self, customer: str, price: str, code: str
    ) -> tuple[PromotionPreview | PromotionRefusal, wire.PromotionCode | None]:
        plain = await self._first_invoice(customer, price, "")
        found = await self._codes(customer, code, active=True)
        if not found:
            return PromotionRefusal(fault=_why(await self._codes(customer, code))), None
        best, coupon = found[0], found[0].promotion.coupon
        if best.restrictions.first_time_transaction and await self._has_paid(customer):
            return PromotionRefusal(fault="new_customers_only"), None
        try:
            bill = await self._first_invoice(customer, price, [{"promotion_code": best.id}])
        except InvalidRequest as error:
            if error.field == NO_ADDRESS:
                raise
            return PromotionRefusal(fault=_refused_for(error)), None
        if bill.total >= plain.total or not isinstance(coupon, wire.Coupon):
            return PromotionRefusal(fault="not_for_price"), None
        lasts, months = await self._lasts(coupon, price)
        told = PromotionPreview(
            due=money(max(0, bill.amount_due), bill.currency),
            reduced=money(bill.total, bill.currency),
            full=money(plain.total, plain.currency),
            lasts=lasts,
            months=months,
        )
        return told, best

    async def _first_invoice(self, customer: str, price: str, discounts: Any) -> wire.Preview:
        question: dict[str, Any] = {
            "customer": customer,
            "subscription_details": {"items": [{"price": price}], "billing_mode": {"type": "flexible"}},
            "discounts": discounts,
        }
        if self._automatic_tax:
            question["automatic_tax"] = {"enabled": True}
        return await self._api.read(wire.Preview, self._api.v1.invoices.create_preview_async(question))

    async def _codes(self, customer: str, code: str, **only: bool) -> list[wire.PromotionCode]:
        """Return the codes of this name that the customer may know of, the newest first."""
        params = {"code": code, "expand": ["data.promotion.coupon"], **only}
        found = await self._api.pages(wire.PromotionCode, self._api.v1.promotion_codes.list_async, **params)
        return [entry for entry in found if entry.customer in (None, customer)]

    async def _has_paid(self, customer: str) -> bool:
        """Return whether a customer has paid before: previews do not refuse their codes (seen 2026-11)."""
        call = self._api.v1.invoices.list_async({"customer": customer, "status": "paid", "limit": 1})
        return bool((await self._api.read(wire.Page[wire.Reference], call)).data)

    async def _lasts(self, coupon: wire.Coupon, price: str) -> tuple[PromotionDuration, int | None]:
        """Return for how long a code takes something off; what is over before the second charge does so once."""
        lasts = DURATIONS.get(coupon.duration, "once")
        if lasts != "months":
            return lasts, None
        recurring = (await self._api.read(wire.Price, self._api.v1.prices.retrieve_async(price))).recurring
        period = MONTHS.get(recurring.interval, 0) * recurring.interval_count if recurring else 0
        months = coupon.duration_in_months or 0
        return ("months", months) if months > period else ("once", None)


def refused_promotion(error: InvalidRequest) -> InvalidRequest:
    """Return why a start with a code was refused, with the field where Stripe says that it is the code."""
    about = error.field or any(word in error.detail.lower() for word in ("promotion code", "coupon", NOT_NEW))
    field = "promotion_code" if about else None
    return InvalidRequest(error.detail, field=field, upstream_status=error.upstream_status)


async def discounted_charge(api: Api, ref: str) -> Money | None:
    """Return what the next invoice of a subscription costs, if a discount makes it less. Raises ProviderError."""
    try:
        bill = await api.read(wire.Preview, api.v1.invoices.create_preview_async({"subscription": ref}))
    except InvalidRequest:  # there is no next one
        return None
    taken_off = sum(part.amount for part in bill.total_discount_amounts or ())
    return money(max(0, bill.amount_due), bill.currency) if taken_off > 0 else None


def _why(codes: Sequence[wire.PromotionCode]) -> PromotionFault:
    """Return why none of the codes of a name can be used."""
    now = time.time()
    for entry in codes:
        coupon = entry.promotion.coupon if isinstance(entry.promotion.coupon, wire.Coupon) else None
        ends = [end for end in (entry.expires_at, coupon.redeem_by if coupon else None) if end is not None]
        if any(end <= now for end in ends):
            return "expired"
        for limited in (entry, coupon):
            if limited and limited.max_redemptions and limited.times_redeemed >= limited.max_redemptions:
                return "used_up"
    return "unknown"


def _refused_for(error: InvalidRequest) -> PromotionFault:
    return "new_customers_only" if NOT_NEW in error.detail else "not_for_price"
