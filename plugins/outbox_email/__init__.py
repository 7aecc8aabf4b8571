"""Email into files that an administrator can read."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
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
    comparison=Comparison(purposes=("try_out", "no_service"), cost="free", reach="machine"),
)


@hookimpl
def register_email_providers() -> Sequence[ProviderSpec[OutboxSettings, Outbox]]:
    """Return the one provider of this plugin."""
    return (OUTBOX,)
