"""Constellation: the figure drawn by stars and thin lines on a map of the sky."""

import math
from typing import Final

from plugins.atelier.atmosphere import clouds, stars, vignette
from plugins.atelier.color import mix, oklch
from plugins.atelier.drawing import BLACK, SCREEN, Path, fill, placed, polygon, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.motifs.glyphs import contours
from plugins.atelier.motifs.ornaments import star
from plugins.atelier.noise import fbm_line
from plugins.atelier.outlines.outline import Outline, area_of, simple
from plugins.atelier.scene import Scene
from plugins.atelier.treatments.inks import COLORS, ground_for
from plugins.atelier.treatments.kit import BOTTOM, TOP, Layout, choose, few, lay_out, trace, turned
from plugins.atelier.treatments.places import place_of, strip
from plugins.atelier.treatments.staging import Spot, stage

Points = list[tuple[float, float]]

LOOSE: Final = 0.021  # of the figure's size: how far a line may leave the outline
SMALLEST_PART: Final = 0.006  # of the square: smaller parts are single stars


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    way = choose(scene, ("chart", "horizon", "deep"))
    tints = ((p.deep, 0.45), (p.companion, 0.26), (BLACK, 0.3), (p.accent, 0.2))
    sky = ground_for(scene, turned(scene, "sky", [mix(p.dark, tint, amount) for tint, amount in tints]))
    shine = mix(p.paper, p.light, 0.2)
    layout = lay_out(scene, (TOP,) if way == "horizon" else (TOP, BOTTOM), shine, shine)
    dusk = turned(scene, "dusk", [p.mid, p.companion, p.deep, p.accent])[0]
    low = mix(sky, dusk, 0.5 if way == "horizon" else 0.4)
    scene.gradient([mix(sky, BLACK, 0.35), sky, low], 0, 0.95, 16)
    clouds(scene, mix(p.mid, p.light, 0.3), 0.22, 0.05, 0.95, 1.6, (1.6, 1.0), 0.45, 1.0, SCREEN, "milky way")
    stars(scene, 900, 1.3)
    if way == "chart":
        _chart(scene, layout, shine)
    for i, spot in enumerate(stage(scene, layout.picture, scene.fork("constellation"), 0.98)):
        _figure(scene, spot, shine, sky, i)
    if place := place_of(scene):
        near = scene.height * (0.90 if way == "horizon" else 0.965)
        scene.canvas.drawPath(strip(scene, place, near, 0.085 * scene.height), fill(mix(p.dark, BLACK, 0.45)))
    elif way == "horizon":
        _hills(scene, mix(p.dark, BLACK, 0.45), low)
    vignette(scene, 0.35, BLACK)


def _figure(scene: Scene, spot: Spot, shine: str, sky: str, place: int) -> None:
    u, canvas = scene.unit, scene.canvas
    solid = trace(scene, spot)
    color = COLORS[spot.figure.color] if spot.figure.color else scene.palette.accent
    if oklch(color)[0] < 0.55:
        color = mix(color, "#ffffff", 0.28)
    size = max(0.30, min(1.0, spot.size / (scene.width * 0.6)))
    strength = 0.6 if spot.figure.color else 0.27
    scene.glow(spot.x, spot.y, spot.size * 0.62, color, 0.16)
    canvas.drawPath(solid, fill(mix(color, sky, 0.25), strength))
    line = stroke(mix(color, shine, 0.35), 4.4 * u * max(0.6, size), 0.9)
    rng = scene.fork(f"magnitudes{place}")
    for points, closed in lines_of(spot.figure.outline):
        at = [_at(spot, x, y) for x, y in points]
        if len(at) > 1:
            canvas.drawPath(polygon(at, closed), line)
        for (x, y), bright in zip(at, rng.random(len(at)).tolist(), strict=True):
            r = (6.0 + 9.5 * bright**2) * u * size
            canvas.drawCircle(x, y, r * 2.6, fill(mix(color, shine, 0.5), 0.16))
            if bright > 0.72 and size > 0.5:
                canvas.drawPath(_spark(x, y, r * 2.6), fill(shine))
            canvas.drawCircle(x, y, r, fill(shine))


