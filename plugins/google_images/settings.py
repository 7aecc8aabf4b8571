"""Settings of the Google images provider."""

from typing import Annotated, Literal

from msgspec import Meta

from kernel.spi import Secret, Settings
from plugins.google_images.models import DEFAULT_MODEL, SUGGESTED

GOOGLE_URL = "https://generativelanguage.googleapis.com/v1beta"

Resolution = Literal["1K", "2K", "4K"]


class GoogleSettings(Settings, frozen=True, kw_only=True):
    """Which model makes the pictures, and who pays."""

    api_key: Annotated[
        Secret,
        Meta(
            title="API key",
            description="From Google AI Studio, of a project with billing: the free tier makes no pictures.",
            extra_json_schema={"x-help-url": "https://aistudio.google.com/apikey", "x-env": "GEMINI_API_KEY"},
        ),
    ]
    model: Annotated[
        str,
        Meta(
            pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
            max_length=200,
            title="Model",
            description="The model that makes the pictures. The connection test suggests those the key may use.",
            extra_json_schema={"x-suggest": list(SUGGESTED)},
        ),
    ] = DEFAULT_MODEL
    resolution: Annotated[
        Resolution,
        Meta(
            title="Resolution",
            description="1K has about one megapixel, 2K four and 4K sixteen. More prints sharper and may cost more.",
        ),
    ] = "2K"
    base_url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=500,
            title="Address",
            description="Google's, or that of a gateway in front of it, up to and including the version.",
            extra_json_schema={"x-destination": True, "x-group": "advanced"},
        ),
    ] = GOOGLE_URL
    timeout_seconds: Annotated[
        int,
        Meta(
            ge=5,
            le=600,
            title="Time limit",
            description="Seconds after which a picture is abandoned. 4K can take two minutes.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = 180
