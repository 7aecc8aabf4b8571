"""The story's noun as a silhouette in a landscape."""

from plugins.atelier.color import argb
from plugins.atelier.drawing import BLACK, SCREEN, Path, area, fill, linear, placed, polygon
from plugins.atelier.motifs.animals import bear, canine, owl
from plugins.atelier.motifs.buildings import cabin, castle, lighthouse
from plugins.atelier.motifs.figures import cloaked, person
from plugins.atelier.motifs.glyphs import silhouette
from plugins.atelier.motifs.plants import bare_tree
from plugins.atelier.scene import Scene

# Noto Emoji glyphs whose outer contours fill to a clean silhouette; judged visually, one by one
CLEAN_SILHOUETTES = {
    "horse": "\N{HORSE}",
    "deer": "\N{DEER}",
    "rabbit": "\N{RABBIT}",
    "cat": "\N{CAT}",
    "whale": "\N{WHALE}",
    "bird": "\N{BIRD}",
}


def animal(name: str) -> Path | None:
    """A standing animal by its concept name, or None when there is no good silhouette of it."""
    if name in ("wolf", "fox"):
        return canine(name == "wolf")
    if name == "bear":
        return bear()
    if name == "owl":
        return owl()
    glyph = CLEAN_SILHOUETTES.get(name)
    return silhouette(glyph) if glyph else None


def stand_subject(scene: Scene, x: float, y: float, size: float, color: str, light: str) -> None:
    """Put the story's noun at (x, y), `size` pixels high; windows and lamps shine in `light`."""
    canvas, rng, paint = scene.canvas, scene.fork("subject"), fill(color)
    if scene.has("castle", "crown"):
        outline, windows = castle(rng)
        k = size * 1.35
        canvas.drawPath(placed(outline, k, k, 0, x, y), paint)
        for wx, wy, ww, wh in windows:
            canvas.drawOval(area(x + (wx - ww / 2) * k, y + wy * k, ww * k, wh * k), fill(light, 0.95))
            scene.glow(x + wx * k, y + wy * k, 26 * scene.unit, light, 0.5)
    elif scene.has("lighthouse"):
        stand_lighthouse(scene, x, y, size, color, light)
    elif scene.has("house"):
        canvas.drawPath(placed(cabin(), size * 0.62, size * 0.62, 0, x, y), paint)
        for at in (-0.15, 0.06):
            canvas.drawRect(area(x + at * size, y - 0.16 * size, 0.085 * size, 0.09 * size), fill(light))
        scene.glow(x, y - 0.11 * size, 0.6 * size, light, 0.55)
    elif creature := animal(scene.first("wolf", "fox", "horse", "deer", "bear", "owl")):
        canvas.drawPath(placed(creature, size * 0.78, size * 0.78, 0, x, y + size * 0.015), paint)
    elif scene.has("tree") and not scene.has("person"):
        canvas.drawPath(placed(bare_tree(rng), size * 1.3, size * 1.3, 0, x, y), paint)
    elif scene.has("love", "couple"):
        for dx, k, side in ((-0.14, 0.56, 1), (0.12, 0.52, -1)):
            canvas.drawPath(placed(person(), size * k * side, size * k, 0, x + dx * size, y), paint)
    elif scene.has("magic", "witch", "wizard", "dragon", "quest"):
        canvas.drawPath(placed(cloaked(), size * 0.55, size * 0.55, 0, x, y), paint)
    else:
        hat = scene.has("detective", "murder")
        canvas.drawPath(placed(person(hat=hat), size * 0.5, size * 0.5, 0, x, y), paint)


def stand_lighthouse(scene: Scene, x: float, y: float, size: float, color: str, light: str) -> None:
    """A lighthouse with its lamp lit and two beams across the page."""
    k, canvas = size * 1.25, scene.canvas
    lamp = y - 0.82 * k
    canvas.drawPath(placed(lighthouse(), k, k, 0, x, y), fill(color))
    canvas.drawRect(area(x - 0.03 * k, y - 0.85 * k, 0.06 * k, 0.075 * k), fill(light))
    scene.glow(x, lamp, 0.5 * k, light, 0.8)
    reach = scene.width * 1.1
    for side in (-1, 1):
        end = x + side * reach
        beam = polygon([(x, lamp), (end, lamp - reach * 0.16), (end, lamp + reach * 0.04)])
        fade = [argb(light, 0.55), argb(light, 0.14), argb(light, 0)]
        shader = linear((x, 0), (x + side * reach * 0.75, 0), fade)
        canvas.drawPath(beam, fill(BLACK, shader=shader, blend=SCREEN))
