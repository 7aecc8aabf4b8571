"""Settings of the OpenAI images provider."""

from typing import Annotated, Literal

from msgspec import Meta

from kernel.spi import Secret, Settings
from plugins.openai_images.models import DEFAULT_MODEL, MOST_REFERENCES, SUGGESTED

OPENAI_URL = "https://api.openai.com/v1"

Quality = Literal["auto", "low", "medium", "high", "xhigh", "max"]
Resolution = Literal["standard", "large"]


class OpenAISettings(Settings, frozen=True, kw_only=True):
    """Whose models make the pictures, and how."""

    api_key: Annotated[
        Secret | None,
        Meta(
            title="API key",
            description="Needed for OpenAI. Servers of your own may do without.",
            extra_json_schema={"x-help-url": "https://platform.openai.com/api-keys", "x-env": "OPENAI_API_KEY"},
        ),
    ] = None
    model: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            title="Model",
            description="The model that makes the pictures. The connection test suggests those the key may use.",
            extra_json_schema={"x-suggest": list(SUGGESTED)},
        ),
    ] = DEFAULT_MODEL
    quality: Annotated[
        Quality,
        Meta(
            title="Quality",
            description="Higher quality is slower and costs more. The top two need a model of the 2.5 or 2.6 family.",
        ),
    ] = "high"
    resolution: Annotated[
        Resolution,
        Meta(
            title="Resolution",
            description="Large pictures have up to 3.7 megapixels and print sharper; standard ones have about 1.6.",
        ),
    ] = "large"
    previews: Annotated[
        bool,
        Meta(
            title="Show previews while painting",
            description="People see the picture as it is so far. Adds some 200 output tokens to the price of each, "
            "about USD 0.006 with gpt-image-2.",
        ),
    ] = False
    moderation: Annotated[
        Literal["auto", "low"],
        Meta(title="Moderation", description="How strictly OpenAI filters what is asked for."),
    ] = "auto"
    references: Annotated[
        int,
        Meta(
            ge=0,
            le=MOST_REFERENCES,
            title="Reference pictures",
            description="How many may go along with a prompt. Zero for a server that cannot edit pictures.",
        ),
    ] = MOST_REFERENCES
    text_model: Annotated[
        str,
        Meta(
            max_length=200,
            title="Text model",
            description="Suggests covers from a blurb, with the same key. Empty: the site reads blurbs by itself.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = ""
    base_url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=500,
            title="Address",
            description="OpenAI's, that of a compatible server up to and including /v1, or that of an Azure resource.",
            extra_json_schema={"x-destination": True, "x-group": "advanced"},
        ),
    ] = OPENAI_URL
    deployment: Annotated[
        str,
        Meta(
            pattern=r"^[A-Za-z0-9._-]*$",
            max_length=64,
            title="Deployment",
            description="At Azure: its name, while Model says what it is one of. Empty: it is called like the model.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = ""
    organization: Annotated[
        str,
        Meta(
            pattern=r"^[A-Za-z0-9_-]*$",
            max_length=100,
            title="Organization",
            description="The ID of the organization that pays, if the key belongs to several. It begins with org-.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = ""
    project: Annotated[
        str,
        Meta(
            pattern=r"^[A-Za-z0-9_-]*$",
            max_length=100,
            title="Project",
            description="The ID of the project that pays, if the key belongs to several. It begins with proj_.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = ""
    sizes: Annotated[
        tuple[str, ...],
        Meta(
            max_length=40,
            title="Sizes",
            description="Sizes in pixels that the server can make, such as 1024x1536. Empty: those known of the model.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = ()
    timeout_seconds: Annotated[
        int,
        Meta(
            ge=5,
            le=600,
            title="Time limit",
            description="Seconds after which a picture is abandoned. High quality can take two minutes.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = 240
