"""Settings of the Postmark provider."""

from typing import Annotated, Final

from msgspec import Meta

from kernel.spi import Secret, Settings

API_URL: Final = "https://api.postmarkapp.com"

ADVANCED: Final = {"x-group": "advanced"}


class PostmarkSettings(Settings, frozen=True, kw_only=True):
    """The server at Postmark and what it sends from."""

    api_token: Annotated[
        Secret,
        Meta(
            title="Server API token",
            description="From Postmark: your server, then API Tokens.",
            extra_json_schema={
                "x-env": "POSTMARK_SERVER_TOKEN",
                "x-help-url": "https://account.postmarkapp.com/servers",
            },
        ),
    ]
    sender: Annotated[
        str,
        Meta(
            title="Sender",
            description="Address with a confirmed sender signature or domain at Postmark, if not the site's own: "
            "a@b.example or Name <a@b.example>.",
            max_length=320,
        ),
    ] = ""
    transactional_stream: Annotated[
        str,
        Meta(
            title="Transactional stream",
            description="ID of the message stream for account emails.",
            pattern=r"^[a-z][a-z0-9_-]{0,29}$",
        ),
    ] = "outbound"
    bulk_stream: Annotated[
        str,
        Meta(
            title="Broadcast stream",
            description="ID of the message stream for newsletters; Postmark adds the unsubscribe link there.",
            pattern=r"^[a-z][a-z0-9_-]{0,29}$",
        ),
    ] = "broadcast"
    webhook_secret: Annotated[
        Secret | None,
        Meta(
            title="Webhook secret",
            description="At least 16 characters, entered at Postmark, too: as the password of the webhook's basic "
            "authentication (any user name), or as its custom header X-Webhook-Secret. Empty: webhooks are refused.",
        ),
    ] = None
    api_url: Annotated[
        str,
        Meta(
            title="API address",
            description="Postmark's API. Change it only for a gateway of your own.",
            pattern=r"^https?://[^/\s?#@]+/?$",
            max_length=300,
            extra_json_schema={"x-destination": True} | ADVANCED,
        ),
    ] = API_URL
    timeout_s: Annotated[
        float,
        Meta(title="Time-out", description="Seconds a call may take.", gt=0, le=55, extra_json_schema=ADVANCED),
    ] = 30.0
