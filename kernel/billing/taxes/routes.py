"""Calls about one's own billing details, and the taxes of what one is about to buy."""

from typing import Final

import msgspec
from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.billing.taxes.schemas import (
    BillingDetailsIn,
    BillingDetailsOut,
    BuyerOut,
    TaxLineOut,
    TaxPreviewIn,
    TaxPreviewOut,
)
from kernel.billing.taxes.service import Buyers
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import USER
from kernel.spi import BillingDetails

CALLS_PER_MINUTE: Final = 30
"""Of one user: each asks the vendor."""


class BuyerController(Controller):
    """The signed-in user's billing details."""

    path = "/api/subscription"
    tags = ("Billing",)
    opt = USER

    @get("/billing-details", operation_id="getBillingDetails")
    async def details(
        self, user: NamedDependency[CurrentUser], buyers: NamedDependency[Buyers], throttle: NamedDependency[Throttle]
    ) -> BuyerOut:
        """Return who invoices are for, as the provider has it."""
        await _count(throttle, user)
        asked, details = await buyers.read(user.id)
        return BuyerOut(asked=asked, details=None if details is None else _out(details))

    @put("/billing-details", operation_id="saveBillingDetails")
    async def save(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[BillingDetailsIn],
        buyers: NamedDependency[Buyers],
        throttle: NamedDependency[Throttle],
    ) -> BillingDetailsOut:
        """Store who invoices are for at the provider: it counts from the next one on."""
        await _count(throttle, user)
        return _out(await buyers.save(user, BillingDetails(**msgspec.structs.asdict(data))))

    @post("/tax-preview", operation_id="previewTaxes", status_code=200)
    async def preview(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[TaxPreviewIn],
        buyers: NamedDependency[Buyers],
        throttle: NamedDependency[Throttle],
    ) -> TaxPreviewOut:
        """Return what a start would charge with its taxes; nothing is started."""
        await _count(throttle, user)
        told = await buyers.preview(user, data.price_id, data.promotion_code)
        return TaxPreviewOut(
            currency=told.total.currency,
            net=told.net.amount,
            taxes=[TaxLineOut(name=tax.name, percent=tax.percent, amount=tax.money.amount) for tax in told.taxes],
            total=told.total.amount,
            due=told.due.amount,
        )


def _out(details: BillingDetails) -> BillingDetailsOut:
    return BillingDetailsOut(**msgspec.structs.asdict(details))


async def _count(throttle: Throttle, user: CurrentUser) -> None:
    await throttle.hit(f"buyer:{user.id}", limit=CALLS_PER_MINUTE, window_s=60)
