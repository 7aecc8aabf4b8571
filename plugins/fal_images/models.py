"""Data of models at fal: their input and cost. Read on 2026-11-24 from fal's pages of each model (`…/llms.txt`).

A new model is one more entry. For a model without an entry only the prompt and the size are set. Where no price could
be read the model has none, and its cost is unknown.
"""

import math
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from kernel.spi import ImageFormat, Price, Size, UsageLine

ASOF: Final = "2026-11-24"
DEFAULT_MODEL: Final = "fal-ai/flux-2-pro"

MEGAPIXEL: Final = 1_048_576
"""fal counts 1024 x 1024 as one, and rounds up: its page of FLUX.2 [flex] charges 1920 x 1080 as two."""

OUTPUT_MEGAPIXEL: Final = "output_megapixel"
REFERENCE_MEGAPIXEL: Final = "reference_megapixel"

LARGE: Final = (
    Size(1408, 1408),  # 8 x 8 in
    Size(1152, 1728),  # 6 x 9 in
    Size(1056, 1632),  # 5.5 x 8.5 in
    Size(1088, 1408),  # 8.5 x 11 in
    Size(1024, 1792),
    Size(704, 2048),  # 4 x 11.69 in, the narrowest custom trim
    Size(992, 1984),  # 1 : 2
    Size(1120, 1792),  # 5 : 8
    Size(1184, 1664),  # A5, A4
    Size(1152, 1536),  # 3 : 4
    Size(1152, 1440),  # 4 : 5
    Size(1664, 1184),  # 8.5 x 6 in, the widest custom trim
)
"""Sides divisible by 32, and two megapixels at most: FLUX.2 makes up to four, but is charged for each."""

SMALL: Final = (
    Size(1024, 1024),
    Size(832, 1216),
    Size(896, 1152),
    Size(768, 1344),
    Size(704, 1408),
    Size(1216, 832),
    Size(1152, 896),
)
"""One megapixel, sides divisible by 64: what Stable Diffusion and FLUX.1 were trained on."""

IDEOGRAM: Final = (
    Size(1024, 1024),
    Size(832, 1248),
    Size(800, 1280),
    Size(864, 1152),
    Size(896, 1120),
    Size(736, 1312),
    Size(704, 1408),
    Size(512, 1536),
    Size(1120, 896),
    Size(1152, 864),
    Size(1248, 832),
)
"""Of the resolutions of Ideogram 3, those that a cover can have."""

RECRAFT: Final = (
    Size(1024, 1024),
    Size(832, 1280),
    Size(896, 1216),
    Size(896, 1152),
    Size(832, 1344),
    Size(896, 1280),
    Size(768, 1344),
    Size(768, 1536),
    Size(1152, 896),
    Size(1216, 896),
    Size(1280, 832),
)
"""Of the sizes of Recraft 4, those that a cover can have, from Recraft's own documentation."""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """The input of a model. References go to `endpoint + references_to`, in `image_urls`.

    `edits` means that the prompt can change the first of them, while they are else models of style. `formats` is empty
    where there is no choice. `priced_by` is an input that sets the price of a picture, in micros by its value.
    """

    sizes: tuple[Size, ...]
    references: int = 0
    references_to: str = ""
    edits: bool = False
    formats: tuple[ImageFormat, ...] = ()
    seed: bool = False
    fixed: dict[str, Any] = {}
    prices: tuple[Price, ...] = ()
    priced_by: str = ""
    price_of: dict[str, int] = {}
    prompt_chars: int = 4000
    expected_s: float = 20.0

    def prices_with(self, model: str, extra: Mapping[str, Any]) -> tuple[Price, ...]:
        """Return the prices of this model with an administrator's further input."""
        if not self.priced_by:
            return tuple(msgspec.structs.replace(price, model=model) for price in self.prices)
        micros = self.price_of.get(str(extra.get(self.priced_by, self.fixed[self.priced_by])))
        return () if micros is None else (Price(per="image", micros=micros, asof=ASOF, model=model),)

    @property
    def typical(self) -> tuple[UsageLine, ...]:
        """Return what one picture of the largest size uses, and one reference of a megapixel."""
        largest = max(billed_megapixels(size) for size in self.sizes)
        return (
            UsageLine(unit=OUTPUT_MEGAPIXEL, quantity=largest),
            UsageLine(unit=REFERENCE_MEGAPIXEL, quantity=1.0),
        )


def billed_megapixels(size: Size) -> float:
    """Return how many megapixels fal charges for a size."""
    return float(math.ceil(size.width * size.height / MEGAPIXEL))


def _by_megapixel(first: int, further: int, *, references: bool) -> tuple[Price, ...]:
    """Return prices in micros for the first and each further megapixel; references count as further ones."""
    start = (Price(per="image", micros=first - further, asof=ASOF),) if first != further else ()
    units = (OUTPUT_MEGAPIXEL, REFERENCE_MEGAPIXEL) if references else (OUTPUT_MEGAPIXEL,)
    return (*start, *(Price(per="megapixel", micros=further, asof=ASOF, unit=unit) for unit in units))


def _flux_2(first: int, further: int, seconds: float) -> Model:
    return Model(
        sizes=LARGE,
        references=8,
        references_to="/edit",
        edits=True,
        formats=("png", "jpeg"),
        seed=True,
        prices=_by_megapixel(first, further, references=True),
        expected_s=seconds,
    )


def _one_megapixel(micros: int | None) -> Model:
    prices = () if micros is None else _by_megapixel(micros, micros, references=False)
    return Model(sizes=SMALL, formats=("png", "jpeg"), seed=True, prices=prices, expected_s=10.0)


MODELS: Final[dict[str, Model]] = {
    "fal-ai/flux-2-pro": _flux_2(30_000, 15_000, 15.0),
    "fal-ai/flux-2-max": _flux_2(70_000, 30_000, 30.0),
    "fal-ai/flux-2-flex": _flux_2(50_000, 50_000, 30.0),
    "fal-ai/ideogram/v3": Model(
        sizes=IDEOGRAM,
        references=3,
        seed=True,
        fixed={"rendering_speed": "BALANCED"},
        priced_by="rendering_speed",
        price_of={"TURBO": 30_000, "BALANCED": 60_000, "QUALITY": 90_000},
    ),
    "fal-ai/recraft/v4.1/text-to-image": Model(
        sizes=RECRAFT, prices=(Price(per="image", micros=40_000, asof=ASOF),), prompt_chars=10_000
    ),
    "fal-ai/stable-diffusion-v35-large": _one_megapixel(None),
    "fal-ai/stable-diffusion-v35-medium": _one_megapixel(20_000),
    "fal-ai/flux/dev": _one_megapixel(25_000),
    "fal-ai/flux/schnell": _one_megapixel(3_000),
}

UNKNOWN: Final = Model(sizes=SMALL)


def model_data(model: str) -> Model:
    """Return the data of a model."""
    return MODELS.get(model, UNKNOWN)
