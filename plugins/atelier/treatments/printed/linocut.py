"""Linocut: one dark block and one of color; figures carved with marks that follow their form, a ragged rim of ink."""

from typing import Any, Final

import numpy as np

from plugins.atelier.atmosphere import paper
from plugins.atelier.color import mix, oklch
from plugins.atelier.drawing import OVER, Path, box, curve, fill, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import Random
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import Inks, distance, dressed, ground_for, inks_of
from plugins.atelier.treatments.kit import (
    BOTTOM,
    TOP,
    Layout,
    anything,
    around,
    choose,
    clear,
    edge,
    lay_out,
    plate,
    trace,
    turned,
    weather,
)
from plugins.atelier.treatments.places import place_of, strip, within
from plugins.atelier.treatments.printed.carving import gouges
from plugins.atelier.treatments.staging import Spot, stage

SPACING: Final = 17.0  # full-page pixels between two cuts in a figure
FIELD_SPACING: Final = 30.0
BLOCK: Final = (
    Layout(Zone(0.09, 0.715, 0.82, 0.17), Zone(0.12, 0.915, 0.76, 0.034), Zone(0.13, 0.10, 0.74, 0.53)),
    Layout(Zone(0.09, 0.055, 0.82, 0.17), Zone(0.12, 0.93, 0.76, 0.032), Zone(0.13, 0.29, 0.74, 0.55)),
)


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    way = choose(scene, ("night", "block", "color"))
    blocks = turned(
        scene, "block ink", [mix(p.dark, "#000000", 0.25), mix(p.dark, p.deep, 0.6), mix(p.deep, p.dark, 0.2)], 0.3
    )
    dark = mix(p.dark, "#000000", 0.25) if way == "color" else blocks[0]
    sheet = turned(scene, "lino sheet", [mix(p.paper, "#f4ecdb", 0.3), mix(p.paper, p.light, 0.45)], 0.5)[0]
    scene.hints.shadow, scene.hints.grain = False, 0.08
    if way == "color":
        vivid = [c for c in (p.accent, p.companion, p.mid, p.light) if distance(c, dark) > 0.3]
        turn = int(scene.sfork("lino ground").integers(len(vivid)))
        sheet = ground_for(scene, [*vivid[turn:], *vivid[:turn]])
        layout = lay_out(scene, (TOP, BOTTOM), dark, dark)
    elif way == "block":
        layout = lay_out(scene, BLOCK, dark, dark)
    else:
        layout = lay_out(scene, (TOP, BOTTOM), sheet, sheet)
    scene.flood(sheet)
    rng = scene.fork("lino")
    spots = stage(scene, layout.picture, rng, 0.96)
    solids = [trace(scene, spot) for spot in spots]
    if way == "color":
        _positive(scene, spots, solids, sheet, dark)
    else:
        _negative(scene, spots, solids, layout, way, (dark, sheet))
    paper(scene, 1.0)


def _negative(
    scene: Scene, spots: list[Spot], solids: list[Path], layout: Layout, way: str, inks: tuple[str, str]
) -> None:
    """A dark block out of which the figures are cut; then their colors over the paper that shows."""
    w, h, u = scene.width, scene.height, scene.unit
    (dark, sheet), z = inks, layout.picture
    rng = scene.fork("block")
    if way == "block":
        rim = _ragged(rng, w * 0.075, (z.y - 0.045) * h, w * 0.925, (z.y + z.h + 0.045) * h, 5 * u)
    else:
        rim = _ragged(rng, w * 0.028, w * 0.028, w * 0.972, h - w * 0.028, 7 * u)
    center = ((z.x + z.w / 2) * w, (z.y + z.h / 2) * h)
    near = min(z.w * w, z.h * h) * 0.42
    rays = bool(scene.sfork("rays").random() < 0.6)
    cuts = gouges(
        rng, center, (near * 0.6, near * (3.4 if way == "night" else 2.6)), FIELD_SPACING * u, 95 * u, 0.13, rays, 0.62
    )
    keep_out = _type_boxes(scene) if way == "night" else []

    def block(canvas: Any) -> None:
        canvas.drawPath(rim, fill(dark))
        canvas.save()
        for zone in keep_out:
            canvas.clipRect(zone, skia.ClipOp.kDifference, False)
        canvas.clipPath(rim, True)
        canvas.drawPath(cuts, clear())
        canvas.restore()
        for solid in solids:
            canvas.drawPath(solid, edge(fill(dark), 26 * u))
            canvas.drawPath(solid, edge(clear(), 3 * u))

    plate(scene, "block", block, around(scene, [rim]), OVER, 0.55)
    if place := place_of(scene):
        low = (z.y + z.h + 0.035 if way == "block" else 1 - 0.028 * w / h) * h
        if way == "night" and layout.title.y > 0.5:
            low = (z.y + z.h + 0.02) * h
        land = within(strip(scene, place, low - 0.035 * h, 0.085 * h), rim)
        scene.canvas.drawPath(land, fill(mix(dark, scene.palette.mid, 0.6)))
        scene.canvas.drawPath(land, stroke(sheet, 4 * u))
    weather(scene, mix(scene.palette.paper, scene.palette.light, 0.4))
    for spot, solid in zip(spots, solids, strict=True):
        scene.canvas.drawPath(solid, fill(sheet))
        _carve(scene, spot, inks_of(scene, spot.figure, dark, scene.palette.light), dark)


