"""People and other subjects drawn by us, as shapes with tones: `OWN` by name, each standing on (0, 0)."""

from functools import partial
from typing import Final

from plugins.atelier.drawing import Path, bezier, placed, polygon, skia
from plugins.atelier.motifs.glyphs import silhouette
from plugins.atelier.outlines import bodies, wear
from plugins.atelier.outlines import held as held_things
from plugins.atelier.outlines.bodies import Garment, Pose

Toned = list[tuple[Path, float]]  # from back to front

SKIN: Final = 0.86
CLOTH: Final = 0.48
DARK: Final = 0.20
PALE: Final = 0.80
METAL: Final = 0.70


def someone(
    garment: Garment,
    *,
    hair: str = "short",
    hat: str = "",
    arms: tuple[Pose, Pose] = ("down", "down"),
    held: str = "",
    about: str = "",
    behind: Path | None = None,
    belt: bool = False,
    hat_tone: float = DARK,
    tone: float = CLOTH,
    hair_tone: float = DARK,
    apart: float = 0.0,
    boots: float = 0.05,
) -> Toned:
    """Put a person together; `arms` are the right one (on the right of the page) and the left one."""
    right, left = arms
    x, y = bodies.HANDS[right]
    parts: Toned = []
    if behind is not None:
        parts.append((behind, PALE))
    if hair == "long":
        parts.append((wear.long_hair(), hair_tone))
    if garment not in {"gown", "robe"}:
        bare = garment == "dress"
        parts += [(bodies.legs(apart), SKIN if bare else DARK + 0.06), (bodies.boots(apart, boots), DARK)]
    parts += [(bodies.arm(left, left=True), tone - 0.02), (bodies.hand(left, left=True), SKIN)]
    parts.append((bodies.garment(garment), tone))
    parts.append((bodies.head(), SKIN))
    if hair and hair != "long":
        parts.append((wear.HAIR[hair](), hair_tone))
    elif hair:
        parts.append((_fringe(), hair_tone))
    if belt:
        parts.append((polygon([(-0.104, -0.555), (0.104, -0.555), (0.108, -0.52), (-0.108, -0.52)]), DARK))
    if hat:
        parts.append((wear.HATS[hat](), hat_tone))
    if about:
        parts.append((held_things.ABOUT[about](), METAL))
    if held:
        parts.append((placed(held_things.HELD[held](), 1, 1, 0, x, y), METAL if held != "umbrella" else hat_tone))
    parts += [(bodies.arm(right), tone - 0.02), (bodies.hand(right), SKIN)]
    return [(path, part) for path, part in parts if not path.isEmpty()]


def _fringe() -> Path:
    return bezier(
        (-0.058, -0.90),
        (-0.07, -1.01, 0.07, -1.01, 0.058, -0.90),
        (0.045, -0.95, 0.02, -0.965, -0.012, -0.972),
        (-0.035, -0.955, -0.05, -0.94, -0.058, -0.90),
    )


def small(parts: Toned, k: float) -> Toned:
    """A child: shorter, with a larger head."""
    out: Toned = []
    for path, tone in parts:
        bounds = path.getBounds()
        upper = bounds.centerY() < -0.84 and abs(bounds.centerX()) < 0.15  # heads and hats, not a raised hand
        big = 1.45 if upper else 1.0
        out.append((placed(path, k * big, k * big, 0, 0, k * 0.815 * (big - 1)), tone))
    return out


def beside(*people: tuple[Toned, float, float]) -> Toned:
    """People next to each other: each with where it stands and how large."""
    return [(placed(path, k, abs(k), 0, x, 0), tone) for parts, x, k in people for path, tone in parts]


def one(path: Path, tone: float = DARK) -> Toned:
    """A subject that is one silhouette."""
    return [(path, tone)]


man = partial(someone, "jacket")
woman = partial(someone, "dress", hair="long")


def boy() -> Toned:
    """Boy."""
    return small(someone("jacket", arms=("raise", "down")), 0.66)


def girl() -> Toned:
    """Girl."""
    return small(someone("dress", hair="braids", arms=("raise", "down")), 0.66)


