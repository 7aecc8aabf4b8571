"""Settings of the Paddle provider."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta

from kernel.spi import Secret, Settings

Environment = Literal["sandbox", "live"]
API_URLS: Final[Mapping[Environment, str]] = {
    "sandbox": "https://sandbox-api.paddle.com",
    "live": "https://api.paddle.com",
}

ADVANCED: Final = {"x-group": "advanced"}


class PaddleSettings(Settings, frozen=True, kw_only=True):
    """The account at Paddle that sells."""

    api_key: Annotated[
        Secret,
        Meta(
            title="API key",
            description="From Paddle: Developer tools, Authentication. It needs to read and write customers, "
            "transactions, subscriptions, portal sessions and notification settings, and to read products, prices and "
            "adjustments.",
            extra_json_schema={
                "x-env": "PADDLE_API_KEY",
                "x-help-url": "https://vendors.paddle.com/authentication-v2",
            },
        ),
    ]
    publishable: Annotated[
        str,
        Meta(
            title="Client-side token",
            description="Of the same account, under Client-side tokens: begins with test_ or live_. It is sent to the "
            "browser.",
            pattern=r"^(test|live)_[A-Za-z0-9]+$",
            max_length=200,
            extra_json_schema={
                "x-env": "PADDLE_CLIENT_TOKEN",
                "x-help-url": "https://vendors.paddle.com/authentication-v2",
            },
        ),
    ]
    environment: Annotated[
        Environment,
        Meta(
            title="Environment",
            description="In the sandbox no money moves; it is an account of its own at Paddle.",
        ),
    ] = "sandbox"
    webhook_secret: Annotated[
        Secret | None,
        Meta(
            title="Webhook secret",
            description="Begins with pdl_ntfset_. Set up by a click once the instance is saved, or copied from the "
            "destination under Notifications at Paddle. Empty: webhooks are refused, and changes at Paddle show after "
            "a sync or the night.",
            extra_json_schema={
                "x-env": "PADDLE_WEBHOOK_SECRET",
                "x-webhook-secret": True,
                "x-help-url": "https://vendors.paddle.com/notifications-v2",
            },
        ),
    ] = None
    base_url: Annotated[
        str,
        Meta(
            title="Address",
            description="Empty: Paddle's, of the environment. Fill it in only for a gateway of your own.",
            max_length=300,
            extra_json_schema={"x-destination": True} | ADVANCED,
        ),
    ] = ""
    timeout_s: Annotated[
        float,
        Meta(title="Time-out", description="Seconds a request may take.", gt=0, le=15, extra_json_schema=ADVANCED),
    ] = 10.0
