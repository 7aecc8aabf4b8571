"""Promotion codes: what one takes off is the vendor's to say, and asked before anything is paid."""

from typing import Final

from kernel.accounts.current_user import CurrentUser
from kernel.billing.customers.service import Customers, payer
from kernel.billing.models import CODE_CHARS
from kernel.billing.pricing.prices import ListedPrice, Prices
from kernel.billing.vendor.gateway import PaymentGateway, PaymentInstance, user_facing_errors
from kernel.billing.vendor.user_locks import UserLocks
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError
from kernel.core.text.storable import storable
from kernel.spi import NotFound, PromotionFault, PromotionPreview, PromotionRefusal

FIELD: Final = "promotionCode"
FAULTS: Final[dict[PromotionFault, FieldError]] = {
    "unknown": FieldError("promotion_unknown", "This code is not known."),
    "expired": FieldError("promotion_expired", "This code has expired."),
    "used_up": FieldError("promotion_used_up", "This code has been used up."),
    "not_for_price": FieldError("promotion_not_for_price", "This code is not for this plan."),
    "new_customers_only": FieldError("promotion_new_only", "This code is for new customers only."),
}


def given_code(typed: str | None) -> str | None:
    """Return a code as vendors are asked for it, in capitals; None for none."""
    return storable((typed or "").strip().upper(), CODE_CHARS) or None


def refused(fault: PromotionFault) -> InvalidFields:
    """Return why a code takes nothing off, for the field that it was typed in."""
    return InvalidFields({FIELD: FAULTS[fault]})


class Promotions:
    """Codes of the instance that sells. Every method raises NoProvider when the vendor fails."""

    def __init__(self, gateway: PaymentGateway, locks: UserLocks, customers: Customers, prices: Prices) -> None:
        self._gateway = gateway
        self._locks = locks
        self._customers = customers
        self._prices = prices

    async def preview(self, user: CurrentUser, wanted: str | None, typed: str) -> tuple[ListedPrice, PromotionPreview]:
        """Return the price, and what a start at it would charge with a code. Raises InvalidFields."""
        instance, code = self._gateway.active(), given_code(typed)
        check_taken(instance, code)
        with user_facing_errors():
            async with self._locks.hold(user.id):
                price = await self._prices.on_sale(instance, wanted)
                person = payer(user.id, user.email, user.first_name, user.last_name)
                customer = await self._customers.ensure(person, instance.id)
            told = await self._gateway.preview_promotion(instance.id, customer.customer, price.price, code or "")
        if isinstance(told, PromotionRefusal):
            raise refused(told.fault)
        return price, told

    async def why_refused(self, instance: PaymentInstance, customer: str, price: str, code: str) -> InvalidFields:
        """Return why a start with a code was refused: it takes nothing off, for whatever reason the vendor tells."""
        try:
            told = await self._gateway.preview_promotion(instance.id, customer, price, code)
        except NotFound:
            return refused("unknown")
        return refused(told.fault if isinstance(told, PromotionRefusal) else "new_customers_only")


def check_taken(instance: PaymentInstance, code: str | None) -> None:
    """Check that there is a code, and that the instance takes any. Raises InvalidFields."""
    if code is None or not instance.capabilities.promotion_codes:
        raise refused("unknown")
