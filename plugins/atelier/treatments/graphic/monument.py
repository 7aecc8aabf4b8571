"""Monument: one figure so large that it leaves the page, in flat color, with the type on what is left of the ground."""

from typing import Final

from plugins.atelier.atmosphere import paper
from plugins.atelier.color import mix, oklch
from plugins.atelier.drawing import fill
from plugins.atelier.family import Family
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.inks import distance, dressed, ground_for, inks_of
from plugins.atelier.treatments.kit import Layout, alone, choose, lay_out, trace, turned, weather
from plugins.atelier.treatments.staging import Spot, stage

RISING: Final = Layout(Zone(0.08, 0.105, 0.84, 0.205), Zone(0.09, 0.05, 0.82, 0.032), Zone(0.0, 0.33, 1.0, 0.74))
HANGING: Final = Layout(Zone(0.08, 0.72, 0.84, 0.17), Zone(0.09, 0.918, 0.82, 0.034), Zone(0.0, -0.12, 1.0, 0.76))
ENTERING: Final = Layout(
    Zone(0.08, 0.06, 0.84, 0.22, "top"), Zone(0.09, 0.925, 0.82, 0.034), Zone(0.10, 0.34, 1.08, 0.53)
)
CLEAR: Final = 0.36  # OKLab distance of figure and ground
BROAD: Final = 0.6  # of its height: a narrower figure may not enter from the side
SEEN: Final = 0.80  # of the figure's area that stays on the page at least


def paint(scene: Scene) -> None:
    """Paint the treatment on the page."""
    p, w, h = scene.palette, scene.width, scene.height
    way = choose(scene, _ways(scene.cast[0]))
    ground = ground_for(scene, turned(scene, "monument ground", [p.accent, p.paper, p.deep, p.light, p.mid]))
    figure = scene.cast[0]
    roles = [c for c in (p.dark, p.paper, p.accent, p.companion) if distance(c, ground) > CLEAR] or [p.dark, p.paper]
    role = roles[int(scene.sfork("monument ink").integers(len(roles)))]
    inks = inks_of(scene, figure, ground, role)
    ink = max((p.paper, p.dark), key=lambda c: abs(oklch(c)[0] - oklch(ground)[0]))
    layout = lay_out(scene, ({"rising": RISING, "hanging": HANGING, "entering": ENTERING}[way],), ink, "")
    scene.hints.shadow, scene.hints.grain, scene.hints.max_title = False, 0.08, 0.17
    scene.flood(ground)
    weather(scene, mix(ground, ink, 0.5), 0.8)
    z, outline = layout.picture, figure.outline
    spots = []
    if figure.count == 1 and len(scene.cast) == 1:
        size = min(z.w * w * 1.10 / outline.width, z.h * h * 1.04 / outline.height)
        x, y = (z.x + z.w / 2) * w, (z.y + z.h / 2) * h
        if way == "rising":
            y = z.y * h + outline.height * size / 2
        elif way == "hanging":
            y = (z.y + z.h) * h - outline.height * size / 2
        else:
            x = w - outline.width * size * (SEEN - 0.5)
        x, y = _kept(scene, outline.width * size, outline.height * size, x, y)
        spots.append(
            Spot(
                figure, x, y, size, flip=way != "entering" and figure.faces and bool(scene.sfork("face").random() < 0.5)
            )
        )
    else:
        spots = stage(
            scene, Zone(max(0.02, z.x), max(0.04, z.y), min(0.96, z.w), min(0.58, z.h)), scene.fork("monument")
        )
    for spot in spots:
        trace(scene, spot)
        own = inks if spot.figure is figure else inks_of(scene, spot.figure, ground, p.companion)
        scene.canvas.drawPath(spot.place(spot.figure.outline.mask), fill(own.main))
        for path, color in dressed(spot.figure.outline, own):
            scene.canvas.drawPath(spot.place(path), fill(color))
    paper(scene, 0.9)


def _ways(figure: Figure) -> tuple[str, ...]:
    """A creature keeps its head on the page, and so does what is too narrow to be known by a part of it."""
    if figure.outline.width < BROAD:
        return ("rising",)
    return ("rising", "entering") if figure.faces else ("rising", "hanging", "entering")


def _kept(scene: Scene, wide: float, high: float, x: float, y: float) -> tuple[float, float]:
    """Move a figure so that at least most of it is seen, in both directions."""
    spare_x, spare_y = wide * (1 - SEEN), high * (1 - SEEN)
    x = min(max(x, wide / 2 - spare_x), scene.width - wide / 2 + spare_x)
    y = min(max(y, high / 2 - spare_y), scene.height - high / 2 + spare_y)
    return x, y


MONUMENT = Family("monument", paint, shows=alone)
