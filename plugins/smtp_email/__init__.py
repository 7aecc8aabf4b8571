"""Email over SMTP."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.smtp_email.provider import SmtpEmail, build
from plugins.smtp_email.settings import SmtpSettings

SMTP: ProviderSpec[SmtpSettings, SmtpEmail] = ProviderSpec(
    kind="email",
    id="smtp",
    label="SMTP",
    summary="Hands emails to a mail server, your own or that of your mail service.",
    contract=(1, 0),
    settings=SmtpSettings,
    build=build,
    comparison=Comparison(purposes=("own_server",), cost="depends", reach="chosen"),
)


@hookimpl
def register_email_providers() -> Sequence[ProviderSpec[SmtpSettings, SmtpEmail]]:
    """Return the one provider of this plugin."""
    return (SMTP,)
