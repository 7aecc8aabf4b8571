"""Cosmos: a tilted band of warped nebula, stars, and a planet, ringed in the middle or as a vast horizon."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plugins.atelier.atmosphere import stars, vignette
from plugins.atelier.color import argb, mix, oklab, oklab_to_bytes
from plugins.atelier.drawing import (
    BLACK,
    SCREEN,
    area,
    bezier,
    box,
    disc,
    fill,
    linear,
    placed,
    polygon,
    radial,
    stops,
    stroke,
)
from plugins.atelier.family import Family
from plugins.atelier.motifs.vessels import rocket
from plugins.atelier.noise import Floats, Random, fbm, ridged, smoothstep, warp
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import dressed, inks_of
from plugins.atelier.treatments.kit import trace
from plugins.atelier.treatments.shades import named, stands
from plugins.atelier.treatments.staging import stage

OWN = frozenset({"rocket", "planet", "saturn", "spaceship"})
PLANET_CELLS = 520  # a planet's texture is this many cells across, whatever its size on the page


class Planet(NamedTuple):
    """Center and radius in pixels, the light's direction, and whether it fills the foot of the page."""

    x: float
    y: float
    r: float
    light: tuple[float, float, float]
    horizon: bool


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng = scene.palette, scene.fork("cosmos")
    scene.set_type(Zone(0.08, 0.07, 0.84, 0.26), Zone(0.12, 0.905, 0.76, 0.036), p.paper, p.paper)
    _nebula(scene, rng)
    stars(scene, 1700, 1.6, mix(p.paper, p.light, 0.25))
    _bright_stars(scene)
    planet = _choose_planet(scene, rng)
    ringed = not planet.horizon and rng.random() < 0.8
    scene.glow(planet.x, planet.y, planet.r * 1.35, mix(p.light, p.accent, 0.3), 0.5, fall=(1, 0.9, 0.12, 0))
    tilt = -19 if rng.random() < 0.6 else 24
    if ringed:
        _ring(scene, planet, tilt, front=False)
    _globe(scene, planet)
    if ringed:
        _ring(scene, planet, tilt, front=True)
    if named(scene, OWN):
        _named(scene, planet)
        vignette(scene, 0.5, BLACK)
        return
    _moon(scene, planet)
    if not planet.horizon or scene.has("ship", "rocket", "war", "quest", "robot", "person"):
        _rocket(scene, planet)
    vignette(scene, 0.5, BLACK)


def _lab(color: str) -> Floats:
    return np.array(oklab(color), np.float32)


def _nebula(scene: Scene, rng: Random) -> None:
    p, noise = scene.palette, scene.fork("nebula")
    rows, columns = scene.grid(3)
    wx, wy = fbm(noise, rows, columns, 2.5, 4), fbm(noise, rows, columns, 2.5, 4)
    gas = warp(fbm(noise, rows, columns, 2.2, 6, 0.55), wx, wy, columns * 0.55)
    threads = warp(ridged(noise, rows, columns, 2.6, 6, 0.55), wy, wx, columns * 0.38)
    lanes = warp(fbm(noise, rows, columns, 3.2, 5, 0.6), wx, wy, columns * 0.5)
    slope = rng.uniform(0.4, 0.9) * (1 if rng.random() < 0.5 else -1)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32) / np.float32(columns)
    off = (x - 0.5) * np.float32(math.sin(slope)) + (y - rows / columns * 0.46) * np.float32(math.cos(slope))
    band = np.exp(-((off / np.float32(0.34)) ** 2))
    dense = np.clip(gas * 1.25 - 0.22, 0, 1) * (0.18 + 0.95 * band)
    core = np.clip(dense * 1.25 - 0.42, 0, 1)

    sky = np.repeat(_lab(mix(p.dark, BLACK, 0.45)), rows * columns).reshape(3, rows, columns)  # by planes: quicker

    def lay(color: str, amount: Floats) -> None:
        share = np.clip(amount, 0, 1).astype(np.float32, copy=False)
        for plane, value in zip(sky, _lab(color), strict=True):
            plane += (value - plane) * share

    lay(p.deep, smoothstep(0.08, 0.6, dense))
    lay(p.mid, smoothstep(0.28, 0.85, dense) * np.float32(0.85))
    lay(p.accent, smoothstep(0.35, 0.95, threads * (0.3 + band)) * smoothstep(0.2, 0.6, dense) * np.float32(0.55))
    lay(mix(p.light, p.paper, 0.3), core**1.3 * np.float32(0.9))
    lay(mix(p.dark, BLACK, 0.5), smoothstep(0.55, 0.9, lanes) * np.float32(0.62) * (1 - core))
    scene.picture(oklab_to_bytes(np.moveaxis(sky, 0, -1)))


