"""Covers from a Stable Diffusion web UI on a machine of one's own: AUTOMATIC1111, Forge, SD.Next."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.automatic1111_images.provider import WebUIImages, build
from plugins.automatic1111_images.settings import WebUISettings

AUTOMATIC1111: ProviderSpec[WebUISettings, WebUIImages] = ProviderSpec(
    kind="image",
    id="automatic1111",
    label="AUTOMATIC1111",
    summary="Makes covers with a Stable Diffusion web UI of your own: AUTOMATIC1111, Forge or SD.Next.",
    contract=(1, 0),
    settings=WebUISettings,
    build=build,
    docs_url="https://github.com/AUTOMATIC1111/stable-diffusion-webui/wiki/API",
    comparison=Comparison(purposes=("own_hardware",), cost="free", reach="chosen", seconds=30.0),
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[WebUISettings, WebUIImages]]:
    """Return the one provider of this plugin."""
    return (AUTOMATIC1111,)
