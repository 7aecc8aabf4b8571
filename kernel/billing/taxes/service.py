"""Billing details, which vendors keep and compute taxes from: nothing of them is stored here."""

from typing import Final

import msgspec

from kernel.accounts.current_user import CurrentUser
from kernel.billing.customers.service import Customers, payer
from kernel.billing.pricing.prices import Prices
from kernel.billing.subscriptions.promotions import check_taken, given_code
from kernel.billing.subscriptions.subscription_sync import SubscriptionSync
from kernel.billing.vendor.gateway import PaymentGateway, PaymentInstance, user_facing_errors
from kernel.billing.vendor.user_locks import UserLocks
from kernel.core.errors import Absent, InvalidFields, NoProvider
from kernel.core.field_errors import FieldError
from kernel.spi import BillingDetails, BillingFault, BillingRefusal, NotFound, TaxPreview

NOT_ASKED: Final = "Billing details are not needed here."
MISSING: Final = FieldError("required", "This field is required.")
NO_COUNTRY: Final = FieldError("country_unknown", "This is no country.")
FAULTS: Final[dict[BillingFault, tuple[str, FieldError]]] = {
    "tax_id_malformed": ("taxId", FieldError("tax_id_malformed", "This is no tax ID of this country.")),
    "tax_id_unknown": ("taxId", FieldError("tax_id_unknown", "The authorities do not know this tax ID.")),
    "tax_id_not_here": ("taxId", FieldError("tax_id_not_here", "Tax IDs of this country are not taken.")),
    "postal_code_needed": ("postalCode", FieldError("postal_code_needed", "Please enter the postal code.")),
    "place_unknown": ("postalCode", FieldError("place_unknown", "This postal code is not known in this country.")),
}


class Buyers:
    """Billing details at the instance of a user's subscription, or at the one that sells.

    Every method raises NoProvider when the vendor fails.
    """

    def __init__(
        self,
        gateway: PaymentGateway,
        locks: UserLocks,
        customers: Customers,
        prices: Prices,
        subscription_sync: SubscriptionSync,
    ) -> None:
        self._gateway = gateway
        self._locks = locks
        self._customers = customers
        self._prices = prices
        self._subscription_sync = subscription_sync

    async def read(self, user_id: int) -> tuple[bool, BillingDetails | None]:
        """Return whether billing details are asked for, and those that the vendor has."""
        try:
            instance = await self._instance(user_id)
        except NoProvider:
            return False, None
        if not instance.capabilities.taxes:
            return False, None
        known = next((one for one in await self._customers.of(user_id) if one.instance_id == instance.id), None)
        if known is None:
            return True, None
        with user_facing_errors():
            try:
                told = await self._gateway.billing_details(instance.id, known.customer)
            except NotFound:
                return True, None
        return True, told if isinstance(told, BillingDetails) else None

    async def save(self, user: CurrentUser, given: BillingDetails) -> BillingDetails:
        """Store billing details at the vendor; a first payment that was begun without them is ended.

        Raises Absent where they are not asked for, and InvalidFields.
        """
        details = _tidied(given)
        if wrong := _wrong(details):
            raise InvalidFields(wrong)
        instance = await self._instance(user.id)
        if not instance.capabilities.taxes:
            raise Absent(NOT_ASKED)
        with user_facing_errors():
            async with self._locks.hold(user.id):
                person = payer(user.id, user.email, user.first_name, user.last_name)
                customer = await self._customers.ensure(person, instance.id)
                told = await self._gateway.save_billing_details(instance.id, customer.customer, details)
                if isinstance(told, BillingRefusal):
                    raise InvalidFields({FAULTS[fault][0]: FAULTS[fault][1] for fault in reversed(told.faults)})
                begun = await self._subscription_sync.subscriptions(user.id)
                stale = [one for one in begun if one.state == "incomplete" and one.instance_id == instance.id]
                for entry in stale:
                    await self._subscription_sync.end(user.id, entry)
                if stale:
                    await self._subscription_sync.refresh(user.id)
                return told

    async def preview(self, user: CurrentUser, wanted: str | None, typed: str | None) -> TaxPreview:
        """Return what a start would charge, with its taxes. Raises Absent, Conflict and InvalidFields."""
        instance, code = self._gateway.active(), given_code(typed)
        if not instance.capabilities.taxes:
            raise Absent(NOT_ASKED)
        if code is not None:
            check_taken(instance, code)
        with user_facing_errors():
            async with self._locks.hold(user.id):
                price = await self._prices.on_sale(instance, wanted)
                person = payer(user.id, user.email, user.first_name, user.last_name)
                customer = await self._customers.ensure(person, instance.id)
            return await self._gateway.preview_taxes(instance.id, customer.customer, price.price, code)

    async def _instance(self, user_id: int) -> PaymentInstance:
        """Return where the user's subscription is, or who sells. Raises NoProvider."""
        current = next((one for one in await self._subscription_sync.subscriptions(user_id) if one.is_current), None)
        at = self._gateway.known(current.instance_id) if current else None
        return at or self._gateway.active()


def _tidied(given: BillingDetails) -> BillingDetails:
    """Return what was typed without spaces around it; without a company there is no tax id."""
    fields = {name: value.strip() for name, value in msgspec.structs.asdict(given).items()}
    fields["country"] = fields["country"].upper()
    if not fields["company"]:
        fields["tax_id"] = ""
    return BillingDetails(**fields)


def _wrong(details: BillingDetails) -> dict[str, FieldError]:
    """Return what is missing, by field."""
    missing = [name for name in ("name", "country", "line1", "city") if not getattr(details, name)]
    wrong = dict.fromkeys(missing, MISSING)
    country = details.country
    if country and not (len(country) == 2 and country.isascii() and country.isalpha()):
        wrong["country"] = NO_COUNTRY
    return wrong
