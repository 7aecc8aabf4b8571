"""Chooses a lettering for a picture and its words: style, place, inks and effects; the same for the same input."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from kernel.press.box import Box
from kernel.press.lettering.arranging import PLACEHOLDER, Frame, Panel, Setter, frames, texts_of
from kernel.press.lettering.document import Block, CoverWords, Lettering, Property, Role, TextEffect
from kernel.press.lettering.finding import overlaps, place
from kernel.press.lettering.hand.holding import hold_all_but, keep_held
from kernel.press.lettering.outlines import SetBlock, set_block, set_blocks
from kernel.press.lettering.settling import THIN, Settler
from kernel.press.lettering.sight.placing import Unrest, unrest_of
from kernel.press.lettering.sight.viewing import View, needed, view_of
from kernel.press.lettering.styles import PlaceName, Style, styles_for
from kernel.press.lettering.styles import style as style_of
from kernel.press.scripts import CASED, clean, text_script

SHELF: Final = 4  # styles of a genre among which title and seed decide
BUSY: Final = 0.45  # unrest of a picture on which a thin face is lost

NOTHING_HELD: Final[Mapping[Role, Block]] = {}


def choose(
    picture: bytes,
    words: CoverWords,
    *,
    genre: str = "",
    language: str = "",
    colors: tuple[str, ...] = (),
    style: str = "",
    wished: str = "",
    seed: int = 0,
) -> Lettering:
    """Return the lettering that suits the picture.

    `genre` as a person wrote it, in any of the twelve languages; `colors` are a theme's `#RRGGBB`; `style` an id, else
    one is chosen: the `wished` one where words and picture allow it. Another `seed` gives another good answer where
    there is one.

    Raises UnreadablePicture, KeyError (style).
    """
    view = view_of(picture)
    texts = texts_of(words)
    unrest = unrest_of(view)
    if style:
        return _letter(view, unrest, texts, style_of(style), language, colors, seed)
    overall = unrest.under(Box(0, 0, view.width, view.height))
    if wished in {known.id for known in _fitting(texts, genre, overall)}:
        made = _letter(view, unrest, texts, style_of(wished), language, colors, seed)
        if _can_be_read(made, view):
            return made
    return _letter(view, unrest, texts, _pick(texts, genre, seed, overall), language, colors, seed)


def restyle(lettering: Lettering, picture: bytes, style: str) -> Lettering:
    """Return the same texts in another style, placed and inked anew; what is held stays as it is.

    Blocks of other roles keep their areas. Raises UnreadablePicture, KeyError (style).
    """
    view, chosen = view_of(picture, lettering.artwork), style_of(style)
    held: dict[Role, Block] = {}
    others: list[Block] = []
    for block in lettering.blocks:
        if block.role in ("blurb", "note") or block.role in held:
            others.append(block)
        elif clean(block.text):
            held[block.role] = block
    texts = {role: block.text for role, block in held.items()}
    made = _letter(view, unrest_of(view), texts, chosen, lettering.language, (), 0, held)
    manner = chosen.author
    kept = tuple(
        keep_held(
            msgspec.structs.replace(block, font=manner.font, voice=manner.voice, color=_small_ink(made, block)), block
        )
        for block in others
    )
    return msgspec.structs.replace(made, blocks=(*made.blocks, *kept), artwork=lettering.artwork)


def release(lettering: Lettering, picture: bytes, index: int, free: tuple[Property, ...]) -> Lettering:
    """Return the lettering with some properties of one block held no more and chosen anew; all other blocks stay.

    Raises UnreadablePicture, IndexError.
    """
    block = lettering.blocks[index]
    view, others = view_of(picture, lettering.artwork), (*lettering.blocks[:index], *lettering.blocks[index + 1 :])
    unrest, style = unrest_of(view), _style_or_first(lettering.style)
    fresh = hold_all_but(block, free)
    known = {other.role: hold_all_but(other, ()) for other in others if clean(other.text)}
    arranged = block.role not in known and block.role not in ("blurb", "note") and clean(block.text)
    if arranged and set(free) - {"color", "effect"}:
        all_held = {**known, block.role: fresh}
        texts = {role: held.text for role, held in all_held.items()}
        made = _letter(view, unrest, texts, style, lettering.language, (), 0, all_held)
        fresh = next((other for other in made.blocks if other.role == block.role), fresh)
    elif arranged:
        fresh = Settler(view, unrest, style, lettering.language).best(_bare(fresh), others)
    fresh = msgspec.structs.replace(fresh, held=tuple(name for name in block.held if name not in free))
    return msgspec.structs.replace(lettering, blocks=(*lettering.blocks[:index], fresh, *lettering.blocks[index + 1 :]))


def rewrite(lettering: Lettering, words: CoverWords, picture: bytes) -> Lettering:
    """Return other words in the same style at the same place: a block without a word goes, a new word finds its place.

    What is held neither moves nor changes its ink. Raises UnreadablePicture.
    """
    view, texts = view_of(picture, lettering.artwork), texts_of(words)
    unrest = unrest_of(view)
    known = {block.role for block in lettering.blocks}
    style = _style_or_first(lettering.style)
    settler = Settler(view, unrest, style, lettering.language)
    fresh = _alike(view, lettering, texts, style) if set(texts) - known else {}
    before = {block.role: set_block(block, lettering.language, view.width, view.height) for block in lettering.blocks}
    blocks: list[Block] = []
    for block in lettering.blocks:
        if block.role in ("blurb", "note"):
            blocks.append(block)
        elif block.role in texts and block.role not in {other.role for other in blocks}:
            blocks.append(msgspec.structs.replace(block, text=texts[block.role]))
    blocks += [fresh[role] for role in texts if role not in known and role in fresh]
    blocks = _followed(blocks, before, lettering.language, view)
    if fresh and overlaps([box for block in blocks if (box := settler.set(block).box).height]):
        blocks = [_moved(block, fresh.get(block.role)) for block in blocks]
    return msgspec.structs.replace(lettering, blocks=_legible(blocks, settler, view))


def choose_around(lettering: Lettering, picture: bytes, held: Mapping[Role, Block]) -> Lettering:
    """Return the same texts in the same style, placed and inked anew around what is held. Raises UnreadablePicture."""
    view = view_of(picture, lettering.artwork)
    texts = {role: block.text for role, block in held.items()}
    style = _style_or_first(lettering.style)
    made = _letter(view, unrest_of(view), texts, style, lettering.language, (), 0, held)
    return msgspec.structs.replace(made, artwork=lettering.artwork)


def _letter(
    view: View,
    unrest: Unrest,
    texts: Mapping[Role, str],
    style: Style,
    language: str,
    colors: tuple[str, ...],
    seed: int,
    held: Mapping[Role, Block] = NOTHING_HELD,
) -> Lettering:
    placed = place(view, unrest, texts, style, language, seed, held)
    settler = Settler(view, unrest, style, language, colors)
    blocks = settler.settle(placed.blocks, band=placed.frame.name == "band") if placed else ()
    return Lettering(style=style.id, language=language, blocks=blocks)


def _pick(texts: Mapping[Role, str], genre: str, seed: int, unrest: float) -> Style:
    """Return a style of the genre that suits the title's length and script and the picture."""
    shelf = _fitting(texts, genre, unrest)[:SHELF]
    return shelf[(_number(clean(texts.get("title", "")), texts.get("author", "")) + seed) % len(shelf)]


