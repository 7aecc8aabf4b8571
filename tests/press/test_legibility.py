"""Whether type is legible on its background."""

import numpy as np
import pytest
import skia
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.press.legibility import VEILS, channels
from kernel.press.typesetting import TextBlock, TypeStyle, contrast, ground_of, layout, settle, worst_contrast

WIDTH, HEIGHT = 300, 450
DARK, LIGHT = "#05060a", "#fdfdfb"


def page(*bands: str) -> "skia.Image":
    surface = skia.Surface(WIDTH, HEIGHT)
    for index, color in enumerate(bands):
        paint = skia.Paint(Color=int("ff" + color[1:], 16))
        high = HEIGHT / len(bands)
        surface.getCanvas().drawRect(skia.Rect.MakeXYWH(0, index * high, WIDTH, high), paint)
    return surface.makeImageSnapshot()


@pytest.fixture
def title() -> TextBlock:
    return layout("The Last Keeper", (20, 40, 260, 360), TypeStyle(font="playfair", leading=1.0), "middle")


def test_contrast_is_the_one_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_the_wished_ink_is_taken_when_it_can_be_read(title: TextBlock) -> None:
    verdict = settle(ground_of(page("#101820"), WIDTH), title, ("#f2c14e", LIGHT), 4.5, DARK, LIGHT)
    assert verdict.ink == "#f2c14e" and verdict.veil is None


def test_another_ink_is_taken_before_a_veil_is_laid(title: TextBlock) -> None:
    verdict = settle(ground_of(page("#f4f1e8"), WIDTH), title, (LIGHT, DARK), 4.5, DARK, LIGHT)
    assert verdict.ink == DARK and verdict.veil is None


def test_one_bad_spot_counts_not_the_mean(title: TextBlock) -> None:
    verdict = settle(ground_of(page("#000000", "#ffffff"), WIDTH), title, (LIGHT,), 3.6, DARK, LIGHT)
    assert verdict.veil is not None


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 0xFFFFFF), min_size=1, max_size=12), st.sampled_from([3.6, 4.5]))
def test_the_least_veil_that_suffices_is_laid(colors: list[int], target: float) -> None:
    block = layout("Midnight Sea", (20, 20, 260, 400), TypeStyle(font="inter-b", voice="sans"), "middle")
    ground = ground_of(page(*(f"#{color:06x}" for color in colors)), WIDTH)
    verdict = settle(ground, block, (LIGHT, DARK), target, DARK, LIGHT)
    if verdict.veil is None:
        assert verdict.contrast >= target
        return
    ring = ground.ring(block)
    amount, over = verdict.veil[ring][:, None], channels(verdict.veil_color)

    def measured(alpha: float) -> float:
        under = ground.pixels[ring]
        return worst_contrast(under + (over - under) * amount * alpha, verdict.ink)

    assert measured(verdict.veil_alpha) >= target
    assert all(measured(alpha) < target for alpha in VEILS if alpha < verdict.veil_alpha)


def test_the_ring_lies_on_and_close_around_the_letters(title: TextBlock) -> None:
    ring = ground_of(page("#336699"), WIDTH).ring(title)
    rows, columns = np.nonzero(ring)
    scale = 450 / WIDTH
    assert rows.min() >= (title.box.top) * scale - 6 and rows.max() <= title.box.bottom * scale + 6
    assert columns.min() >= title.box.left * scale - 6 and columns.max() <= title.box.right * scale + 6
    assert 0.02 < ring.mean() < 0.6
