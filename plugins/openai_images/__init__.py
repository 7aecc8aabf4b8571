"""Covers from OpenAI's image models, and from servers with the same API."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.openai_images.models import ASOF
from plugins.openai_images.provider import OpenAIImages, build
from plugins.openai_images.settings import OpenAISettings

OPENAI: ProviderSpec[OpenAISettings, OpenAIImages] = ProviderSpec(
    kind="image",
    id="openai",
    label="OpenAI",
    summary="Makes covers with OpenAI's image models, or with a compatible server of your own.",
    contract=(1, 1),
    settings=OpenAISettings,
    build=build,
    docs_url="https://platform.openai.com/docs/guides/image-generation",
    comparison=Comparison(
        purposes=("best_pictures",),
        cost="paid",
        reach="vendor",
        vendor="OpenAI",
        price_micros=220_750,
        price_asof=ASOF,
        seconds=60.0,
    ),
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[OpenAISettings, OpenAIImages]]:
    """Return the one provider of this plugin."""
    return (OPENAI,)
