"""Email into files that an administrator can read."""

from collections.abc import Sequence

from kernel.spi import ProviderSpec, hookimpl
from plugins.outbox_email.provider import Outbox, build
from plugins.outbox_email.settings import OutboxSettings

OUTBOX: ProviderSpec[OutboxSettings, Outbox] = ProviderSpec(
    kind="email",
    id="outbox",
    label="Outbox",
    summary="Delivers nothing: keeps every email as a file that administrators can read here.",
    contract=(1, 0),
    settings=OutboxSettings,
    build=build,
    offline=True,
)


@hookimpl
def register_email_providers() -> Sequence[ProviderSpec[OutboxSettings, Outbox]]:
    """Return the one provider of this plugin."""
    return (OUTBOX,)
