"""Covers from a ComfyUI on a machine of one's own, by a workflow of one's own."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.comfyui_images.provider import ComfyUIImages, build
from plugins.comfyui_images.settings import ComfyUISettings

COMFYUI: ProviderSpec[ComfyUISettings, ComfyUIImages] = ProviderSpec(
    kind="image",
    id="comfyui",
    label="ComfyUI",
    summary="Makes covers with a ComfyUI of your own and any workflow of it. Nothing is sent elsewhere.",
    contract=(1, 0),
    settings=ComfyUISettings,
    build=build,
    docs_url="https://docs.comfy.org",
    comparison=Comparison(purposes=("own_hardware",), cost="free", reach="chosen", seconds=30.0),
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[ComfyUISettings, ComfyUIImages]]:
    """Return the one provider of this plugin."""
    return (COMFYUI,)
