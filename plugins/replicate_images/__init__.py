"""Covers from models that Replicate hosts: FLUX, Ideogram, Seedream and others."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.replicate_images.models import ASOF
from plugins.replicate_images.provider import ReplicateImages, build
from plugins.replicate_images.settings import ReplicateSettings

REPLICATE: ProviderSpec[ReplicateSettings, ReplicateImages] = ProviderSpec(
    kind="image",
    id="replicate",
    label="Replicate",
    summary="Makes covers with models that Replicate hosts, such as FLUX.2, Ideogram 4 and Seedream.",
    contract=(1, 0),
    settings=ReplicateSettings,
    build=build,
    docs_url="https://replicate.com/docs",
    comparison=Comparison(
        purposes=("many_models",),
        cost="paid",
        reach="vendor",
        vendor="Replicate",
        price_micros=44_860,
        price_asof=ASOF,
        seconds=15.0,
    ),
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[ReplicateSettings, ReplicateImages]]:
    """Return the one provider of this plugin."""
    return (REPLICATE,)
