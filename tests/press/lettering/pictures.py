"""Small pictures of many kinds, made from numbers: for tests of what is set on them."""

import io
from collections.abc import Sequence

import numpy as np
from PIL import Image

SMALL = (200, 300)


def encoded(pixels: np.ndarray) -> bytes:
    """Return RGB 0..255 (h, w, 3) as PNG."""
    buffer = io.BytesIO()
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def flat(color: str = "#808080", size: tuple[int, int] = SMALL) -> bytes:
    """Return an even picture."""
    rgb = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return encoded(np.broadcast_to(np.array(rgb, float), (size[1], size[0], 3)))


def bands(colors: Sequence[str], size: tuple[int, int] = SMALL) -> bytes:
    """Return even bands, the first on top."""
    pixels = np.zeros((size[1], size[0], 3))
    for index, color in enumerate(colors):
        top, bottom = (round(size[1] * part / len(colors)) for part in (index, index + 1))
        pixels[top:bottom] = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return encoded(pixels)


def busy_but(top: float, bottom: float, size: tuple[int, int] = SMALL) -> bytes:
    """Return noise with an even band between two heights 0..1."""
    rng = np.random.default_rng(7)
    pixels = rng.uniform(0, 255, (size[1] // 4, size[0] // 4, 3)).repeat(4, axis=0).repeat(4, axis=1)
    pixels[round(top * size[1]) : round(bottom * size[1])] = (30, 40, 60)
    return encoded(pixels)


def wreath(size: tuple[int, int] = SMALL) -> bytes:
    """Return noise around an even field, which begins and ends at a quarter of each side."""
    width, height = size
    rng = np.random.default_rng(7)
    pixels = rng.uniform(0, 255, (height // 4, width // 4, 3)).repeat(4, axis=0).repeat(4, axis=1)
    pixels[height // 4 : 3 * height // 4, width // 8 : 7 * width // 8] = (240, 235, 225)
    return encoded(pixels)


def hatched(discs: Sequence[tuple[float, float]], size: tuple[int, int] = SMALL) -> bytes:
    """Return a dark ground full of lines with pale discs, at these shares of width and height, that stand out of it."""
    width, height = size
    down, across = np.mgrid[:height, :width]
    lines = ((across + down) % 6 < 2)[..., None]
    pixels = np.where(lines, (124, 140, 126), (44, 60, 50)).astype(float)
    for x, y in discs:
        pixels[np.hypot(across - x * width, down - y * height) < 0.17 * width] = (205, 218, 190)
    return encoded(pixels)


def posts(places: Sequence[float], size: tuple[int, int] = SMALL) -> bytes:
    """Return a pale sky with dark posts from top to bottom, each as wide as a letter, at these shares of the width."""
    width, height = size
    pixels = np.full((height, width, 3), 225.0)
    for place in places:
        pixels[:, round((place - 0.03) * width) : round((place + 0.03) * width)] = (40, 30, 25)
    return encoded(pixels)


def portrait(size: tuple[int, int] = SMALL) -> bytes:
    """Return a head with a black hat and dark glasses over an even dark coat, before a blue ground with stripes."""
    width, height = size
    down, across = np.mgrid[:height, :width] / np.array([[[height]], [[width]]])
    pixels = np.where(((across * 20).astype(int) % 2 == 0)[..., None], (70, 90, 170), (60, 80, 160)).astype(float)
    pixels[(down > 0.7) & (np.abs(across - 0.5) < 0.45)] = (18, 20, 34)
    pixels[np.hypot((across - 0.5) / 0.22, (down - 0.45) / 0.2) < 1] = (222, 170, 140)
    for x in (0.41, 0.59):
        pixels[np.hypot((across - x) * width, (down - 0.42) * height) < 0.07 * width] = (60, 40, 35)
    pixels[(down > 0.16) & (down < 0.34) & (np.abs(across - 0.5) < 0.24)] = (15, 15, 20)
    return encoded(pixels)
