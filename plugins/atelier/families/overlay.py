"""Overlay: existing artwork over the whole page; the type is placed where the picture has least detail."""

import numpy as np

from plugins.atelier.families.refphoto import crop
from plugins.atelier.family import Family
from plugins.atelier.noise import Floats, blur, enlarge
from plugins.atelier.scene import Scene, Zone

ROWS, COLUMNS = 300, 200  # the picture is analyzed at this size


def paint(scene: Scene) -> None:
    """Paint the family on the page; needs `scene.reference`."""
    if scene.reference is None:
        raise ValueError("overlay needs a reference picture")
    picture = crop(scene.reference, scene.width, scene.height, 0.45)
    scene.picture(np.ascontiguousarray(picture[..., :3]))
    grey = enlarge(picture[..., :3].mean(2, dtype=np.float32) / 255, ROWS, COLUMNS, cubic=False)
    if _unrest(grey, 0.05, 0.33) * 0.92 <= _unrest(grey, 0.64, 0.93):  # readers expect the title on top
        scene.set_type(Zone(0.08, 0.06, 0.84, 0.26), Zone(0.12, 0.925, 0.76, 0.034))
    else:
        scene.set_type(Zone(0.08, 0.66, 0.84, 0.235), Zone(0.12, 0.045, 0.76, 0.034))
    scene.hints.grain, scene.hints.lock_ink = 0.07, True


def _unrest(grey: Floats, top: float, foot: float) -> float:
    """Return the amount of detail between two heights: edge energy, and a third of the spread of tones."""
    gy, gx = np.gradient(blur(grey, 1))
    band = slice(int(top * ROWS), int(foot * ROWS))
    return float(np.hypot(gx, gy)[band].mean() + 0.35 * grey[band].std())


OVERLAY = Family("overlay", paint, needs_reference=True)
