"""Finds the place on a picture where the words of a style are best set: calm, large and not over what it shows."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kernel.press.box import Box
from kernel.press.lettering.arranging import Frame, Panel, Setter, frames
from kernel.press.lettering.document import Block, Role
from kernel.press.lettering.hand.holding import keep_held
from kernel.press.lettering.outlines import SetBlock, set_block
from kernel.press.lettering.sight.placing import Unrest
from kernel.press.lettering.sight.viewing import View
from kernel.press.lettering.styles import PlaceName, Style

UNUSUAL: Final = 0.3  # points against type that runs up an edge: only where it is much calmer
EACH: Final = 4  # frames of one place among these
ROOM: Final = 0.8
TRIED: Final = 12  # frames that are set in full
NEAR_BEST: Final = 0.12  # points; among frames so close the seed decides
FALLBACK: Final[tuple[PlaceName, ...]] = ("split", "reverse", "bottom", "top", "center")
PREFERENCE: Final = 0.09  # points for each step up in the style's order of places
CALM: Final = 1.9
AUTHOR_CALM: Final = 0.9
SIZE: Final = 1.2
COVERED: Final = 1.2  # for a title over what the picture shows
CROWDED: Final = 0.38  # unrest from which an author's line is in the way of the picture, and it in the way of the line
CROWDING: Final = 2.5
LETTER: Final = 0.15  # more unrest under one letter than under its line from which that letter may be lost
LOST: Final = 2.0
LINE_LOST: Final = 5.5  # of small lines: they are thinner
MOST_LOST: Final = 0.5  # points: more does not count, an effect can help the letter
RESTLESS: Final = 0.5  # unrest under a line from which any letter may be lost
OVERLAP: Final = 5.0


class Placed(NamedTuple):
    frame: Frame
    blocks: tuple[Block, ...]
    score: float


def place(
    view: View,
    unrest: Unrest,
    texts: Mapping[Role, str],
    style: Style,
    language: str,
    seed: int,
    held: Mapping[Role, Block],
) -> Placed | None:
    """Return the words at the place that is calm and large enough."""
    panel = Panel(view.width, view.height)
    if not texts:
        return None
    names = (*style.places, *(name for name in FALLBACK if name not in style.places))
    if panel.width / panel.height > 1.15:
        names = ("left", "right", *names)
    liking = {name: PREFERENCE * max(0, len(style.places) - rank) for rank, name in enumerate(dict.fromkeys(names))}
    if "edge" in liking:
        liking["edge"] -= UNUSUAL
    found: list[tuple[float, Frame]] = []
    for name, wish in liking.items():
        own = []
        for frame in frames(name, texts, style, panel):
            unsuited = CALM * unrest.under(frame.title) + _crowding(unrest.under(frame.author))
            room = ROOM * ((frame.title.height * frame.title.width) / (panel.height * panel.width)) ** 0.5
            own.append((wish + room - unsuited, frame))
        found += sorted(own, key=lambda item: -item[0])[:EACH]
    found.sort(key=lambda item: -item[0])
    tried = [
        (
            frame,
            tuple(
                keep_held(block, held.get(block.role))
                for block in Setter(frame, texts, style, panel, language).blocks()
            ),
        )
        for _, frame in found[:TRIED]
    ]
    items = [[set_block(block, language, view.width, view.height) for block in blocks] for _, blocks in tried]
    sizes = [max((item.size for item in row if item.block.role == "title"), default=1.0) for row in items]
    largest = max(sizes) or 1.0
    placed: list[Placed] = []
    for (frame, blocks), row, size in zip(tried, items, sizes, strict=True):
        score = liking[frame.name] + SIZE * (size / largest) ** 0.5
        for item in row:
            if item.text.rows:
                score -= _in_the_way(item, unrest, panel.unit)
        score -= OVERLAP * overlaps([item.box for item in row if item.text.rows])
        placed.append(Placed(frame, blocks, score))
    placed.sort(key=lambda item: -item.score)
    near = [item for item in placed if item.score >= placed[0].score - NEAR_BEST]
    kinds = list({item.frame.name: item for item in reversed(near)}.values())[::-1]
    return kinds[seed % len(kinds)]


def _in_the_way(item: SetBlock, unrest: Unrest, unit: float) -> float:
    """Return the points against a block where it stands."""
    box = _clear(item, unit)
    rest = unrest.under(box)
    uneven = max(0.0, unrest.peak(item.box, item.size) - rest - LETTER) if rest < RESTLESS else 1.0
    if item.block.role != "title":
        return _crowding(rest) + min(LINE_LOST * uneven, MOST_LOST)
    return CALM * rest + COVERED * unrest.covers(box) + min(LOST * uneven, MOST_LOST)


def _crowding(unrest: float) -> float:
    return AUTHOR_CALM * unrest + CROWDING * max(0.0, unrest - CROWDED)


def _clear(item: SetBlock, unit: float) -> Box:
    """Return the box of the ink with the room that it needs around it."""
    room = 0.012 * unit + 0.14 * item.size
    box = item.box
    return Box(box.left - room, box.top - room, box.right + room, box.bottom + room)


def overlaps(boxes: Sequence[Box]) -> int:
    """Return how many pairs of boxes lie on each other."""
    count = 0
    for index, one in enumerate(boxes):
        for two in boxes[index + 1 :]:
            apart = one.right <= two.left or two.right <= one.left or one.bottom <= two.top or two.bottom <= one.top
            count += not apart
    return count
