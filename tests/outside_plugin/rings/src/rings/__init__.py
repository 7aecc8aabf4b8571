"""Draws rings around a point."""

from coverwright_spi import ProviderSpec, hookimpl

from rings.provider import Rings
from rings.settings import RingsSettings

RINGS = ProviderSpec(
    kind="image",
    id="rings",
    label="Rings",
    summary="Covers with rings around a point, drawn on this machine.",
    contract=(1, 0),
    settings=RingsSettings,
    build=Rings,
    offline=True,
)


@hookimpl
def register_image_providers() -> list[ProviderSpec[RingsSettings, Rings]]:
    """Return the one provider of this plugin."""
    return [RINGS]
