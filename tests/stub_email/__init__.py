"""An email provider for tests whose webhook accepts callers that know its key.

Loaded by `COVERWRIGHT_EXTRA_PLUGINS=tests.stub_email` where `COVERWRIGHT_ENV` is `test`.
"""

from collections.abc import Sequence

from kernel.spi import ProviderSpec, hookimpl
from tests.stub_email.provider import StubEmail, StubEmailSettings, build

STUB: ProviderSpec[StubEmailSettings, StubEmail] = ProviderSpec(
    kind="email",
    id="stub-mail",
    label="Stub mail",
    summary="Delivers nothing and hears webhooks.",
    contract=(1, 0),
    settings=StubEmailSettings,
    build=build,
    offline=True,
)


@hookimpl
def register_email_providers() -> Sequence[ProviderSpec[StubEmailSettings, StubEmail]]:
    """Return the stub."""
    return (STUB,)
