"""Covers from models that fal hosts: FLUX, Ideogram, Recraft, Stable Diffusion and others."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.fal_images.models import ASOF
from plugins.fal_images.provider import FalImages, build
from plugins.fal_images.settings import FalSettings

FAL: ProviderSpec[FalSettings, FalImages] = ProviderSpec(
    kind="image",
    id="fal",
    label="fal",
    summary="Makes covers with models that fal hosts, such as FLUX.2, Ideogram 3 and Recraft 4.1.",
    contract=(1, 0),
    settings=FalSettings,
    build=build,
    docs_url="https://fal.ai/docs",
    comparison=Comparison(
        purposes=("many_models",),
        cost="paid",
        reach="vendor",
        vendor="fal",
        price_micros=45_000,
        price_asof=ASOF,
        seconds=15.0,
    ),
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[FalSettings, FalImages]]:
    """Return the one provider of this plugin."""
    return (FAL,)
