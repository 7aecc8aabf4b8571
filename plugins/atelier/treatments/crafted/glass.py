"""Stained glass: pieces of glass in lead, bright in the middle; the figure among rays of other glass."""

import itertools
import math
from typing import Final

from plugins.atelier.atmosphere import vignette
from plugins.atelier.color import mix, shift
from plugins.atelier.drawing import BLACK, OVERLAY, Path, disc, fill, polygon, rectangle, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import fbm
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import distance, dressed, ground_for, inks_of
from plugins.atelier.treatments.kit import Layout, choose, edge, few, lay_out, trace, weather
from plugins.atelier.treatments.staging import Spot, stage

LEAD: Final = 13.0  # full-page pixels
WINDOW: Final = Layout(Zone(0.11, 0.745, 0.78, 0.135), Zone(0.14, 0.912, 0.72, 0.030), Zone(0.20, 0.185, 0.60, 0.44))
ROSE: Final = Layout(Zone(0.10, 0.07, 0.80, 0.20), Zone(0.14, 0.912, 0.72, 0.032), Zone(0.235, 0.40, 0.53, 0.37))
BANDS: Final = Layout(Zone(0.10, 0.055, 0.80, 0.175), Zone(0.14, 0.928, 0.72, 0.030), Zone(0.15, 0.31, 0.70, 0.51))


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    way = choose(scene, ("lancet", "rose", "panel"))
    layout = lay_out(scene, {"lancet": (WINDOW,), "rose": (ROSE,), "panel": (BANDS,)}[way], p.paper, p.paper)
    scene.hints.grain = 0.07
    wall = mix(p.dark, BLACK, 0.35)
    scene.flood(wall)
    z = layout.picture
    frame = _frame(scene, way, layout)
    ground = ground_for(scene, [mix(p.deep, p.mid, 0.55), mix(p.mid, p.light, 0.15), p.deep, p.paper])
    x, y = (z.x + z.w / 2) * scene.width, (z.y + z.h / 2) * scene.height
    canvas, u = scene.canvas, scene.unit
    canvas.save()
    canvas.clipPath(frame, True)
    _panes(scene, x, y, ground, way)
    weather(scene, p.paper, 0.6)
    canvas.restore()
    lead = mix(wall, BLACK, 0.4)
    spots = stage(scene, z, scene.fork("glass"))
    for spot in spots:
        _figure(scene, spot, ground, lead)
    _light(scene, frame, x, y)
    canvas.drawPath(frame, stroke(lead, LEAD * 2.2 * u))
    outer = mix(p.accent, p.light, 0.3)
    canvas.drawPath(frame, stroke(outer, 3.5 * u, 0.55))
    vignette(scene, 0.25, BLACK)


def _frame(scene: Scene, way: str, layout: Layout) -> Path:
    w, h, z = scene.width, scene.height, layout.picture
    if way == "rose":
        return disc(w / 2, (z.y + z.h / 2) * h, min(w * 0.44, z.h * h * 0.70))
    if way == "panel":
        return rectangle(w * 0.065, (z.y - 0.035) * h, w * 0.935, (z.y + z.h + 0.04) * h)
    left, right, top, foot = w * 0.10, w * 0.90, h * 0.055, h * 0.715
    spring = top + (right - left) * 0.62
    path = skia.Path()
    path.moveTo(left, foot)
    path.lineTo(left, spring)
    path.cubicTo(left, spring - (right - left) * 0.36, w * 0.36, top + h * 0.055, w / 2, top)
    path.cubicTo(w * 0.64, top + h * 0.055, right, spring - (right - left) * 0.36, right, spring)
    path.lineTo(right, foot)
    path.close()
    return path


