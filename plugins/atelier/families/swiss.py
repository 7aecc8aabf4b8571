"""Swiss: a flat field, one enormous form cropped by the page, a rule, and a heavy grotesk flush left."""

from kernel.press.typesetting import glyph_path
from plugins.atelier.atmosphere import paper
from plugins.atelier.color import contrast, luminance
from plugins.atelier.drawing import WHITE, box, disc, fill, placed, polygon, stroke
from plugins.atelier.family import Family
from plugins.atelier.noise import Random
from plugins.atelier.scene import Scene, Zone

MARGIN = 0.075
LEGIBLE = 6.0  # contrast that is left after grain and paper; beyond it the palette's own ink is preferred
ARTICLES = ("the ", "a ", "an ", "der ", "die ", "das ", "le ", "la ", "les ", "el ", "los ", "las ", "il ", "o ")


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    p, rng, width, height = scene.palette, scene.fork("swiss"), scene.width, scene.height
    ground = (p.accent, p.paper, p.dark)[int(scene.sfork("ground").integers(0, 3))]
    on = max((p.paper, p.dark, WHITE, "#0b0b0b"), key=lambda ink: min(contrast(ground, ink), LEGIBLE))
    form = p.accent if ground != p.accent else p.dark if luminance(on) > 0.4 else p.paper
    title = Zone(MARGIN, 0.108, 0.85, 0.31, "top", "left")
    scene.set_type(title, Zone(MARGIN, 0.047, 0.85, 0.027, "middle", "left"), on)
    hints = scene.hints
    hints.shadow, hints.grain, hints.max_title, hints.type_style = False, 0.10, 0.135, "nonfiction"
    hints.title_font = "inter-b" if scene.sfork("face").random() < 0.6 else "grotesk"
    hints.title_track, hints.title_fallback = -0.03, "sans"

    scene.flood(ground)
    second = p.companion if contrast(ground, p.companion) > 1.3 else on
    forms = (_initial, _bars, _eclipse, _stripes, _steps, _arcs)
    forms[int(rng.integers(0, len(forms)))](scene, rng, form, ground if ground != on else p.companion, second)
    scene.canvas.drawRect(
        box(width * MARGIN, height * 0.088, width * (1 - MARGIN), height * 0.088 + 7 * scene.unit), fill(on)
    )
    paper(scene, 0.5)


def _initial(scene: Scene, rng: Random, form: str, ground: str, second: str) -> None:
    """The first letter of the title, bleeding off the lower right."""
    text = scene.title.strip()
    text = next((text[len(a) :] for a in ARTICLES if text.lower().startswith(a)), text).lstrip()
    letter = text[:1].upper() or "A"
    outline = glyph_path("archivo" if rng.random() < 0.5 else "inter-b", letter, 1000)
    bounds = outline.getBounds()
    k = min(scene.height * 0.56 / max(bounds.height(), 1), scene.width * 0.95 / max(bounds.width(), 1))
    x, y = scene.width * 1.04 - bounds.right() * k, scene.height * 0.985 - max(bounds.bottom(), 0) * k
    scene.canvas.drawPath(placed(outline, k, k, 0, x, y), fill(form))


def _bars(scene: Scene, rng: Random, form: str, ground: str, second: str) -> None:
    """Bars rising to the right; the last one has the accent."""
    width, height, n = scene.width, scene.height, int(rng.integers(5, 9))
    bar = width * (1 - 2 * MARGIN) / (n + (n - 1) * 0.25)
    power = rng.uniform(1.2, 2.2)
    for i in range(n):
        x, rise = width * MARGIN + i * bar * 1.25, height * (0.06 + 0.40 * (i / (n - 1)) ** power)
        color = form if i < n - 1 else second
        scene.canvas.drawRect(box(x, height * 0.90 - rise, x + bar, height * 0.90), fill(color))


def _eclipse(scene: Scene, rng: Random, form: str, ground: str, second: str) -> None:
    """A small disc crossing a large one; where they meet the colors change."""
    r = scene.width * rng.uniform(0.36, 0.44)
    side = 1 if rng.random() < 0.5 else -1
    x, y = scene.width * (0.5 + side * 0.12), scene.height * rng.uniform(0.64, 0.69)
    sx, sy, sr = x - side * r * 0.62, y - r * rng.uniform(0.1, 0.5), r * rng.uniform(0.5, 0.68)
    scene.canvas.drawCircle(x, y, r, fill(form))
    scene.canvas.drawCircle(sx, sy, sr, fill(second))
    scene.canvas.save()
    scene.canvas.clipPath(disc(x, y, r), True)
    scene.canvas.drawCircle(sx, sy, sr, fill(ground))
    scene.canvas.restore()


def _stripes(scene: Scene, rng: Random, form: str, ground: str, second: str) -> None:
    """A huge disc off the corner, cut by diagonal stripes of the ground."""
    width, height = scene.width, scene.height
    ground_ink = fill(
        (scene.palette.accent, scene.palette.paper, scene.palette.dark)[int(scene.sfork("ground").integers(0, 3))]
    )
    pitch = width * rng.uniform(0.07, 0.11)
    scene.canvas.save()
    scene.canvas.clipPath(disc(width * 0.80, height * rng.uniform(0.74, 0.82), width * 0.62), True)
    scene.canvas.drawRect(scene.page(), fill(form))
    for k in range(int(width * 2 / pitch)):
        foot, head = k * pitch - width * 0.6, k * pitch + width * 0.4
        stripe = [(foot, height), (foot + pitch / 2, height), (head + pitch / 2, 0), (head, 0)]
        scene.canvas.drawPath(polygon(stripe), ground_ink)
    scene.canvas.restore()


def _steps(scene: Scene, rng: Random, form: str, ground: str, second: str) -> None:
    """A flight of steps leading off the page with a disc about to roll."""
    width, height, n = scene.width, scene.height, int(rng.integers(4, 7))
    side = 1 if rng.random() < 0.5 else -1
    run, rise = width / n, height * 0.44 / n
    points = [(0.0, height), (0.0, height - rise)]
    for i in range(1, n):
        points += [(i * run, height - i * rise), (i * run, height - (i + 1) * rise)]
    points += [(width, height - n * rise), (width, height)]
    stair = polygon(points)
    scene.canvas.drawPath(stair if side > 0 else placed(stair, -1, 1, 0, width, 0), fill(form))
    k, r = int(rng.integers(1, n - 1)), min(run, rise) * 0.46
    x = (k + 0.5) * run
    scene.canvas.drawCircle(x if side > 0 else width - x, height - (k + 1) * rise - r, r, fill(second))


def _arcs(scene: Scene, rng: Random, form: str, ground: str, second: str) -> None:
    """Concentric quarter rings from one lower corner, one of them in the second color."""
    side = 1 if rng.random() < 0.5 else 0
    n = int(rng.integers(5, 8))
    band = min(scene.width * 0.96, scene.height * 0.52) / n
    loud = int(rng.integers(1, n - 1))
    for i in range(n):
        pen = stroke(second if i == loud else form, band * 0.5)
        scene.canvas.drawCircle(scene.width * side, scene.height, band * (i + 0.75), pen)


SWISS = Family("swiss", paint)
