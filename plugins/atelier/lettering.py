"""The type of a cover: styles fitted to the family's zones, legible inks, shadows under light type."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import skia

from kernel.press.bidi import base_direction
from kernel.press.catalogue import Voice
from kernel.press.legibility import LIGHT_INK, luminance_of
from kernel.press.style import Align, Valign
from kernel.press.typesetting import (
    Ground,
    TextBlock,
    TypeStyle,
    Verdict,
    ground_of,
    layout,
    luminance,
    settle,
    settle_as,
    text_script,
)
from plugins.atelier.atmosphere import shadow
from plugins.atelier.brief import Spec
from plugins.atelier.color import argb, contrast, mix, shift
from plugins.atelier.direction import Direction
from plugins.atelier.drawing import fill, linear
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.series import Place, series_size, set_series_title, without_stack
from plugins.atelier.typestyles import STYLES, Lettering

TITLE_CONTRAST: Final = 3.6  # WCAG requires 3 for large type; the worst spot, not the mean, must reach this
SMALL_CONTRAST: Final = 4.5  # WCAG AA for text
AUTHOR_SHARE: Final = 0.62  # of the title's size; thrillers sell by their author and are exempt
CONDENSED: Final = frozenset({"bebas", "league", "anton", "oswald"})
CONDENSED_GAIN: Final = 1.55  # a condensed face may be this much higher than others
SCRIPT_FACES: Final = frozenset({"vibes", "alex"})
SCRIPT_LIMIT: Final = 16  # characters; longer titles are hard to read in a script face
SMALL_SCRIPTS: Final = {"arabic": 1.6, "devanagari": 1.6, "japanese": 1.45, "chinese": 1.45, "korean": 1.45}
"""How much higher the author's zone is for scripts that look small beside capitals."""
QUIETER: Final[dict[Voice, Voice]] = {"heavy": "sans", "fat": "serif"}
"""In scripts without capitals the author follows the title's manner, in a quieter one where that is loud."""
LONG_NAME: Final = 44  # characters of an author line that is better set in two
BRIGHT: Final = 0.45  # relative luminance of a picture under its type: the median
NEARLY: Final = 3.0  # percentiles around the median, and
NEAR: Final = 1.05  # factor of the luminance, within which a sketch may have another median
TAG_SIZE: Final = 0.040  # of the page width
FOILED: Final = 0.3  # relative luminance of the ink from which a title can be of foil
OUTLINED: Final = 2.0  # contrast of ink and outline from which the outline is drawn
SHADED: Final = 0.4  # relative luminance of the ink from which type has a shadow
SHADOWS: Final = {"title": 0.55}
SHADOW: Final = 0.45
"""The opacity of the shadow under light type, by part, and of all others."""


class Painted(NamedTuple):
    """A block with the paints it is drawn in; `small` is for the small words, None for the same."""

    block: TextBlock
    paint: Any
    small: Any = None


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """The measures of a line of type: ink, worst contrast, color and opacity of the veil under it."""

    ink: str
    contrast: float
    veil: float
    veil_color: str


class Part(NamedTuple):
    """A text set into a place: left, top, width and height in pixels."""

    block: TextBlock
    place: Place
    style: TypeStyle
    valign: Valign

    def below(self, y: float) -> "Part":
        """Return it moved down or up, so that its ink begins at `y`."""
        by = y - self.block.box.top
        left, top, width, height = self.place
        return self._replace(block=self.block.moved(0, by), place=(left, top + by, width, height))


class Type(NamedTuple):
    """Everything the type layer draws, in order, and how its parts (`title`, `author`, `tagline`) are set and measured.

    `has_title` says whether any of the title could be set, here or by a family that paints it into the art; `dark` that
    the type is dark throughout, because a picture that has one kind of ink is bright.
    """

    painted: tuple[Painted, ...]
    parts: dict[str, Part]
    measured: dict[str, Measured]
    missing: str
    has_title: bool
    dark: bool


