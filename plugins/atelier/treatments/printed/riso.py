"""Risograph: three inks slightly out of register on toned paper, the light parts as dots, specks in every ink."""

from functools import lru_cache
from typing import Any, Final

import numpy as np

from plugins.atelier.atmosphere import paper
from plugins.atelier.color import mix, oklch
from plugins.atelier.drawing import LINEAR, WHITE, Path, box, difference, disc, fill, rectangle, skia, tint
from plugins.atelier.family import Family
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import distance, dressed, ground_for, inks_of
from plugins.atelier.treatments.kit import (
    BOTTOM,
    NAME_FIRST,
    TOP,
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
from plugins.atelier.treatments.staging import Spot, stage

PITCH: Final = 13.0  # full-page pixels between two dots
DOT_CELLS: Final = 24
APART: Final = 0.32  # OKLab distance of the second ink from the first
HALO: Final = 7.0  # full-page pixels of paper around a figure


@lru_cache(1)
def _dot() -> Any:
    y, x = np.mgrid[0:DOT_CELLS, 0:DOT_CELLS].astype(np.float32) / np.float32(DOT_CELLS) - np.float32(0.5)
    far = np.hypot(x, y)
    return tint(np.clip((0.33 - far) * DOT_CELLS * 0.6 + 0.5, 0, 1), WHITE)


def dots(scene: Scene, color: str, turn: float = 32.0) -> Any:
    """Return a paint of dots in a color, on a grid turned by `turn` degrees."""
    matrix = skia.Matrix()
    k = PITCH * scene.unit / DOT_CELLS
    matrix.setScale(k, k)
    matrix.postRotate(turn)
    shader = _dot().makeShader(skia.TileMode.kRepeat, skia.TileMode.kRepeat, LINEAR, matrix)
    paint = fill(color, shader=shader)
    paint.setColorFilter(skia.ColorFilters.Blend(skia.Color(*_bytes(color)), skia.BlendMode.kSrcIn))
    return paint


def _bytes(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p, rng = scene.palette, scene.fork("riso")
    tints = (("#f3ead6", 0.35), (p.light, 0.5), (WHITE, 0.3), (p.companion, 0.24))
    sheet = turned(scene, "sheet", [mix(p.paper, tint, amount) for tint, amount in tints], 0.4)[0]
    way = choose(scene, ("disc", "arch", "horizon", "flood"))
    sides = [p.accent, p.companion, p.mid, p.light]
    first = sides.pop(int(scene.sfork("riso ink").integers(3)))
    if oklch(first)[0] < 0.45 or distance(first, sheet) < 0.12:
        first = mix(first, p.light, 0.5) if oklch(first)[0] < 0.45 else p.light
    first = ground_for(scene, [first, *sides])
    layout = lay_out(scene, (TOP,) if way == "horizon" else (TOP, BOTTOM, NAME_FIRST), p.dark, p.dark)
    scene.hints.shadow, scene.hints.grain = False, 0.10
    scene.flood(sheet)
    zone = layout.picture
    if way in {"disc", "arch"}:
        zone = Zone(zone.x + 0.03, zone.y + 0.035, zone.w - 0.06, zone.h - 0.07)
    spots = stage(scene, zone, rng)
    solids = [(spot, trace(scene, spot)) for spot in spots]
    field = _field(scene, way, layout.picture, spots)

    def ground(canvas: Any) -> None:
        canvas.drawPath(field, fill(first))
        for _, solid in solids:
            canvas.drawPath(solid, edge(clear(), HALO * scene.unit))

    plate(scene, "first", ground, around(scene, [field]))
    if place := place_of(scene):
        low = zone.y + zone.h if way != "horizon" else max(spot.bottom for spot in spots) / scene.height - 0.03
        land = within(strip(scene, place, (low - 0.035) * scene.height, 0.10 * scene.height), field)
        for _, solid in solids:
            land = difference(land, solid)
        plate(
            scene, "land", lambda canvas: canvas.drawPath(land, fill(mix(first, p.dark, 0.45))), around(scene, [land])
        )
    weather(scene, sheet if way == "flood" else mix(first, p.dark, 0.4))
    _figures(scene, spots, first, around(scene, [solid for _, solid in solids]))
    paper(scene, 0.9)


def _field(scene: Scene, way: str, zone: Zone, spots: list[Spot]) -> Path:
    """The area of the first ink."""
    w, h = scene.width, scene.height
    x, y = (zone.x + zone.w / 2) * w, (zone.y + zone.h / 2) * h
    r = min(zone.w * w * 0.56, zone.h * h * 0.5)
    if way == "disc":
        return disc(x, y, r)
    if way == "flood":
        return rectangle(0, 0, w, h)
    path = skia.Path()
    if way == "arch":
        rect = box(x - r * 0.92, (zone.y - 0.01) * h, x + r * 0.92, (zone.y + zone.h + 0.005) * h)
        tall = skia.RRect()
        corner = skia.Point(r * 0.92, r * 0.92)
        square = skia.Point(0, 0)
        tall.setRectRadii(rect, [corner, corner, square, square])
        path.addRRect(tall)
        return path
    foot = max(spot.bottom for spot in spots)
    path.addRect(box(0, foot - 0.035 * h, w, h))
    return path


def _figures(scene: Scene, spots: list[Spot], ground: str, within: Any) -> None:
    """Two plates: the main ink with dots for what is light, then the dark one; neither in register with the first."""
    rng, u = scene.fork("register"), scene.unit
    slips = [(float(a), float(b)) for a, b in rng.uniform(-4.5, 4.5, (2, 2)) * u]
    dressed_spots = [
        (spot, inks, dressed(spot.figure.outline, inks))
        for spot in spots
        for inks in (inks_of(scene, spot.figure, ground, _role(scene, ground)),)
    ]

    def middle(canvas: Any) -> None:
        canvas.translate(*slips[0])
        for spot, inks, parts in dressed_spots:
            for path, ink in parts:
                if ink == inks.light:
                    canvas.drawPath(spot.place(path), fill(mix(inks.light, WHITE, 0.5)))
                    canvas.drawPath(spot.place(path), dots(scene, inks.main))
                elif ink != inks.dark:
                    canvas.drawPath(spot.place(path), fill(ink))
        canvas.translate(-slips[0][0], -slips[0][1])

    def dark(canvas: Any) -> None:
        canvas.translate(*slips[1])
        for spot, inks, parts in dressed_spots:
            for path, ink in parts:
                if ink == inks.dark:
                    canvas.drawPath(spot.place(path), fill(ink))
        canvas.translate(-slips[1][0], -slips[1][1])

    plate(scene, "second", middle, within)
    plate(scene, "third", dark, within)


def _role(scene: Scene, ground: str) -> str:
    """The role of the main ink: any strong color that stands out from the first ink, else the one farthest from it."""
    p = scene.palette
    strong = [color for color in (p.accent, p.companion, p.mid, p.deep) if distance(color, ground) > APART]
    if strong:
        return strong[int(scene.sfork("second ink").integers(len(strong)))]
    return max((p.accent, p.companion, p.deep, p.dark), key=lambda color: distance(color, ground))


RISO = Family("riso", paint, shows=anything)