def _fitting(texts: Mapping[Role, str], genre: str, unrest: float) -> list[Style]:
    """Return the styles that suit the title's length and script and the picture, best first for the genre."""
    title = clean(texts.get("title", ""))
    cased = text_script(title) in CASED
    fit = [style for style in styles_for(genre) if len(title) <= style.longest or not cased]
    if unrest > BUSY:
        fit = [style for style in fit if style.title.font not in THIN] or fit
    return fit


def _can_be_read(lettering: Lettering, view: View) -> bool:
    """Return whether every block has the contrast it needs."""
    items = set_blocks(lettering, view.width, view.height)
    return all(
        view.contrasts(item, items, [item.block.color])[item.block.color]
        >= needed(item.block.role, item.size, view.unit)
        for item in items
        if item.text.rows
    )


def _number(*parts: str) -> int:
    return int.from_bytes(hashlib.sha256("\n".join(parts).encode()).digest()[:4], "big")


def _alike(view: View, lettering: Lettering, texts: Mapping[Role, str], style: Style) -> dict[Role, Block]:
    """Return the words arranged at the place of a style that is nearest to where title and author stand now."""
    panel = Panel(view.width, view.height)
    now = {block.role: block.area for block in lettering.blocks}

    def distance(frame: Frame) -> float:
        pairs = ((now.get("title"), panel.area(frame.title)), (now.get("author"), panel.area(frame.author)))
        apart = sum(abs(old.top + old.height / 2 - new.top - new.height / 2) for old, new in pairs if old is not None)
        return apart - frame.title.height / panel.height  # more words need more room

    names: tuple[PlaceName, ...] = ("split", "reverse", "top", "bottom", "center", "left", "right")
    found = [frame for name in names for frame in frames(name, texts, style, panel)]
    blocks = Setter(min(found, key=distance), texts, style, panel, lettering.language).blocks()
    inked = next((block.color for block in lettering.blocks), PLACEHOLDER)
    return {block.role: msgspec.structs.replace(block, color=inked) for block in blocks}


