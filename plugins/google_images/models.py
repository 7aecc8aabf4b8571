"""Data of Google's image models. Read on 2026-11-24; names, prices and limits change every few weeks.

Sizes are from the table in Google's guide to image generation, prices from its price list: Gemini 3 Pro Image charges
2 USD for a million tokens that it reads, 120 for those of pictures (1120 tokens in 1K and 2K, 2000 in 4K) and 12 for
all others that it writes, thoughts among them; Gemini 3.1 Flash Image 0.50, 60 and 3. What Gemini Nano Banana 2.1
charges for its thoughts could not be read, so its cost is unknown. Imagen cannot be used any more: its last models were
shut down in August 2026, and with them `predict`.
"""

from typing import Final

import msgspec

from kernel.spi import Price, Retirement, Size, UsageLine

ASOF: Final = "2026-11-24"
DEFAULT_MODEL: Final = "gemini-3-pro-image"
SUGGESTED: Final = ("gemini-3-pro-image", "gemini-nano-banana-2.1", "gemini-3.1-flash-lite-image")
MOST_REFERENCES: Final = 14
PROMPT_CHARS: Final = 16_000

SHUT_DOWN: Final = {
    "imagen-4.0-generate-001": "2026-08-17",
    "imagen-4.0-ultra-generate-001": "2026-08-17",
    "imagen-4.0-fast-generate-001": "2026-08-17",
    "gemini-2.5-flash-image": "2026-10-02",
    "gemini-3-pro-image-preview": "2026-06-25",
    "gemini-3.1-flash-image-preview": "2026-06-25",
}
"""Models that Google has switched off, with the date on its page of deprecations."""

RETIREMENTS: Final = {
    "gemini-3.1-flash-image": Retirement(
        model="gemini-3.1-flash-image", day="2026-10-29", replacement="gemini-nano-banana-2.1"
    ),
}
"""Announced ends: a model that may still answer, and a check that asks for it tells."""

TEXT_INPUT: Final = "text_input"
IMAGE_INPUT: Final = "image_input"
IMAGE_OUTPUT: Final = "image_output"
TEXT_OUTPUT: Final = "text_output"

RATIOS: Final = {
    "1:1": Size(1024, 1024),
    "2:3": Size(848, 1264),
    "3:2": Size(1264, 848),
    "3:4": Size(896, 1200),
    "4:3": Size(1200, 896),
    "4:5": Size(928, 1152),
    "5:4": Size(1152, 928),
    "9:16": Size(768, 1376),
}
"""Sizes in 1K, of the ratios that a cover can have; 2K has sides twice as long, 4K four times."""

SCALE: Final = {"1K": 1, "2K": 2, "4K": 4}
ONLY_1K: Final = frozenset({"gemini-3.1-flash-lite-image"})

MICROS_PER_1M_TOKENS: Final[dict[str, tuple[int, int, int]]] = {
    "gemini-3-pro-image": (2_000_000, 120_000_000, 12_000_000),
    "gemini-3.1-flash-image": (500_000, 60_000_000, 3_000_000),
}
"""What is read, written as pictures, and written otherwise."""

PICTURE_TOKENS: Final = {
    "gemini-3-pro-image": {"1K": 1120.0, "2K": 1120.0, "4K": 2000.0},
    "gemini-3.1-flash-image": {"1K": 1120.0, "2K": 1680.0, "4K": 2520.0},
}
REFERENCE_TOKENS: Final = 1120.0
PROMPT_TOKENS: Final = 350.0
"""For a composed prompt of some 1,400 characters."""

THOUGHT_TOKENS: Final = 800.0
"""Google's support names 700 to 900 for Gemini 3 Pro Image."""


class ModelData(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a model in one resolution: its sizes by ratio, and what they cost."""

    ratios: dict[str, Size]
    prices: tuple[Price, ...] = ()
    typical: tuple[UsageLine, ...] = ()
    retirements: tuple[Retirement, ...] = ()

    def ratio_of(self, size: Size) -> str:
        """Return the ratio that makes one of the sizes."""
        return next(ratio for ratio, known in self.ratios.items() if known == size)


def model_data(model: str, resolution: str) -> ModelData:
    """Return the data of a model; for an unknown one, that it makes the usual sizes."""
    times = SCALE[resolution]
    return ModelData(
        ratios={ratio: Size(size.width * times, size.height * times) for ratio, size in RATIOS.items()},
        prices=_prices(model),
        typical=_typical(model, resolution),
        retirements=(RETIREMENTS[model],) if model in RETIREMENTS else (),
    )


def _prices(model: str) -> tuple[Price, ...]:
    if model not in MICROS_PER_1M_TOKENS:
        return ()
    read, pictures, other = MICROS_PER_1M_TOKENS[model]
    units = ((TEXT_INPUT, read), (IMAGE_INPUT, read), (IMAGE_OUTPUT, pictures), (TEXT_OUTPUT, other))
    return tuple(Price(per="1m_tokens", micros=micros, asof=ASOF, model=model, unit=unit) for unit, micros in units)


def _typical(model: str, resolution: str) -> tuple[UsageLine, ...]:
    if model not in PICTURE_TOKENS:
        return ()
    used = (
        (TEXT_INPUT, PROMPT_TOKENS),
        (IMAGE_INPUT, REFERENCE_TOKENS),
        (IMAGE_OUTPUT, PICTURE_TOKENS[model][resolution]),
        (TEXT_OUTPUT, THOUGHT_TOKENS),
    )
    return tuple(UsageLine(unit=unit, quantity=quantity) for unit, quantity in used)
