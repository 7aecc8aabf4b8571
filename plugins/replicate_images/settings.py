"""Settings of the Replicate images provider."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Secret, Settings
from plugins.replicate_images.models import DEFAULT_MODEL, MODELS

REPLICATE_URL = "https://api.replicate.com"


class ReplicateSettings(Settings, frozen=True, kw_only=True):
    """Which model makes the pictures, and who pays."""

    api_token: Annotated[
        Secret,
        Meta(
            title="API token",
            description="It begins with r8_.",
            extra_json_schema={
                "x-help-url": "https://replicate.com/account/api-tokens",
                "x-env": "REPLICATE_API_TOKEN",
            },
        ),
    ]
    model: Annotated[
        str,
        Meta(
            pattern=r"^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+(:[0-9a-f]{64})?$",
            max_length=200,
            title="Model",
            description="Owner and name; models that Replicate does not maintain itself need a version after a colon.",
            extra_json_schema={"x-suggest": list(MODELS)},
        ),
    ] = DEFAULT_MODEL
    extra_input: Annotated[
        str,
        Meta(
            max_length=2000,
            title="Further input",
            description='A JSON object with more of what the model takes, such as {"safety_tolerance": 3}.',
        ),
    ] = ""
    base_url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=500,
            title="Address",
            description="Replicate's, or that of a gateway in front of it.",
            extra_json_schema={"x-destination": True, "x-group": "advanced"},
        ),
    ] = REPLICATE_URL
    timeout_seconds: Annotated[
        int,
        Meta(
            ge=5,
            le=600,
            title="Time limit",
            description="Seconds after which a picture is cancelled. Models not used for a while start slowly.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = 240
