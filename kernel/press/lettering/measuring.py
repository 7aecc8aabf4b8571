"""What is wrong with a lettering on its picture, and what would mend it: by measure, block by block."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from kernel.press.box import Box
from kernel.press.legibility import luminance
from kernel.press.lettering.document import Area, Block, Lettering, Property, TextEffect
from kernel.press.lettering.effects import reach
from kernel.press.lettering.orders import Measured, Remedy, RemedyKind, Unfit
from kernel.press.lettering.outlines import SetBlock, set_block, set_blocks
from kernel.press.lettering.settling import LIGHT, PLATES, SHADOWS, SOFT
from kernel.press.lettering.sight.inks import Inks, inks_of
from kernel.press.lettering.sight.placing import unrest_of
from kernel.press.lettering.sight.viewing import View, needed, view_of
from kernel.press.scripts import clean

LEAST_EM: Final = 0.012  # units; 2 mm on a page 6 inches wide, smaller type is not read in print
REMEDY_MARGIN: Final = 1.03
STEPS: Final = 9  # heights at which another place is looked for

_TOUCHES: Final[dict[RemedyKind, Property]] = {"color": "color", "effect": "effect", "area": "place"}


def measure(picture: bytes, lettering: Lettering) -> tuple[Measured, ...]:
    """Measure each block of a lettering on its picture, effects included. Raises UnreadablePicture."""
    view = view_of(picture, lettering.artwork)
    items = set_blocks(lettering, view.width, view.height)
    return tuple(_measured(view, items, index, lettering.language) for index in range(len(items)))


def _measured(view: View, items: Sequence[SetBlock], index: int, language: str) -> Measured:
    item = items[index]
    seen = view.contrasts(item, items, _inks(item))
    contrast = min(seen.values())
    least = needed(item.block.role, item.size, view.unit)
    unfit = unfit_of(item, view)
    remedies = tuple(_remedies(view, items, index, language, least)) if contrast < least and item.text.rows else ()
    return Measured(
        role=item.block.role,
        contrast=round(contrast, 2),
        needed=least,
        fits=not unfit,
        unfit=unfit,
        missing=item.text.missing,
        inside=view.is_inside(item, reach(item.block, item.size)),
        remedies=remedies,
    )


def _inks(item: SetBlock) -> list[str]:
    small = item.block.small_color
    has_small = any(row.small for row in item.text.rows)
    return [item.block.color, small] if small and has_small else [item.block.color]


def unfit_of(item: SetBlock, view: View) -> Unfit:
    """Return why a block does not fit, blank where it does."""
    if not clean(item.block.text):
        return ""
    if not item.text.rows:
        return "nothing_set"
    if item.text.missing:
        return "missing_characters"
    return "too_small" if item.size < LEAST_EM * view.unit else ""


def _remedies(view: View, items: Sequence[SetBlock], index: int, language: str, least: float) -> Iterator[Remedy]:
    """Yield the weakest change of each kind that reaches what is needed, first those of what is not held."""
    item, inks = items[index], inks_of(view.pixels)
    ways: list[tuple[RemedyKind, Iterator[Block]]] = [
        ("color", _colors(item.block, inks)),
        ("effect", _effects(item.block, inks)),
        ("area", _areas(item, view)),
    ]
    for kind, changes in sorted(ways, key=lambda way: _TOUCHES[way[0]] in item.block.held):
        for block in changes:
            tried = set_block(block, language, view.width, view.height)
            around = [*items[:index], tried, *items[index + 1 :]]
            contrast = min(view.contrasts(tried, around, _inks(tried)).values())
            enough = max(least, needed(block.role, tried.size, view.unit)) * REMEDY_MARGIN
            if contrast >= enough and view.is_inside(tried, reach(block, tried.size)):
                yield Remedy(kind=kind, block=block, contrast=round(contrast, 2))
                break


def _colors(block: Block, inks: Inks) -> Iterator[Block]:
    light = luminance(block.color) > LIGHT
    same = (*inks.light_accents, inks.light, "#ffffff") if light else (*inks.dark_accents, inks.dark, "#000000")
    other = (inks.dark, "#000000") if light else (inks.light, "#ffffff")
    for ink in (*same, *other):
        yield msgspec.structs.replace(block, color=ink, small_color=None)


def _effects(block: Block, inks: Inks) -> Iterator[Block]:
    light = luminance(block.color) > LIGHT
    ground = inks.dark_ground if light else inks.light_ground
    plain = "#000000" if light else "#ffffff"
    for amount in SHADOWS:
        yield msgspec.structs.replace(block, effect=TextEffect(kind="shadow", color=ground, amount=amount))
    for amount in SOFT:
        yield msgspec.structs.replace(block, effect=TextEffect(kind="scrim", color=ground, amount=amount))
    for color in (ground, plain):
        for amount in PLATES:
            yield msgspec.structs.replace(block, effect=TextEffect(kind="plate", color=color, amount=amount))
    ink = "#ffffff" if luminance(block.color) > 0.18 else "#000000"  # an ink of middle lightness reads on nothing
    far = "#000000" if ink == "#ffffff" else "#ffffff"
    effect = TextEffect(kind="plate", color=far, amount=1.0)
    yield msgspec.structs.replace(block, color=ink, small_color=None, effect=effect)


def _areas(item: SetBlock, view: View) -> Iterator[Block]:
    """Yield the block at other heights of the panel, calmest first."""
    area, unrest = item.block.area, unrest_of(view)
    found: list[tuple[float, Area]] = []
    for step in range(STEPS):
        top = (1 - area.height) * (0.05 + 0.9 * step / (STEPS - 1))
        moved = msgspec.structs.replace(area, top=min(max(0.0, top), 1 - area.height))
        shift = (moved.top - area.top) * view.height
        box = Box(item.box.left, item.box.top + shift, item.box.right, item.box.bottom + shift)
        found.append((unrest.under(box), moved))
    for _, moved in sorted(found, key=lambda pair: pair[0]):
        yield msgspec.structs.replace(item.block, area=moved)
