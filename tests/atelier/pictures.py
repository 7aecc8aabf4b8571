"""Helpers for tests of pictures: paint a family small, shrink, and measure the distance of two pictures."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from plugins.atelier.color import Bytes, oklch, rgb_to_oklab
from plugins.atelier.drawing import skia
from plugins.atelier.families import FAMILIES
from plugins.atelier.palettes import PALETTES
from plugins.atelier.scene import Scene
from plugins.atelier.treatments.inks import COLORS

SMALL = (200, 300)
STORY: dict[str, Any] = {"title": "The Quiet Road", "author": "Ada Moss", "genre": "literary"}


def photograph() -> Bytes:
    """A reference picture: sky over land with a bright spot, upright."""
    y, x = np.mgrid[0:360, 0:240]
    picture = np.zeros((360, 240, 3), np.uint8)
    picture[..., 0] = 90 + 120 * (y / 360)
    picture[..., 1] = 110 + 60 * np.sin(x / 30)
    picture[..., 2] = 190 - 120 * (y / 360)
    picture[(x - 150) ** 2 + (y - 230) ** 2 < 1600] = (220, 50, 40)
    return picture


def scene_of(family: str, seed: int = 1, size: tuple[int, int] = SMALL, **given: Any) -> Scene:
    """A scene ready for the family, with a reference if the family needs one."""
    story = {**STORY, "palette": PALETTES["tide"], **given}
    if FAMILIES[family].needs_reference:
        story.setdefault("reference", photograph())
    return Scene(*size, seed=seed, **story)


def painted(family: str, seed: int = 1, size: tuple[int, int] = SMALL, **given: Any) -> Scene:
    """The scene after the family has painted it."""
    scene = scene_of(family, seed, size, **given)
    FAMILIES[family].paint(scene)
    return scene


def pixels(scene: Scene) -> Bytes:
    """The painted scene as RGB."""
    rgba: Bytes = scene.surface.toarray(colorType=skia.kRGBA_8888_ColorType)
    return np.ascontiguousarray(rgba[..., :3])


@lru_cache(256)
def picture_of(family: str, seed: int = 1) -> Bytes:
    """The small picture of a family and seed; painted once, used by several tests."""
    return pixels(painted(family, seed))


def shrunk(picture: Bytes, size: tuple[int, int]) -> npt.NDArray[np.floating]:
    """The picture averaged down to width and height."""
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BOX), float)


def apart(a: Bytes, b: Bytes) -> float:
    """The distance of two pictures: mean OKLab distance of 40 by 60 thumbnails. Grain alone gives under 0.003."""
    thumbs = [rgb_to_oklab(shrunk(p, (40, 60)) / 255) for p in (a, b)]
    return float(np.sqrt(((thumbs[0] - thumbs[1]) ** 2).sum(-1)).mean())


def hued(lab: Any, color: str) -> Any:
    """Which of these OKLab colors have the hue of a color word, and color enough to show it."""
    hue = np.degrees(np.arctan2(lab[:, 2], lab[:, 1])) % 360
    apart = np.abs((hue - oklch(COLORS[color])[2] + 180) % 360 - 180)
    return (np.hypot(lab[:, 1], lab[:, 2]) > 0.05) & (apart < 32)