def _bright_stars(scene: Scene) -> None:
    """A few stars with diffraction spikes, where no letter stands."""
    p = scene.palette
    for x, y, q in scene.fork("bright stars").random((7, 3)).tolist():
        px, py, size = x * scene.width, y * scene.height * 0.8, (24 + 70 * q) * scene.unit
        if not scene.type_free(px, py, 0.02):
            continue
        scene.glow(px, py, size * 1.1, p.paper, 0.7)
        spike = stroke(p.paper, 1.6 * scene.unit, 0.55)
        scene.canvas.drawPath(bezier((px - size, py), (px, py, px + size, py), close=False), spike)
        scene.canvas.drawPath(bezier((px, py - size), (px, py, px, py + size), close=False), spike)


def _choose_planet(scene: Scene, rng: Random) -> Planet:
    width, height = scene.width, scene.height
    if scene.sfork("planet").random() < 0.55:
        r = width * rng.uniform(0.74, 0.92)
        x = width * rng.uniform(0.42, 0.58)
        y = height * rng.uniform(0.60, 0.66) + r
        return Planet(x, y, r, (0.62 if x < width * 0.5 else -0.62, -0.62, 0.45), True)
    x = width * float(rng.choice([0.5, 0.5, 0.60, 0.40]))
    return Planet(x, height * 0.53, width * rng.uniform(0.20, 0.27), (-0.66, -0.52, 0.45), False)


def _globe(scene: Scene, planet: Planet) -> None:
    """A Lambert sphere with cloud bands, mottling, a terminator and a lit rim of air."""
    p, n = scene.palette, PLANET_CELLS
    y, x = np.mgrid[-1 : 1 : n * 1j, -1 : 1 : n * 1j].astype(np.float32)
    radius2 = x * x + y * y
    lx, ly, lz = planet.light
    z = np.sqrt(np.clip(1 - radius2, 0, 1))
    lit = np.clip((x * lx + y * ly + z * lz) / np.float32(math.sqrt(lx * lx + ly * ly + lz * lz)), 0, 1)
    swirl = fbm(scene.fork("planet bands"), n, n, 3, 5, 0.55, (3.5, 1.0))
    mottle = fbm(scene.fork("planet mottle"), n, n, 6, 5, 0.6)
    bands = np.sin((y * 0.94 + x * 0.34) * 7 + swirl * 3.4) * 0.5 + 0.5
    dark, light = _lab(mix(p.deep, p.mid, 0.5)), _lab(p.light)
    face = dark + (light - dark) * (bands * 0.7 + mottle * 0.3)[..., None].astype(np.float32)
    face += (_lab(p.accent) - face) * (smoothstep(0.6, 0.95, swirl) * np.float32(0.5))[..., None]
    night = _lab(mix(p.dark, BLACK, 0.75))
    face = night + (face - night) * (lit ** np.float32(0.8))[..., None]
    rim = smoothstep(0.72, 0.995, np.sqrt(radius2)) * np.clip(lit * 1.6 + 0.05, 0, 1) * np.float32(0.75)
    face += (_lab(mix(p.paper, p.light, 0.4)) - face) * rim.astype(np.float32)[..., None]
    rect = area(planet.x - planet.r, planet.y - planet.r, 2 * planet.r, 2 * planet.r)
    scene.picture(oklab_to_bytes(face), rect, clip=disc(planet.x, planet.y, planet.r))


