"""Taxes: an optional part of the kind `payment`, claimed by `taxes`. The vendor computes them and keeps addresses."""

from typing import Literal, Protocol, runtime_checkable

import msgspec

from .payments import Money

BillingFault = Literal["tax_id_malformed", "tax_id_unknown", "tax_id_not_here", "postal_code_needed", "place_unknown"]
"""Why billing details are refused; `tax_id_not_here`: no tax ids of this country are taken."""


class BillingDetails(msgspec.Struct, frozen=True, kw_only=True, tag="details"):
    """Who an invoice is for. `country` is an ISO 3166-1 code of two capitals; what is not known is empty.

    `tax_id` is that of the `company`, as its country writes it; which kind it is the country says.
    """

    name: str
    country: str
    line1: str = ""
    city: str = ""
    postal_code: str = ""
    region: str = ""
    company: str = ""
    tax_id: str = ""


class NoBillingDetails(msgspec.Struct, frozen=True, kw_only=True, tag="none"):
    """Nothing is known of where a customer is."""


class BillingRefusal(msgspec.Struct, frozen=True, kw_only=True, tag="refusal"):
    """Why the vendor did not take billing details; all that is wrong with them."""

    faults: tuple[BillingFault, ...]


class TaxLine(msgspec.Struct, frozen=True, kw_only=True):
    """A tax: its name where it is due, its rate in percent as a decimal number (`8.875`), and its amount."""

    name: str
    percent: str
    money: Money


class TaxPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What each payment at a price is made of, all in one currency: `net` and the taxes are the `total`.

    `due` is the first charge: the total, or nothing for a trial.
    """

    net: Money
    taxes: tuple[TaxLine, ...]
    total: Money
    due: Money


@runtime_checkable
class Taxes(Protocol):
    """A payment provider whose vendor computes taxes; claimed by `taxes`.

    A start for a customer without billing details raises InvalidRequest with the field `billing_details`, and so do
    previews of a start.
    """

    async def billing_details(self, customer: str) -> BillingDetails | NoBillingDetails:
        """Return what the vendor has stored of a customer. Raises NotFound."""
        ...

    async def save_billing_details(self, customer: str, details: BillingDetails) -> BillingDetails | BillingRefusal:
        """Store billing details, and return them as the vendor has them now.

        Called when a buyer or subscriber enters them. They count from the next invoice on. Must not store a part of
        what is refused, nor let `ensure_customer` replace them. Raises NotFound.
        """
        ...

    async def preview_taxes(self, customer: str, *, price: str, promotion_code: str | None = None) -> TaxPreview:
        """Return what a start at this price would charge, with its taxes.

        Called before somebody pays; a code comes in capitals, and after `preview_promotion` took it. Must not move
        money, or compute what the vendor can say. Raises NotFound, and InvalidRequest.
        """
        ...