def couple() -> Toned:
    """Couple."""
    return beside((man(), -0.15, 1.0), (woman(tone=0.62), 0.15, 0.94))


def family() -> Toned:
    """Family."""
    return beside((man(), -0.31, 1.0), (woman(tone=0.62), 0.32, 0.95), (boy(), -0.06, 1.0), (girl(), 0.115, 0.86))


def two_women() -> Toned:
    """Two women."""
    return beside(
        (woman(arms=("down", "hip")), -0.17, 1.0), (woman(hair="bun", tone=0.62, arms=("hip", "down")), 0.17, 0.96)
    )


def two_men() -> Toned:
    """Two men."""
    return beside(
        (man(arms=("down", "pocket")), -0.17, 1.0), (someone("coat", tone=0.6, arms=("pocket", "down")), 0.17, 0.97)
    )


def with_child(parent: Toned, child: Toned) -> Toned:
    """A parent and a child."""
    return beside((parent, -0.12, 1.0), (child, 0.16, 1.0))


def crowd() -> Toned:
    """Crowd."""
    back = [
        (man(hat=hat), x, k)
        for hat, x, k in (("fedora", -0.42, 0.92), ("", -0.14, 0.95), ("cap", 0.16, 0.93), ("", 0.44, 0.94))
    ]
    front = [
        (woman(tone=0.6), -0.56, 0.84),
        (someone("coat"), -0.28, 0.86),
        (woman(tone=0.66), 0.02, 0.85),
        (someone("coat", hat="straw"), 0.31, 0.83),
        (woman(), 0.58, 0.84),
    ]
    return beside(*[(parts, x, k) for parts, x, k in (*back, *front)])


def dancer() -> Toned:
    """Dancer."""
    skirt = bezier(
        (-0.062, -0.58),
        (0.062, -0.58),
        (0.30, -0.50, 0.34, -0.43, 0.33, -0.40),
        (0.1, -0.34, -0.1, -0.34, -0.33, -0.40),
        (-0.34, -0.43, -0.30, -0.50, -0.062, -0.58),
    )
    leg = bodies.limb([(0.0, -0.44), (0.004, -0.2), (0.0, -0.015)], 0.046)
    other = bodies.limb([(0.03, -0.44), (0.21, -0.40), (0.05, -0.245)], 0.044)
    parts: Toned = [
        (other, SKIN),
        (leg, SKIN),
        (polygon([(-0.02, -0.05), (0.02, -0.05), (0.008, 0.01), (-0.008, 0.01)]), DARK),
    ]
    parts += [(bodies.arm("up", wide=0.040), SKIN), (bodies.arm("up", left=True, wide=0.040), SKIN)]
    parts += [
        (
            bezier(
                (-0.03, -0.82),
                (0.03, -0.82),
                (0.085, -0.80, 0.08, -0.66, 0.062, -0.57),
                (-0.062, -0.57),
                (-0.08, -0.66, -0.085, -0.80, -0.03, -0.82),
            ),
            CLOTH,
        )
    ]
    return [*parts, (skirt, CLOTH + 0.14), (bodies.head(), SKIN), (wear.bun(), DARK)]


def astronaut() -> Toned:
    """Astronaut."""
    suit = 0.82
    parts: Toned = [(wear.pack(), 0.42), (bodies.legs(0.02), suit), (bodies.boots(0.02, 0.10), 0.42)]
    for left in (True, False):
        parts += [
            (bodies.arm("down" if left else "raise", left=left, wide=0.082), suit),
            (bodies.hand("down" if left else "raise", left=left), 0.42),
        ]
    visor = skia.Path()
    visor.addRoundRect(skia.Rect.MakeLTRB(-0.074, -0.985, 0.074, -0.885), 0.045, 0.045)
    chest = polygon([(-0.06, -0.72), (0.06, -0.72), (0.06, -0.63), (-0.06, -0.63)])
    return [*parts, (bodies.garment("jacket"), suit), (chest, 0.42), (wear.round_helmet(), suit), (visor, DARK)]


def angel() -> Toned:
    """Angel."""
    return someone(
        "gown",
        hair="long",
        behind=wear.wings(),
        hat="halo",
        hat_tone=0.9,
        tone=0.66,
        hair_tone=0.42,
        arms=("hold", "hold"),
    )


