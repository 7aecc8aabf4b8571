"""What people wear: hair, hats, wings, placed for the figure of `bodies`."""

from collections.abc import Callable
from typing import Final

from plugins.atelier.drawing import Path, bezier, difference, disc, polygon, skia, union_all
from plugins.atelier.outlines.bodies import HEAD, limb, mirrored, oval

TOP: Final = HEAD[1] - HEAD[3]
R: Final = HEAD[2]


def _both(path: Path) -> Path:
    out = skia.Path(path)
    out.addPath(mirrored(path))
    return out


def _joined(*paths: Path) -> Path:
    return union_all(list(paths))


def short_hair() -> Path:
    """Hair above the brow and the ears."""
    return bezier(
        (-R * 1.12, -0.905),
        (-R * 1.35, TOP - 0.015, -R * 0.5, TOP - 0.03, 0, TOP - 0.026),
        (R * 0.6, TOP - 0.032, R * 1.35, TOP - 0.01, R * 1.12, -0.905),
        (R * 1.0, -0.95, R * 0.5, -0.965, 0, -0.955),
        (-R * 0.5, -0.965, -R * 1.0, -0.95, -R * 1.12, -0.905),
    )


def long_hair() -> Path:
    """Hair down over the shoulders, parted from the face."""
    outer = bezier(
        (0, TOP - 0.026),
        (R * 1.3, TOP - 0.03, R * 1.65, -0.93, R * 1.45, -0.86),
        (R * 1.6, -0.80, R * 1.9, -0.76, R * 1.5, -0.70),
        (R * 1.2, -0.67, R * 0.85, -0.70, R * 0.85, -0.76),
        (-R * 0.85, -0.76),
        (-R * 0.85, -0.70, -R * 1.2, -0.67, -R * 1.5, -0.70),
        (-R * 1.9, -0.76, -R * 1.6, -0.80, -R * 1.45, -0.86),
        (-R * 1.65, -0.93, -R * 1.3, TOP - 0.03, 0, TOP - 0.026),
    )
    return difference(outer, oval(0, -0.905, R * 0.88, 0.070))


def bun() -> Path:
    """Hair pinned up."""
    return _joined(short_hair(), disc(0, TOP - 0.048, 0.036))


def braids() -> Path:
    """Two plaits."""
    plait = limb([(R * 1.05, -0.90), (R * 1.9, -0.82), (R * 1.75, -0.70)], 0.030)
    return _joined(short_hair(), plait, mirrored(plait), disc(R * 1.75, -0.69, 0.019), disc(-R * 1.75, -0.69, 0.019))


def beard() -> Path:
    """A beard to the chest."""
    return bezier(
        (-R * 1.02, -0.90),
        (-R * 1.05, -0.83, -R * 0.7, -0.76, 0, -0.735),
        (R * 0.7, -0.76, R * 1.05, -0.83, R * 1.02, -0.90),
        (R * 0.5, -0.872, -R * 0.5, -0.872, -R * 1.02, -0.90),
    )


def long_beard() -> Path:
    """A beard to the belt."""
    return bezier(
        (-R * 1.02, -0.905),
        (-R * 1.3, -0.80, -R * 0.7, -0.68, 0, -0.575),
        (R * 0.7, -0.68, R * 1.3, -0.80, R * 1.02, -0.905),
        (R * 0.5, -0.872, -R * 0.5, -0.872, -R * 1.02, -0.905),
    )


def fedora() -> Path:
    """A felt hat."""
    crown = bezier(
        (-0.066, -0.955), (-0.072, -1.045, -0.03, -1.055, 0, -1.035), (0.03, -1.055, 0.072, -1.045, 0.066, -0.955)
    )
    return _joined(crown, oval(0, -0.957, 0.125, 0.020))


def cowboy_hat() -> Path:
    """A hat with a wide brim, turned up at its sides."""
    crown = bezier((-0.068, -0.95), (-0.06, -1.07, -0.03, -1.06, 0, -1.04), (0.03, -1.06, 0.06, -1.07, 0.068, -0.95))
    brim = bezier(
        (-0.18, -0.995), (-0.12, -0.915, 0.12, -0.915, 0.18, -0.995), (0.13, -0.965, -0.13, -0.965, -0.18, -0.995)
    )
    return _joined(crown, brim)


def pointed_hat() -> Path:
    """A witch's hat, its tip bent."""
    cone = bezier(
        (-0.078, -0.955), (-0.045, -1.08, -0.02, -1.14, 0.045, -1.21), (0.03, -1.13, 0.062, -1.03, 0.078, -0.955)
    )
    return _joined(cone, oval(0, -0.955, 0.155, 0.022))


def wizard_hat() -> Path:
    """A tall cone with a narrow brim."""
    return _joined(polygon([(-0.082, -0.95), (0.0, -1.25), (0.082, -0.95)]), oval(0, -0.952, 0.115, 0.018))


def crown() -> Path:
    """A crown with five points."""
    points: list[tuple[float, float]] = [(-0.066, -0.955)]
    for i in range(5):
        x = -0.072 + 0.036 * i
        points.append((x, -1.055 if i % 2 == 0 else -1.065))
        if i < 4:
            points.append((x + 0.018, -1.005))
    return polygon([*points, (0.066, -0.955)])


def helmet() -> Path:
    """A closed helmet with a crest."""
    shell = bezier(
        (-0.074, -0.85),
        (-0.085, -1.02, -0.04, -1.03, 0, -1.03),
        (0.04, -1.03, 0.085, -1.02, 0.074, -0.85),
        (0.0, -0.835),
    )
    slit = polygon([(-0.062, -0.945), (0.062, -0.945), (0.062, -0.925), (-0.062, -0.925)])
    plume = bezier((-0.01, -1.02), (-0.02, -1.13, 0.11, -1.13, 0.13, -1.02), (0.10, -1.06, 0.05, -1.05, 0.02, -1.02))
    return _joined(difference(shell, slit), plume)


