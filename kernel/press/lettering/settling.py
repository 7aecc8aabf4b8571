"""Chooses inks and the weakest effects with which every block can be read, measured on the picture."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from kernel.press.legibility import luminance
from kernel.press.lettering.document import Block, EffectKind, TextEffect
from kernel.press.lettering.outlines import SetBlock, set_block
from kernel.press.lettering.sight.inks import inks_of
from kernel.press.lettering.sight.placing import Unrest
from kernel.press.lettering.sight.viewing import SMALL_NEEDED, View, needed, spread, worst
from kernel.press.lettering.styles import Style

EASY: Final = 1.06  # times what is needed: other sizes of the picture are a little different
LARGE_AIM: Final = 3.7  # large type needs 3.0; a title that just has it does not sell a book
SHADOWED: Final = 1.08  # a shadow is thinner the farther from the letter one looks
THIN_MORE: Final = 1.3  # times the contrast that thin letters need
EVEN: Final = 0.1  # spread of lightness up to which a ground is even
UNEVEN: Final = 4.0  # how much more contrast letters need on a ground that is not
CLUTTERED: Final = 0.62  # unrest from which a shadow does not set letters apart
LOST: Final = 0.4  # of what is around a letter: with more that is too like it the letter is lost
LIGHT_LIKED: Final = 1.25  # light type is preferred on pictures unless dark is so much clearer
SHADOWS: Final = (0.35, 0.6, 0.85)
SOFT: Final = (0.3, 0.42, 0.54, 0.66, 0.78, 0.88)
PLATES: Final = (0.8, 0.92, 1.0)
OUTLINES: Final = (0.6, 1.0)
BLURS: Final = (0.7, 1.0)
NEAR_EDGE: Final = 0.3  # of the panel's height: a gradient from the edge reaches no further
LIGHT: Final = 0.35  # luminance of an ink that counts as light


THIN: Final = frozenset(
    {"italiana", "poiret", "vibes", "cormorant-i", "unbounded-l", "bodoni-i", "monoton", "josefin", "oswald-l"}
)
"""Faces with hairlines, lost on busy pictures."""


class Settler:
    """Settles the blocks of one lettering on one view, one after the other; what is settled counts for the next."""

    def __init__(self, view: View, unrest: Unrest, style: Style, language: str, colors: Sequence[str] = ()) -> None:
        self._view, self._unrest, self._style, self._language = view, unrest, style, language
        self._inks, themed = inks_of(view.pixels, colors), bool(colors)
        self._colorful = style.ink == "accent" or (themed and style.ink != "light")
        self._title_is_light: bool | None = None

    def settle(self, blocks: Sequence[Block], band: bool = False) -> tuple[Block, ...]:
        """Return the blocks with ink and effect, the title's first chosen."""
        done = dict(enumerate(blocks))
        order = sorted(done, key=lambda index: (blocks[index].role != "title", index))
        for index in order:
            block = blocks[index]
            if "effect" not in block.held:
                block = msgspec.structs.replace(block, effect=TextEffect())
            done[index] = block
            others = [done[other] for other in order[: order.index(index)]]
            done[index] = self.best(block, others, band and block.role == "title")
            if block.role == "title":
                self._title_is_light = luminance(done[index].color) > LIGHT
        return tuple(done[index] for index in range(len(blocks)))

    def best(self, block: Block, others: Sequence[Block], band: bool = False) -> Block:
        """Return the block with the ink and the weakest effect that can be read over the picture and the others.

        What is held stays as it is.
        """
        inked = "color" in block.held
        if inked and "effect" in block.held:
            return block
        around = [self.set(other) for other in others]
        item = self.set(block)
        if not item.text.rows:
            return block if inked else msgspec.structs.replace(block, color=self._inks.light)
        aim = self.aim(block, item.size)
        kept: Block | None = None
        most = 0.0
        for light, effect in self._ladder(block, item, around, aim, band):
            tried = msgspec.structs.replace(block, effect=effect)
            if band and effect.kind == "plate" and "place" not in block.held:
                tried = msgspec.structs.replace(tried, area=msgspec.structs.replace(block.area, left=0.0, width=1.0))
            inks = [block.color] if inked else self._ordered(light, block)
            drawn = self.set(tried)
            under = self._view.around(drawn, [*around, drawn])
            own = SHADOWED if effect.kind == "shadow" else 1.0
            enough = own * aim * (1 + UNEVEN * max(0.0, spread(under) - EVEN))
            for ink in inks:
                found = worst(under, ink) / enough
                if found >= 1:
                    lost = self._view.lost(drawn, under, ink, aim)
                    if lost <= LOST:
                        return _inked(tried, ink)
                    found = 1 - lost
                if found > most:
                    most, kept = found, _inked(tried, ink)
        return kept or block

    def aim(self, block: Block, size: float) -> float:
        """Return the contrast to reach."""
        least = needed(block.role, size, self._view.unit)
        if block.font in THIN:
            return max(least * THIN_MORE, SMALL_NEEDED * EASY)
        return max(least * EASY, LARGE_AIM)

    def set(self, block: Block) -> SetBlock:
        """Set a block on the view."""
        return set_block(block, self._language, self._view.width, self._view.height)

    def _ordered(self, light: bool, block: Block) -> list[str]:
        inks = self._inks
        plain, colorful = (inks.light, inks.light_accents) if light else (inks.dark, inks.dark_accents)
        last = "#ffffff" if light else "#000000"
        if self._colorful and block.role in ("title", "series"):
            return list(dict.fromkeys((*colorful, plain, last)))
        return [plain, last]

    def _ladder(
        self, block: Block, item: SetBlock, around: Sequence[SetBlock], aim: float, band: bool
    ) -> Iterator[tuple[bool, TextEffect]]:
        """Yield what to try, weakest first: whether the ink is light, and the effect."""
        inks = self._inks
        bare = self._view.contrasts(item, [*around, item], [inks.light, inks.dark])
        wished = bare[inks.light] * LIGHT_LIKED >= bare[inks.dark]
        light = wished if self._title_is_light is None else self._title_is_light
        if "effect" in block.held:
            yield from ((light, block.effect), (not light, block.effect))
            return
        if "color" in block.held:
            light = luminance(block.color) > LIGHT
        elif bare[inks.light if light else inks.dark] < aim <= bare[inks.dark if light else inks.light]:
            if block.role == "title":
                light = not light
            elif block.role == "author":  # far from the title it may differ, lines beside it may not
                yield from ((light, effect) for effect in self._shadows(light))
                yield not light, TextEffect()
        ground = inks.dark_ground if light else inks.light_ground
        if band and bare[inks.light if light else inks.dark] < aim * 1.4:
            yield from ((light, TextEffect(kind="plate", color=ground, amount=amount)) for amount in PLATES)
        cluttered = self._unrest.under(item.box) > CLUTTERED and spread(self._view.around(item, [*around, item])) > EVEN
        if not cluttered:
            yield light, TextEffect()
            yield from ((light, effect) for effect in self._shadows(light))
        kinds = [kind for kind in self._style.effects if self._suits(kind, block, item, around)]
        if "outline" in kinds:
            yield from ((light, TextEffect(kind="outline", color=ground, amount=amount)) for amount in OUTLINES)
        soft: list[EffectKind] = [kind for kind in kinds if kind in ("scrim", "gradient")] or ["scrim"]
        for amount in SOFT[2 if cluttered else 0 : -2]:
            yield from ((light, TextEffect(kind=kind, color=ground, amount=amount)) for kind in soft[:2])
        if "plate" in kinds:
            yield from ((light, TextEffect(kind="plate", color=ground, amount=amount)) for amount in PLATES)
        yield from ((light, TextEffect(kind="blur", color=ground, amount=amount)) for amount in BLURS)
        for amount in SOFT[-2:]:
            yield from ((light, TextEffect(kind=kind, color=ground, amount=amount)) for kind in soft[:2])
        for color in (ground, "#000000" if light else "#ffffff"):
            yield from ((light, TextEffect(kind="plate", color=color, amount=amount)) for amount in PLATES)

    def _shadows(self, light: bool) -> Iterator[TextEffect]:
        ground = self._inks.dark_ground if light else self._inks.light_ground
        yield from (TextEffect(kind="shadow", color=ground, amount=amount) for amount in SHADOWS)

    def _suits(self, kind: EffectKind, block: Block, item: SetBlock, around: Sequence[SetBlock]) -> bool:
        """Return whether an effect can look right: a gradient only near an edge that has none, an outline on titles."""
        if kind == "outline":
            return block.role == "title"
        if kind != "gradient":
            return True
        box, width, height = item.box, self._view.width, self._view.height
        gap = min(box.top, height - box.bottom)
        if block.turn:
            gap = min(box.left, width - box.right)
        upper = box.top < height - box.bottom
        taken = any(
            other.block.effect.kind == "gradient" and (other.box.top < height - other.box.bottom) == upper
            for other in around
        )
        return gap < NEAR_EDGE * height and not taken


def _inked(block: Block, ink: str) -> Block:
    if "color" in block.held:
        return block
    return msgspec.structs.replace(block, color=ink, small_color=None)
