"""Subscriptions through Stripe."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kernel.spi import Comparison, ProviderContext, ProviderSpec, hookimpl
from plugins.stripe_payments.settings import StripeSettings

if TYPE_CHECKING:
    from plugins.stripe_payments.provider import StripePayments


def build(settings: StripeSettings, context: ProviderContext) -> "StripePayments":
    """Return the provider; makes no request. Raises SettingsInvalid."""
    from plugins.stripe_payments.provider import make  # Stripe's library takes a third of a second to import

    return make(settings, context)


STRIPE: "ProviderSpec[StripeSettings, StripePayments]" = ProviderSpec(
    kind="payment",
    id="stripe",
    label="Stripe",
    summary="Sells subscriptions through Stripe: cards and wallets in its own form, invoices, customer portal.",
    contract=(1, 0),
    settings=StripeSettings,
    build=build,
    docs_url="https://docs.stripe.com/billing/subscriptions/overview",
    comparison=Comparison(purposes=("real_payments",), cost="paid", reach="vendor", vendor="Stripe"),
)


@hookimpl
def register_payment_providers() -> "Sequence[ProviderSpec[StripeSettings, StripePayments]]":
    """Return the one provider of this plugin."""
    return (STRIPE,)