def letter(scene: Scene, spec: Spec, direction: Direction, sketched: Callable[[], Type] | None = None) -> Type:
    """Set title, author and tagline on a painted scene; veils and shadows go into the art, the type does not.

    `sketched` returns how a sketch of the cover is set: it is asked, and followed, where the choice of an ink is close.
    """
    style = _style(scene, spec, direction)
    parts = _lay_out(scene, spec, style, direction)
    set_ = {name: part for name, part in parts.items() if part.block.rows}
    labelled = [part.block.box for name, part in set_.items() if name in scene.hints.panel_for]
    if scene.hints.panel is not None and labelled:
        scene.hints.panel(labelled)
    ground = ground_of(scene.surface.makeImageSnapshot(), scene.width)
    painted: list[Painted] = []
    measured: dict[str, Measured] = {}
    hints = scene.hints
    wishes = {"title": hints.title_ink or scene.ink, "author": hints.author_ink or scene.ink2 or scene.ink}
    if is_dark := hints.lock_ink and _is_dark(ground, set_, sketched):
        dark = mix(scene.palette.dark, "#000000", 0.4)
        wishes = {"title": dark, "author": dark}
    for name, (block, *_) in set_.items():
        target = TITLE_CONTRAST if name == "title" else SMALL_CONTRAST
        settled = _settle(scene, ground, block, wishes.get(name, hints.tag_ink or scene.ink), target)
        if settled.is_close and sketched is not None and (before := sketched().measured.get(name)):
            settled = settle_as(ground, block, before.ink, before.veil, target, *_veils(scene))
        measured[name] = result = _laid(scene, settled)
        if hints.shadow and luminance(result.ink) > SHADED:
            _shadow(scene, block, SHADOWS.get(name, SHADOW))
        painted += _title_paints(scene, block, result.ink) if name == "title" else [Painted(block, fill(result.ink))]
    drawn = [part.block for part in parts.values()] + ([hints.title_art] if hints.title_art is not None else [])
    missing = "".join(dict.fromkeys("".join(block.missing for block in drawn)))
    has_title = "title" in measured or (hints.title_art is not None and bool(hints.title_art.rows))
    return Type(tuple(painted), set_, measured, missing, has_title, is_dark)


def _style(scene: Scene, spec: Spec, direction: Direction) -> Lettering:
    choices = STYLES[scene.hints.type_style or direction.genre]
    weights = np.array([choice.weight for choice in choices])
    chosen = choices[int(scene.sfork("type").choice(len(choices), p=weights / weights.sum()))]
    title, hints = chosen.title, scene.hints
    changes: dict[str, Any] = {}
    if hints.title_font:
        changes["font"] = hints.title_font
    if hints.title_track is not None:
        changes["track"] = hints.title_track
    if hints.title_fallback:
        changes["voice"] = hints.title_fallback
    title = msgspec.structs.replace(title, **changes)
    if title.font in SCRIPT_FACES and (len(spec.title) > SCRIPT_LIMIT or spec.themed):
        title = msgspec.structs.replace(title, font="playfair-i", leading=1.02, mode="small", small_font="playfair-i")
    gain = CONDENSED_GAIN if title.font in CONDENSED else 1.0
    language = direction.language
    return Lettering(
        chosen.weight,
        msgspec.structs.replace(title, max_size=scene.height * hints.max_title * gain, language=language),
        msgspec.structs.replace(chosen.author, language=language),
        msgspec.structs.replace(chosen.tagline, language=language, max_size=scene.width * TAG_SIZE),
    )


def _lay_out(scene: Scene, spec: Spec, style: Lettering, direction: Direction) -> dict[str, Part]:
    hints, zone = scene.hints, scene.title_zone
    parts: dict[str, Part] = {}
    largest = 0.0
    if spec.title and hints.title_art is None:
        place = _place(scene, spec, zone)
        align: Align = "left" if hints.left else zone.align
        title_style = msgspec.structs.replace(style.title, align=_read_side(spec.title, align))
        if spec.themed:
            title = set_series_title(spec.title, place, title_style, zone.valign)
            largest = series_size(place, title_style)
            title_style = msgspec.structs.replace(without_stack(title_style), max_size=title.size)
        else:
            title = layout(spec.title, place, title_style, zone.valign)
            largest = title.size
        parts["title"] = Part(title, place, title_style, zone.valign)
    if spec.author:
        parts["author"] = _author(scene, spec, style.author, style.title.voice, largest, direction)
    if spec.tagline:
        parts["tagline"] = _tagline(scene, spec, style.tagline, parts.get("title"))
    if "title" in parts and parts["title"].block.rows and hints.flow:
        edge = parts["title"].block.box.bottom + scene.height * 0.022
        for name, gap in (("tagline", 0.018), ("author", 0.0)):
            if name in parts and parts[name].block.rows:
                parts[name] = parts[name].below(edge)
                edge = parts[name].block.box.bottom + scene.height * gap
    return parts


def _place(scene: Scene, spec: Spec, zone: Zone, grow: float = 1.0) -> Place:
    """Return the zone in pixels, `grow` times as high about its middle, cut at the margin."""
    extra = zone.h * (grow - 1) / 2
    left, top = max(zone.x * scene.width, spec.margin), max((zone.y - extra) * scene.height, spec.margin)
    right = min((zone.x + zone.w) * scene.width, scene.width - spec.margin)
    bottom = min((zone.y + zone.h + extra) * scene.height, scene.height - spec.margin)
    return left, top, max(1.0, right - left), max(1.0, bottom - top)


def _read_side(text: str, align: Align) -> Align:
    """Flush left means flush to the side where reading starts."""
    return "right" if align == "left" and base_direction(text) == "rtl" else align


