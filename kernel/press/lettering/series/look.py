"""Sets the words of a cover in the look of another one: same style, faces and places, inks that its picture allows."""

from collections.abc import Iterable
from typing import Final

import msgspec

from kernel.press.lettering.choosing import choose_around, rewrite
from kernel.press.lettering.document import PLAIN, Block, CoverWords, Lettering, Property, Role
from kernel.press.lettering.measuring import unfit_of
from kernel.press.lettering.outlines import set_blocks
from kernel.press.lettering.sight.viewing import view_of
from kernel.press.scripts import clean

ON_THE_COVER_ALONE: Final[tuple[Role, ...]] = ("blurb", "note")
"""What belongs to one book and is not part of a look."""

_FACES: Final[tuple[Property, ...]] = ("font", "case", "track")
"""What stays of a look where the words do not fit into its places."""
_INKS: Final[tuple[Property, ...]] = ("color", "effect")


def in_look(
    look: Lettering,
    picture: bytes,
    words: CoverWords | None = None,
    *,
    own: Lettering | None = None,
    language: str = "",
) -> Lettering:
    """Return the words in the look of another cover; `own` is the lettering that the cover has now.

    Without `words` they are those of `own`. What has the look already is returned as it is.

    The crop of its artwork, and texts that only this cover has, stay as they are. Inks and effects of the look are kept
    where they can be read on this picture. Words that do not fit into the places of the look keep its faces and are
    placed anew. Raises UnreadablePicture.
    """
    if own == look and words is None:
        return look
    held = {block.role: block.held for block in look.blocks}
    blocks = tuple(_without(block, _INKS) for block in _arranged(look))
    artwork = own.artwork if own else PLAIN
    begun = msgspec.structs.replace(
        look, blocks=blocks, artwork=artwork, language=language or (own.language if own else look.language)
    )
    made = rewrite(begun, words or words_of(own or Lettering()), picture)
    view = view_of(picture, artwork)
    if any(unfit_of(item, view) for item in set_blocks(made, view.width, view.height)):
        faced = {block.role: _only(block, _FACES) for block in made.blocks}
        made = choose_around(made, picture, faced)
    kept = (block for block in made.blocks if clean(block.text))
    set_again = (msgspec.structs.replace(block, held=held.get(block.role, ())) for block in kept)
    return msgspec.structs.replace(made, blocks=(*set_again, *_others(own, look)), artwork=artwork)


def words_of(lettering: Lettering) -> CoverWords:
    """Return what stands on a cover, the series' name and the number as one text."""
    return CoverWords(**{block.role: block.text for block in _arranged(lettering) if clean(block.text)})


def _arranged(lettering: Lettering) -> tuple[Block, ...]:
    """Return the first block of each role that a look is made of."""
    found: dict[Role, Block] = {}
    for block in lettering.blocks:
        if block.role not in ON_THE_COVER_ALONE:
            found.setdefault(block.role, block)
    return tuple(found.values())


def _others(own: Lettering | None, look: Lettering) -> Iterable[Block]:
    """Return the further texts of a cover, in the face of the look's author line unless theirs is held."""
    if own is None:
        return
    arranged = _arranged(own)
    small = next((block for block in _arranged(look) if block.role == "author"), None)
    for block in own.blocks:
        if any(block is known for known in arranged):
            continue
        if small is None or "font" in block.held:
            yield block
        else:
            yield msgspec.structs.replace(block, font=small.font, voice=small.voice)


def _without(block: Block, free: tuple[Property, ...]) -> Block:
    return msgspec.structs.replace(block, held=tuple(name for name in block.held if name not in free))


def _only(block: Block, held: tuple[Property, ...]) -> Block:
    return msgspec.structs.replace(block, held=held)