def _spark(x: float, y: float, r: float) -> Path:
    return placed(star(4, 0.16), r, r, 0, x, y)


def _at(spot: Spot, x: float, y: float) -> tuple[float, float]:
    return spot.x + x * spot.size * (-1 if spot.flip else 1), spot.y + y * spot.size


def lines_of(outline: Outline) -> list[tuple[Points, bool]]:
    """Return the outline's contours, and those of its large parts, as few straight lines; small parts as points."""
    found: list[tuple[Points, bool]] = []
    for k, path in enumerate((outline.solid, *(shape.path for shape in outline.seen))):
        for contour in contours(simple(path)):
            if area_of(contour) < SMALLEST_PART:
                if k:
                    bounds = contour.getBounds()
                    found.append(([(bounds.centerX(), bounds.centerY())], False))
                continue
            if k and area_of(contour) > 0.6 * area_of(outline.solid):
                continue
            points = _sampled(contour)
            if len(points) > 8:
                half = len(points) // 2
                kept = _straightened(points[: half + 1])[:-1] + _straightened([*points[half:], points[0]])[:-1]
                if len(kept) > 2:
                    found.append((kept, True))
    return found


def _sampled(contour: Path) -> Points:
    measure = skia.PathMeasure(contour, True)
    length = measure.getLength()
    count = max(12, min(160, int(length / 0.02)))
    out = []
    for i in range(count):
        position, _ = measure.getPosTan(length * i / count)
        out.append((position.x(), position.y()))
    return out


def _straightened(points: Points) -> Points:
    """Keep the points that the line needs (Ramer, Douglas and Peucker)."""
    (ax, ay), (bx, by) = points[0], points[-1]
    long = math.hypot(bx - ax, by - ay) or 1e-9
    far = [abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / long for x, y in points]
    most = max(range(len(points)), key=lambda i: far[i])
    if far[most] < LOOSE:
        return [points[0], points[-1]]
    return _straightened(points[: most + 1])[:-1] + _straightened(points[most:])


def _chart(scene: Scene, layout: Layout, shine: str) -> None:
    """Circles and hours of a star map about the figure."""
    z, u, canvas = layout.picture, scene.unit, scene.canvas
    x, y = (z.x + z.w / 2) * scene.width, (z.y + z.h / 2) * scene.height
    r = min(scene.width * 0.455, z.h * scene.height * 0.60)
    for k, wide, alpha in ((1.0, 3.0, 0.6), (0.965, 1.2, 0.5), (0.66, 1.2, 0.28), (0.33, 1.2, 0.2)):
        canvas.drawCircle(x, y, r * k, stroke(shine, wide * u, alpha))
    ticks, spokes = skia.Path(), skia.Path()
    for i in range(120):
        a = math.tau * i / 120
        inner = 0.935 if i % 10 == 0 else 0.95
        ticks.moveTo(x + r * inner * math.cos(a), y + r * inner * math.sin(a))
        ticks.lineTo(x + r * 0.965 * math.cos(a), y + r * 0.965 * math.sin(a))
        if i % 15 == 0:
            spokes.moveTo(x + r * 0.06 * math.cos(a), y + r * 0.06 * math.sin(a))
            spokes.lineTo(x + r * 0.93 * math.cos(a), y + r * 0.93 * math.sin(a))
    canvas.drawPath(ticks, stroke(shine, 2.0 * u, 0.55))
    canvas.drawPath(spokes, stroke(shine, 1.2 * u, 0.18))


def _hills(scene: Scene, dark: str, low: str) -> None:
    w, h = scene.width, scene.height
    for k, (level, tone) in enumerate(((0.875, mix(dark, low, 0.45)), (0.905, dark))):
        line = fbm_line(scene.fork(f"night hills{k}"), 90, 4.0, 5, 0.5)
        ridge = [(w * i / 89, h * level - (f - 0.5) * 0.06 * h) for i, f in enumerate(line.tolist())]
        scene.canvas.drawPath(polygon([*ridge, (w, h), (0, h)]), fill(tone))


CONSTELLATION = Family("constellation", paint, shows=few)
