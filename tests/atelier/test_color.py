"""Color maths: properties that hold for every color."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugins.atelier.color import (
    contrast,
    from_oklch,
    luminance,
    mix,
    oklab,
    oklab_to_bytes,
    oklab_to_rgb,
    oklch,
    ramp,
    ramp_table,
    relight,
    rgb,
    rgb_to_oklab,
    shift,
    to_hex,
    to_linear,
    to_srgb,
)

STEP = 1 / 255  # one step of an 8-bit channel
hexes = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")
shares = st.floats(0, 1)
DEEP = 0.15  # below this lightness one 8-bit step is more than 0.02 of it


def distance(a: str, b: str) -> float:
    """OKLab distance; 0.02 is about the least visible difference."""
    return math.dist(oklab(a), oklab(b))


@settings(deadline=None)
@given(hexes)
def test_a_color_survives_the_way_through_oklab(color: str) -> None:
    assert to_hex(oklab_to_rgb(rgb_to_oklab(rgb(color)))) == color


@settings(deadline=None)
@given(hexes)
def test_a_color_survives_the_way_through_oklch(color: str) -> None:
    assert max(abs(a - b) for a, b in zip(rgb(from_oklch(*oklch(color))), rgb(color), strict=True)) <= STEP


@settings(deadline=None)
@given(st.floats(DEEP, 1), st.floats(0, 0.5), st.floats(-720, 720))
def test_a_color_out_of_gamut_keeps_its_lightness_and_hue(lightness: float, chroma: float, hue: float) -> None:
    made = oklch(from_oklch(lightness, chroma, hue))
    assert made[0] == pytest.approx(lightness, abs=0.02)
    if made[1] > 0.05:  # the hue of a near grey means nothing
        assert abs((made[2] - hue + 180) % 360 - 180) < 6


@settings(deadline=None)
@given(hexes, hexes, shares)
def test_a_mix_lies_between_its_colors(a: str, b: str, t: float) -> None:
    low, high = sorted((oklab(a)[0], oklab(b)[0]))
    assert low - 0.01 <= oklab(mix(a, b, t))[0] <= high + 0.01


@settings(deadline=None)
@given(hexes, hexes)
def test_a_mix_starts_and_ends_at_its_colors(a: str, b: str) -> None:
    assert distance(mix(a, b, 0), a) < 0.01
    assert distance(mix(a, b, 1), b) < 0.01


@settings(deadline=None)
@given(hexes, hexes)
def test_contrast_does_not_depend_on_the_order_and_stays_in_its_range(a: str, b: str) -> None:
    assert contrast(a, b) == contrast(b, a)
    assert 1 <= contrast(a, b) <= 21


def test_contrast_of_black_and_white_is_twenty_one() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@settings(deadline=None)
@given(hexes, st.floats(DEEP, 0.95))
def test_relighting_sets_the_lightness(color: str, lightness: float) -> None:
    assert oklch(relight(color, lightness))[0] == pytest.approx(lightness, abs=0.02)


@settings(deadline=None)
@given(hexes)
def test_lightening_never_darkens(color: str) -> None:
    assert luminance(shift(color, 0.1)) >= luminance(color) - 1e-3


@settings(deadline=None)
@given(st.lists(hexes, min_size=2, max_size=6), st.integers(2, 24))
def test_a_ramp_begins_and_ends_at_its_outer_stops(stops: list[str], count: int) -> None:
    colors = ramp(stops, count)
    assert len(colors) == count
    assert distance(colors[0], stops[0]) < 0.01
    assert distance(colors[-1], stops[-1]) < 0.01


def test_a_ramp_of_one_stop_is_that_color() -> None:
    assert ramp(["#336699"], 3) == ["#336699"] * 3


@settings(deadline=None)
@given(st.lists(hexes, min_size=2, max_size=6))
def test_a_lookup_table_agrees_with_the_ramp(stops: list[str]) -> None:
    table = ramp_table(stops, 64)
    for i in (0, 63):
        assert np.abs(table[i].astype(int) - np.round(np.array(rgb(ramp(stops, 64)[i])) * 255)).max() <= 2


@settings(deadline=None)
@given(st.lists(hexes, min_size=1, max_size=12))
def test_the_quick_way_from_oklab_to_bytes_agrees_with_the_exact_one(colors: list[str]) -> None:
    lab = np.array([oklab(c) for c in colors], np.float32)[None]
    exact = np.array([rgb(c) for c in colors]) * 255
    assert np.abs(oklab_to_bytes(lab)[0].astype(float) - exact).max() <= 1.01


@settings(deadline=None)
@given(shares)
def test_linear_light_and_srgb_undo_each_other(value: float) -> None:
    assert float(to_srgb(to_linear(value))) == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("text", ["", "#12", "#1234567", "red!!!"])
def test_what_is_no_color_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        rgb(text)


def test_three_digits_are_read_like_six() -> None:
    assert rgb("#fa0") == rgb("#ffaa00")