def _positive(scene: Scene, spots: list[Spot], solids: list[Path], sheet: str, dark: str) -> None:
    """Dark figures on a ground of color, with bare marks of the gouge about them."""
    weather(scene, mix(sheet, dark, 0.7))
    u = scene.unit
    for i, (spot, solid) in enumerate(zip(spots, solids, strict=True)):
        reach = spot.size * 0.62
        marks = gouges(
            scene.fork(f"chatter{i}"), (spot.x, spot.y), (reach * 0.72, reach * 1.1), 34 * u, 70 * u, 0.1, keep=0.2
        )
        scene.canvas.save()
        scene.canvas.clipPath(solid, skia.ClipOp.kDifference, True)
        for zone in _type_boxes(scene):
            scene.canvas.clipRect(zone, skia.ClipOp.kDifference, False)
        scene.canvas.drawPath(marks, fill(dark))
        scene.canvas.restore()
    for spot in spots:
        base = inks_of(scene, spot.figure, sheet, scene.palette.dark)
        inks = (
            base if spot.figure.color else Inks(dark, dark, scene.palette.paper, mix(sheet, scene.palette.paper, 0.75))
        )
        _carve(scene, spot, inks, dark)


def _carve(scene: Scene, spot: Spot, inks: Inks, dark: str) -> None:
    """Each part in its ink, cut with marks about a light from the upper left; the parts are parted by a cut line."""
    u, canvas = scene.unit, scene.canvas
    rng = scene.fork(f"carve{spot.x:.0f}")
    outline = spot.figure.outline
    light = (spot.x - spot.size * 0.55, spot.y - spot.size * 0.75)
    marks: dict[str, Path] = {}
    spacing = max(SPACING * u * min(1.0, spot.size / (scene.width * 0.5)), 7 * u)
    for tone, wide, keep in (("dark", 0.10, 0.55), ("main", 0.17, 0.8), ("light", 0.10, 0.7)):
        marks[tone] = gouges(
            rng, light, (spot.size * 0.1, spot.size * 2.0), spacing, spacing * 4.2, wide, keep=keep, arc=(-0.15, 1.75)
        )
    for path, ink in dressed(outline, inks):
        where = spot.place(path)
        tone = "dark" if ink == inks.dark and ink != inks.main else "light" if ink == inks.light else "main"
        canvas.drawPath(where, fill(ink))
        canvas.save()
        canvas.clipPath(where, True)
        cut = mix(ink, inks.dark if oklch(ink)[0] > 0.6 else scene.palette.paper, 0.8)
        canvas.drawPath(marks[tone], fill(dark if tone == "light" else cut))
        canvas.restore()
    seam = fill(scene.palette.paper if oklch(inks.main)[0] < 0.6 else dark)
    seam.setStyle(skia.Paint.kStroke_Style)
    seam.setStrokeWidth(max(2.0 * u, spot.size * 0.006))
    for shape in outline.seen:
        canvas.drawPath(spot.place(shape.path), seam)


def _ragged(rng: Random, left: float, top: float, right: float, bottom: float, rough: float) -> Path:
    """A rectangle whose sides are not quite straight."""
    sides = []
    for (ax, ay), (bx, by) in (
        ((left, top), (right, top)),
        ((right, top), (right, bottom)),
        ((right, bottom), (left, bottom)),
        ((left, bottom), (left, top)),
    ):
        for t, (dx, dy) in zip(
            np.linspace(0, 1, 26)[:-1].tolist(), rng.normal(0, rough * 0.5, (25, 2)).tolist(), strict=True
        ):
            sides.append((ax + (bx - ax) * t + dx, ay + (by - ay) * t + dy))
    return curve(sides)


def _type_boxes(scene: Scene) -> list[Any]:
    """Where type stands, in pixels, with some room."""
    return [
        box(
            (z.x - 0.03) * scene.width,
            (z.y - 0.02) * scene.height,
            (z.x + z.w + 0.03) * scene.width,
            (z.y + z.h + 0.02) * scene.height,
        )
        for z in (scene.title_zone, scene.author_zone)
    ]


LINOCUT = Family("linocut", paint, shows=anything)
