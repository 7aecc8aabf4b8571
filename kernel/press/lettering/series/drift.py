"""Says in which properties a cover's lettering has left the look of its series. Imports no drawing library."""

from typing import Final, Literal

import msgspec

from kernel.press.lettering.document import Block, Lettering, Role

DriftKind = Literal["face", "capitals", "spacing", "place", "size", "color"]

PLACED: Final[tuple[Role, ...]] = ("title", "author")
"""The others follow the title, whose lines are not alike on any two covers."""
NEAR: Final = 0.025  # of the panel: nearer places are the same place
ANOTHER_THIRD: Final = 0.2  # of the panel's height
AS_LARGE: Final = 0.05  # of the size
AS_WIDE: Final = 0.006  # ems of letter spacing


class Drift(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A block that is set in another way than the look has it; sizes are shares of the panel's width.

    `size` and `lookSize` are the largest type that the block may have, for `size` only.
    """

    role: Role
    kind: DriftKind
    size: float | None = None
    look_size: float | None = None


def drifts(look: Lettering, lettering: Lettering) -> list[Drift]:
    """Return in what a lettering differs from a look, as far as one sees it.

    Inks and effects are the picture's: they count only where the author chose them by hand. Where a cover has lines
    that the look has not, its own may make room for them.
    """
    known = {block.role: block for block in reversed(look.blocks)}
    roles = {block.role for block in lettering.blocks} - {"blurb", "note"}
    crowded = bool(roles - known.keys())
    found: list[Drift] = []
    seen: set[Role] = set()
    for block in lettering.blocks:
        model = known.get(block.role)
        if model is None or block.role in seen or block.role in ("blurb", "note"):
            continue
        seen.add(block.role)
        found += _of_block(model, block, crowded)
    return found


def _of_block(model: Block, block: Block, crowded: bool) -> list[Drift]:
    kinds: list[DriftKind] = []
    if (block.font, block.small_font) != (model.font, model.small_font):
        kinds.append("face")
    if block.case != model.case:
        kinds.append("capitals")
    if abs(block.track - model.track) > AS_WIDE:
        kinds.append("spacing")
    if block.turn != model.turn or (block.role in PLACED and _is_elsewhere(model, block, crowded)):
        kinds.append("place")
    if "color" in block.held and block.color.lower() != model.color.lower():
        kinds.append("color")
    found = [Drift(role=block.role, kind=kind) for kind in kinds]
    other_size = abs(block.max_size / model.max_size - 1) > AS_LARGE
    # a title fills its place: how large it may be is seen only where its author says so
    if other_size and ("size" in block.held or (block.role != "title" and not crowded)):
        found.append(Drift(role=block.role, kind="size", size=block.max_size, look_size=model.max_size))
    return found


def _is_elsewhere(model: Block, block: Block, crowded: bool) -> bool:
    by_hand = "place" in block.held
    middle, other = (one.area.top + one.area.height / 2 for one in (block, model))
    if crowded and not by_hand:
        return abs(middle - other) > ANOTHER_THIRD
    here, there = block.area, model.area
    apart = max(abs(here.top - there.top), abs(here.left - there.left), abs(here.height - there.height))
    return apart > NEAR or abs(here.width - there.width) > NEAR or block.align != model.align
