"""Covers with reference pictures."""

import io

import numpy as np
import pytest
from PIL import Image

from plugins.atelier.color import oklch
from plugins.atelier.compose import compose
from plugins.atelier.direction import direct
from plugins.atelier.reference import UnreadableReference, decode
from tests.atelier.specs import tale


def picture(color: str, size: tuple[int, int] = (400, 300), kind: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    image = Image.new("RGB", size, color)
    image.paste("#f2efe6", (0, 0, size[0], size[1] // 3))
    image.save(buffer, kind, **options)
    return buffer.getvalue()


@pytest.mark.parametrize("count", [1, 2, 4])
def test_one_to_four_pictures_lend_their_colors(count: int) -> None:
    palette = direct(tale(references=tuple(picture("#c8102e") for _ in range(count)))).palette
    hue = oklch(palette.accent)[2]
    assert min(abs(hue - oklch("#c8102e")[2]), 360 - abs(hue - oklch("#c8102e")[2])) < 25


def test_colors_of_a_theme_come_before_those_of_a_picture() -> None:
    colors = ("#101820", "#0057b8", "#ffd700", "#fafafa")
    assert direct(tale(references=(picture("#c8102e"),), colors=colors)).palette.accent in colors


def test_a_picture_is_shown_on_the_cover() -> None:
    assert direct(tale(references=(picture("#227755"),))).family in ("overlay", "refphoto")


def test_a_named_manner_takes_only_the_colors() -> None:
    assert direct(tale(references=(picture("#227755"),), style="paper cut")).family == "papercut"


def test_type_over_a_bright_picture_is_dark() -> None:
    cover = compose(tale(references=(picture("#fbf7ee", (900, 1350)),), style="photograph"))
    assert cover.direction.family == "overlay"
    assert all(oklch(measured.ink)[0] < 0.4 for measured in cover.type.measured.values())


def test_a_picture_is_turned_upright_and_its_transparency_is_white() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6  # orientation: rotate by 90 degrees
    assert decode(picture("#336699", (400, 300), "JPEG", exif=turned)).shape == (400, 300, 3)
    buffer = io.BytesIO()
    Image.new("RGBA", (8, 8), (10, 20, 30, 0)).save(buffer, "PNG")
    assert np.all(decode(buffer.getvalue()) == 255)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(UnreadableReference):
        decode(b"not a picture")
