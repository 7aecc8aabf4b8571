"""Refphoto: the user's picture as artwork: a duotone page, a halftone poster, or a view through an arch of leaves."""

import math

import numpy as np

from plugins.atelier.atmosphere import paper, shadow, speckle, vignette
from plugins.atelier.color import LUMA, Bytes, argb, from_oklch, mix, oklch, ramp_table, shift, to_linear
from plugins.atelier.drawing import BLACK, box, fill, linear, stroke
from plugins.atelier.families.archway import Arch
from plugins.atelier.family import Family
from plugins.atelier.motifs.flora import leafy_stem
from plugins.atelier.noise import Floats, enlarge
from plugins.atelier.scene import Scene, Zone

DOTS = 92  # halftone dots across the page
ANGLE = 28  # degrees the halftone screen is turned by


def paint(scene: Scene) -> None:
    """Paint the family on the page; needs `scene.reference`. `hints.mode`: 0 duotone, 1 halftone, 2 arch."""
    if scene.reference is None:
        raise ValueError("refphoto needs a reference picture")
    (_duotone, _halftone, _arch)[scene.hints.mode % 3](scene, scene.reference)


def crop(picture: Bytes, width: float, height: float, anchor: float = 0.4) -> Bytes:
    """The largest part of a picture with the proportions asked for; `anchor` 0..1 says how far down it lies."""
    rows, columns = picture.shape[:2]
    k = max(width / columns, height / rows)
    wide, high = max(1, int(width / k)), max(1, int(height / k))
    x, y = (columns - wide) // 2, int((rows - high) * anchor)
    return picture[y : y + high, x : x + wide]


def tones(picture: Bytes) -> Floats:
    """Lightness 0..1 of a picture, stretched to the full range and given a slight S-curve."""
    table = to_linear(np.arange(256) / 255).astype(np.float32)
    light = (table[picture[..., :3]] @ LUMA.astype(np.float32)) ** np.float32(1 / 2.2)
    low, high = np.percentile(light[::4, ::4], (2, 98))
    light = np.clip((light - low) / (high - low + 1e-4), 0, 1)
    out: Floats = (light * light * (3 - 2 * light) * 0.6 + light * 0.4).astype(np.float32)
    return out


def _duotone(scene: Scene, picture: Bytes) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    scene.set_type(Zone(0.08, 0.06, 0.84, 0.28), Zone(0.12, 0.92, 0.76, 0.034), p.paper)
    scene.hints.lock_ink = True
    table = ramp_table([mix(p.dark, BLACK, 0.2), p.deep, p.mid, p.light, p.paper], 256)
    scene.picture(table[(tones(crop(picture, width, height)) * 255).astype(np.uint8)])
    veil = [argb(p.dark, a) for a in (0.72, 0.15, 0, 0.1, 0.8)]
    scene.canvas.drawRect(scene.page(), fill(shader=linear((0, 0), (0, height), veil, [0, 0.28, 0.5, 0.75, 1])))
    vignette(scene, 0.4)


def _halftone(scene: Scene, picture: Bytes) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    ink = mix(p.dark, BLACK, 0.1)
    scene.set_type(Zone(0.07, 0.05, 0.86, 0.24), Zone(0.1, 0.93, 0.8, 0.034), ink, p.paper)
    hints = scene.hints
    hints.shadow, hints.max_title = False, 0.15
    scene.flood(p.accent if oklch(p.accent)[0] > 0.55 else p.light)
    pitch, top = width / DOTS, height * 0.30
    # One tone per cell of the screen: the average over a dot, not the pixel under its middle.
    rows = math.ceil(height * 0.70 / pitch)
    dark = 1 - np.clip(enlarge(tones(crop(picture, width, height * 0.70)), rows, DOTS), 0, 1)
    reach = int(math.hypot(width, height) / pitch / 2) + 2
    i, j = (g.ravel() for g in np.mgrid[-reach:reach, -reach:reach])
    c, s = math.cos(math.radians(ANGLE)), math.sin(math.radians(ANGLE))
    x, y = width / 2 + (i * c - j * s) * pitch, top + height * 0.35 + (i * s + j * c) * pitch
    on_page = (x > -pitch) & (x < width + pitch) & (y > top - pitch) & (y < height + pitch)
    x, y = x[on_page], y[on_page]
    row = np.clip((y - top) / pitch, 0, rows - 1).astype(int)
    column = np.clip(x / pitch, 0, DOTS - 1).astype(int)
    amount = dark[row, column] * np.clip((y - top) / (height * 0.06), 0, 1)
    dot = fill(ink)
    for px, py, v in zip(x.tolist(), y.tolist(), amount.tolist(), strict=True):
        if v > 0.06:
            scene.canvas.drawCircle(px, py, pitch * 0.72 * math.sqrt(v), dot)
    paper(scene, 0.8)
    speckle(scene, 700, p.dark, 0.3)


def _arch(scene: Scene, picture: Bytes) -> None:
    p, u, width, height = scene.palette, scene.unit, scene.width, scene.height
    scene.set_type(Zone(0.1, 0.065, 0.8, 0.23), Zone(0.16, 0.935, 0.68, 0.026), mix(p.deep, p.dark, 0.6))
    scene.hints.shadow, scene.hints.max_title = False, 0.12
    scene.flood(mix(p.paper, p.light, 0.12))
    arch = Arch(width / 2, width * 0.70, height * 0.36, height * 0.90)
    outline = arch.outline()
    shadow(scene, outline, 0, 12 * u, 26 * u, p.dark, 0.4)
    rect = box(arch.x - arch.width / 2, arch.top, arch.x + arch.width / 2, arch.foot)
    scene.picture(crop(picture, arch.width, arch.foot - arch.top), rect, clip=outline)
    scene.canvas.drawPath(outline, stroke(p.deep, 8 * u))
    rng, green = scene.fork("arch leaves"), mix(from_oklch(0.45, 0.07, 145), p.deep, 0.4)
    for side in (-1, 1):
        for t in np.linspace(0, 1, 8).tolist():
            x, y = arch.x + side * (arch.width / 2 + 8 * u), arch.foot + height * (0.01 - t * 0.13)
            length, angle = width * rng.uniform(0.10, 0.17), side * rng.uniform(-30, 50)
            leafy_stem(scene, x, y, length, angle, shift(green, round(rng.uniform(-0.05, 0.06), 3)), rng, 5, 0, 1.1)
    paper(scene, 0.8)


REFPHOTO = Family("refphoto", paint, needs_reference=True)