def _panes(scene: Scene, x: float, y: float, ground: str, way: str) -> None:
    """Rings of panes about the figure, each of its own shade."""
    p, u = scene.palette, scene.unit
    rng = scene.fork("panes")
    rays = int(scene.sfork("rays").choice([12, 16, 20]))
    far = math.hypot(scene.width, scene.height) * 0.62
    rings = [0.0, 0.22, 0.36, 0.52, 0.70, 1.0]
    other = mix(ground, p.accent, 0.5) if way == "rose" else mix(ground, p.deep, 0.45)
    leads = skia.Path()
    for k, (inner, outer) in enumerate(itertools.pairwise(rings)):
        turn = (k % 2) * math.pi / rays
        for i in range(rays):
            a, b = math.tau * i / rays + turn, math.tau * (i + 1) / rays + turn
            bow = float(rng.uniform(-0.02, 0.02))
            pane = polygon(
                [
                    (x + far * r * math.cos(t), y + far * r * math.sin(t))
                    for r, t in ((inner, a), (outer, a + bow), (outer, (a + b) / 2), (outer, b + bow), (inner, b))
                ]
            )
            base = ground if (i + k) % 2 else mix(ground, other, 0.55)
            if k == 4 or (k == 2 and i % 4 == 0):
                base = other
            tone = shift(base, float(rng.normal(0, 0.028)) + 0.05 * (0.5 - outer), 1 + float(rng.normal(0, 0.08)))
            scene.canvas.drawPath(pane, fill(tone))
            leads.addPath(pane)
    scene.canvas.drawPath(leads, stroke(mix(p.dark, BLACK, 0.6), LEAD * 0.62 * u))


def _figure(scene: Scene, spot: Spot, ground: str, lead: str) -> None:
    """The figure's shapes as panes; large ones are broken by leads across, as glass must be."""
    canvas, u, p = scene.canvas, scene.unit, scene.palette
    solid = trace(scene, spot)
    size = min(1.0, spot.size / (scene.width * 0.5))
    wide = max(4 * u, LEAD * u * size)
    canvas.drawPath(solid, edge(fill(lead), wide * 0.55))
    strong = max((p.accent, p.companion, mix(p.paper, p.light, 0.4)), key=lambda color: distance(color, ground))
    inks = inks_of(scene, spot.figure, ground, strong)
    rng = scene.fork(f"pane {spot.x:.0f} {spot.y:.0f}")
    canvas.save()
    canvas.clipPath(solid, True)
    bands = 5 if spot.size > scene.width * 0.3 else 3
    for path, ink in dressed(spot.figure.outline, inks):
        where = spot.place(path)
        canvas.save()
        canvas.clipPath(where, True)
        breaks = where.getBounds().height() > spot.size * 0.2 and len(spot.figure.outline.seen) < 12
        for i in range(bands if breaks else 1):
            tone = shift(ink, float(rng.normal(0, 0.03)) if breaks else 0.0)
            if not breaks:
                canvas.drawPaint(fill(tone))
                continue
            reach = spot.size * 0.75
            step = 2 * reach / bands
            slope = float(rng.uniform(-0.25, 0.25)) * step
            top = spot.y - reach + i * step
            band = polygon(
                [
                    (spot.x - reach, top),
                    (spot.x + reach, top + slope),
                    (spot.x + reach, spot.y + reach),
                    (spot.x - reach, spot.y + reach),
                ]
            )
            canvas.drawPath(band, fill(tone))
            if i:
                canvas.drawLine(spot.x - reach, top, spot.x + reach, top + slope, stroke(lead, wide * 0.5))
        canvas.restore()
        canvas.drawPath(where, stroke(lead, wide * 0.72))
    canvas.restore()


def _light(scene: Scene, frame: Path, x: float, y: float) -> None:
    """Light through uneven glass, strongest in the middle."""
    canvas = scene.canvas
    canvas.save()
    canvas.clipPath(frame, True)
    scene.glow(x, y, scene.span * 0.75, scene.palette.paper, 0.26)
    rows, columns = scene.grid(6)
    uneven = fbm(scene.fork("uneven"), rows, columns, 9, 4, 0.55, (1.0, 2.2))
    scene.mask(uneven, "#ffffff", 0.30, OVERLAY)
    scene.mask(1 - uneven, BLACK, 0.26, OVERLAY)
    canvas.restore()


GLASS = Family("glass", paint, shows=few)
