"""Ships and rockets."""

from functools import lru_cache

from plugins.atelier.drawing import Path, bezier, polygon, union_all


@lru_cache
def sloop() -> Path:
    """A small boat under two sails, heading right."""
    hull = bezier((-0.34, -0.09), (-0.26, 0.04, 0.2, 0.05, 0.38, -0.11))
    mast = polygon([(0.0, -0.1), (0.004, -1), (0.014, -1), (0.016, -0.1)])
    main = bezier((-0.005, -0.97), (-0.10, -0.6, -0.22, -0.35, -0.30, -0.15), (-0.14, -0.12, -0.005, -0.14))
    jib = bezier((0.025, -0.9), (0.16, -0.6, 0.26, -0.35, 0.34, -0.15), (0.18, -0.12, 0.025, -0.14))
    return union_all([hull, mast, main, jib])


def sloop_hull() -> Path:
    """The hull of `sloop` alone, to paint it another color."""
    return polygon([(-0.34, -0.09), (0.38, -0.11), (0.25, 0.03), (-0.22, 0.03)])


@lru_cache
def tall_ship() -> Path:
    """A three-master under full sail, heading right."""
    parts = [
        bezier(
            (-0.52, -0.13),
            (-0.45, 0.02, -0.3, 0.03, 0, 0.03),
            (0.25, 0.03, 0.36, 0.0, 0.44, -0.14),
            (0.66, -0.2),
            (0.66, -0.19),
            (0.40, -0.09),
            (0.3, -0.085),
            (-0.36, -0.085),
            (-0.38, -0.15),
        )
    ]
    for x, height, k in ((-0.27, 0.78, 0.78), (0.02, 1.0, 1.0), (0.29, 0.84, 0.82)):
        parts.append(polygon([(x - 0.006, -0.05), (x - 0.004, -height), (x + 0.004, -height), (x + 0.006, -0.05)]))
        for foot, head, wide, narrow in (
            (0.16, 0.42, 0.155, 0.14),
            (0.45, 0.66, 0.135, 0.115),
            (0.69, 0.86, 0.105, 0.08),
        ):
            y0, y1, w0, w1 = -foot * height - 0.03, -head * height - 0.03, wide * k, narrow * k
            middle = (y0 + y1) / 2
            parts.append(
                bezier(
                    (x - w1, y1),
                    (x, y1 + 0.015, x + w1, y1),
                    (x + w1 + 0.05, middle, x + w0 + 0.05, middle, x + w0, y0),
                    (x + 0.02, y0 - 0.05, x - w0, y0),
                    (x - w0 + 0.04, middle, x - w1 + 0.04, middle, x - w1, y1),
                )
            )
    parts.append(polygon([(0.31, -0.76), (0.64, -0.2), (0.36, -0.28)]))
    parts.append(polygon([(0.02, -1.0), (-0.07, -0.98), (0.02, -0.955)]))
    return union_all(parts)


@lru_cache
def rocket() -> Path:
    """A rocket of the fifties, nose up; its tail ends at y = -0.1."""
    body = bezier((0, -1), (0.13, -0.84, 0.15, -0.58, 0.12, -0.26), (-0.12, -0.26), (-0.15, -0.58, -0.13, -0.84, 0, -1))
    fins = [
        bezier((s * 0.12, -0.46), (s * 0.24, -0.38, s * 0.27, -0.24, s * 0.27, -0.1), (s * 0.1, -0.26)) for s in (-1, 1)
    ]
    nozzle = polygon([(-0.07, -0.26), (0.07, -0.26), (0.09, -0.2), (-0.09, -0.2)])
    return union_all([body, *fins, nozzle])
