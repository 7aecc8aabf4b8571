"""Colors as inks: by LittleCMS with a profile of the operator's, else by a model of the printed page of our own.

The model: sixteen Neugebauer primaries of coated paper with Yule and Nielsen's n; black takes over what is grey, so
that no pixel has more ink than printers allow. Either way no more than MOST_INK is ever laid on a pixel.
"""

import itertools
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageCms, ImageFilter

from kernel.press.editions.sheet.scene import Pixels
from kernel.press.errors import PressError

Floats = npt.NDArray[np.float64]

MOST_INK: Final = 2.4
"""Of one full ink: IngramSpark's File Creation Guide, total ink at most 240 %."""
LEFT: Final = 0.06  # kept free of it, for rounding and for what screens add
NODES: Final = 33
N: Final = 2.0  # Yule-Nielsen; gives the dot gain of ISO 12647-2's coated papers, 16 to 18 % at half tone
STEPS: Final = 9
NEAR_STEPS: Final = 5  # from inks that are nearly right; more would change none by a sixth of 1/255
GREY_FROM: Final = 0.1  # share of grey from which black takes part
GREY_TO: Final = 0.62  # from here on black carries nearly all
CARRIED: Final = 0.97
COLORFUL: Final = 36.0  # CIELAB chroma of a color whose dark tones black would turn grey
LESS_BLACK: Final = 0.75
MORE_BLACK: Final = 14
BLACK_LIKE: Final = 0.05  # relative luminance of a color that is printed as plain black in small type
CHUNK: Final = 256  # rows

# ISO 12647-2:2004, paper types 1 and 2, on black backing: CIELAB (D50) of paper, solids and overprints
_SOLIDS: Final[dict[str, tuple[float, float, float]]] = {
    "": (93, 0, -3),
    "c": (54, -36, -49),
    "m": (46, 72, -5),
    "y": (87, -6, 90),
    "cm": (24, 16, -45),
    "cy": (49, -66, 24),
    "my": (46, 67, 47),
    "cmy": (22, 0, 0),
    "k": (16, 0, 0),
}
_D50: Final = np.array([0.9642, 1.0, 0.8249])
# sRGB to XYZ, adapted to D50 by Bradford's method (IEC 61966-2-1, ICC)
_TO_XYZ: Final = np.array(
    [[0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169], [0.0139322, 0.0971045, 0.7141733]]
)


_BEND: Final = (6 / 29) ** 3  # below it CIELAB is linear
_CHANGE: Final = np.array([[-1.0], [1.0]])  # of the parts of an ink with the ink


class Intent(NamedTuple):
    """The printing condition that a PDF/X names; `profile` is embedded where no registry knows it."""

    identifier: str
    info: str
    profile: bytes


FOGRA39: Final = Intent("FOGRA39", "Coated paper, ISO 12647-2:2004 (separated by Coverwright's own model)", b"")


class Separation:
    """One way from sRGB to CMYK."""

    def __init__(self, profile: str = "") -> None:
        """Take the ICC profile at a path, or the built-in model. Raises PressError when the profile cannot be used."""
        self._transform: ImageCms.ImageCmsTransform | None = None
        self._even: dict[str, tuple[float, float, float, float]] = {}
        self.intent = FOGRA39
        if not profile:
            return
        try:
            data = Path(profile).read_bytes()
            output = ImageCms.ImageCmsProfile(profile)
            self._transform = ImageCms.buildTransform(
                ImageCms.createProfile("sRGB"),
                output,
                "RGB",
                "CMYK",
                renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
                flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
            )
        except (OSError, ImageCms.PyCMSError) as error:
            raise PressError(f"The color profile {profile} cannot be used: {error}.") from error
        name = ImageCms.getProfileDescription(output).strip() or Path(profile).stem
        self.intent = Intent("Custom", name, data)

    def image(self, picture: Pixels) -> Pixels:
        """Return inks (h, w, 4), 255 for a solid, none of them over the limit."""
        image = Image.fromarray(picture)
        if self._transform is None:
            return np.asarray(image.filter(_table()))
        made = ImageCms.applyTransform(image, self._transform)
        inks = np.array(made)
        for start in range(0, len(inks), CHUNK):
            limited(inks[start : start + CHUNK])
        return inks

    def color(self, color: str, small: bool) -> tuple[float, float, float, float]:
        """Return an even color as inks 0..1; small dark type is plain black, so that no plate can blur it."""
        rgb = np.array([[[int(color[i : i + 2], 16) for i in (1, 3, 5)]]], np.uint8)
        if color.lower() == "#ffffff":
            return 0.0, 0.0, 0.0, 0.0
        if color == "#000000" or (small and _is_black(rgb)):
            return 0.0, 0.0, 0.0, 1.0
        if color not in self._even:  # a table of inks is handed over whole for each picture, even for one pixel
            cyan, magenta, yellow, black = (round(float(ink) / 255, 4) for ink in self.image(rgb)[0, 0])
            self._even[color] = cyan, magenta, yellow, black
        return self._even[color]


