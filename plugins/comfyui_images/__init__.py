"""Covers from a ComfyUI on a machine of one's own, by a workflow of one's own."""

from collections.abc import Sequence

from kernel.spi import AdminCall, Comparison, ProviderSpec, hookimpl
from plugins.comfyui_images.provider import ComfyUIImages, build
from plugins.comfyui_images.recent import Named, Nothing, Runs, Text, settings_component
from plugins.comfyui_images.settings import ComfyUISettings

COMFYUI: ProviderSpec[ComfyUISettings, ComfyUIImages] = ProviderSpec(
    kind="image",
    id="comfyui",
    label="ComfyUI",
    summary="Makes covers with a ComfyUI of your own and any workflow of it. Nothing is sent elsewhere.",
    contract=(1, 2),
    settings=ComfyUISettings,
    build=build,
    docs_url="https://docs.comfy.org",
    static=__name__,
    settings_component=settings_component(
        AdminCall(name="recent", run=ComfyUIImages.recent_workflows, argument=Nothing, answer=Runs),
        AdminCall(name="workflow", run=ComfyUIImages.workflow_of, argument=Named, answer=Text),
    ),
    comparison=Comparison(purposes=("own_hardware",), cost="free", reach="chosen", seconds=30.0),
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[ComfyUISettings, ComfyUIImages]]:
    """Return the one provider of this plugin."""
    return (COMFYUI,)
