"""Woodblock: flat colors with a fading sky, a key line, banks of mist and the grain of the board."""

from typing import Final

from plugins.atelier.atmosphere import paper
from plugins.atelier.color import argb, mix, oklch
from plugins.atelier.drawing import MULTIPLY, OVERLAY, area, fill, linear, skia, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import fbm, smoothstep
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import dressed, ground_for, inks_of
from plugins.atelier.treatments.kit import BOTTOM, TOP, Layout, anything, choose, lay_out, trace, turned, weather
from plugins.atelier.treatments.places import place_of, strip
from plugins.atelier.treatments.staging import Spot, stage

KEY_LINE: Final = 5.0  # full-page pixels
SEAT: Final = Layout(Zone(0.10, 0.07, 0.80, 0.20), Zone(0.12, 0.925, 0.76, 0.032), Zone(0.12, 0.31, 0.76, 0.45))


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p = scene.palette
    way = choose(scene, ("sun", "waves", "mist"))
    night = scene.has("night", "midnight")
    tints = ((p.light, 0.28), (p.accent, 0.32), (p.companion, 0.32))
    pale = turned(scene, "sheet", [mix(p.paper, tint, amount) for tint, amount in tints])
    sheet = ground_for(scene, [*([mix(p.deep, p.mid, 0.35)] if night else []), *pale, mix(p.deep, p.mid, 0.35)])
    deep = oklch(sheet)[0] < 0.6
    ink = p.paper if deep else p.dark
    place = place_of(scene)
    if (way == "waves" and place not in {"", "sea"}) or (way == "sun" and place == "sea"):
        way = "sun" if place != "sea" else "waves"
    if way == "waves" and not place:
        way = "sun"
    sea = way == "waves"
    layout = lay_out(scene, (SEAT,) if sea else (TOP, BOTTOM), ink, p.paper if sea else ink)
    scene.hints.shadow, scene.hints.grain = False, 0.07
    scene.flood(sheet)
    _fading(scene, sheet, p.dark if deep else mix(p.deep, p.mid, 0.4), layout)
    spots = stage(scene, layout.picture, scene.fork("woodblock"), standing=True)
    key = mix(p.dark, "#000000", 0.2)
    if way != "waves" and not any(spot.figure.celestial for spot in spots):
        _sun(scene, layout, spots, sheet)
    weather(scene, mix(sheet, p.paper if deep else p.dark, 0.6))
    if way == "mist":
        _banks(scene, spots, sheet, before=False)
    if place and place != "sea":
        _land(scene, place, spots, sheet, key)
    elif sea:
        scene.places.update(tag for tag in ("ocean", "river", "island") if scene.has(tag))
    for spot in spots:
        _print(scene, spot, sheet, key)
    if way == "waves":
        _waves(scene, spots, key)
    elif way == "mist":
        _banks(scene, spots, sheet, before=True)
    _board(scene)
    paper(scene, 0.9)


def _fading(scene: Scene, sheet: str, color: str, layout: Layout) -> None:
    """A band of color wiped off towards the middle, at the head of the page, and a fainter one at its foot."""
    w, h = scene.width, scene.height
    top = 0.20 if layout.title.y < 0.5 else 0.26
    strong = 0.92 if oklch(sheet)[0] < 0.6 else 0.75
    if layout.title.y < 0.5 and oklch(sheet)[0] > 0.6:
        top, strong = 0.16, 0.5
    shade = [argb(color, strong), argb(color, strong * 0.7), argb(color, 0)]
    scene.canvas.drawRect(area(0, 0, w, top * h), fill(shader=linear((0, 0), (0, top * h), shade)))
    foot = [argb(color, 0), argb(color, strong * 0.45)]
    scene.canvas.drawRect(area(0, h * 0.82, w, h * 0.18), fill(shader=linear((0, h * 0.82), (0, h), foot)))


def _sun(scene: Scene, layout: Layout, spots: list[Spot], sheet: str) -> None:
    p = scene.palette
    main = next(spot for spot in spots if spot.main)
    used = inks_of(scene, main.figure, sheet, p.deep).main
    tones = [c for c in (p.accent, p.companion, p.light) if c != used] or [p.light]
    z = layout.picture
    r = scene.span * float(scene.sfork("sun").uniform(0.24, 0.34))
    x = (z.x + z.w * float(scene.sfork("sun x").choice([0.5, 0.30, 0.70]))) * scene.width
    y = (z.y + z.h * 0.36) * scene.height
    shade = linear((x, y - r), (x, y + r), [argb(tones[0]), argb(tones[0]), argb(mix(tones[0], sheet, 0.6))])
    scene.canvas.drawCircle(x, y, r, fill(shader=shade))