def mermaid() -> Toned:
    """Mermaid."""
    tail = bezier(
        (-0.075, -0.56),
        (0.075, -0.56),
        (0.15, -0.38, 0.10, -0.20, 0.0, -0.10),
        (0.07, -0.06, 0.16, -0.06, 0.19, 0.0),
        (0.08, 0.02, -0.01, 0.0, -0.045, -0.075),
        (-0.09, -0.02, -0.16, 0.0, -0.22, -0.03),
        (-0.16, -0.09, -0.10, -0.12, -0.055, -0.13),
        (-0.02, -0.24, -0.14, -0.38, -0.075, -0.56),
    )
    body = bezier(
        (-0.03, -0.82),
        (0.03, -0.82),
        (0.11, -0.80, 0.08, -0.64, 0.075, -0.55),
        (-0.075, -0.55),
        (-0.08, -0.64, -0.11, -0.80, -0.03, -0.82),
    )
    parts: Toned = [
        (wear.long_hair(), DARK),
        (bodies.arm("down", left=True, wide=0.044), SKIN),
        (body, SKIN),
        (tail, CLOTH),
    ]
    band = polygon([(-0.09, -0.735), (0.09, -0.735), (0.08, -0.675), (-0.08, -0.675)])
    return [*parts, (band, CLOTH), (bodies.head(), SKIN), (_fringe(), DARK), (bodies.arm("raise", wide=0.044), SKIN)]


def rider() -> Toned:
    """Rider: seen from the side, one leg before the horse and the other behind it."""
    horse = silhouette("\N{HORSE}") or skia.Path()
    seat = placed(horse, -1.0, 1.0, 0, 0, 0)
    bounds = seat.getBounds()
    x, y = bounds.centerX() + bounds.width() * 0.06, bounds.top() + bounds.height() * 0.42
    above = skia.Path()
    above.addRect(skia.Rect.MakeLTRB(x - 1, y - 1, x + 1, y + 0.02))
    upper = [
        (skia.Op(placed(path, 0.62, 0.62, 0, x, y + 0.29), above, skia.PathOp.kIntersect_PathOp), tone)
        for path, tone in man(hat="cowboy", arms=("hold", "hold"))
    ]
    leg = bezier(
        (x - 0.075, y - 0.01),
        (x + 0.06, y - 0.02),
        (x + 0.15, y + 0.05, x + 0.15, y + 0.09, x + 0.135, y + 0.13),
        (x + 0.105, y + 0.25),
        (x + 0.17, y + 0.265, x + 0.17, y + 0.29, x + 0.16, y + 0.29),
        (x + 0.035, y + 0.29),
        (x + 0.055, y + 0.13),
        (x - 0.05, y + 0.08, x - 0.09, y + 0.05, x - 0.075, y - 0.01),
    )
    return [(seat, DARK), *((path, tone) for path, tone in upper if not path.isEmpty()), (leg, 0.36)]


def thief() -> Toned:
    """Thief."""
    mask = polygon([(-0.062, -0.955), (0.062, -0.955), (0.060, -0.915), (-0.060, -0.915)])
    return [*someone("jacket", hat="cap", about="sack", arms=("hold", "down"), tone=0.34), (mask, DARK)]


def ghost() -> Toned:
    """Ghost."""
    sheet = bezier(
        (0, -1),
        (0.26, -1, 0.30, -0.78, 0.30, -0.5),
        (0.34, -0.06),
        (0.25, -0.12, 0.2, 0.0),
        (0.12, -0.1, 0.06, 0.0),
        (-0.02, -0.1, -0.09, 0.0),
        (-0.16, -0.1, -0.22, -0.01),
        (-0.28, -0.1, -0.34, -0.04),
        (-0.30, -0.5),
        (-0.30, -0.78, -0.26, -1, 0, -1),
    )
    return [
        (sheet, 0.86),
        (bodies.oval(-0.09, -0.70, 0.035, 0.055), DARK),
        (bodies.oval(0.09, -0.70, 0.035, 0.055), DARK),
    ]
