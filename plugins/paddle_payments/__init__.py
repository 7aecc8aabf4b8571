"""Subscriptions through Paddle Billing."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.paddle_payments.provider import PaddlePayments, make
from plugins.paddle_payments.settings import PaddleSettings

PADDLE: ProviderSpec[PaddleSettings, PaddlePayments] = ProviderSpec(
    kind="payment",
    id="paddle",
    label="Paddle",
    summary="Sells subscriptions through Paddle, which is the seller: its checkout in the page, taxes, invoices.",
    contract=(1, 2),
    settings=PaddleSettings,
    build=make,
    docs_url="https://developer.paddle.com",
    comparison=Comparison(purposes=("real_payments",), cost="paid", reach="vendor", vendor="Paddle"),
    static=__name__,
)


@hookimpl
def register_payment_providers() -> Sequence[ProviderSpec[PaddleSettings, PaddlePayments]]:
    """Return the one provider of this plugin."""
    return (PADDLE,)
