"""Data of OpenAI's image models. Read on 2026-11-21; names, prices and limits change every few weeks."""

from typing import Final

import msgspec

from kernel.spi import Price, Retirement, Size, UsageLine

ASOF: Final = "2026-11-21"
DEFAULT_MODEL: Final = "gpt-image-2"
SUGGESTED: Final = ("gpt-image-2", "gpt-image-2.6-sunburst", "gpt-image-2.6-flare")
MOST_REFERENCES: Final = 16
"""Maximum number of pictures in one edit, each below 50 MB."""

PROMPT_CHARS: Final = 32_000

SHUT_DOWN: Final = {"gpt-image-1": "2026-10-23", "dall-e-2": "2026-05-12", "dall-e-3": "2026-05-12"}
"""Models that OpenAI has switched off, with the date."""

RETIREMENTS: Final = {
    "gpt-image-1-mini": Retirement(model="gpt-image-1-mini", day="2026-12-01", replacement="gpt-image-2.6-flare"),
    "gpt-image-1.5": Retirement(model="gpt-image-1.5", day="2026-12-01", replacement="gpt-image-2.6-sunburst"),
    "chatgpt-image-latest": Retirement(
        model="chatgpt-image-latest", day="2026-12-01", replacement="gpt-image-2.6-sunburst"
    ),
}
"""Models whose end OpenAI has announced, from its page of deprecations."""

TEXT_INPUT: Final = "text_input"
TEXT_OUTPUT: Final = "text_output"
IMAGE_INPUT: Final = "image_input"
IMAGE_OUTPUT: Final = "image_output"

MICROS_PER_1M_TOKENS: Final[dict[str, tuple[int, int, int]]] = {
    "gpt-image-2": (5_000_000, 8_000_000, 30_000_000),
    "gpt-image-1-mini": (2_000_000, 2_500_000, 8_000_000),
}
"""Models by the beginning of their names: text in, pictures in, pictures out. The 2.5 and 2.6 families cost like 2."""

CLASSIC: Final = (Size(1024, 1024), Size(1024, 1536), Size(1536, 1024))
"""Sizes that every GPT image model can make."""

STANDARD: Final = (
    Size(1024, 1024),
    Size(1024, 1536),  # 6 x 9 in
    Size(1024, 1792),
    Size(1056, 1632),  # 5.5 x 8.5 in
    Size(1088, 1408),  # 8.5 x 11 in
    Size(1152, 1440),  # 4 : 5
    Size(1536, 1024),  # 6 x 9 in with its back and spine
    Size(1600, 960),  # 8.5 x 11 in with them
    Size(1792, 832),  # 8 x 8 in with them
)
LARGE: Final = (
    Size(1920, 1920),  # 8 x 8 in
    Size(1536, 2304),  # 6 x 9 in
    Size(1408, 2176),  # 5.5 x 8.5 in
    Size(1632, 2112),  # 8.5 x 11 in
    Size(1024, 1792),  # requested as it is
    Size(1440, 2560),  # 9 : 16
    Size(1280, 2560),  # 1 : 2
    Size(1056, 3072),  # 4 x 11.69 in, the narrowest custom trim
    Size(1440, 2304),  # 5 : 8
    Size(1568, 2224),  # A5, A4
    Size(1632, 2176),  # 3 : 4
    Size(1696, 2112),  # 4 : 5
    Size(2240, 1584),  # 8.5 x 6 in, the widest custom trim; 6 x 9 in with its back and spine
    Size(2400, 1440),  # 8.5 x 11 in with them
    Size(2560, 1200),  # 8 x 8 in with them
)
"""Both sides divisible by 16, at most 2560 x 1440 pixels in all: OpenAI calls larger ones experimental."""

XHIGH_FROM: Final = ("gpt-image-2.5", "gpt-image-2.6")
"""The families with the qualities `xhigh` and `max`."""

OUTPUT_TOKENS_HIGH: Final = {"standard": 5488.0, "large": 7300.0}
"""Tokens of one picture in high quality: 1024 x 1536 from OpenAI's calculator; for 3.6 megapixels interpolated
between its 1792 x 1024 (5,063 tokens) and 3584 x 2048 (12,329).
"""

PARTIALS: Final = 2
"""Pictures on the way of the three at most that all of OpenAI's models send; what is made quickly comes with fewer."""

PARTIAL_TOKENS: Final = 100.0
"""Tokens that each of them costs, beside those of the picture; they are part of the usage that is reported."""

PROMPT_TOKENS: Final = 350.0
"""For a composed prompt of some 1,400 characters."""


class ModelData(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a model. `native` means one of OpenAI's, which takes OpenAI's parameters."""

    native: bool
    sizes: tuple[Size, ...]
    xhigh: bool = False
    prices: tuple[Price, ...] = ()
    typical: tuple[UsageLine, ...] = ()
    retirements: tuple[Retirement, ...] = ()


def model_data(model: str, *, large: bool, quality: str, previews: bool) -> ModelData:
    """Return the data of a model; for an unknown one, that it makes the classic sizes. With `previews` what a picture
    usually uses holds its partial pictures.
    """
    if not model.startswith(("gpt-image-", "chatgpt-image-")):
        return ModelData(native=False, sizes=CLASSIC)
    family = next((name for name in (*RETIREMENTS, "gpt-image-2") if model.startswith(name)), "")
    any_size = family not in RETIREMENTS
    return ModelData(
        native=True,
        sizes=(LARGE if large else STANDARD) if any_size else CLASSIC,
        xhigh=model.startswith(XHIGH_FROM),
        prices=_prices(model, family),
        typical=_typical(large, PARTIALS if previews else 0) if any_size and quality == "high" else (),
        retirements=(msgspec.structs.replace(RETIREMENTS[family], model=model),) if family in RETIREMENTS else (),
    )


def _prices(model: str, family: str) -> tuple[Price, ...]:
    units = (TEXT_INPUT, IMAGE_INPUT, IMAGE_OUTPUT)
    return tuple(
        Price(per="1m_tokens", micros=micros, asof=ASOF, model=model, unit=unit)
        for unit, micros in zip(units, MICROS_PER_1M_TOKENS.get(family, ()), strict=False)
    )


def _typical(large: bool, partials: int) -> tuple[UsageLine, ...]:
    output = OUTPUT_TOKENS_HIGH["large" if large else "standard"] + partials * PARTIAL_TOKENS
    return (UsageLine(unit=TEXT_INPUT, quantity=PROMPT_TOKENS), UsageLine(unit=IMAGE_OUTPUT, quantity=output))
