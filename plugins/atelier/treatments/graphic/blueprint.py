"""Blueprint: the figure as a drawing in white lines on squared paper, with its measures."""

import math
from typing import Final

from plugins.atelier.atmosphere import paper
from plugins.atelier.color import mix, oklch
from plugins.atelier.drawing import BLACK, WHITE, Path, box, fill, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import fbm
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import COLORS, STEP, ground_for
from plugins.atelier.treatments.kit import Layout, anything, choose, lay_out, trace
from plugins.atelier.treatments.staging import Spot, stage

SHEET: Final = Layout(
    Zone(0.10, 0.075, 0.78, 0.20, "top", "left"),
    Zone(0.10, 0.90, 0.78, 0.030, "middle", "left"),
    Zone(0.15, 0.335, 0.68, 0.475),
)
TABLE: Final = Layout(
    Zone(0.10, 0.725, 0.80, 0.135, "middle", "left"),
    Zone(0.10, 0.885, 0.80, 0.028, "middle", "left"),
    Zone(0.15, 0.115, 0.68, 0.515),
)
GRID: Final = 30.0  # full-page pixels


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    way = choose(scene, ("sheet", "table", "compass"))
    blues = [mix(p.deep, "#1b4a8a", 0.45), mix(p.dark, "#12386e", 0.5), mix(p.paper, "#ffffff", 0.2)]
    if scene.sfork("paper").random() < 0.25:
        blues = [blues[2], *blues[:2]]
    ground = ground_for(scene, blues)
    deep = oklch(ground)[0] < 0.6
    ink = mix(p.paper, WHITE, 0.35) if deep else mix(p.deep, "#1b3f7a", 0.4)
    layout = lay_out(scene, (TABLE,) if way == "table" else (SHEET,), ink, ink)
    scene.hints.shadow, scene.hints.grain = False, 0.08
    scene.flood(ground)
    scene.mask(fbm(scene.fork("developed"), *scene.grid(8), 2.0, 4, 0.55), WHITE if deep else BLACK, 0.10)
    _grid(scene, ink)
    _frame(scene, ink, way, layout)
    spots = stage(scene, layout.picture, scene.fork("blueprint"), 0.96)
    main = [spot for spot in spots if spot.main]
    if len(main) == 1:
        _construction(scene, main[0], ink, way == "compass")
        _measures(scene, main[0], ink)
    for spot in spots:
        color = COLORS[spot.figure.color] if spot.figure.color else ""
        _draw(scene, spot, ink, ground, color)
    paper(scene, 0.9)


def _grid(scene: Scene, ink: str) -> None:
    w, h, u = scene.width, scene.height, scene.unit
    for every, alpha, wide in ((1, 0.10, 1.3), (5, 0.20, 1.8)):
        lines = skia.Path()
        step = GRID * every * u
        for i in range(math.ceil(w / step) + 1):
            lines.moveTo(i * step, 0)
            lines.lineTo(i * step, h)
        for i in range(math.ceil(h / step) + 1):
            lines.moveTo(0, i * step)
            lines.lineTo(w, i * step)
        scene.canvas.drawPath(lines, stroke(ink, wide * u, alpha))


def _frame(scene: Scene, ink: str, way: str, layout: Layout) -> None:
    w, h, u, canvas = scene.width, scene.height, scene.unit, scene.canvas
    m = 0.05 * w
    canvas.drawRect(box(m, m, w - m, h - m), stroke(ink, 4 * u, 0.9))
    for i in range(1, 8):  # the marks of a sheet's fields
        canvas.drawLine(m, m + i * (h - 2 * m) / 8, m + 16 * u, m + i * (h - 2 * m) / 8, stroke(ink, 2.5 * u, 0.9))
        canvas.drawLine(
            w - m, m + i * (h - 2 * m) / 8, w - m - 16 * u, m + i * (h - 2 * m) / 8, stroke(ink, 2.5 * u, 0.9)
        )
    z = layout.title
    if way == "table":
        canvas.drawLine(m, (z.y - 0.02) * h, w - m, (z.y - 0.02) * h, stroke(ink, 4 * u, 0.9))
    else:
        canvas.drawLine(
            m, (layout.author.y - 0.018) * h, w - m, (layout.author.y - 0.018) * h, stroke(ink, 2.5 * u, 0.9)
        )


def _dashed(scene: Scene, ink: str, wide: float, alpha: float, dash: tuple[float, ...] = (18, 12)) -> object:
    paint = stroke(ink, wide * scene.unit, alpha)
    paint.setPathEffect(skia.DashPathEffect.Make([d * scene.unit for d in dash], 0))
    return paint


