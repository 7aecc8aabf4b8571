"""Covers from Google's Gemini image models."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.google_images.models import ASOF
from plugins.google_images.provider import GoogleImages, build
from plugins.google_images.settings import GoogleSettings

GOOGLE: ProviderSpec[GoogleSettings, GoogleImages] = ProviderSpec(
    kind="image",
    id="google",
    label="Google Gemini",
    summary="Makes covers with Google's Gemini image models, and changes finished pictures.",
    contract=(1, 0),
    settings=GoogleSettings,
    build=build,
    docs_url="https://ai.google.dev/gemini-api/docs/image-generation",
    comparison=Comparison(
        purposes=("best_pictures",),
        cost="paid",
        reach="vendor",
        vendor="Google",
        price_micros=144_700,
        price_asof=ASOF,
        seconds=30.0,
    ),
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[GoogleSettings, GoogleImages]]:
    """Return the one provider of this plugin."""
    return (GOOGLE,)
