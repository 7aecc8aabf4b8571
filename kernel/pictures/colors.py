"""The few colors that a picture is made of."""

import asyncio
import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from PIL import Image

from kernel.core.config import PicturesConfig
from kernel.pictures.ingest import read_pixels

SAMPLE_SIDE: Final = 96
"""Pixels of the longer side at which colors are counted; more of them say the same."""
CANDIDATES: Final = 24
DISTINCT: Final = 0.11
"""Distance in OKLab from which two adjacent colors are easy to distinguish."""
VIVID_BONUS: Final = 4.0
"""So much more a pixel of full chroma counts than a grey one: a small red roof is what one remembers."""
READABLE: Final = 4.5
"""Contrast ratio of text to its ground (WCAG 2.2, 1.4.3)."""
STEP: Final = 0.04


class Lab(NamedTuple):
    """A color in OKLab: lightness 0..1 and the two opponent axes (Ottosson, 2020)."""

    lightness: float
    a: float
    b: float

    @property
    def chroma(self) -> float:
        """Distance from grey, 0 to about 0.37."""
        return math.hypot(self.a, self.b)


BLACK: Final = Lab(0.0, 0.0, 0.0)
WHITE: Final = Lab(1.0, 0.0, 0.0)


async def main_colors(data: bytes, config: PicturesConfig, *, count: int = 4) -> list[str]:
    """Return the colors of an encoded picture as `#RRGGBB`: distinct, the most present first, the darkest last.

    Between the darkest and the lightest there is contrast enough for text. A picture of fewer colors is helped out by
    lighter and darker ones of the same hue. Raises PictureRefused, WrongType and TooLarge.
    """
    image = await read_pixels(data, config)
    return await asyncio.to_thread(_main_colors, image, count)


def _main_colors(image: Image.Image, count: int) -> list[str]:
    image.thumbnail((SAMPLE_SIDE, SAMPLE_SIDE), Image.Resampling.BOX)
    weighed = sorted(_clusters(image), key=lambda pair: -pair[1])
    chosen: list[Lab] = []
    for color, _ in weighed:
        if len(chosen) < count and _apart(color, chosen):
            chosen.append(color)
    chosen = _legible(chosen)
    while len(chosen) < count:
        chosen.append(_farthest(chosen))
    darkest = min(chosen, key=_luminance)
    return [_hex(color) for color in chosen if color is not darkest] + [_hex(darkest)]


def _clusters(image: Image.Image) -> Iterable[tuple[Lab, float]]:
    """Yield main colors with their weight: how many pixels they have, vivid ones counting for more."""
    counted = image.quantize(CANDIDATES, method=Image.Quantize.MEDIANCUT, kmeans=3, dither=Image.Dither.NONE)
    palette = counted.getpalette() or []
    for pixels, index in counted.getcolors() or []:
        assert isinstance(index, int)
        red, green, blue = palette[3 * index : 3 * index + 3]
        color = _lab(red, green, blue)
        yield color, pixels * (1 + VIVID_BONUS * min(1.0, color.chroma / 0.2))


def _apart(color: Lab, others: Sequence[Lab]) -> bool:
    return all(math.dist(color, other) >= DISTINCT for other in others)


def _legible(chosen: list[Lab]) -> list[Lab]:
    """Darken the darkest and then lighten the lightest until text in one can be read on the other."""
    if len(chosen) == 1:  # it stays as it is: where no shade of it has contrast enough, black or white has
        only = chosen[0]
        shades = [shade for shade in _steps(only) if _contrast(only, shade) >= READABLE]
        chosen = [only, max(shades or [BLACK, WHITE], key=lambda other: _contrast(only, other))]
    ordered = sorted(chosen, key=_luminance)
    dark, light = ordered[0], ordered[-1]
    darker, lighter = dark, light
    while _contrast(darker, lighter) < READABLE and darker.lightness > STEP:
        darker = _lit(darker, darker.lightness - STEP)
    while _contrast(darker, lighter) < READABLE and lighter.lightness < 1 - STEP:
        lighter = _lit(lighter, lighter.lightness + STEP)
    return [darker if color is dark else lighter if color is light else color for color in chosen]


def _farthest(chosen: Sequence[Lab]) -> Lab:
    """Return one more color in the hue of the first, at the lightness that is farthest from all the others."""
    return max(_steps(chosen[0]), key=lambda color: min(math.dist(color, other) for other in chosen))


def _steps(color: Lab) -> list[Lab]:
    """Return the color from dark to light."""
    return [_lit(color, 0.1 + 0.05 * step) for step in range(18)]


def _lit(color: Lab, lightness: float) -> Lab:
    """Return the color at another lightness; towards black and white it loses chroma, as no screen shows it there."""
    room = min(1.0, 2.2 * min(lightness, 1 - lightness) + 0.15)
    return Lab(lightness, color.a * room, color.b * room)


def _linear(value: int) -> float:
    part = value / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _lab(red: int, green: int, blue: int) -> Lab:
    r, g, b = _linear(red), _linear(green), _linear(blue)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return Lab(
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _rgb(color: Lab) -> tuple[int, int, int]:
    """Return the nearest color of a screen."""
    lightness, a, b = color
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _encoded(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
        _encoded(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
        _encoded(-0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short),
    )


def _encoded(light: float) -> int:
    light = min(1.0, max(0.0, light))
    part = light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return round(part * 255)


def _luminance(color: Lab) -> float:
    red, green, blue = (_linear(value) for value in _rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: Lab, other: Lab) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _hex(color: Lab) -> str:
    return "#{:02X}{:02X}{:02X}".format(*_rgb(color))
