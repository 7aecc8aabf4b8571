"""Taxes: billing details are Stripe's customers and their tax ids, and amounts are its previews of a first invoice."""

import uuid
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final

from kernel.spi import BillingDetails, BillingRefusal, InvalidRequest, NotFound, TaxLine, TaxPreview
from plugins.stripe_payments import wire
from plugins.stripe_payments.client import Api
from plugins.stripe_payments.errors import NO_ADDRESS
from plugins.stripe_payments.truths import money

EU: Final = (
    *("AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU"),
    *("IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK"),
)
KINDS: Final[Mapping[str, str]] = dict.fromkeys(EU, "eu_vat") | {
    "AE": "ae_trn",
    "AU": "au_abn",
    "BR": "br_cnpj",
    "CA": "ca_bn",
    "CH": "ch_vat",
    "CL": "cl_tin",
    "GB": "gb_vat",
    "HK": "hk_br",
    "ID": "id_npwp",
    "IL": "il_vat",
    "IN": "in_gst",
    "IS": "is_vat",
    "JP": "jp_trn",
    "KR": "kr_brn",
    "LI": "li_vat",
    "MX": "mx_rfc",
    "NO": "no_vat",
    "NZ": "nz_gst",
    "SA": "sa_vat",
    "SG": "sg_gst",
    "TH": "th_vat",
    "TR": "tr_tin",
    "TW": "tw_vat",
    "UA": "ua_vat",
    "US": "us_ein",
    "ZA": "za_vat",
}
"""The usual kind of a company's tax id by country: docs.stripe.com/billing/customer/tax-ids, read 2026-11."""

UNKNOWN: Final = "unverified"


class BillingBook:
    """Billing details of customers, and what taxes they lead to."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def details(self, customer: str) -> BillingDetails | None:
        """Return what Stripe has of a customer. Raises ProviderError."""
        found = await self._customer(customer)
        if not found.placed or found.address is None:
            return None
        ids = found.tax_ids.data if found.tax_ids else []
        return BillingDetails(
            name=found.individual_name or found.name or "",
            country=found.address.country or "",
            line1=found.address.line1 or "",
            city=found.address.city or "",
            postal_code=found.address.postal_code or "",
            region=found.address.state or "",
            company=found.business_name or "",
            tax_id=ids[0].value if ids else "",
        )

    async def save(self, customer: str, details: BillingDetails) -> BillingDetails | BillingRefusal:
        """Store billing details: the tax id first, which is taken back when the address is refused."""
        found = await self._customer(customer)
        old = found.tax_ids.data if found.tax_ids else []
        made: wire.TaxId | None = None
        if details.tax_id and all(one.value != details.tax_id for one in old):
            told = await self._add_tax_id(customer, details)
            if isinstance(told, BillingRefusal):
                return told
            made = told
        try:
            update = partial(self._api.v1.customers.update_async, customer, _fields(details))
            await self._change(wire.Customer, update)
        except InvalidRequest as error:
            if made is not None:
                await self._remove(customer, made)
            if error.field != NO_ADDRESS:
                raise
            return BillingRefusal(faults=("place_unknown" if details.postal_code else "postal_code_needed",))
        for one in old:
            if made is not None or not details.tax_id:
                await self._remove(customer, one)
        return await self.details(customer) or details

    async def _add_tax_id(self, customer: str, details: BillingDetails) -> wire.TaxId | BillingRefusal:
        kind = KINDS.get(details.country)
        if kind is None:
            return BillingRefusal(faults=("tax_id_not_here",))
        create = self._api.v1.customers.tax_ids.create_async
        try:
            made: wire.TaxId = await self._change(
                wire.TaxId, partial(create, customer, {"type": kind, "value": details.tax_id})
            )
        except InvalidRequest:
            return BillingRefusal(faults=("tax_id_malformed",))
        if made.verification is not None and made.verification.status == UNKNOWN:
            await self._remove(customer, made)
            return BillingRefusal(faults=("tax_id_unknown",))
        return made

    async def _remove(self, customer: str, one: wire.TaxId) -> None:
        try:
            await self._api.read(wire.Reference, self._api.v1.customers.tax_ids.delete_async(customer, one.id))
        except NotFound:
            return

    async def _customer(self, customer: str) -> wire.Customer:
        """Return a customer with its tax ids. Raises ProviderError, NotFound also for one that was deleted."""
        call = self._api.v1.customers.retrieve_async(customer, {"expand": ["tax_ids"]})
        found = await self._api.read(wire.Customer, call)
        if found.deleted:
            raise NotFound("the customer was deleted")
        return found

    async def _change(self, kind: type[Any], call: Callable[[Any], Awaitable[Any]]) -> Any:
        changed, _ = await self._api.change(kind, call, key=uuid.uuid4().hex)
        return changed

    async def preview(self, customer: str, price: str, discounts: dict[str, Any]) -> TaxPreview:
        """Return what a start would charge. Raises ProviderError."""
        question = {
            "customer": customer,
            "subscription_details": {"items": [{"price": price}], "billing_mode": {"type": "flexible"}},
            "automatic_tax": {"enabled": True},
            **discounts,
        }
        bill = await self._api.read(wire.Preview, self._api.v1.invoices.create_preview_async(question))
        told = [await self._line(tax, bill.currency) for tax in bill.total_taxes or ()]
        net = bill.total - sum(tax.amount for tax in bill.total_taxes or ())
        return TaxPreview(
            net=money(net, bill.currency),
            taxes=tuple(told),
            total=money(bill.total, bill.currency),
            due=money(max(0, bill.amount_due), bill.currency),
        )

    async def _line(self, tax: wire.Tax, currency: str) -> TaxLine:
        """Return a tax with the name and the rate that Stripe has of it."""
        rate = wire.TaxRate(display_name="Tax")
        if tax.tax_rate_details is not None:
            ref = tax.tax_rate_details.tax_rate
            rate = await self._api.read(wire.TaxRate, self._api.v1.tax_rates.retrieve_async(ref))
        percent = rate.percentage if rate.effective_percentage is None else rate.effective_percentage
        return TaxLine(name=rate.display_name, percent=f"{percent:g}", money=money(tax.amount, currency))


def _fields(details: BillingDetails) -> dict[str, Any]:
    """Return what a customer is updated with. Invoices bear `name`: that of the company, if there is one."""
    return {
        "name": details.company or details.name,
        "individual_name": details.name,
        "business_name": details.company,
        "address": {
            "line1": details.line1,
            "city": details.city,
            "postal_code": details.postal_code,
            "state": details.region,
            "country": details.country,
        },
        "tax": {"validate_location": "immediately"},
    }