def _ring(scene: Scene, planet: Planet, tilt: float, front: bool) -> None:
    """Half of the ring: the part behind the planet or the part before it."""
    p, r, far = scene.palette, planet.r, scene.width
    scene.canvas.save()
    scene.canvas.translate(planet.x, planet.y)
    scene.canvas.rotate(tilt)
    scene.canvas.clipRect(box(-far, 0 if front else -far, far, far if front else 0))
    for k, alpha, wide in (
        (1.38, 0.55, 0.05),
        (1.50, 0.80, 0.07),
        (1.62, 0.35, 0.035),
        (1.74, 0.65, 0.08),
        (1.90, 0.25, 0.03),
    ):
        tones = [argb(p.paper, alpha), argb(p.light, alpha), argb(p.mid, alpha * 0.4)]
        shader = linear((-r * 2, 0), (r * 2, 0), tones)
        scene.canvas.drawOval(box(-r * k, -r * k * 0.26, r * k, r * k * 0.26), stroke(BLACK, r * wide, shader=shader))
    scene.canvas.restore()


def _moon(scene: Scene, planet: Planet) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    if planet.horizon:
        r = width * 0.045
        x, y = planet.x + width * (0.27 if planet.x < width * 0.5 else -0.27), height * 0.50
    else:
        r = planet.r * 0.13
        x, y = planet.x + planet.r * 1.55, planet.y - planet.r * 1.15
    if not scene.type_free(x, y, 0.05):
        y = height * 0.42
    tones = stops([mix(p.paper, p.light, 0.4), p.mid, mix(p.dark, BLACK, 0.6)])
    lit = (x + planet.light[0] * r * 0.5, y + planet.light[1] * r * 0.5)
    scene.canvas.drawCircle(x, y, r, fill(shader=radial(lit, r * 1.5, tones)))


def _named(scene: Scene, planet: Planet) -> None:
    """What the story names, floating before the planet."""
    p = scene.palette
    zone = Zone(0.18, 0.36, 0.64, 0.42 if not planet.horizon else 0.30)
    for spot in stage(scene, zone, scene.fork("floating")):
        ground = mix(p.dark, p.deep, 0.4)
        inks = inks_of(scene, spot.figure, ground, mix(p.paper, p.light, 0.3))
        solid = trace(scene, spot)
        scene.canvas.drawPath(solid, fill(BLACK, 0.5, blur=22 * scene.unit))
        for path, ink in dressed(spot.figure.outline, inks):
            where = spot.place(path)
            bounds = where.getBounds()
            lit = linear(
                (bounds.left(), bounds.top()),
                (bounds.right(), bounds.bottom()),
                stops([ink, ink, mix(ink, ground, 0.6)]),
            )
            scene.canvas.drawPath(where, fill(shader=lit))


def _rocket(scene: Scene, planet: Planet) -> None:
    p, width, height = scene.palette, scene.width, scene.height
    if planet.horizon:
        x, y = width * (0.60 if planet.x >= width * 0.5 else 0.42), height * 0.50
    else:
        x, y = width * 0.30, height * 0.735
    size = width * 0.05
    trail = size * 5
    scene.canvas.save()
    scene.canvas.translate(x, y)
    scene.canvas.rotate(52)
    hull = linear((-size * 0.2, 0), (size * 0.2, 0), stops([p.paper, p.light, p.deep]))
    scene.canvas.drawPath(placed(rocket(), size), fill(shader=hull))
    flame = [argb(p.paper, 0.95), argb(p.accent, 0.5), argb(p.accent, 0)]
    shape = polygon(
        [(-size * 0.06, -size * 0.2), (size * 0.06, -size * 0.2), (size * 0.015, trail), (-size * 0.015, trail)]
    )
    scene.canvas.drawPath(shape, fill(BLACK, shader=linear((0, -size * 0.2), (0, trail), flame), blend=SCREEN))
    scene.canvas.restore()


def _shows(figures: Sequence[Figure]) -> bool:
    return stands(figures, {"aircraft", "person", "animal", "electronics", "science", ""}, 6)


COSMOS = Family("cosmos", paint, mirror=True, shows=_shows)