def _author(scene: Scene, spec: Spec, style: TypeStyle, manner: Voice, title_size: float, direction: Direction) -> Part:
    zone = scene.author_zone
    script = text_script(spec.author, direction.language)
    grow = SMALL_SCRIPTS.get(script, 1.0)
    if script in SMALL_SCRIPTS:
        if script == "arabic" and manner == "elegant":
            manner = "serif"  # a ruqaa is too fine for a small line
        style = msgspec.structs.replace(style, voice=QUIETER.get(manner, manner))
    lines = 1 if len(spec.author) <= LONG_NAME else 2
    place = _place(scene, spec, zone, grow * (1.0 if lines == 1 else 1.9))
    style = msgspec.structs.replace(style, align=_read_side(spec.author, zone.align), max_lines=lines, leading=1.5)
    if title_size and direction.genre != "thriller":
        style = msgspec.structs.replace(style, max_size=title_size * AUTHOR_SHARE)
    return Part(layout(spec.author, place, style, zone.valign), place, style, zone.valign)


def _tagline(scene: Scene, spec: Spec, style: TypeStyle, title: Part | None) -> Part:
    zone, given = scene.title_zone, scene.hints.tag_zone
    if given is None:
        under = title is not None and bool(title.block.rows) and zone.y < 0.5
        y = title.block.box.bottom / scene.height + 0.02 if under and title is not None else zone.y - 0.045
        x = zone.x if zone.align == "left" else max(0.12, zone.x)
        given = Zone(x, y, min(0.76, zone.w), 0.03, "top" if under else "middle", zone.align)
    style = msgspec.structs.replace(style, align=_read_side(spec.tagline, given.align))
    place = _place(scene, spec, given)
    return Part(layout(spec.tagline, place, style, given.valign), place, style, given.valign)


def _is_dark(ground: Ground, parts: Mapping[str, Part], sketched: Callable[[], Type] | None) -> bool:
    """Whether dark type suits a picture, title and author alike: it is bright there. Where it is close, as sketched."""
    if not parts:
        return False
    lights = [luminance_of(ground.pixels[ground.ring(part.block)]) for part in parts.values()]
    low, middle, high = np.percentile(np.concatenate(lights), (50 - NEARLY, 50, 50 + NEARLY)).tolist()
    if sketched is not None and low / NEAR <= BRIGHT < high * NEAR:
        return sketched().dark
    return bool(middle > BRIGHT)


def _settle(scene: Scene, ground: Ground, block: TextBlock, preferred: str, target: float) -> Verdict:
    p = scene.palette
    light, dark = mix(p.paper, "#ffffff", 0.6), mix(p.dark, "#000000", 0.6)
    inks: Sequence[str] = (preferred, p.paper, light, p.dark, dark)
    if scene.hints.lock_ink:
        inks = (preferred, light) if luminance(preferred) > LIGHT_INK else (preferred, dark)
    return settle(ground, block, inks, target, *_veils(scene))


def _veils(scene: Scene) -> tuple[str, str]:
    """Return the colors of a veil under light and under dark type."""
    return mix(scene.palette.dark, "#000000", 0.35), mix(scene.palette.paper, "#ffffff", 0.35)


def _laid(scene: Scene, verdict: Verdict) -> Measured:
    """Lay the veil on the art, if there is one."""
    if verdict.veil is not None:
        scene.mask(verdict.veil, verdict.veil_color, verdict.veil_alpha)
    return Measured(
        ink=verdict.ink, contrast=round(verdict.contrast, 2), veil=verdict.veil_alpha, veil_color=verdict.veil_color
    )


def _shadow(scene: Scene, block: TextBlock, strength: float) -> None:
    """Two soft shadows under light type, one wide and one close."""
    path, size, color = block.path(), block.size, mix(scene.palette.dark, "#000000", 0.5)
    for alpha, soft in ((0.55, 0.10), (0.6, 0.025)):
        shadow(scene, path, dy=size * 0.02, soft=max(1.0, size * soft), color=color, alpha=strength * alpha)


def _title_paints(scene: Scene, block: TextBlock, ink: str) -> list[Painted]:
    hints, paint = scene.hints, fill(ink)
    if hints.foil and luminance(ink) > FOILED:
        box, gold = block.box, hints.foil
        sheen = (
            mix(gold, "#ffffff", 0.35),
            gold,
            mix(gold, "#ffffff", 0.6),
            gold,
            shift(gold, -0.10),
            mix(gold, "#ffffff", 0.3),
        )
        paint = fill(shader=linear((box.left, box.top), (box.right, box.bottom), [argb(color) for color in sheen]))
    painted = []
    if hints.outline and contrast(hints.outline, ink) > OUTLINED:
        edge = fill(hints.outline)
        edge.setStyle(skia.Paint.kStrokeAndFill_Style)
        edge.setStrokeWidth(block.size * 0.16)
        edge.setStrokeJoin(skia.Paint.kRound_Join)
        painted.append(Painted(block, edge))
    painted.append(Painted(block, paint, fill(hints.small_ink) if hints.small_ink else None))
    return painted