def steel_helmet() -> Path:
    """A soldier's helmet."""
    dome = bezier(
        (-0.082, -0.945), (-0.085, -1.045, -0.04, -1.05, 0, -1.05), (0.04, -1.05, 0.085, -1.045, 0.082, -0.945)
    )
    return _joined(dome, oval(0, -0.945, 0.098, 0.014))


def tricorn() -> Path:
    """A pirate's hat."""
    return bezier(
        (-0.145, -0.955),
        (-0.11, -1.04, -0.06, -1.02, 0, -1.075),
        (0.06, -1.02, 0.11, -1.04, 0.145, -0.955),
        (0.08, -0.965, 0.05, -0.97, 0, -0.97),
        (-0.05, -0.97, -0.08, -0.965, -0.145, -0.955),
    )


def sailor_cap() -> Path:
    """A round white cap."""
    return _joined(
        oval(0, -1.005, 0.086, 0.026), polygon([(-0.064, -0.99), (0.064, -0.99), (0.060, -0.95), (-0.060, -0.95)])
    )


def straw_hat() -> Path:
    """A low hat with a very wide brim."""
    return _joined(oval(0, -0.985, 0.066, 0.048), oval(0, -0.962, 0.165, 0.020))


def top_hat() -> Path:
    """A silk hat."""
    return _joined(
        polygon([(-0.062, -0.96), (-0.068, -1.10), (0.068, -1.10), (0.062, -0.96)]), oval(0, -0.96, 0.105, 0.016)
    )


def cook_hat() -> Path:
    """A cook's hat."""
    puffs = [disc(x, y, 0.046) for x, y in ((-0.045, -1.06), (0.0, -1.08), (0.045, -1.06))]
    return _joined(*puffs, polygon([(-0.060, -0.96), (-0.062, -1.06), (0.062, -1.06), (0.060, -0.96)]))


def cap() -> Path:
    """A cap with a peak."""
    dome = bezier((-0.066, -0.955), (-0.07, -1.03, 0.07, -1.03, 0.066, -0.955))
    return _joined(dome, limb([(0.02, -0.957), (0.08, -0.965), (0.125, -0.950)], 0.016))


def hood() -> Path:
    """A hood with the face in its shade."""
    outer = bezier(
        (0, -1.035),
        (0.08, -1.02, 0.105, -0.92, 0.095, -0.80),
        (-0.095, -0.80),
        (-0.105, -0.92, -0.08, -1.02, 0, -1.035),
    )
    return difference(outer, oval(0, -0.91, 0.046, 0.062))


def veil() -> Path:
    """A nun's or a bride's veil."""
    outer = bezier(
        (0, -1.02),
        (0.10, -1.01, 0.10, -0.90, 0.135, -0.66),
        (-0.135, -0.66),
        (-0.10, -0.90, -0.10, -1.01, 0, -1.02),
    )
    return difference(outer, oval(0, -0.905, 0.045, 0.062))


def miter() -> Path:
    """A bishop's hat."""
    return bezier(
        (-0.062, -0.955), (-0.085, -1.06, -0.03, -1.12, 0, -1.165), (0.03, -1.12, 0.085, -1.06, 0.062, -0.955)
    )


def turban() -> Path:
    """Cloth wound about the head."""
    return _joined(oval(0, -0.995, 0.092, 0.055), oval(0, -1.02, 0.055, 0.045))


def halo() -> Path:
    """A ring above the head."""
    return difference(oval(0, -1.065, 0.085, 0.022), oval(0, -1.065, 0.066, 0.011))


def wings() -> Path:
    """Feathered wings from the shoulders."""
    wing = bezier(
        (0.05, -0.74),
        (0.12, -0.98, 0.34, -1.06, 0.40, -0.96),
        (0.42, -0.86, 0.40, -0.78, 0.36, -0.72),
        (0.37, -0.66, 0.33, -0.60, 0.29, -0.58),
        (0.28, -0.52, 0.22, -0.47, 0.18, -0.47),
        (0.13, -0.42, 0.08, -0.50, 0.05, -0.56),
    )
    return _both(wing)


def round_helmet() -> Path:
    """The glass of a space suit, with its rim."""
    return disc(0, -0.93, 0.108)


def pack() -> Path:
    """Life support behind an astronaut."""
    path = skia.Path()
    path.addRoundRect(skia.Rect.MakeLTRB(-0.155, -0.84, 0.155, -0.52), 0.03, 0.03)
    return path


HATS: Final[dict[str, Callable[[], Path]]] = {
    "": skia.Path,
    "fedora": fedora,
    "cowboy": cowboy_hat,
    "pointed": pointed_hat,
    "wizard": wizard_hat,
    "crown": crown,
    "helmet": helmet,
    "steel": steel_helmet,
    "tricorn": tricorn,
    "sailor": sailor_cap,
    "straw": straw_hat,
    "top": top_hat,
    "cook": cook_hat,
    "cap": cap,
    "hood": hood,
    "veil": veil,
    "miter": miter,
    "turban": turban,
    "halo": halo,
}
HAIR: Final[dict[str, Callable[[], Path]]] = {
    "": skia.Path,
    "short": short_hair,
    "long": long_hair,
    "bun": bun,
    "braids": braids,
    "beard": lambda: _joined(short_hair(), beard()),
    "bald": beard,
    "sage": lambda: _joined(short_hair(), long_beard()),
}
