"""A payment provider for tests, whose vendor is a file of the test.

Loaded by `COVERWRIGHT_EXTRA_PLUGINS=tests.stub_payment` where `COVERWRIGHT_ENV` is `test`.
"""

from collections.abc import Sequence

from kernel.spi import ProviderSpec, hookimpl
from tests.stub_payment.provider import StubPayment, StubPaymentSettings, build

STUB: ProviderSpec[StubPaymentSettings, StubPayment] = ProviderSpec(
    kind="payment",
    id="stub-pay",
    label="Stub payments",
    summary="Moves no money, and fails on demand.",
    contract=(1, 0),
    settings=StubPaymentSettings,
    build=build,
    offline=True,
    static=__name__,
)


@hookimpl
def register_payment_providers() -> Sequence[ProviderSpec[StubPaymentSettings, StubPayment]]:
    """Return the stub."""
    return (STUB,)
