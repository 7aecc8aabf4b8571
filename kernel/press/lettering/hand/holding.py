"""What was fixed by hand stays as it is, whatever the press chooses anew."""

from typing import Final, get_args

import msgspec

from kernel.press.lettering.document import Block, Property

EVERY: Final[tuple[Property, ...]] = get_args(Property)

_FIELDS: Final[dict[Property, tuple[str, ...]]] = {
    "font": ("font", "voice", "small_font"),
    "size": ("max_size",),
    "place": ("area", "valign", "turn"),
    "align": ("align",),
    "case": ("case",),
    "track": ("track",),
    "color": ("color", "small_color"),
    "effect": ("effect",),
}


def keep_held(chosen: Block, before: Block | None) -> Block:
    """Return what was chosen with everything that is held in the block as it was before."""
    if before is None or not before.held:
        return chosen
    kept = {name: getattr(before, name) for held in before.held for name in _FIELDS[held]}
    return msgspec.structs.replace(chosen, held=before.held, **kept)


def hold_all_but(block: Block, free: tuple[Property, ...]) -> Block:
    """Return the block with all of its properties held but some."""
    return msgspec.structs.replace(block, held=tuple(name for name in EVERY if name not in free))
