"""What a picture costs: reported, computed from every price of the model, or unknown."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from kernel.providers import estimate
from kernel.providers.calls.pricing import MOST_MICROS, cost_of
from kernel.spi import GeneratedImage, ImageCapabilities, ImageResult, Price, Size, TextResult, Usage, UsageLine

ASOF = "2026-11-01"


def price(per: Any, micros: int, *, model: str = "", unit: str = "") -> Price:
    return Price(per=per, micros=micros, asof=ASOF, model=model, unit=unit)


def able(*prices: Price, typical: dict[str, float] | None = None) -> ImageCapabilities:
    lines = tuple(UsageLine(unit=unit, quantity=quantity) for unit, quantity in (typical or {}).items())
    return ImageCapabilities(models=("one", "two"), prices=prices, typical_usage=lines)


def result(count: int = 1, model: str = "one", cost: int | None = None, **lines: float) -> ImageResult:
    image = GeneratedImage(data=b"", media_type="image/png", size=Size(1000, 500))
    used = tuple(UsageLine(unit=unit, quantity=quantity) for unit, quantity in lines.items())
    return ImageResult(images=(image,) * count, model=model, usage=Usage(lines=used, cost_micros=cost))


TOKENS = (
    price("1m_tokens", 5_000_000, unit="text_input"),
    price("1m_tokens", 8_000_000, unit="image_input"),
    price("1m_tokens", 30_000_000, unit="image_output"),
)


@pytest.mark.parametrize(
    ("can", "made", "expected"),
    [
        (able(), result(cost=1234), (1234, "reported")),
        (able(price("image", 5)), result(cost=0), (0, "reported")),
        (able(price("image", 40_000)), result(2), (80_000, "computed")),
        (able(price("megapixel", 3_000)), result(), (1_500, "computed")),
        (able(price("megapixel", 3)), result(), (2, "computed")),
        (able(price("second", 100, unit="gpu")), result(gpu=2.5), (250, "computed")),
        (able(*TOKENS), result(text_input=100, image_input=0, image_output=1000), (30_500, "computed")),
        (able(price("image", 10), price("megapixel", 4)), result(), (12, "computed")),
        (able(price("image", 10, model="one"), price("image", 70, model="two")), result(model="two"), (70, "computed")),
        (able(price("megapixel", 8, unit="input_pixels")), result(input_pixels=2), (16, "computed")),
    ],
)
def test_a_result_costs_the_sum_of_its_models_prices(
    can: ImageCapabilities, made: ImageResult, expected: tuple[int, str]
) -> None:
    assert cost_of(can, made) == expected


@pytest.mark.parametrize(
    ("can", "made"),
    [
        (able(), result()),
        (able(*TOKENS), result(text_input=100, image_output=1000)),
        (able(price("second", 100)), result(gpu=2)),
        (able(price("image", 10, model="two")), result()),
        (able(price("second", 1, unit="gpu")), result(gpu=float("nan"))),
        (able(price("second", 1, unit="gpu")), result(gpu=-1)),
        (able(), result(cost=-5)),
        (able(), result(cost=MOST_MICROS + 1)),
        (able(price("image", 10)), object()),
    ],
)
def test_what_cannot_be_known_is_unknown_and_never_zero(can: ImageCapabilities, made: Any) -> None:
    assert cost_of(can, made) == (None, "unknown")


def test_a_price_that_was_set_goes_before_all_others() -> None:
    can = able(price("image", 40), price("megapixel", 7))
    assert cost_of(can, result(2, cost=1234), {"one": 5}) == (10, "set")
    assert cost_of(can, result(cost=0), {"one": 5}) == (5, "set")
    assert cost_of(can, result(cost=1234), {"one": 0}) == (0, "set")
    assert cost_of(can, result(model="two", cost=1234), {"one": 5}) == (1234, "reported")
    assert cost_of(able(), result(model="two"), {"one": 5}) == (None, "unknown")
    size = Size(2000, 1000)
    assert estimate(can, size, count=3, references=2, prices={"one": 5}) == 15
    assert estimate(can, size, model="two", prices={"one": 5}) == estimate(can, size)
    assert estimate(able(), size, model="two", prices={"two": 5}) == 5


def test_the_only_model_of_a_service_may_be_named_more_exactly_by_it() -> None:
    one = ImageCapabilities(models=("one",))
    assert cost_of(one, result(model="one-2026-11-01"), {"one": 5}) == (5, "set")
    assert cost_of(able(), result(model="one-2026-11-01"), {"one": 5}) == (None, "unknown")


def test_what_a_picture_costs_says_nothing_of_a_text() -> None:
    written = TextResult(text="Four ideas", model="one", usage=Usage(cost_micros=3))
    assert cost_of(able(), written, {"one": 5}) == (3, "reported")


def test_an_estimate_is_for_the_model_the_size_and_the_count() -> None:
    can = able(price("megapixel", 1_000, model="one"), price("image", 7, model="two"))
    assert estimate(can, Size(2000, 1000)) == 2_000
    assert estimate(can, Size(2000, 1000), count=3) == 6_000
    assert estimate(can, Size(2000, 1000), model="two") == 7
    assert estimate(can, Size(2000, 1000), model="three") is None


def test_an_estimate_by_usage_counts_references_only_when_there_are_any() -> None:
    can = able(*TOKENS, typical={"text_input": 200, "image_input": 1000, "image_output": 5000})
    assert estimate(can, Size(1024, 1536)) == 151_000
    assert estimate(can, Size(1024, 1536), references=2) == 167_000


def test_without_typical_usage_nothing_is_estimated() -> None:
    assert estimate(able(*TOKENS), Size(1024, 1536)) is None
    assert estimate(able(), Size(1024, 1536)) is None


@given(micros=some.integers(0, 10**9), count=some.integers(1, 16), tokens=some.integers(0, 10**7))
def test_a_computed_cost_is_exact_to_the_micro_and_never_less(micros: int, count: int, tokens: int) -> None:
    assert cost_of(able(price("image", micros)), result(count)) == (micros * count, "computed")
    computed, _ = cost_of(able(price("1m_tokens", micros, unit="t")), result(t=tokens))
    exact, rest = divmod(micros * tokens, 1_000_000)
    assert computed is not None and 0 <= computed - exact <= (1 if rest else 0)