def _moved(block: Block, to: Block | None) -> Block:
    """Return the block where another one of its role stands, unless it is held where it is."""
    if to is None or "place" in block.held:
        return block
    moved = msgspec.structs.replace(
        block, area=to.area, valign=to.valign, align=to.align, turn=to.turn, max_size=to.max_size
    )
    return keep_held(moved, block)


def _bare(block: Block) -> Block:
    """Return the block without its effect, unless that is held."""
    return block if "effect" in block.held else msgspec.structs.replace(block, effect=TextEffect())


def _followed(blocks: Sequence[Block], before: Mapping[Role, SetBlock], language: str, view: View) -> list[Block]:
    """Return the blocks with those that followed the title's last line where it now ends."""
    old = before.get("title")
    new = next((block for block in blocks if block.role == "title"), None)
    if old is None or new is None or new.turn:
        return list(blocks)
    was, now = old.box, set_block(new, language, view.width, view.height).box
    moved: list[Block] = []
    for block in blocks:
        if block.role in ("subtitle", "tagline", "series") and block.role in before and "place" not in block.held:
            top = block.area.top * view.height
            low = top + block.area.height * view.height
            shift = (
                now.bottom - was.bottom if top >= was.bottom - 1 else now.top - was.top if low <= was.top + 1 else 0.0
            )
            near = new.area.top - 0.2 <= block.area.top <= new.area.top + new.area.height + 0.1
            if shift and near:
                placed = min(max(0.0, block.area.top + shift / view.height), 1 - block.area.height)
                block = msgspec.structs.replace(block, area=msgspec.structs.replace(block.area, top=placed))
        moved.append(block)
    return moved


def _legible(blocks: Sequence[Block], settler: Settler, view: View) -> tuple[Block, ...]:
    """Return the blocks, those that can no longer be read with another effect or ink."""
    done: list[Block] = []
    for index, block in enumerate(blocks):
        others = [*done, *blocks[index + 1 :]]
        item = settler.set(block)
        around = [settler.set(other) for other in others]
        seen = view.contrasts(item, [*around, item], [block.color])[block.color]
        done.append(block if seen >= settler.aim(block, item.size) / 1.06 else settler.best(block, others))
    return tuple(done)


def _small_ink(made: Lettering, block: Block) -> str:
    return next((other.color for other in made.blocks if other.role != "title"), block.color)


def _style_or_first(id: str) -> Style:
    try:
        return style_of(id)
    except KeyError:
        return styles_for("")[0]
