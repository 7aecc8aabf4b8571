"""Wire of billing details and taxes."""

from typing import Annotated

from msgspec import Meta

from kernel.billing.schemas import PromotionCode, Ref
from kernel.core.schemas import In, Out

NAME_CHARS = 150
LINE_CHARS = 200


class BillingDetailsIn(In, frozen=True, kw_only=True):
    """Who invoices are for. `country` is an ISO 3166-1 code; what is not known, or not needed there, is empty."""

    name: Annotated[str, Meta(max_length=NAME_CHARS)]
    country: Annotated[str, Meta(max_length=2)]
    line1: Annotated[str, Meta(max_length=LINE_CHARS)] = ""
    city: Annotated[str, Meta(max_length=NAME_CHARS)] = ""
    postal_code: Annotated[str, Meta(max_length=20)] = ""
    region: Annotated[str, Meta(max_length=NAME_CHARS)] = ""
    company: Annotated[str, Meta(max_length=NAME_CHARS)] = ""
    tax_id: Annotated[str, Meta(max_length=50)] = ""


class BillingDetailsOut(Out, frozen=True, kw_only=True):
    """Who invoices are for, as the provider has it."""

    name: str
    country: str
    line1: str
    city: str
    postal_code: str
    region: str
    company: str
    tax_id: str


class BuyerOut(Out, frozen=True, kw_only=True):
    """The billing details; null where none are known. `asked`: the provider computes taxes, and needs them."""

    asked: bool
    details: BillingDetailsOut | None


class TaxPreviewIn(In, frozen=True, kw_only=True):
    """A price among those that are offered, the one that is shown if none is named, and a promotion code."""

    price_id: Ref | None = None
    promotion_code: PromotionCode | None = None


class TaxLineOut(Out, frozen=True, kw_only=True):
    """A tax: its name, its rate in percent, and its amount in minor units."""

    name: str
    percent: str
    amount: int


class TaxPreviewOut(Out, frozen=True, kw_only=True):
    """What a payment is made of: minor units of one currency. `due` is charged first, nothing for a trial."""

    currency: str
    net: int
    taxes: list[TaxLineOut]
    total: int
    due: int
