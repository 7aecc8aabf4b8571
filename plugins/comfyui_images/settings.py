"""Settings of the ComfyUI images provider."""

from typing import Annotated

from msgspec import Meta

from kernel.spi import Secret, Settings

COMFYUI_URL = "http://127.0.0.1:8188"
SIZES = ("1024x1024", "832x1216", "896x1152", "768x1344", "1216x832", "1152x896")


class ComfyUISettings(Settings, frozen=True, kw_only=True):
    """Where the server is, and what it does for a cover."""

    base_url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=500,
            title="Address",
            description="Of ComfyUI. An operator has to allow addresses in your own network.",
            extra_json_schema={"x-destination": True},
        ),
    ] = COMFYUI_URL
    workflow: Annotated[
        str,
        Meta(
            min_length=2,
            max_length=500_000,
            title="Workflow",
            description=(
                "Exported for the API. Title the node with the text Prompt, and others Negative, Size, Seed or Output "
                "where that is not clear."
            ),
            extra_json_schema={"x-multiline": True},
        ),
    ]
    reference_workflow: Annotated[
        str,
        Meta(
            max_length=500_000,
            title="Workflow for references",
            description="Used when pictures go along: each node that loads one has the title Reference. May be empty.",
            extra_json_schema={"x-multiline": True},
        ),
    ] = ""
    edits: Annotated[
        bool,
        Meta(
            title="Changes pictures",
            description="The workflow for references changes the first of them as the prompt says, and keeps the rest.",
        ),
    ] = False
    checkpoint: Annotated[
        str,
        Meta(
            max_length=300,
            title="Checkpoint",
            description="The model to load. The connection test suggests those there are. Empty: the workflow's own.",
        ),
    ] = ""
    negative: Annotated[
        str,
        Meta(
            max_length=2000,
            title="To be avoided",
            description="What goes into the node Negative. Empty: what the workflow says.",
        ),
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
    authorization: Annotated[
        Secret | None,
        Meta(
            title="Authorization",
            description="The header of that name, if a proxy in front wants one, such as Bearer and a token.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = None
    timeout_seconds: Annotated[
        int,
        Meta(
            ge=5,
            le=3600,
            title="Time limit",
            description="Seconds after which a picture is cancelled, its time in the queue included.",
            extra_json_schema={"x-group": "advanced"},
        ),
    ] = 300