def _construction(scene: Scene, spot: Spot, ink: str, circles: bool) -> None:
    """Axes through the middle, circles that hold the figure, diagonals of its box."""
    canvas, outline = scene.canvas, spot.figure.outline
    rx, ry = outline.width * spot.size / 2, outline.height * spot.size / 2
    far = 1.18
    axis = _dashed(scene, ink, 2.2, 0.75, (34, 8, 6, 8))
    canvas.drawLine(spot.x - rx * far, spot.y, spot.x + rx * far, spot.y, axis)
    canvas.drawLine(spot.x, spot.y - ry * far, spot.x, spot.y + ry * far, axis)
    thin = _dashed(scene, ink, 1.8, 0.5)
    if circles:
        r = math.hypot(rx, ry)
        limit = min(scene.width * 0.42, r)
        for k in (1.0, 0.62, 0.3):
            canvas.drawCircle(spot.x, spot.y, limit * k, thin)
        canvas.drawLine(spot.x - rx, spot.y - ry, spot.x + rx, spot.y + ry, thin)
        canvas.drawLine(spot.x - rx, spot.y + ry, spot.x + rx, spot.y - ry, thin)
    else:
        canvas.drawRect(box(spot.x - rx, spot.y - ry, spot.x + rx, spot.y + ry), thin)


def _measures(scene: Scene, spot: Spot, ink: str) -> None:
    """Lines of measure with arrows, below and to the right."""
    outline, u = spot.figure.outline, scene.unit
    rx, ry = outline.width * spot.size / 2, outline.height * spot.size / 2
    paint = stroke(ink, 2.2 * u, 0.85)
    away = 62 * u
    y, x = spot.y + ry + away, min(spot.x + rx + away, scene.width * 0.925)
    for (x0, y0), (x1, y1) in (((spot.x - rx, y), (spot.x + rx, y)), ((x, spot.y - ry), (x, spot.y + ry))):
        scene.canvas.drawLine(x0, y0, x1, y1, paint)
        across = x0 != x1
        for px, py, way in ((x0, y0, 1), (x1, y1, -1)):
            arrow = skia.Path()
            a, b = 20 * u * way, 6 * u
            arrow.addPoly(
                [
                    skia.Point(px, py),
                    *(skia.Point(px + a, py + s * b) if across else skia.Point(px + s * b, py + a) for s in (-1, 1)),
                ],
                True,
            )
            scene.canvas.drawPath(arrow, fill(ink, 0.85))
            tick = (px, py - away + 10 * u, px, py + 14 * u) if across else (px - away + 10 * u, py, px + 14 * u, py)
            scene.canvas.drawLine(*tick, paint)


def _draw(scene: Scene, spot: Spot, ink: str, ground: str, color: str) -> None:
    canvas, u = scene.canvas, scene.unit
    solid = trace(scene, spot)
    size = max(0.4, min(1.0, spot.size / (scene.width * 0.5)))
    canvas.drawPath(solid, fill(color or ground, 1.0 if color else 0.85))
    main = spot.figure.outline.main
    hatch = _hatching(scene, spot)
    for shape in spot.figure.outline.seen:
        where = spot.place(shape.path)
        lighter = shape.tone - main.tone
        if lighter < -STEP:
            canvas.drawPath(where, fill(ink, 0.16 if not color else 0.0))
            canvas.save()
            canvas.clipPath(where, True)
            canvas.drawPath(hatch, stroke(ink, 3.2 * u * size, 0.8))
            canvas.restore()
        elif lighter > STEP:
            canvas.drawPath(where, fill(ink, 0.22))
        canvas.drawPath(where, stroke(ink, 5.0 * u * size, 0.95, round_ends=True))
    canvas.drawPath(solid, stroke(ink, 9.5 * u * size, 1.0, round_ends=True))


def _hatching(scene: Scene, spot: Spot) -> Path:
    step = 16 * scene.unit * max(0.4, min(1.0, spot.size / (scene.width * 0.5)))
    reach = spot.size * 0.75
    lines = skia.Path()
    offset = -2 * reach
    while offset < 2 * reach:
        lines.moveTo(spot.x + offset - reach, spot.y + reach)
        lines.lineTo(spot.x + offset + reach, spot.y - reach)
        offset += step
    return lines


BLUEPRINT = Family("blueprint", paint, shows=anything)
