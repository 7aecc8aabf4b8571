"""Data of models on Replicate: their input and cost. Read on 2026-11-21 from their pages there.

A new model is one more entry. For a model without an entry only the prompt and the aspect ratio are set.
"""

from typing import Any, Final, Literal

import msgspec

from kernel.spi import ImageFormat, Price, Size, UsageLine

ASOF: Final = "2026-11-21"
DEFAULT_MODEL: Final = "black-forest-labs/flux-2-pro"
REFERENCE_MEGAPIXEL: Final = "reference_megapixel"

SizeStyle = Literal["width and height", "resolution", "aspect_ratio"]

FLUX_SIZES: Final = (
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
"""Sides divisible by 32, at most 2048, and two megapixels in all, as the model's page recommends."""

IDEOGRAM_SIZES: Final = (
    Size(2048, 2048),
    Size(1664, 2496),
    Size(1600, 2560),
    Size(1728, 2304),
    Size(1792, 2240),
    Size(1440, 2560),
    Size(1440, 2880),
    Size(1152, 2944),
    Size(1248, 3328),
    Size(2240, 1792),
    Size(2304, 1728),
    Size(2496, 1664),
)
"""Of the resolutions it lists, those that a cover can have."""

SEEDREAM_RATIOS: Final = {
    "1:1": Size(2048, 2048),
    "2:3": Size(1664, 2496),
    "3:4": Size(1728, 2304),
    "9:16": Size(1440, 2560),
    "4:3": Size(2304, 1728),
    "3:2": Size(2496, 1664),
}
COMMON_RATIOS: Final = {
    "1:1": Size(1024, 1024),
    "2:3": Size(832, 1248),
    "3:4": Size(864, 1152),
    "9:16": Size(720, 1280),
    "3:2": Size(1248, 832),
}
"""What most models understand; their output size is not known."""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """The input of a model. `sizes` by the text that selects them, `fixed` is input that never changes.

    `formats` maps ours to the model's word; empty when the model has no choice.
    """

    size_style: SizeStyle
    sizes: dict[str, Size]
    fixed: dict[str, Any] = {}
    reference_field: str = ""
    references: int = 0
    formats: dict[ImageFormat, str] = {}
    seed: bool = False
    prices: tuple[Price, ...] = ()
    typical: tuple[UsageLine, ...] = ()
    expected_s: float = 30.0

    def size_input(self, size: Size) -> dict[str, Any]:
        """Return the input that selects one of `sizes`."""
        text = next(text for text, known in self.sizes.items() if known == size)
        match self.size_style:
            case "width and height":
                return {"aspect_ratio": "custom", "width": size.width, "height": size.height}
            case style:
                return {style: text}


def _texts(sizes: tuple[Size, ...]) -> dict[str, Size]:
    return {f"{size.width}x{size.height}": size for size in sizes}


def _flux(name: str, references: int, first: int | None, further: int | None, seconds: float) -> Model:
    """Return a FLUX.2 model. `first` and `further` are micros for the first and each further megapixel, also of
    references.
    """
    prices: tuple[Price, ...] = ()
    if first is not None and further is not None:
        prices = (
            Price(per="image", micros=first - further, asof=ASOF, model=name),
            Price(per="megapixel", micros=further, asof=ASOF, model=name),
            Price(per="megapixel", micros=further, asof=ASOF, model=name, unit=REFERENCE_MEGAPIXEL),
        )
    return Model(
        size_style="width and height",
        sizes=_texts(FLUX_SIZES),
        reference_field="input_images",
        references=references,
        formats={"png": "png", "jpeg": "jpg", "webp": "webp"},
        seed=True,
        prices=prices,
        typical=(UsageLine(unit=REFERENCE_MEGAPIXEL, quantity=1.0),),
        expected_s=seconds,
    )


def _ideogram(name: str, micros: int, seconds: float) -> Model:
    return Model(
        size_style="resolution",
        sizes=_texts(IDEOGRAM_SIZES),
        prices=(Price(per="image", micros=micros, asof=ASOF, model=name),),
        expected_s=seconds,
    )


def _seedream(formats: dict[ImageFormat, str]) -> Model:
    return Model(
        size_style="aspect_ratio",
        sizes=SEEDREAM_RATIOS,
        fixed={"size": "2K", "sequential_image_generation": "disabled"},
        reference_field="image_input",
        references=14,
        formats=formats,
    )


MODELS: Final[dict[str, Model]] = {
    "black-forest-labs/flux-2-pro": _flux("black-forest-labs/flux-2-pro", 8, 30_000, 15_000, 15.0),
    "black-forest-labs/flux-2-max": _flux("black-forest-labs/flux-2-max", 8, 70_000, 30_000, 30.0),
    "black-forest-labs/flux-2-flex": _flux("black-forest-labs/flux-2-flex", 10, None, None, 30.0),
    "ideogram-ai/ideogram-v4-turbo": _ideogram("ideogram-ai/ideogram-v4-turbo", 30_000, 15.0),
    "ideogram-ai/ideogram-v4-balanced": _ideogram("ideogram-ai/ideogram-v4-balanced", 60_000, 25.0),
    "ideogram-ai/ideogram-v4-quality": _ideogram("ideogram-ai/ideogram-v4-quality", 100_000, 45.0),
    "bytedance/seedream-4.5": _seedream({}),
    "bytedance/seedream-5-lite": _seedream({"png": "png", "jpeg": "jpeg"}),
}

UNKNOWN: Final = Model(size_style="aspect_ratio", sizes=COMMON_RATIOS)


def model_data(model: str) -> Model:
    """Return the data of a model, whatever its version."""
    return MODELS.get(model.partition(":")[0], UNKNOWN)
