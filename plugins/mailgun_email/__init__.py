"""Email through Mailgun."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.mailgun_email.provider import MailgunEmail, build
from plugins.mailgun_email.settings import MailgunSettings

MAILGUN: ProviderSpec[MailgunSettings, MailgunEmail] = ProviderSpec(
    kind="email",
    id="mailgun",
    label="Mailgun",
    summary="Sends emails through Mailgun, in the USA or the EU, and receives bounces, complaints and unsubscriptions.",
    contract=(1, 0),
    settings=MailgunSettings,
    build=build,
    docs_url="https://documentation.mailgun.com",
    comparison=Comparison(purposes=("reliable_delivery",), cost="paid", reach="vendor", vendor="Mailgun"),
)


@hookimpl
def register_email_providers() -> Sequence[ProviderSpec[MailgunSettings, MailgunEmail]]:
    """Return the one provider of this plugin."""
    return (MAILGUN,)
