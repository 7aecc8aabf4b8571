"""Settings of the provider for Stable Diffusion web UIs."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Secret, Settings

WEBUI_URL = "http://127.0.0.1:7860"
SIZES = ("1024x1024", "832x1216", "896x1152", "768x1344", "1216x832", "1152x896")


class WebUISettings(Settings, frozen=True, kw_only=True):
    """Where the server is, and how it draws."""

    base_url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=500,
            title="Address",
            description="Of the web UI, started with --api. An operator has to allow addresses in your own network.",
            extra_json_schema={"x-destination": True},
        ),
    ] = WEBUI_URL
    api_auth: Annotated[
        Secret | None,
        Meta(title="API login", description="Name, colon and password, as given after --api-auth, if it was."),
    ] = None
    checkpoint: Annotated[
        str,
        Meta(
            max_length=300,
            title="Checkpoint",
            description="The model to load. The connection test suggests those there are. Empty: the one in use.",
        ),
    ] = ""
    sampler: Annotated[
        str,
        Meta(
            max_length=100,
            title="Sampler",
            description="Its name, as the web UI shows it. Empty: the server's own choice.",
        ),
    ] = ""
    steps: Annotated[
        int,
        Meta(ge=1, le=150, title="Steps", description="More take longer. Fast models need four to eight."),
    ] = 28
    cfg_scale: Annotated[
        float,
        Meta(
            ge=0,
            le=30,
            title="Guidance",
            description="How closely the picture follows the words. FLUX and fast models want 1.",
        ),
    ] = 6.0
    strength: Annotated[
        float,
        Meta(
            ge=0.05,
            le=1,
            title="Change of references",
            description="How far a picture may leave its reference: 0.05 hardly at all, 1 entirely.",
        ),
    ] = 0.6
    negative: Annotated[
        str,
        Meta(max_length=2000, title="To be avoided", description="The negative prompt of every picture."),
    ] = ""
    sizes: Annotated[
        tuple[str, ...],
        Meta(
            min_length=1,
            max_length=40,
            title="Sizes",
            description="Sizes in pixels that the model makes well, such as 832x1216.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = SIZES
    timeout_seconds: Annotated[
        int,
        Meta(
            ge=5,
            le=3600,
            title="Time limit",
            description="Seconds after which a picture is interrupted, its time behind other pictures included.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = 300
