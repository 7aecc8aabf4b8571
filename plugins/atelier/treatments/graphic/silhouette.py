"""Silhouette: a dark figure before a great disc, under a fading sky."""

from typing import Final

import numpy as np

from plugins.atelier.atmosphere import clouds, mist, paper, stars, vignette
from plugins.atelier.color import mix, oklch
from plugins.atelier.drawing import BLACK, WHITE, fill, polygon, skia, vertical
from plugins.atelier.family import Family, sky_colors
from plugins.atelier.noise import fbm_line
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.kit import Layout, anything, choose, lay_out, weather
from plugins.atelier.treatments.places import place_of, strip
from plugins.atelier.treatments.shades import shade, shine
from plugins.atelier.treatments.staging import stage

OVER: Final = Layout(Zone(0.09, 0.06, 0.82, 0.23), Zone(0.12, 0.922, 0.76, 0.034), Zone(0.16, 0.345, 0.68, 0.46))
LOW_DISC: Final = Layout(Zone(0.09, 0.06, 0.82, 0.25), Zone(0.12, 0.925, 0.76, 0.034), Zone(0.14, 0.37, 0.72, 0.44))

HILLS: Final = 0.1  # of the page: so far hills rise above the land
LOWEST: Final = 0.9


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p, w, h = scene.palette, scene.width, scene.height
    way = choose(scene, ("disc", "low", "haze"))
    mood = "night" if scene.has("night", "midnight") else "day" if scene.has("day", "noon", "summer") else ""
    mood = mood or str(scene.sfork("mood").choice(["night", "dusk", "dusk", "day"]))
    sky = sky_colors(p, mood)
    head = sky[1]
    ink = p.paper if oklch(head)[0] < 0.68 else p.dark
    layout = lay_out(scene, (OVER,) if way == "disc" else (LOW_DISC,), ink, p.paper)
    scene.gradient(sky, 0, 0.86, 20)
    if mood == "night":
        stars(scene, 420, 0.6)
    spots = stage(scene, layout.picture, scene.fork("silhouette"), 0.94, standing=True)
    foot = max(spot.bottom for spot in spots)
    if all(spot.figure.celestial for spot in spots):  # no land hides what is in the sky
        foot = min(LOWEST * h, foot + HILLS * h)
    z = layout.picture
    x, y = (z.x + z.w / 2) * w, (z.y + z.h / 2) * h
    if not any(spot.figure.celestial for spot in spots):
        reach = {"disc": 0.40, "low": 0.34, "haze": 0.46}[way] * scene.span
        if way == "low":
            x, y = x + w * float(scene.sfork("sun").choice([-0.12, 0.0, 0.12])), foot - reach * 0.35
        _disc(scene, x, y, reach, mood, faint=way == "haze")
    clouds(scene, mix(sky[-1], p.paper, 0.4), 0.35, 0.30, 0.80, 1.8, (6.0, 1.0), 0.5, 0.95, name="streaks")
    weather(scene, p.paper, 0.5)
    dark = mix(p.dark, BLACK, 0.25)
    behind = [spot for spot in spots if spot.figure.celestial]
    for spot in behind:
        shine(scene, spot)
    _land(scene, foot, dark, way)
    for spot in spots:
        if spot not in behind:
            shade(scene, spot, dark, sky[-1])
    vignette(scene, 0.3)
    paper(scene, 0.5)


def _disc(scene: Scene, x: float, y: float, r: float, mood: str, faint: bool) -> None:
    p = scene.palette
    tone = mix(p.paper, p.light, 0.25) if mood == "night" else mix(p.accent, p.paper, 0.35)
    scene.glow(x, y, r * 2.2, tone, 0.45)
    if faint:
        for k in (1.0, 0.8, 0.6):
            scene.canvas.drawCircle(x, y, r * k, fill(tone, 0.42))
        return
    scene.canvas.drawCircle(x, y, r, vertical(y - r, y + r, [mix(tone, WHITE, 0.35), tone, mix(tone, p.accent, 0.6)]))


def _land(scene: Scene, foot: float, dark: str, way: str) -> None:
    """A rise of land with grass on it, far hills in the haze behind."""
    p, w, h, u = scene.palette, scene.width, scene.height, scene.unit
    rng, place = scene.fork("land"), place_of(scene)
    for k, level in enumerate((-0.055, -0.025)):
        line = fbm_line(scene.fork(f"far{k}"), 60, 3.0, 4, 0.5)
        ridge = [(w * i / 59, foot + level * h - (f - 0.4) * 0.06 * h) for i, f in enumerate(line.tolist())]
        color = mix(mix(p.mid, p.light, 0.3), p.deep, 0.3 + 0.4 * k)
        far = polygon([*ridge, (w, h), (0, h)])
        if place and k == 1:
            far = strip(scene, place, foot + 0.01 * h, (0.045 if place == "sea" else 0.10) * h)
        scene.canvas.drawPath(far, fill(color, 0.85))
    mist(scene, foot / h - 0.005, 0.08, mix(p.light, p.paper, 0.4), 0.55)
    line = fbm_line(rng, 80, 2.0, 4, 0.45)
    xs = np.linspace(-0.02, 1.02, 80) * w
    bump = np.exp(-(((xs / w - 0.5) / 0.36) ** 2)) * 0.02 * h
    ys = foot + 0.012 * h - bump + (line - 0.5) * 0.014 * h
    scene.canvas.drawPath(
        polygon([*zip(xs.tolist(), ys.tolist(), strict=True), (w * 1.05, h * 1.02), (-0.05 * w, h * 1.02)]), fill(dark)
    )
    if way != "haze":
        blades = skia.Path()
        for x, size, lean in rng.random((260, 3)).tolist():
            px = x * w
            py = float(np.interp(px, xs, ys)) + 4 * u
            tall, bend = (14 + 46 * size**2) * u, (lean - 0.5) * 30 * u
            blades.moveTo(px - 2.2 * u, py)
            blades.quadTo(px + bend * 0.3, py - tall * 0.6, px + bend, py - tall)
            blades.quadTo(px + bend * 0.3 + 3 * u, py - tall * 0.5, px + 2.2 * u, py)
            blades.close()
        scene.canvas.drawPath(blades, fill(dark))


SILHOUETTE = Family("silhouette", paint, shows=anything)