def _print(scene: Scene, spot: Spot, sheet: str, key: str) -> None:
    """Colors with a fading shade from below in each part, then the key line over all."""
    p, canvas = scene.palette, scene.canvas
    inks = inks_of(scene, spot.figure, sheet, p.deep if oklch(sheet)[0] > 0.6 else p.light)
    solid = trace(scene, spot)
    line = max(1.2 * scene.unit, KEY_LINE * scene.unit * min(1.0, spot.size / (scene.width * 0.45)))
    canvas.drawPath(solid, fill(p.paper))
    for path, ink in dressed(spot.figure.outline, inks):
        where = spot.place(path)
        bounds = where.getBounds()
        low, high = bounds.bottom(), bounds.top()
        shade = linear((0, high), (0, low), [argb(ink), argb(ink), argb(mix(ink, key, 0.32))])
        canvas.drawPath(where, fill(shader=shade))
        canvas.drawPath(where, stroke(key, line * 0.8, round_ends=True))
    canvas.drawPath(solid, stroke(key, line * 1.9, round_ends=True))


def _waves(scene: Scene, spots: list[Spot], key: str) -> None:
    """Three rows of scalloped waves before the foot of the figures, and deep water below, where the author stands."""
    p, w, h, u = scene.palette, scene.width, scene.height, scene.unit
    foot = max(spot.bottom for spot in spots) - 0.02 * h
    rng = scene.fork("scallops")
    tones = [mix(p.mid, p.light, 0.35), p.mid, mix(p.mid, p.deep, 0.55)]
    size = w * 0.175
    for row, tone in enumerate(tones):
        y = foot + row * size * 0.34
        x = -size * (0.5 + 0.5 * (row % 2)) + float(rng.uniform(-0.1, 0.1)) * size
        while x < w + size:
            for k, color in (
                (1.0, tone),
                (0.80, mix(p.paper, tone, 0.15)),
                (0.71, tone),
                (0.46, p.paper),
                (0.38, tone),
            ):
                scene.canvas.drawCircle(x, y + size * 0.5, size * 0.58 * k, fill(color))
            scene.canvas.drawCircle(x, y + size * 0.5, size * 0.58, stroke(key, 4 * u))
            x += size * 1.04
    top = foot + 3 * size * 0.34 + size * 0.1
    deep = linear((0, top), (0, top + h * 0.08), [argb(p.deep), argb(mix(p.deep, p.dark, 0.7))])
    scene.canvas.drawRect(area(0, top, w, h - top), fill(shader=deep))


def _banks(scene: Scene, spots: list[Spot], sheet: str, before: bool) -> None:
    """Flat banks of mist with round ends, as old prints cut a picture with clouds."""
    w, h, u = scene.width, scene.height, scene.unit
    p = scene.palette
    main = next(spot for spot in spots if spot.main)
    rng = scene.fork("banks before" if before else "banks")
    tone = mix(p.paper, "#ffffff", 0.3) if oklch(sheet)[0] > 0.6 else mix(sheet, p.light, 0.5)
    foot = max(spot.bottom for spot in spots)
    heights = (foot - 0.01 * h,) if before else (main.y - 0.12 * h, main.y + 0.02 * h, main.y + 0.15 * h)
    for i, y in enumerate(heights):
        path = skia.Path()
        left = bool((i + int(before)) % 2)
        for k in range(3):
            long, thick = w * float(rng.uniform(0.35, 0.8)), h * 0.022
            x = -0.1 * w if left else w * 1.1 - long
            x += float(rng.uniform(-0.05, 0.05)) * w
            top = y + k * thick * 0.98
            rect = skia.RRect.MakeRectXY(skia.Rect.MakeXYWH(x, top, long, thick), thick / 2, thick / 2)
            path.addRRect(rect)
        joined = skia.Simplify(path) or path
        scene.canvas.drawPath(joined, fill(tone, 0.96))
        scene.canvas.drawPath(joined, stroke(mix(tone, p.deep, 0.6), 2.5 * u))


def _land(scene: Scene, place: str, spots: list[Spot], sheet: str, key: str) -> None:
    """The place behind the figures in two tones with a key line, and the ground on which they stand."""
    p, h = scene.palette, scene.height
    foot = max(spot.bottom for spot in spots)
    for k, tone in enumerate((mix(sheet, p.mid, 0.35), mix(sheet, p.mid, 0.7))):
        path = strip(scene, place, foot - (0.02 - 0.02 * k) * h, (0.13 - 0.05 * k) * h, f"strip{k}")
        low = linear((0, foot), (0, foot + 0.12 * h), [argb(tone), argb(mix(tone, sheet, 0.9))])
        scene.canvas.drawPath(path, fill(shader=low))
        scene.canvas.drawPath(path, stroke(mix(key, tone, 0.35), 3 * scene.unit))


def _board(scene: Scene) -> None:
    """The grain of the cherry board in all colors."""
    rows, columns = scene.grid(4)
    grain = fbm(scene.fork("board"), rows, columns, 5, 5, 0.62, (9.0, 0.35))
    scene.mask(smoothstep(0.45, 0.95, grain), "#ffffff", 0.16, OVERLAY)
    scene.mask(smoothstep(0.5, 1.0, 1 - grain), scene.palette.dark, 0.07, MULTIPLY)


WOODBLOCK = Family("woodblock", paint, shows=anything)
