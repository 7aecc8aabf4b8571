"""The colors of any picture: distinct, readable, and its own."""

import asyncio
import io

from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from kernel.core.config import load_config
from kernel.pictures.colors import main_colors

RGB = st.tuples(*(st.integers(0, 255) for _ in range(3)))
READABLE = 4.5
CONFIG = load_config().pictures


def striped(colors: list[tuple[int, int, int]]) -> bytes:
    """Return a picture of stripes as a WebP without loss."""
    image = Image.new("RGB", (24 * len(colors), 40))
    for place, color in enumerate(colors):
        image.paste(color, (24 * place, 0, 24 * place + 24, 40))
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", lossless=True)
    return buffer.getvalue()


def colors_of(*stripes: tuple[int, int, int]) -> list[str]:
    return asyncio.run(main_colors(striped(list(stripes)), CONFIG))


def luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@settings(max_examples=60, deadline=None)
@given(st.lists(RGB, min_size=1, max_size=9))
@example([(0, 60, 77), (0, 185, 0), (39, 61, 0)])  # two that are equally dark to the eye, not in contrast
def test_there_are_always_four_and_one_can_be_read_on_another(stripes: list[tuple[int, int, int]]) -> None:
    colors = colors_of(*stripes)
    assert len(set(colors)) == 4
    lights = [luminance(color) for color in colors]
    assert (max(lights) + 0.05) / (min(lights) + 0.05) >= READABLE - 0.02
    assert lights[-1] == min(lights)


@settings(max_examples=60, deadline=None)
@given(RGB)
def test_the_one_color_of_a_picture_stays_as_it_is(only: tuple[int, int, int]) -> None:
    assert "#{:02X}{:02X}{:02X}".format(*only) in colors_of(only)


def test_a_picture_of_four_far_colors_has_these() -> None:
    stripes = [(17, 24, 39), (245, 158, 11), (16, 185, 129), (238, 240, 248)]
    assert set(colors_of(*stripes)) == {"#111827", "#F59E0B", "#10B981", "#EEF0F8"}


def test_a_small_vivid_part_is_remembered() -> None:
    grey = [(40 + step, 40 + step, 44 + step) for step in range(12)]
    assert any(int(color[1:3], 16) > 180 and int(color[3:5], 16) < 60 for color in colors_of(*grey, (215, 38, 30)))


def test_shades_of_one_color_count_as_one() -> None:
    colors = colors_of((200, 40, 40), (204, 44, 42), (198, 38, 41), (20, 60, 160))
    reds = [color for color in colors if int(color[1:3], 16) > 150 and int(color[3:5], 16) < 80]
    assert len(reds) == 1
