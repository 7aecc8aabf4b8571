"""Palettes: six roles in order, whatever they are made from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugins.atelier.color import contrast, oklch, rgb
from plugins.atelier.palettes import (
    PALETTE_TAGS,
    PALETTES,
    Palette,
    kmeans_oklab,
    palette_from_image,
    palette_from_theme,
)

hexes = st.integers(0, 0xFFFFFF).map(lambda n: f"#{n:06x}")


def ladder(palette: Palette) -> list[float]:
    return [oklch(c)[0] for c in palette.roles()[:5]]


@pytest.mark.parametrize("name", sorted(PALETTES))
def test_a_curated_palette_climbs_from_dark_to_paper(name: str) -> None:
    palette = PALETTES[name]
    assert ladder(palette) == sorted(ladder(palette))
    assert contrast(palette.dark, palette.paper) > 7
    assert PALETTE_TAGS[name]
    for color in (*palette.roles(), palette.companion):
        rgb(color)


@settings(deadline=None)
@given(st.lists(hexes, min_size=1, max_size=8))
def test_any_theme_gives_a_palette_type_can_be_read_on(colors: list[str]) -> None:
    palette = palette_from_theme(colors)
    assert palette.accent in colors
    assert contrast(palette.dark, palette.paper) > 7
    assert oklch(palette.deep)[0] < oklch(palette.light)[0]


def test_theme_colors_keep_their_exact_values_where_a_role_fits() -> None:
    palette = palette_from_theme(["#0b1026", "#F7E3C4", "#d7263d"])
    assert (palette.dark, palette.paper, palette.accent) == ("#0b1026", "#f7e3c4", "#d7263d")


def test_the_order_of_theme_colors_does_not_matter() -> None:
    colors = ["#0b1026", "#f7e3c4", "#d7263d", "#2f7f95"]
    assert palette_from_theme(colors).roles() == palette_from_theme(colors[::-1]).roles()


def test_no_theme_colors_still_give_a_palette() -> None:
    assert palette_from_theme([]) == PALETTES["nightfall"]


def test_a_small_vivid_part_of_a_grey_picture_becomes_the_accent() -> None:
    picture = np.full((100, 100, 3), 128, np.uint8)
    picture[:40] = 70
    picture[80:] = 190
    picture[45:50, 40:70] = (214, 40, 40)  # 1.5 % of the area
    _, chroma, hue = oklch(palette_from_image(picture).accent)
    assert chroma > 0.15
    assert 15 < hue < 45


def test_the_colors_of_a_picture_are_found_with_their_shares() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[:70] = (20, 60, 160)
    picture[70:] = (240, 200, 60)
    found = kmeans_oklab(picture, 2)
    assert [round(share, 1) for _, share in found] == [0.7, 0.3]
    assert found[0][0] == "#143ca0"


def test_a_picture_always_gives_the_same_palette() -> None:
    picture = np.random.default_rng(1).integers(0, 255, (60, 40, 3), np.uint8)
    assert palette_from_image(picture) == palette_from_image(picture.copy())


def test_a_picture_of_one_color_gives_a_palette() -> None:
    palette = palette_from_image(np.full((20, 20, 3), 200, np.uint8))
    assert contrast(palette.dark, palette.paper) > 7
