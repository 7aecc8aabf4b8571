"""People, seen small and from behind."""

from functools import lru_cache

from plugins.atelier.drawing import Path, bezier, box, polygon, skia, union


@lru_cache
def person(coat: bool = True, hat: bool = False) -> Path:
    """A walking figure from behind: narrow head, sloped shoulders, a coat with a vent, legs mid-stride."""
    head = skia.Path()
    head.addOval(box(-0.05, -1, 0.05, -0.872))
    neck = polygon([(-0.026, -0.9), (0.026, -0.9), (0.034, -0.84), (-0.034, -0.84)])
    left_arm = [
        (-0.075, -0.845, -0.128, -0.83, -0.14, -0.775),
        (-0.155, -0.70, -0.165, -0.60, -0.163, -0.50),
        (-0.162, -0.47, -0.135, -0.455, -0.125, -0.478),
    ]
    hem = (
        [
            (-0.125, -0.42, -0.135, -0.33, -0.148, -0.245),
            (-0.11, -0.228, -0.06, -0.225, -0.012, -0.232),
            (0.0, -0.36),
            (0.014, -0.232),
            (0.06, -0.225, 0.11, -0.23, 0.142, -0.25),
            (0.132, -0.34, 0.125, -0.42, 0.124, -0.478),
        ]
        if coat
        else [(-0.105, -0.42), (0.105, -0.42), (0.124, -0.478)]
    )
    right_arm = [
        (0.135, -0.455, 0.162, -0.47, 0.163, -0.50),
        (0.165, -0.60, 0.155, -0.70, 0.14, -0.775),
        (0.128, -0.83, 0.075, -0.845, 0.03, -0.862),
    ]
    body = bezier((-0.03, -0.862), *left_arm, *hem, *right_arm)
    hip = -0.3 if coat else -0.45
    legs = [
        polygon([(-0.10, hip), (-0.005, hip), (-0.022, -0.02), (-0.018, 0), (-0.085, 0), (-0.08, -0.03)]),
        polygon([(0.005, hip), (0.10, hip), (0.098, -0.05), (0.118, -0.028), (0.05, -0.018), (0.055, -0.05)]),
    ]
    out = union(head, neck, body, *legs)
    if not hat:
        return out
    brim = skia.Path()
    brim.addOval(box(-0.118, -0.968, 0.118, -0.928))
    crown = bezier(
        (-0.06, -0.945),
        (-0.066, -1.03, -0.05, -1.05, -0.02, -1.04),
        (0, -1.03, 0.02, -1.04),
        (0.05, -1.05, 0.066, -1.03, 0.06, -0.945),
    )
    return union(out, brim, crown)


@lru_cache
def seated() -> Path:
    """A figure sitting on the ground, knees drawn up, seen from the side; about 0.62 high."""
    head = skia.Path()
    head.addOval(box(-0.075, -0.62, 0.055, -0.47))
    body = bezier(
        (-0.04, -0.47),
        (-0.16, -0.42, -0.19, -0.20, -0.17, 0.0),
        (0.30, 0.0),
        (0.335, -0.03, 0.30, -0.055, 0.25, -0.05),
        (0.20, -0.16, 0.185, -0.235, 0.13, -0.25),
        (0.07, -0.22, 0.05, -0.16, 0.02, -0.12),
        (0.05, -0.25, 0.06, -0.38, 0.02, -0.47),
    )
    return union(head, body)


@lru_cache
def cloaked() -> Path:
    """A hooded wanderer with a staff; about 1.12 high with it."""
    cloak = bezier(
        (0, -1),
        (0.07, -0.99, 0.085, -0.9, 0.08, -0.84),
        (0.15, -0.78, 0.17, -0.55, 0.2, -0.3),
        (0.22, -0.15, 0.26, -0.05, 0.3, 0),
        (-0.2, 0),
        (-0.16, -0.2, -0.16, -0.5, -0.13, -0.72),
        (-0.12, -0.8, -0.09, -0.83, -0.08, -0.86),
        (-0.085, -0.94, -0.06, -0.99, 0, -1),
    )
    staff = polygon([(-0.245, -1.12), (-0.23, -1.12), (-0.205, 0), (-0.225, 0)])
    arm = polygon([(-0.12, -0.68), (-0.235, -0.6), (-0.23, -0.55), (-0.1, -0.58)])
    return union(cloak, staff, arm)


@lru_cache
def parasol() -> Path:
    """An open umbrella with a handle, grip at (0, 0), canopy above; about 0.62 high."""
    canopy = bezier(
        (-0.40, -0.36),
        (-0.34, -0.56, -0.16, -0.62, 0, -0.63),
        (0.16, -0.62, 0.34, -0.56, 0.40, -0.36),
        (0.30, -0.42, 0.20, -0.40, 0.135, -0.36),
        (0.06, -0.41, -0.06, -0.41, -0.135, -0.36),
        (-0.20, -0.40, -0.30, -0.42, -0.40, -0.36),
    )
    return union(canopy, polygon([(-0.008, -0.60), (0.008, -0.60), (0.008, 0), (-0.008, 0)]))
