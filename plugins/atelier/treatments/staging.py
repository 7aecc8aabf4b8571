"""Where each figure stands on the page: as many of it as were asked for, the main one large, others beside or above."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from plugins.atelier.drawing import Path, placed
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Random, Scene, Zone
from plugins.atelier.treatments.grouping import Piece, flies, group

MOST_FIGURES: Final = 4  # kinds of things on one cover; more become a rummage
SEVERAL: Final = 3  # of a companion: more of them get a row of their own
AIR: Final = (0.85, 1.0)  # of its zone that a picture fills: no two attempts alike
CLEAR: Final = 0.02  # of its zone, between what is in the sky and the rest: a moon on a cat's nose is a ball
SKY: Final = 0.52  # of the zone: where the main one is in the sky, and others stand on the ground
HILLS: Final = 0.14  # of the zone between them: far hills rise that high behind what stands
FILLED: Final = 0.88  # of its cell
ALIKE: Final = 3  # decimals that two ways to stand are compared in: a rounding must not decide, a sketch has another
PATTERN: Final = (14, 34)  # how many are drawn for `many`

# Rows for a number of things, those that look best first
ROWS: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    1: ((1,),),
    2: ((2,), (1, 1)),
    3: ((1, 2), (3,), (1, 1, 1), (2, 1)),
    4: ((2, 2), (1, 2, 1), (4,), (1, 1, 1, 1)),
    5: ((2, 1, 2), (2, 3), (1, 2, 2), (5,), (1, 1, 1, 1, 1)),
    6: ((1, 2, 3), (2, 2, 2), (3, 3), (1, 1, 1, 1, 1, 1)),
    7: ((2, 3, 2), (3, 4), (1, 2, 1, 2, 1)),
    8: ((3, 2, 3), (2, 2, 2, 2), (4, 4)),
    9: ((3, 3, 3), (2, 3, 2, 2), (4, 5)),
    10: ((3, 4, 3), (1, 2, 3, 4), (2, 3, 2, 3), (5, 5)),
    11: ((3, 2, 3, 3), (4, 3, 4), (2, 3, 2, 2, 2), (5, 6)),
    12: ((3, 3, 3, 3), (4, 4, 4), (2, 2, 2, 2, 2, 2), (6, 6)),
}


@dataclass(frozen=True, slots=True)
class Spot:
    """One thing on the page: its center and longer side in pixels, its turn in degrees, whether it is mirrored."""

    figure: Figure
    x: float
    y: float
    size: float
    turn: float = 0.0
    flip: bool = False
    main: bool = True

    def place(self, path: Path) -> Path:
        """Return a path of the outline where it is on the page."""
        return placed(path, -self.size if self.flip else self.size, self.size, self.turn, self.x, self.y)

    @property
    def bottom(self) -> float:
        """The height of its foot in pixels."""
        return self.y + self.figure.outline.height * self.size / 2


def stage(scene: Scene, zone: Zone, rng: Random, wide: float = 1.0, standing: bool = False) -> list[Spot]:
    """Put all figures into a zone, the farthest first.

    `wide` below 1 keeps the main ones narrower, for treatments that need air around them; `standing`: on one ground.
    """
    cast = scene.cast[:MOST_FIGURES]
    left, top, width, height = zone.x * scene.width, zone.y * scene.height, zone.w * scene.width, zone.h * scene.height
    wide *= float(rng.uniform(*AIR))
    left, width = left + width * (1 - wide) * float(rng.uniform(0.3, 0.7)), width * wide
    top, height = top + height * (1 - wide) * 0.5, height * wide
    ground = [figure for figure in cast if not figure.celestial]
    if not (standing and cast[0].celestial and ground):
        return _staged(cast, (left, top, width, height), rng, standing)
    sky = [figure for figure in cast if figure.celestial]  # what stands below it must not bring it down to the land
    above = _staged(sky, (left, top, width, height * SKY), rng, standing=False)
    below = _staged(ground, (left, top + height * (SKY + HILLS), width, height * (1 - SKY - HILLS)), rng, standing)
    return [*above, *(replace(spot, main=False) for spot in below)]


def _staged(cast: Sequence[Figure], box: tuple[float, float, float, float], rng: Random, standing: bool) -> list[Spot]:
    main, *others = cast
    left, top, width, height = box
    grouped = any(not figure.celestial and 1 <= figure.count <= SEVERAL for figure in others)
    above = [figure for figure in others if figure.celestial and not (grouped and 1 <= figure.count <= SEVERAL)]
    beside = [figure for figure in others if figure not in above]
    back: list[Spot] = []
    if above:
        deep = 0.26 if len(above) == 1 and above[0].count == 1 else 0.2
        each = width / len(above)
        side = rng.random() < 0.5
        for i, figure in enumerate(above):
            lone = deep > 0.2
            at = (left + width * (0.02 if side else 0.62), width * 0.36) if lone else (left + each * i, each)
            back += rows_of(figure, at[0], top, at[1], height * deep * 0.94, main=False)
        top, height = top + height * (deep + CLEAR), height * (1 - deep - CLEAR)
    front: list[Spot] = []
    rows = [figure for figure in beside if figure.count == 0 or figure.count > SEVERAL]
    few = [figure for figure in beside if figure not in rows]
    for figure in rows:
        front += rows_of(figure, left, top + height * 0.76, width, height * 0.24, main=False)
        height *= 0.72
    if few:
        pieces = [_piece(figure, standing) for figure in (main, *few)]
        x, y = left + width / 2, top + height / 2
        for put in group(pieces[0], pieces[1:], (width, height), rng, standing):
            away = put.piece.figure.faces and put.piece is not pieces[0] and put.x < 0
            front += [
                Spot(
                    put.piece.figure,
                    x + put.x + dx * put.size,
                    y + put.y + dy * put.size,
                    size * put.size,
                    flip=bool(away),
                    main=put.piece is pieces[0],
                )
                for dx, dy, size in put.piece.places
            ]
        return [*back, *sorted(front, key=lambda spot: not spot.figure.celestial)]
    return [*back, *rows_of(main, left, top, width, height, standing=standing), *front]


def _piece(figure: Figure, standing: bool) -> Piece:
    """Return as many of a figure as it counts, put close together."""
    spots = rows_of(figure, 0, 0, 1, 1, standing=standing)
    wide, high = figure.outline.width, figure.outline.height
    left = min(spot.x - spot.size * wide / 2 for spot in spots)
    right = max(spot.x + spot.size * wide / 2 for spot in spots)
    top, bottom = min(spot.y - spot.size * high / 2 for spot in spots), max(spot.bottom for spot in spots)
    k = 1 / max(right - left, bottom - top)
    x, y = (left + right) / 2, (top + bottom) / 2
    places = tuple(((spot.x - x) * k, (spot.y - y) * k, spot.size * k) for spot in spots)
    return Piece(figure, places, (right - left) * k, (bottom - top) * k)


def rows_of(
    figure: Figure, left: float, top: float, width: float, height: float, main: bool = True, standing: bool = False
) -> list[Spot]:
    """Put as many of a figure as it counts into a box, in the rows where they are largest; a few stand in one row."""
    options = ROWS[figure.count] if figure.count else _patterns(figure, width, height)
    if standing and not flies(figure) and 1 <= figure.count <= SEVERAL + 1:
        options = ((figure.count,),)

    def size_in(rows: Sequence[int]) -> float:
        cell_w, cell_h = width / max(rows), height / len(rows)
        filled = 1.0 if figure.count == 1 else FILLED
        return filled * min(cell_w / figure.outline.width, cell_h / figure.outline.height)

    sizes = [round(size_in(rows) / width * (1 - 0.05 * place), ALIKE) for place, rows in enumerate(options)]
    rows = options[sizes.index(max(sizes))]
    size = size_in(rows)
    # Rows stand as close as they need to, not spread over a tall box.
    step = min(height / len(rows), figure.outline.height * size * 1.22)
    y = top + (height - step * len(rows)) / 2 + step / 2
    spots: list[Spot] = []
    for length in rows:
        cell = min(width / length, figure.outline.width * size * 1.6) if figure.count else width / max(rows)
        for k in range(length):
            x = left + width / 2 + (k - (length - 1) / 2) * cell
            flip = figure.faces and figure.count > 1 and x < left + width / 2 - 1
            spots.append(Spot(figure, x, y, size, flip=flip, main=main))
        y += step
    return spots


def _patterns(figure: Figure, width: float, height: float) -> list[tuple[int, ...]]:
    """Rows of a pattern: each second one shorter by one, so that they stand staggered."""
    found = []
    for across in range(2, 9):
        for down in range(2, 12):
            rows = tuple(across - (i % 2) for i in range(down))
            if PATTERN[0] <= sum(rows) <= PATTERN[1]:
                found.append(rows)
    aspect = figure.outline.width / figure.outline.height
    return sorted(
        found, key=lambda rows: round(abs((width / max(rows)) / (height / len(rows)) / aspect - 1.15), ALIKE)
    )[:3]
