"""The artwork goes on over spine and back, as quiet as the type on it needs, measured; with the inks that suit it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter
from scipy.ndimage import gaussian_filter1d

from kernel.press.editions.order import PanelGround
from kernel.press.editions.sheet.scene import Pixels
from kernel.press.legibility import luminance, luminance_of, worst_contrast
from kernel.press.lettering.sight.inks import Inks, from_oklch, inks_of, oklch
from kernel.press.trade.geometry import DPI

Floats = npt.NDArray[np.float32]

# Tuned by eye on sheets; lengths are inches.
SOFT: Final = 0.1
SOFTER: Final = 0.42
SHRUNK: Final = 8  # a blur has no detail: it is made of an eighth of the pixels
SHARP_UNTIL: Final = 0.05  # from the fold: the printer's drift must not show a seam
SOFT_FROM: Final = 0.26
SOFTER_FROM: Final = 0.15
SOFTEST: Final = 0.95
JOINED_FROM: Final = 0.01  # from the fold: painted anew, a picture seldom begins just where the other ends
JOINED: Final = 0.09
VEIL_FROM: Final = 0.03
VEILED: Final = 0.2
STRIP: Final = 0.3
BLENDED: Final = 0.5
TILES: Final = 3  # one above the other
GRAIN: Final = 3  # of 255: dark gradients show bands in print without it
GRAIN_TILE: Final = 512

AIM: Final = 5.6  # contrast of small type; 4.5 is needed, and paper is darker than a screen
ACCENT_AIM: Final = 4.6
VEILS: Final = (0.0, 0.3, 0.45, 0.58, 0.7, 0.8, 0.88, 0.94, 1.0)
LEAST: Final = {"mirror": 0.45, "gradient": 0.0, "color": 0.0, "tile": 0.8, "painted": 0.3}
DARK_LOOK: Final = 0.3  # mean relative luminance below which light type suits a picture
MEASURED: Final = 6  # pixels that are measured as one
DEEP, PALE = 0.24, 0.93  # OKLCH lightness of an even ground


class Ink(NamedTuple):
    """What type on spine and back is printed in."""

    plain: str
    accent: str
    veil: str
    amount: float
    contrast: float


class Continued(NamedTuple):
    """What is beside the front: pixels (h, w, 3), and the inks that can be read on it."""

    pixels: Pixels
    ink: Ink


def continued(
    front: Pixels,
    width: int,
    spine: int,
    ground: PanelGround,
    boxes: Sequence[tuple[int, int, int, int]],
    *,
    accent: str = "",
    colors: Sequence[str] = (),
    painted: Pixels | None = None,
) -> Continued:
    """Return spine and back, `width` pixels wide, beside a front that is to the right of them.

    `front` begins at the fold. `spine` is the spine's width in pixels, `boxes` (left, top, right, bottom) are where
    type is to stand, in the pixels that are returned. `accent` is the ink of the front's title, taken where it can be
    read. `painted` is what an image service painted there, as high, with the fold on its right.
    """
    bare = _bare(front, width, spine, ground) if painted is None else _joined(front, width, painted)
    suited = inks_of(_shares(front[::4, ::4]), colors)
    seen = [np.asarray(bare)[top:bottom:MEASURED, left:right:MEASURED] for left, top, right, bottom in boxes]
    part = np.concatenate([one.reshape(-1, 3) for one in seen if one.size] or [np.zeros((0, 3), np.uint8)])
    pixels = _shares(part)
    light = float(luminance_of(pixels).mean()) < DARK_LOOK if len(pixels) else True
    ladder = [_inked(pixels, light, ground, suited.dark_ground if light else suited.light_ground, suited, accent)]
    ladder.append(
        _inked(pixels, not light, ground, suited.light_ground if light else suited.dark_ground, suited, accent)
    )
    ink = ladder[0] if ladder[0].contrast >= AIM or ladder[0].contrast >= ladder[1].contrast else ladder[1]
    done = _veiled(bare, spine, ink)
    return Continued(np.asarray(done) if ground.treatment == "color" else _grained(done), ink)


def _bare(front: Pixels, width: int, spine: int, ground: PanelGround) -> Image.Image:
    height = front.shape[0]
    match ground.treatment:
        case "mirror" | "painted":  # what was to be painted may not be there
            return _mirrored(front, width, spine)
        case "gradient":
            strip = front[:, : round(STRIP * DPI)].astype(np.float32).mean(axis=1)
            rows = gaussian_filter1d(strip, BLENDED * DPI, axis=0, mode="nearest")
            return Image.fromarray(np.repeat(rows.astype(np.uint8)[:, None], width, axis=1))
        case "color":
            return Image.new("RGB", (width, height), ground.color or _even(front))
        case "tile":
            return _tiled(front, width)


def _joined(front: Pixels, width: int, painted: Pixels) -> Image.Image:
    """Return what was painted, mirrored at its far edge where it ends too early, and joined to the front."""
    height = front.shape[0]
    lacking = max(0, width - painted.shape[1])
    whole = np.pad(painted, ((0, 0), (lacking, 0), (0, 0)), "symmetric")[:, -width:]
    strip = min(width, front.shape[1], round(2 * JOINED * DPI))
    folded = np.array(whole)
    folded[:, width - strip :] = front[:, :strip][:, ::-1]
    return Image.composite(
        Image.fromarray(np.ascontiguousarray(whole)),
        Image.fromarray(folded),
        _ramp(width, height, JOINED_FROM, JOINED),
    )


def _mirrored(front: Pixels, width: int, spine: int) -> Image.Image:
    """Return the front mirrored at the fold, softer with the distance from it."""
    height, own = front.shape[:2]
    folded = front[:, ::-1] if width <= own else np.pad(front, ((0, 0), (0, width - own), (0, 0)), "symmetric")[:, ::-1]
    sharp = Image.fromarray(np.ascontiguousarray(folded[:, folded.shape[1] - width :]))
    small = sharp.reduce(SHRUNK)
    soft = small.filter(ImageFilter.GaussianBlur(SOFT * DPI / SHRUNK))
    softer = soft.filter(ImageFilter.GaussianBlur(SOFTER * DPI / SHRUNK))
    size, cubic = (width, height), Image.Resampling.BICUBIC
    thick = spine / DPI
    first = _ramp(width, height, SHARP_UNTIL, max(SHARP_UNTIL * 2, min(SOFT_FROM, thick / 2)))
    second = _ramp(width, height, min(SOFTER_FROM, thick / 2), SOFTEST)
    mixed = Image.composite(soft.resize(size, cubic), sharp, first)
    return Image.composite(softer.resize(size, cubic), mixed, second)


def _tiled(front: Pixels, width: int) -> Image.Image:
    height, own = front.shape[:2]
    high = -(-height // TILES)
    tile = np.asarray(Image.fromarray(front).resize((round(own * high / height), high), Image.Resampling.LANCZOS))
    wide = np.concatenate((tile, tile[:, ::-1]), axis=1)
    rows = np.concatenate([wide if row % 2 == 0 else wide[::-1] for row in range(TILES)])[:height]
    times = -(-width // rows.shape[1])
    return Image.fromarray(np.ascontiguousarray(np.tile(rows, (1, times, 1))[:, :width]))


def _even(front: Pixels) -> str:
    """Return the color that the artwork has along the fold, deep or pale enough for type."""
    mean = front[::4, : round(STRIP * DPI) : 4].reshape(-1, 3).mean(axis=0)
    lightness, chroma, hue = oklch("#" + "".join(f"{round(float(value)):02x}" for value in mean))
    return from_oklch(DEEP if lightness < 0.62 else PALE, min(chroma, 0.09 if lightness < 0.62 else 0.05), hue)


def _inked(pixels: Floats, light: bool, ground: PanelGround, veil: str, suited: Inks, accent: str) -> Ink:
    """Return the plain ink of this polarity with the weakest veil under which it can be read, and an accent."""
    plain = suited.light if light else suited.dark
    over = np.array([int(veil[i : i + 2], 16) / 255 for i in (1, 3, 5)], np.float32)
    under, amount, found = pixels, 0.0, 0.0
    even = ground.treatment == "color"
    for amount in VEILS:
        if amount < LEAST[ground.treatment]:
            continue
        under = pixels + (over - pixels) * amount
        found = worst_contrast(under, plain)
        if found >= AIM or even:
            break
    if found < AIM:
        plain = "#ffffff" if light else "#000000"
        found = worst_contrast(under, plain)
    wished = [accent] if accent else []
    accents = suited.light_accents if light else suited.dark_accents
    fit = [
        color
        for color in (*wished, *accents)
        if worst_contrast(under, color) >= ACCENT_AIM and (luminance(color) > luminance(veil)) == light
    ]
    return Ink(plain, fit[0] if fit else plain, veil, amount, found)


def _veiled(bare: Image.Image, spine: int, ink: Ink) -> Image.Image:
    """Lay the veil over it, beginning softly at the fold."""
    if not ink.amount:
        return bare
    width, height = bare.size
    thick = spine / DPI
    mask = _ramp(width, height, min(VEIL_FROM, thick / 8), min(VEILED, thick / 3))
    mask = mask.point([round(value * ink.amount) for value in range(256)])
    return Image.composite(Image.new("RGB", bare.size, ink.veil), bare, mask)


def _ramp(width: int, height: int, begin: float, end: float) -> Image.Image:
    """Return a mask that is 0 until `begin` inches from the fold, which is on the right, and 255 from `end` on."""
    away = (width - 0.5 - np.arange(width)) / DPI
    at = np.clip((away - begin) / max(1e-6, end - begin), 0, 1)
    row = np.round(at * at * (3 - 2 * at) * 255).astype(np.uint8)
    return Image.fromarray(np.ascontiguousarray(np.broadcast_to(row, (height, width))))


def _shares(pixels: Pixels) -> Floats:
    found: Floats = pixels.astype(np.float32) / np.float32(255)
    return found


def _grained(image: Image.Image) -> Pixels:
    """Return the pixels with a grain that nobody sees, the same every time."""
    pixels = np.asarray(image)
    height, width = pixels.shape[:2]
    grain = np.random.default_rng(7).integers(0, GRAIN + 1, (GRAIN_TILE, GRAIN_TILE, 1), dtype=np.uint8)
    full = np.tile(grain, (-(-height // GRAIN_TILE), -(-width // GRAIN_TILE), 1))[:height, :width]
    room = np.clip(pixels, GRAIN // 2, 255 - GRAIN // 2 - 1) - np.uint8(GRAIN // 2)
    noisy: Pixels = room + full
    return noisy
