"""What a picture costs, in micros of a USD: known, estimated, or unknown. Nothing is ever guessed.

A price that an administrator has set for a model goes before everything that its plugin or its vendor says of one.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import msgspec

from kernel.spi import ImageCapabilities, ImageResult, Price, Size, TextResult, Usage

CostSource = Literal["set", "reported", "computed", "unknown"]

PIXELS_PER_MEGAPIXEL: Final = 1_000_000
TOKENS_PER_PRICE: Final = 1_000_000
MOST_MICROS: Final = 10**15
"""A billion USD: a higher cost is a plugin's mistake, and unknown."""

PER_REFERENCE: Final = ("image_input", "reference")
"""Prefix of units that count references; all others count what is made."""

Quantity = Callable[[Price], float | None]
SetPrices = Mapping[str, int]
"""Model → micros of a USD for a picture, as administrators have set them."""

NONE_SET: Final[SetPrices] = {}


def cost_of(capabilities: Any, result: Any, prices: SetPrices = NONE_SET) -> tuple[int | None, CostSource]:
    """Return a result's cost and its source: set by an administrator, reported by the vendor, computed from list
    prices, or unknown.
    """
    if isinstance(capabilities, ImageCapabilities) and isinstance(result, ImageResult):
        each = _set_price(capabilities, prices, result.model)
        if each is not None:
            return each * len(result.images), "set"
    usage = getattr(result, "usage", None)
    if isinstance(usage, Usage) and usage.cost_micros is not None:
        return (usage.cost_micros, "reported") if 0 <= usage.cost_micros <= MOST_MICROS else (None, "unknown")
    if not isinstance(capabilities, ImageCapabilities) or not isinstance(result, ImageResult | TextResult):
        return None, "unknown"
    images = result.images if isinstance(result, ImageResult) else ()
    if isinstance(result, TextResult):  # what a picture costs says nothing of a text
        own = tuple(price for price in capabilities.prices if price.model == result.model)
        capabilities = msgspec.structs.replace(capabilities, prices=own)
    used: dict[str, float] = {}
    for line in result.usage.lines:
        used[line.unit] = used.get(line.unit, 0.0) + line.quantity
    pixels = sum(image.size.width * image.size.height for image in images)
    micros = _sum(capabilities, result.model, _quantities(used, len(images), pixels))
    return (None, "unknown") if micros is None else (micros, "computed")


def estimate(
    capabilities: ImageCapabilities,
    size: Size,
    count: int = 1,
    model: str | None = None,
    references: int = 0,
    prices: SetPrices = NONE_SET,
) -> int | None:
    """Return what a call will probably cost, or None when that is unknown. `prices` are those of administrators.

    Charges by usage follow the instance's `typical_usage`: units of PER_REFERENCE are for one reference, all others for
    one picture. `model` None is the one the instance uses by default.
    """
    chosen = model or next(iter(capabilities.models), "")
    if (each := _set_price(capabilities, prices, chosen)) is not None:
        return each * count
    used: dict[str, float] = {}
    if not references:
        used = {price.unit: 0.0 for price in capabilities.prices if price.unit.startswith(PER_REFERENCE)}
    for line in capabilities.typical_usage:
        times = references if line.unit.startswith(PER_REFERENCE) else count
        used[line.unit] = used.get(line.unit, 0.0) + line.quantity * times
    return _sum(capabilities, chosen, _quantities(used, count, size.width * size.height * count))


def _set_price(capabilities: ImageCapabilities, prices: SetPrices, model: str) -> int | None:
    """Return what an administrator has set for a model. A vendor may name its only model more exactly than we do."""
    if model not in capabilities.models and len(capabilities.models) == 1:
        model = capabilities.models[0]
    return prices.get(model)


def _quantities(used: Mapping[str, float], images: int, pixels: int) -> Quantity:
    """Return how much of a priced unit was used; None when that is unknown."""

    def quantity(price: Price) -> float | None:
        amount = used.get(price.unit) if price.unit else None
        match price.per:
            case "image":
                return amount if price.unit else images
            case "megapixel":
                return amount if price.unit else pixels / PIXELS_PER_MEGAPIXEL
            case "second":
                return amount
            case "1m_tokens":
                return None if amount is None else amount / TOKENS_PER_PRICE

    return quantity


def _sum(capabilities: ImageCapabilities, model: str, quantity: Quantity) -> int | None:
    """Return the sum of all prices of a model, rounded up; None without a price, or when one cannot be applied."""
    prices = [price for price in capabilities.prices if price.model in ("", model)]
    amounts = [(price.micros, quantity(price)) for price in prices]
    total = 0.0
    for micros, amount in amounts:
        if amount is None or not math.isfinite(amount) or amount < 0:
            return None
        total += micros * amount
    if not amounts or not 0 <= total <= MOST_MICROS:
        return None
    return math.ceil(round(total, 3))  # the third decimal is far below a micro, and far above floating-point errors
