"""Neon: the figure bent from glowing tubes, on a dark wall."""

import math
from typing import Final

from plugins.atelier.atmosphere import vignette
from plugins.atelier.color import mix, oklch, relight
from plugins.atelier.drawing import BLACK, SCREEN, WHITE, box, fill, lay, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import fbm
from plugins.atelier.scene import FULL_WIDTH, Scene
from plugins.atelier.treatments.inks import COLORS, STEP
from plugins.atelier.treatments.kit import BOTTOM, TOP, anything, choose, lay_out, trace, turned, weather
from plugins.atelier.treatments.staging import Spot, stage

TUBE: Final = 15.0  # full-page pixels
DIM: Final = 6  # full-page pixels to one of the glow


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p, w, h = scene.palette, scene.width, scene.height
    way = choose(scene, ("bricks", "tiles", "haze"))
    layout = lay_out(scene, (TOP, BOTTOM), mix(p.paper, WHITE, 0.4), mix(p.paper, p.light, 0.3))
    wall = mix(turned(scene, "wall", [p.dark, p.deep, mix(p.dark, p.mid, 0.5)], 0.3)[0], BLACK, 0.5)
    scene.gradient([mix(wall, BLACK, 0.3), wall, mix(wall, p.deep, 0.35)], 0, 1, 10)
    if way == "bricks":
        _bricks(scene, mix(p.dark, p.deep, 0.5), 0.118 * w, 0.031 * h)
    elif way == "tiles":
        _bricks(scene, mix(p.dark, p.deep, 0.35), 0.10 * w, 0.067 * h, 0.0)
    scene.mask(fbm(scene.fork("wall"), *scene.grid(6), 3, 5, 0.6), BLACK, 0.5)
    weather(scene, mix(p.mid, p.light, 0.4), 0.35)
    spots = stage(scene, layout.picture, scene.fork("neon"), 0.94)
    z = layout.picture
    glow = _tube(scene, spots[-1])[0]
    scene.glow((z.x + z.w / 2) * w, (z.y + z.h / 2) * h, scene.span * 0.85, glow, 0.34)
    _glow(scene, spots)
    for spot in spots:
        _figure(scene, spot)
    vignette(scene, 0.45, BLACK)


def _tube(scene: Scene, spot: Spot) -> tuple[str, str]:
    """The color of the main tubes, and that of the others."""
    p = scene.palette
    if spot.figure.color:
        color = COLORS[spot.figure.color]
        if oklch(color)[0] < 0.5:
            color = relight(color, 0.55, 1.2)
        return color, mix(color, WHITE, 0.35)
    vivid = sorted((p.accent, p.companion, p.light, p.mid), key=lambda c: -oklch(c)[1])
    first, second = vivid[:2] if spot.main is bool(scene.sfork("gas").random() < 0.6) else vivid[1::-1]
    return relight(first, max(0.68, oklch(first)[0]), 1.25), relight(second, max(0.70, oklch(second)[0]), 1.2)


def _paths(scene: Scene, spot: Spot) -> list[tuple[object, str, float]]:
    main, other = _tube(scene, spot)
    outline = spot.figure.outline
    wide = TUBE * scene.unit * max(0.34, min(1.0, spot.size / (scene.width * 0.62)))
    found: list[tuple[object, str, float]] = []
    for shape in outline.seen:
        far = abs(shape.tone - outline.main.tone) > STEP
        found.append((spot.place(shape.path), other if far else main, wide * (0.62 if far else 0.8)))
    found.append((spot.place(outline.solid), main, wide))
    return found


def _glow(scene: Scene, spots: list[Spot]) -> None:
    """Light around all tubes at once, on a small surface."""
    wide = FULL_WIDTH // DIM
    small = skia.Surface(wide, max(8, round(wide * scene.height / scene.width)))
    canvas = small.getCanvas()
    canvas.scale(small.width() / scene.width, small.height() / scene.height)
    for soft, alpha in ((60.0, 0.55), (22.0, 0.75)):
        layer = fill(alpha=alpha)
        layer.setImageFilter(skia.ImageFilters.Blur(soft * scene.unit, soft * scene.unit))
        layer.setBlendMode(SCREEN)
        canvas.saveLayer(None, layer)
        for spot in spots:
            for path, color, thick in _paths(scene, spot):
                canvas.drawPath(path, stroke(color, thick * 2.2))
        canvas.restore()
    lay(scene.canvas, small.makeImageSnapshot(), scene.page(), SCREEN)


def _figure(scene: Scene, spot: Spot) -> None:
    canvas = scene.canvas
    solid = trace(scene, spot)
    main, _ = _tube(scene, spot)
    canvas.drawPath(solid, fill(mix(main, BLACK, 0.55), 0.42 if not spot.figure.color else 0.6))
    for path, color, thick in _paths(scene, spot):
        canvas.drawPath(path, stroke(mix(color, BLACK, 0.25), thick * 1.3, round_ends=True))
        canvas.drawPath(path, stroke(color, thick, round_ends=True))
    for path, color, thick in _paths(scene, spot):
        canvas.drawPath(path, stroke(mix(color, WHITE, 0.78), thick * 0.36, round_ends=True))


def _bricks(scene: Scene, color: str, wide: float, high: float, shift: float = 0.5) -> None:
    w, h, u = scene.width, scene.height, scene.unit
    rng = scene.fork("bricks")
    rows, columns = math.ceil(h / high) + 1, math.ceil(w / wide) + 2
    shades = rng.random((rows, columns)).tolist()
    for j in range(rows):
        for i in range(columns):
            x, y = (i - shift * (j % 2)) * wide, j * high
            rect = box(x + 3 * u, y + 3 * u, x + wide - 3 * u, y + high - 3 * u)
            scene.canvas.drawRoundRect(rect, 4 * u, 4 * u, fill(mix(color, BLACK, 0.25 + 0.35 * shades[j][i]), 0.8))


NEON = Family("neon", paint, shows=anything)