def limited(inks: Pixels) -> None:
    """Bring pixels over the limit below it, in place: half as much black comes as each color goes."""
    most = round((MOST_INK - LEFT) * 255)
    total = inks.sum(axis=2, dtype=np.int16)
    over = total > most
    if not over.any():
        return
    part = inks[over].astype(np.float32)
    excess = part.sum(axis=1) - most
    step = np.minimum(excess / 2.5, np.minimum(part[:, :3].min(axis=1), 255 - part[:, 3]))
    part[:, :3] -= step[:, None]
    part[:, 3] += step / 2
    colors = part[:, :3].sum(axis=1)
    room = np.maximum(most - part[:, 3], 0)
    part[:, :3] *= np.where(colors > room, room / np.maximum(colors, 1e-6), 1.0)[:, None]
    inks[over] = np.floor(part).astype(np.uint8)


def _is_black(rgb: Pixels) -> bool:
    linear = _linear(rgb.astype(np.float64) / 255)
    return float((linear @ _TO_XYZ.T)[0, 0, 1]) < BLACK_LIKE


@lru_cache(maxsize=1)
def _table() -> ImageFilter.Color3DLUT:
    """Return the model as a table of colors; between its nodes inks are mixed, so that none is over the limit."""
    steps = np.linspace(0, 1, NODES)
    blue, green, red = np.meshgrid(steps, steps, steps, indexing="ij")  # the table's first index is red
    inks = separated(np.stack([red, green, blue], axis=-1).reshape(-1, 3))
    return ImageFilter.Color3DLUT(NODES, inks.astype(np.float32).ravel().tolist(), channels=4, target_mode="CMYK")


def separated(rgb: Floats) -> Floats:
    """Return inks 0..1 (n, 4) for sRGB colors 0..1 (n, 3) by the model."""
    primaries = _primaries()
    darkest = _mixed(np.array([[0.45, 0.4, 0.4, 1.0]]), primaries)[0]
    xyz = _linear(rgb) @ _TO_XYZ.T / _D50
    wanted = _lab(xyz * (1 - darkest) + darkest)
    inks = _solved(wanted, np.zeros(len(rgb)), primaries, np.full((len(rgb), 3), 0.3), STEPS)
    grey = inks.min(axis=1)
    at = np.clip((grey - GREY_FROM) / (GREY_TO - GREY_FROM), 0, 1)
    colorful = np.clip(np.hypot(wanted[:, 1], wanted[:, 2]) / COLORFUL, 0, 1)
    black = at * at * (3 - 2 * at) * grey**0.9 * CARRIED * (1 - LESS_BLACK * colorful)
    colors = _solved(wanted, black, primaries, np.clip(inks - black[:, None], 0.02, 1), NEAR_STEPS)
    for _ in range(MORE_BLACK):  # where there is still too much ink, more black and less of the rest
        over = colors.sum(axis=1) + black > MOST_INK - LEFT
        if not over.any():
            break
        black[over] = np.minimum(1.0, black[over] + 0.05)
        start = np.clip(colors[over] - 0.05, 0.0, 1)
        colors[over] = _solved(wanted[over], black[over], primaries, start, NEAR_STEPS)
    room = np.maximum(0.0, MOST_INK - LEFT - black)
    total = colors.sum(axis=1)
    colors *= np.where(total > room, room / np.maximum(total, 1e-9), 1.0)[:, None]
    return np.concatenate([colors, black[:, None]], axis=1)


