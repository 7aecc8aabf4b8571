"""Settings of the Mailgun provider."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from kernel.spi import Secret, Settings

REGIONS: Final = {"us": "https://api.mailgun.net", "eu": "https://api.eu.mailgun.net"}

ADVANCED: Final = {"x-group": "advanced"}


class MailgunSettings(Settings, frozen=True, kw_only=True):
    """The domain at Mailgun and what it sends from."""

    api_key: Annotated[
        Secret,
        Meta(
            title="API key",
            description="From Mailgun, under API Security; or a sending key of the domain, which can send, but not set "
            "up the webhook or look up what became of a newsletter.",
            extra_json_schema={
                "x-env": "MAILGUN_API_KEY",
                "x-help-url": "https://app.mailgun.com/settings/api_security",
            },
        ),
    ]
    domain: Annotated[
        str,
        Meta(
            title="Sending domain",
            description="As Mailgun lists it, such as mg.example.com. A sandbox domain delivers only to its authorized "
            "recipients.",
            pattern=r"^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$",
            max_length=253,
        ),
    ]
    region: Annotated[
        Literal["us", "eu"],
        Meta(title="Region", description="Where the domain was created; Mailgun keeps the regions apart."),
    ] = "us"
    sender: Annotated[
        str,
        Meta(
            title="Sender",
            description="Address at the sending domain, if not the site's own: a@b.example or Name <a@b.example>.",
            max_length=320,
        ),
    ] = ""
    webhook_signing_key: Annotated[
        Secret | None,
        Meta(
            title="Webhook signing key",
            description="Set up by a click once the instance is saved. Or by hand: at Mailgun, under Webhooks, copy "
            "the HTTP webhook signing key and save it here; then enter there the webhook address that appears here, "
            "for delivered, permanent failure, spam complaints and unsubscribes. Empty: webhooks are refused.",
            extra_json_schema={
                "x-env": "MAILGUN_WEBHOOK_SIGNING_KEY",
                "x-webhook-secret": True,
                "x-help-url": "https://app.mailgun.com/settings/api_security",
            },
        ),
    ] = None
    base_url: Annotated[
        str,
        Meta(
            title="Address",
            description="Empty: Mailgun's, of the region. Fill it in only for a gateway of your own.",
            max_length=300,
            extra_json_schema={"x-destination": True} | ADVANCED,
        ),
    ] = ""
    timeout_s: Annotated[
        float,
        Meta(title="Time-out", description="Seconds a call may take.", gt=0, le=55, extra_json_schema=ADVANCED),
    ] = 30.0
