"""Rules for payment providers whose vendor computes taxes."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
import pytest

from .. import (
    BillingDetails,
    BillingFault,
    BillingRefusal,
    InvalidRequest,
    NoBillingDetails,
    NotFound,
    PaymentProvider,
    StartResult,
    TaxPreview,
    misfit,
)
from .buyers import AT_HOME, buyer, new_key, order, person
from .waivers import waived

Confirm = Callable[[StartResult], Awaitable[None]]
BadTaxIds = Mapping[BillingFault, str]
"""German tax ids by why the vendor of the tests refuses them."""


class TaxRules:
    """Part of the group PAY. Rules apply only where `taxes` is claimed."""

    @pytest.fixture
    def bad_tax_ids(self, provider: PaymentProvider) -> BadTaxIds:
        """Return tax ids that the vendor refuses."""
        if not provider.capabilities().taxes:
            return {}
        raise NotImplementedError("override the fixture `bad_tax_ids`: tax ids that the vendor of the tests refuses")

    async def test_PAY_29_billing_details_are_kept_or_refused_as_a_whole(
        self, provider: Any, bad_tax_ids: BadTaxIds
    ) -> None:
        if not provider.capabilities().taxes:
            return waived("taxes is not claimed")
        request = person()
        customer = await provider.ensure_customer(request)
        assert await provider.billing_details(customer) == NoBillingDetails()
        for _ in range(2):
            kept = await provider.save_billing_details(customer, AT_HOME)
            assert misfit(kept, BillingDetails) is None and kept == AT_HOME
        again = msgspec.structs.replace(request, known=customer, name="Another Name", idempotency_key=new_key())
        assert await provider.ensure_customer(again) == customer
        assert await provider.billing_details(customer) == AT_HOME, "the account's name is not the buyer's"
        moved = msgspec.structs.replace(AT_HOME, city="Potsdam", postal_code="14467", company="Reader Books")
        for fault, tax_id in bad_tax_ids.items():
            wrong = msgspec.structs.replace(moved, tax_id=tax_id)
            told = await provider.save_billing_details(customer, wrong)
            assert told == BillingRefusal(faults=(fault,))
            assert await provider.billing_details(customer) == AT_HOME, "a part of what was refused is stored"
        assert await provider.save_billing_details(customer, moved) == moved
        assert await provider.save_billing_details(customer, AT_HOME) == AT_HOME
        for call in (
            provider.billing_details("cus_nobody"),
            provider.save_billing_details("cus_nobody", AT_HOME),
        ):
            with pytest.raises(NotFound):
                await call

    async def test_PAY_30_a_start_charges_the_taxes_that_were_told(
        self, provider: Any, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        if not provider.capabilities().taxes:
            return waived("taxes is not claimed")
        nowhere = await provider.ensure_customer(person())
        for call in (
            provider.preview_taxes(nowhere, price=prices[0]),
            provider.start_subscription(order(nowhere, prices[0])),
        ):
            with pytest.raises(InvalidRequest) as refused:
                await call
            assert refused.value.field == "billing_details"
        assert not await provider.subscriptions(nowhere)
        customer = await buyer(provider)
        for _ in range(2):
            told = await provider.preview_taxes(customer, price=prices[0])
            assert misfit(told, TaxPreview) is None and told.taxes
            assert told.net.amount + sum(tax.money.amount for tax in told.taxes) == told.total.amount
            assert all(float(tax.percent) >= 0 and tax.name.strip() for tax in told.taxes)
            assert told.due == told.total
        assert not await provider.subscriptions(customer), "to look at taxes is no start"
        begun = await provider.start_subscription(order(customer, prices[0]))
        await confirm(begun)
        (invoice,) = await provider.invoices(customer)
        assert invoice.paid == invoice.total == told.total, "another amount than the one that was told"
        assert invoice.tax is not None
        assert invoice.tax.amount == sum(tax.money.amount for tax in told.taxes)
        with pytest.raises(NotFound):
            await provider.preview_taxes("cus_nobody", price=prices[0])