def _solved(wanted: Floats, black: Floats, primaries: Floats, start: Floats, steps: int) -> Floats:
    """Return cyan, magenta and yellow that come nearest to colors in CIELAB, with so much black: Gauss and Newton."""
    inks = np.concatenate([start, black[:, None]], axis=1)
    for _ in range(steps):
        here, slopes = _lab_and_slopes(inks, primaries)
        turned = np.swapaxes(slopes, 1, 2)
        damped = turned @ slopes + np.eye(3) * 2.0
        change = np.linalg.solve(damped, turned @ (wanted - here)[:, :, None])[:, :, 0]
        inks[:, :3] = np.clip(inks[:, :3] + np.clip(change, -0.35, 0.35), 0, 1)
    return inks[:, :3]


def _lab_and_slopes(inks: Floats, primaries: Floats) -> tuple[Floats, Floats]:
    """Return CIELAB (n, 3) of inks (n, 4), and how it changes with cyan, magenta and yellow (n, 3, 3)."""
    parts = _parts(inks)
    root = primaries.T @ _shares(parts)
    mixed = np.maximum(root**N, 1e-12)
    inner = N * root ** (N - 1) * np.where(mixed > _BEND, np.cbrt(mixed) / mixed / 3, 1 / (3 * (6 / 29) ** 2))
    slopes = np.empty((len(inks), 3, 3))
    for index in range(3):
        moved = [_CHANGE if channel == index else part for channel, part in enumerate(parts)]
        slopes[:, :, index] = _as_lab(inner * (primaries.T @ _shares(moved)))
    return _lab(mixed.T), slopes


@lru_cache(maxsize=1)
def _primaries() -> Floats:
    """Return the sixteen primaries relative to paper, to the power 1/n, in the order of `_shares`.

    Overprints with black are the product of both films: what little light they give back is in no standard.
    """
    paper = _xyz(_SOLIDS[""])
    black = _xyz(_SOLIDS["k"]) / paper
    found = []
    for used in itertools.product((False, True), repeat=4):
        name = "".join(ink for ink, on in zip("cmy", used[:3], strict=True) if on)
        color = _xyz(_SOLIDS[name]) / paper
        found.append(color * black if used[3] and name else black if used[3] else color)
    powers: Floats = np.array(found) ** (1 / N)
    return powers


def _mixed(inks: Floats, primaries: Floats) -> Floats:
    """Return XYZ relative to paper of inks (n, 4): Demichel's shares of the primaries."""
    mixed: Floats = (primaries.T @ _shares(_parts(inks))).T ** N
    return mixed


def _parts(inks: Floats) -> list[Floats]:
    """Return for each ink the shares without it and with it (2, n)."""
    return [np.stack([1 - ink, ink]) for ink in inks.T]


def _shares(parts: list[Floats]) -> Floats:
    """Return the products of all parts (16, n), in the order of `_primaries`."""
    shares = parts[0]
    for part in parts[1:]:
        product = shares[:, None] * part[None]
        shares = product.reshape(-1, product.shape[-1])
    return shares


def _xyz(lab: tuple[float, float, float]) -> Floats:
    y = (lab[0] + 16) / 116
    f = np.array([y + lab[1] / 500, y, y - lab[2] / 200])
    found: Floats = np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * _D50
    return found


def _lab(relative: Floats) -> Floats:
    """Return CIELAB of XYZ (n, 3) that is relative to white."""
    t = np.maximum(relative.T, 0)
    lab = _as_lab(np.where(t > _BEND, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29))
    lab[:, 0] -= 16
    return lab


def _as_lab(f: Floats) -> Floats:
    return np.stack([116 * f[1], 500 * (f[0] - f[1]), 200 * (f[1] - f[2])], axis=1)


def _linear(values: Floats) -> Floats:
    found: Floats = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return found
