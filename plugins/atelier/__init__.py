"""The offline cover artist: an image provider that draws with Skia and sets type with HarfBuzz, on this machine."""

from collections.abc import Sequence
from typing import Any

from kernel.spi import Comparison, ImageProvider, ProviderSpec, hookimpl
from plugins.atelier.provider import AtelierSettings, build


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[Any, ImageProvider]]:
    """Offer the provider `atelier`."""
    return (
        ProviderSpec(
            kind="image",
            id="atelier",
            label="Atelier",
            summary="Draws covers on this machine, with real type. Needs no account and no network.",
            contract=(1, 0),
            settings=AtelierSettings,
            build=build,
            offline=True,
            comparison=Comparison(purposes=("try_out", "no_service"), cost="free", reach="machine", seconds=2.0),
        ),
    )
