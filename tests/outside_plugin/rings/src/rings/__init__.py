"""Draws rings around a point."""

from coverwright_spi import AdminCall, AdminPage, ProviderSpec, hookimpl

from rings.provider import Palettes, Rings, Seed
from rings.settings import RingsSettings

RINGS = ProviderSpec(
    kind="image",
    id="rings",
    label="Rings",
    summary="Covers with rings around a point, drawn on this machine.",
    contract=(1, 2),
    settings=RingsSettings,
    build=Rings,
    offline=True,
    static=__name__,
    pages=(
        AdminPage(
            id="palettes",
            title={"en": "Palettes", "de": "Farben"},
            element="rings-palettes",
            module="palettes.js",
            calls=(AdminCall(name="palettes", run=Rings.palettes, argument=Seed, answer=Palettes),),
        ),
    ),
)


@hookimpl
def register_image_providers() -> list[ProviderSpec[RingsSettings, Rings]]:
    """Return the one provider of this plugin."""
    return [RINGS]
