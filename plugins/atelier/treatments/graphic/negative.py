"""Negative space: two fields of color, and a figure that changes color where they meet."""

from typing import Final

from plugins.atelier.atmosphere import paper
from plugins.atelier.color import mix, oklch
from plugins.atelier.drawing import Path, disc, fill, polygon, rectangle, skia
from plugins.atelier.family import Family
from plugins.atelier.outlines.outline import Shape
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import COLORS, STEP, distance, ground_for
from plugins.atelier.treatments.kit import BOTTOM, LEFT, TOP, Layout, alike, choose, lay_out, trace, weather
from plugins.atelier.treatments.staging import Spot, stage

PLAIN: Final = 2  # shapes of a figure that stays clear when a disc's edge goes through it
FOOT: Final = 0.885  # of the page's height: below it the page is of one color
SIDE: Final = Layout(Zone(0.09, 0.06, 0.82, 0.21), Zone(0.12, 0.925, 0.76, 0.032), Zone(0.10, 0.33, 0.80, 0.53))


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    plain = len(scene.cast[0].outline.seen) <= PLAIN
    way = choose(scene, ("halves", "slope", "disc", "foot") if plain else ("halves", "slope", "foot"))
    colored = scene.cast[0].color
    pairs = [(p.paper, p.dark), (p.paper, p.deep), (p.light, p.dark), (p.accent, p.dark), (p.paper, p.accent)]
    pairs = [pair for pair in pairs if distance(*pair) > 0.36] or pairs[:1]
    light, dark = pairs[int(scene.sfork("pair").integers(len(pairs)))]
    if colored:  # the figure keeps its color on one field; the other field is that color
        dark = COLORS[colored]
        light = ground_for(scene, [p.paper, p.light, p.dark])
    layouts = {"halves": (SIDE,), "slope": (LEFT, SIDE), "disc": (TOP, BOTTOM), "foot": (TOP,)}[way]
    ink = next((c for c in (dark, p.dark, p.paper) if abs(oklch(c)[0] - oklch(light)[0]) > 0.38), p.dark)
    layout = lay_out(scene, layouts, ink, ink)
    scene.hints.shadow, scene.hints.grain = False, 0.08
    scene.flood(light)
    spots = stage(scene, layout.picture, scene.fork("negative"))
    field = _field(scene, way, layout, spots)
    if way in {"foot", "slope"}:  # the author stands on the other field
        scene.ink2 = light
    scene.canvas.drawPath(field, fill(dark))
    weather(scene, mix(light, dark, 0.4), 0.8)
    for spot in spots:
        solid = trace(scene, spot)
        if spot.main or not spot.figure.color:
            _figure(scene, spot, solid, field, light, dark)
        else:
            _plain(scene, spot, COLORS[spot.figure.color])
    paper(scene, 0.8)


def _field(scene: Scene, way: str, layout: Layout, spots: list[Spot]) -> Path:
    """The second field: it parts the main figures."""
    w, h = scene.width, scene.height
    z = layout.picture
    main = [spot for spot in spots if spot.main]
    x = sum(spot.x for spot in main) / len(main)
    y = sum(spot.y for spot in main) / len(main)
    if way == "halves":
        top = 0.30 * h
        if len(main) % 2 == 0 and len({round(spot.y) for spot in main}) == 1:
            x = w / 2
        return (
            rectangle(x, top, w * 1.01, FOOT * h)
            if scene.sfork("side").random() < 0.5
            else rectangle(-1, top, x, FOOT * h)
        )
    if way == "slope":
        rise = 0.16 * h
        return polygon([(-1, y + rise * 0.8), (w + 1, y - rise * 0.8), (w + 1, h + 1), (-1, h + 1)])
    if way == "disc":
        r = min(z.w * w, z.h * h) * 0.40
        side = 1 if scene.sfork("side").random() < 0.5 else -1
        return disc(x + side * r * 0.45, y + r * 0.1, r)
    return rectangle(-1, y + 0.01 * h, w + 1, h + 1)


def _figure(scene: Scene, spot: Spot, solid: Path, field: Path, light: str, dark: str) -> None:
    """Dark on light, light on dark; parts of another tone are told apart by a shade of the same."""
    canvas = scene.canvas
    for inside, body, ground in ((False, dark, light), (True, light, dark)):
        canvas.save()
        canvas.clipPath(field, skia.ClipOp.kIntersect if inside else skia.ClipOp.kDifference, True)
        canvas.drawPath(solid, fill(body))
        for shape, share in _shares(spot):
            if share:
                canvas.drawPath(spot.place(shape.path), fill(mix(body, ground, share)))
        canvas.restore()


def _shares(spot: Spot) -> list[tuple[Shape, float]]:
    main = spot.figure.outline.main
    out = []
    for shape in spot.figure.outline.seen:
        step = abs(shape.tone - main.tone)
        share = 0.0 if shape is main or step < 0.03 else 0.16 if step < STEP else 0.40 if step < 2 * STEP else 0.55
        out.append((shape, share))
    return out


def _plain(scene: Scene, spot: Spot, color: str) -> None:
    for shape in spot.figure.outline.seen:
        step = shape.tone - spot.figure.outline.main.tone
        scene.canvas.drawPath(
            spot.place(shape.path), fill(mix(color, "#ffffff" if step > 0 else "#000000", min(0.4, abs(step) * 0.6)))
        )


NEGATIVE = Family("negative", paint, shows=alike)
