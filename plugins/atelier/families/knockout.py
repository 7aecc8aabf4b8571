"""Knockout: the title as a wall of heavy capitals, its letters windows onto a landscape that goes on below them."""

from kernel.press.typesetting import TextBlock, TypeStyle, layout
from plugins.atelier.atmosphere import paper
from plugins.atelier.color import luminance, mix
from plugins.atelier.drawing import BLACK, MITCHELL, MULTIPLY, WHITE, box, fill, placed, rectangle, solid
from plugins.atelier.families.cosmos import paint as paint_cosmos
from plugins.atelier.families.dunes import paint as paint_dunes
from plugins.atelier.families.ridges import paint as paint_ridges
from plugins.atelier.families.sea import paint as paint_sea
from plugins.atelier.family import Family
from plugins.atelier.scene import Scene, Zone

TOP, FOOT = 0.055, 0.875  # where the wall of letters may be, of the page height
STRETCH = 1.45  # how much taller than drawn condensed capitals may be made without looking stretched
SILL = 0.025  # between the letters and the window below them
CONDENSED, HEAVY = "league", "anton"
LONG_TITLE = 26  # characters


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, width, height = scene.palette, scene.width, scene.height
    light = scene.sfork("ground").random() < 0.7
    ground = mix(p.paper, WHITE, 0.25) if light else p.dark
    block = _set_title(scene)
    edge = block.box
    tall = max(1.0, edge.bottom - edge.top)
    stretch = min(STRETCH, height * (FOOT - TOP) / tall)
    top, foot = height * TOP, height * TOP + tall * stretch
    letters = placed(block.path(), 1, stretch, 0, 0, top - edge.top * stretch)
    windows = [letters]
    open_below = height * 0.93 - foot > height * 0.10  # a short title leaves room: the landscape continues to the foot
    if open_below:
        windows.append(rectangle(-1, foot + height * SILL, width + 1, height + 1))
    else:
        shift = (height * (FOOT - TOP) - tall * stretch) / 2
        windows = [placed(letters, 1, 1, 0, 0, shift)]

    on_ground = p.dark if light else p.paper
    title = Zone(0.06, TOP, 0.88, (foot - top) / height)
    scene.set_type(title, Zone(0.12, 0.925, 0.76, 0.032), on_ground, p.paper if open_below else on_ground)
    scene.hints.title_art, scene.hints.shadow, scene.hints.grain = block, open_below, 0.14

    scene.flood(ground)
    scene.canvas.save()
    scene.canvas.clipPath(solid(*windows), True)
    _view(scene)
    if luminance(ground) > 0.4:  # the letters need contrast to the paper
        deepen = fill(mix(p.deep, p.dark, 0.35), 0.5, blend=MULTIPLY)
        scene.canvas.drawRect(box(0, 0, width, foot + height * SILL / 2), deepen)
    scene.canvas.restore()
    paper(scene, 0.7)


def _set_title(scene: Scene) -> TextBlock:
    style = TypeStyle(
        font=CONDENSED if len(scene.title) < LONG_TITLE else HEAVY,
        case="upper",
        mode="stack",
        voice="sans",
        max_lines=6,
        max_size=scene.height * 0.6,
    )
    place = (scene.width * 0.06, scene.height * TOP, scene.width * 0.88, scene.height * (FOOT - TOP))
    return layout(scene.title or "?", place, style, "top")


def _view(scene: Scene) -> None:
    """A landscape painted at half size and laid over the page."""
    half = Scene(
        max(8, scene.width // 2),
        max(8, scene.height // 2),
        scene.palette,
        scene.seed,
        tags=scene.tags,
        genre=scene.genre,
        theme_seed=scene.theme_seed,
    )
    half.hints.mood = "dusk"
    if scene.has("space", "star"):
        paint_cosmos(half)
    elif scene.has("ocean", "ship", "island", "whale", "lighthouse"):
        paint_sea(half)
    elif scene.has("desert"):
        paint_dunes(half)
    else:
        paint_ridges(half)
    # The sky of a landscape is empty; drawn a little larger and lower, its main part is inside the letters.
    zoom = 1.12
    left, top = scene.width * (1 - zoom) / 2, -scene.height * 0.10
    rect = box(left, top, left + scene.width * zoom, top + scene.height * zoom)
    scene.canvas.drawImageRect(half.surface.makeImageSnapshot(), rect, MITCHELL, fill(BLACK))


KNOCKOUT = Family("knockout", paint)
