"""Email through Postmark."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.postmark_email.provider import PostmarkEmail, build
from plugins.postmark_email.settings import PostmarkSettings

POSTMARK: ProviderSpec[PostmarkSettings, PostmarkEmail] = ProviderSpec(
    kind="email",
    id="postmark",
    label="Postmark",
    summary="Sends emails through Postmark, and receives bounces, complaints and unsubscriptions.",
    contract=(1, 0),
    settings=PostmarkSettings,
    build=build,
    docs_url="https://postmarkapp.com/developer",
    comparison=Comparison(purposes=("reliable_delivery",), cost="paid", reach="vendor", vendor="Postmark"),
)


@hookimpl
def register_email_providers() -> Sequence[ProviderSpec[PostmarkSettings, PostmarkEmail]]:
    """Return the one provider of this plugin."""
    return (POSTMARK,)
