"""Settings of the fal images provider."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Secret, Settings
from plugins.fal_images.models import DEFAULT_MODEL, MODELS

FAL_URL = "https://queue.fal.run"


class FalSettings(Settings, frozen=True, kw_only=True):
    """Which model makes the pictures, and who pays."""

    api_key: Annotated[
        Secret,
        Meta(
            title="API key",
            description="A key with the scope API, as fal shows it once: an id, a colon and a secret.",
            extra_json_schema={"x-help-url": "https://fal.ai/dashboard/keys", "x-env": "FAL_KEY"},
        ),
    ]
    model: Annotated[
        str,
        Meta(
            pattern=r"^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+){1,6}$",
            max_length=200,
            title="Model",
            description="The endpoint of a text-to-image model, as its page at fal shows it.",
            extra_json_schema={"x-suggest": list(MODELS)},
        ),
    ] = DEFAULT_MODEL
    extra_input: Annotated[
        str,
        Meta(
            max_length=2000,
            title="Further input",
            description='A JSON object with more of what the model takes, such as {"safety_tolerance": "3"}.',
        ),
    ] = ""
    base_url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=500,
            title="Address",
            description="fal's, or that of a gateway in front of it.",
            extra_json_schema={"x-destination": True, "x-group": "advanced"},
        ),
    ] = FAL_URL
    timeout_seconds: Annotated[
        int,
        Meta(
            ge=5,
            le=600,
            title="Time limit",
            description="Seconds after which a picture is cancelled, its time in fal's queue included.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = 240
