"""Payments at a simulated bank in a file: everything that a payment service does, without money."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.sandbox_payments.provider import SandboxPayments, build
from plugins.sandbox_payments.settings import SandboxSettings

SANDBOX: ProviderSpec[SandboxSettings, SandboxPayments] = ProviderSpec(
    kind="payment",
    id="sandbox",
    label="Sandbox (no real money)",
    summary="A small bank on this machine, to try everything that has to do with Pro: test cards only, no real money.",
    contract=(1, 1),
    settings=SandboxSettings,
    build=build,
    offline=True,
    comparison=Comparison(purposes=("try_out", "no_service"), cost="free", reach="machine"),
    static=__name__,
)


@hookimpl
def register_payment_providers() -> Sequence[ProviderSpec[SandboxSettings, SandboxPayments]]:
    """Return the one provider of this plugin."""
    return (SANDBOX,)
