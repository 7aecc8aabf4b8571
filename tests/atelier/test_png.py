"""The artist's PNG files."""

import io

import numpy as np
import pytest
from PIL import Image

from kernel.pictures.plain_png import DOTS_PER_METRE, plain_png
from plugins.atelier.color import Bytes
from plugins.atelier.png import BAND, png_files


def grain(height: int, width: int, seed: int = 0) -> Bytes:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)


def pixels(png: bytes) -> Bytes:
    with Image.open(io.BytesIO(png)) as picture:
        return np.asarray(picture)


@pytest.mark.parametrize("size", [(1, 1), (BAND - 1, 7), (BAND, 30), (BAND + 1, 30), (3 * BAND, 5), (200, 133)])
def test_the_pixels_are_kept(size: tuple[int, int]) -> None:
    picture = grain(*size)
    (png,) = png_files([picture], DOTS_PER_METRE)
    assert np.array_equal(pixels(png), picture[..., :3])


@pytest.mark.parametrize("row", [0, BAND - 1, BAND, 150])
def test_a_picture_is_the_same_file_beside_another(row: int) -> None:
    bare = grain(200, 40)
    lettered = bare.copy()
    lettered[row] = 0
    files = png_files([lettered, bare], DOTS_PER_METRE)
    assert files == [png_files([picture], DOTS_PER_METRE)[0] for picture in (lettered, bare)]
    assert [pixels(file).tolist() for file in files] == [picture[..., :3].tolist() for picture in (lettered, bare)]


def test_a_file_is_kept_as_it_is() -> None:
    (png,) = png_files([np.zeros((90, 60, 4), np.uint8)], DOTS_PER_METRE)
    assert plain_png(png) == png
