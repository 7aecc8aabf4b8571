"""What people hold, placed for the figure of `bodies`."""

from collections.abc import Callable
from typing import Final

from plugins.atelier.drawing import Path, bezier, difference, disc, placed, polygon, skia, union_all
from plugins.atelier.motifs.figures import parasol
from plugins.atelier.motifs.ornaments import star
from plugins.atelier.outlines.bodies import limb, mirrored, oval


def _both(path: Path) -> Path:
    out = skia.Path(path)
    out.addPath(mirrored(path))
    return out


def _joined(*paths: Path) -> Path:
    return union_all(list(paths))


def staff() -> Path:
    """A long staff, grip at (0, 0)."""
    return _joined(limb([(0, -0.42), (0, 0.585)], 0.024), disc(0, -0.44, 0.030))


def broom() -> Path:
    """A broom, its twigs up."""
    twigs = bezier(
        (-0.012, -0.30),
        (-0.075, -0.42, -0.07, -0.52, -0.06, -0.56),
        (0.06, -0.56),
        (0.07, -0.52, 0.075, -0.42, 0.012, -0.30),
    )
    return _joined(limb([(0, -0.34), (0, 0.58)], 0.022), twigs)


def sword() -> Path:
    """A sword, point up."""
    blade = polygon([(-0.020, -0.04), (-0.017, -0.44), (0, -0.50), (0.017, -0.44), (0.020, -0.04)])
    return _joined(
        blade, limb([(-0.065, -0.04), (0.065, -0.04)], 0.020), limb([(0, 0), (0, 0.055)], 0.024), disc(0, 0.07, 0.017)
    )


def spear() -> Path:
    """A spear."""
    return _joined(limb([(0, -0.62), (0, 0.585)], 0.020), polygon([(-0.032, -0.60), (0, -0.74), (0.032, -0.60)]))


def pitchfork() -> Path:
    """A fork with three tines."""
    tines = [limb([(x, -0.44), (x, -0.58)], 0.016) for x in (-0.06, 0.0, 0.06)]
    return _joined(limb([(0, -0.44), (0, 0.58)], 0.022), limb([(-0.06, -0.44), (0.06, -0.44)], 0.020), *tines)


def glass() -> Path:
    """A magnifying glass."""
    lens = difference(disc(0.045, -0.115, 0.072), disc(0.045, -0.115, 0.050))
    return _joined(lens, limb([(0, 0.02), (0.02, -0.05)], 0.024))


def wand() -> Path:
    """A wand with a star."""
    return _joined(limb([(0, 0.02), (0.09, -0.15)], 0.016), placed(star(5, 0.42), 0.050, 0.050, 0, 0.10, -0.18))


def lantern() -> Path:
    """A lantern that hangs from the hand."""
    body = polygon([(-0.045, 0.07), (0.045, 0.07), (0.055, 0.17), (-0.055, 0.17)])
    return _joined(
        limb([(0, 0.0), (0, 0.05)], 0.012), polygon([(-0.03, 0.05), (0.03, 0.05), (0.05, 0.075), (-0.05, 0.075)]), body
    )


def book() -> Path:
    """An open book in both hands."""
    page = bezier(
        (0, -0.50), (0.05, -0.545, 0.10, -0.54, 0.15, -0.53), (0.15, -0.625), (0.10, -0.635, 0.05, -0.63, 0, -0.60)
    )
    return _both(page)


def sack() -> Path:
    """A sack over the shoulder."""
    return _joined(oval(0.22, -0.72, 0.115, 0.135), polygon([(0.10, -0.80), (0.16, -0.87), (0.20, -0.80)]))


def scythe() -> Path:
    """A scythe, its blade up."""
    blade = bezier((0, -0.46), (-0.14, -0.50, -0.28, -0.44, -0.34, -0.30), (-0.22, -0.38, -0.12, -0.40, 0, -0.38))
    return _joined(limb([(0, -0.46), (0, 0.58)], 0.022), blade)


def bow() -> Path:
    """A drawn bow with its arrow."""
    wood = limb([(-0.02, -0.26), (0.14, 0.0), (-0.02, 0.26)], 0.024)
    return _joined(wood, limb([(-0.02, -0.26), (-0.02, 0.26)], 0.008), limb([(-0.14, 0.0), (0.16, 0.0)], 0.012))


def rod() -> Path:
    """A fishing rod with its line."""
    return _joined(limb([(-0.04, 0.05), (0.30, -0.42)], 0.018), limb([(0.30, -0.42), (0.30, 0.30)], 0.007))


def hammer() -> Path:
    """A hammer."""
    return _joined(limb([(0, 0.05), (0, -0.22)], 0.026), limb([(-0.065, -0.22), (0.065, -0.22)], 0.062))


def case() -> Path:
    """A case in the hand."""
    return _joined(
        limb([(-0.04, 0.04), (0.0, 0.0), (0.04, 0.04)], 0.014),
        polygon([(-0.10, 0.04), (0.10, 0.04), (0.10, 0.17), (-0.10, 0.17)]),
    )


def cane() -> Path:
    """A walking stick."""
    return _joined(limb([(0, -0.03), (0, 0.50)], 0.020), limb([(0.0, -0.03), (0.03, -0.055), (0.055, -0.02)], 0.020))


def cutlass() -> Path:
    """A cutlass, curved."""
    blade = bezier((-0.015, -0.03), (-0.03, -0.22, 0.02, -0.36, 0.11, -0.46), (0.085, -0.30, 0.07, -0.18, 0.025, -0.03))
    return _joined(blade, limb([(-0.05, -0.03), (0.05, -0.03)], 0.018), limb([(0, 0), (0, 0.05)], 0.024))


def palette() -> Path:
    """A painter's palette."""
    return difference(oval(0.03, -0.02, 0.10, 0.075), disc(0.07, 0.005, 0.020))


def lute() -> Path:
    """A guitar before the body."""
    return _joined(
        oval(0.03, -0.52, 0.105, 0.085), oval(-0.06, -0.55, 0.075, 0.065), limb([(-0.08, -0.56), (-0.33, -0.68)], 0.026)
    )


def umbrella() -> Path:
    """An open umbrella above the head."""
    return placed(parasol(), 0.85, 0.85, 0, 0, -0.02)


HELD: Final[dict[str, Callable[[], Path]]] = {
    "": skia.Path,
    "staff": staff,
    "broom": broom,
    "sword": sword,
    "cutlass": cutlass,
    "spear": spear,
    "pitchfork": pitchfork,
    "glass": glass,
    "wand": wand,
    "lantern": lantern,
    "cane": cane,
    "scythe": scythe,
    "bow": bow,
    "rod": rod,
    "hammer": hammer,
    "case": case,
    "palette": palette,
    "umbrella": umbrella,
}
"""Held in the right hand: the grip at (0, 0)."""
ABOUT: Final[dict[str, Callable[[], Path]]] = {
    "": skia.Path,
    "book": book,
    "sack": sack,
    "lute": lute,
}
"""Before the body, in its place already."""
