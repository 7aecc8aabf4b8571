"""The type of a cover as a lettering document, from which people change its words: the same faces, places and inks."""

from typing import Final, get_args

from kernel.press.box import Box
from kernel.press.lettering.document import Area, Block, Lettering, Role, TextEffect
from kernel.press.lettering.outlines import set_block
from kernel.press.typesetting import luminance
from plugins.atelier.color import contrast, mix
from plugins.atelier.lettering import FOILED, OUTLINED, SHADED, SHADOW, SHADOWS, Measured, Part, Type
from plugins.atelier.scene import Scene

APART: Final = 0.01  # of the page's width: how far our press may set a line from where it stands on the picture
MOST_SIZE: Final = 2.0  # page widths: the largest size of a document
ROLES: Final[tuple[Role, ...]] = get_args(Role)


def document(scene: Scene, type_: Type, language: str) -> Lettering | None:
    """Return the document of a cover's type; None where the press would not set the same.

    A gradient of foil becomes its metal's color, and a label that the family draws becomes a plate.
    """
    blocks = []
    for role in ROLES:
        if (part := type_.parts.get(role)) is None:
            continue
        block = _block(scene, role, part, type_.measured[role])
        if _distance(set_block(block, language, scene.width, scene.height).box, part.block.box) > APART * scene.width:
            return None
        blocks.append(block)
    return Lettering(language=language, blocks=tuple(blocks))


def _block(scene: Scene, role: Role, part: Part, measured: Measured) -> Block:
    style, hints, (left, top, width, height) = part.style, scene.hints, part.place
    titled = role == "title"
    foil = hints.foil if titled and luminance(measured.ink) > FOILED else ""
    return Block(
        role=role,
        text=part.block.text,
        area=Area(
            left=left / scene.width, top=top / scene.height, width=width / scene.width, height=height / scene.height
        ),
        font=style.font,
        color=foil or measured.ink,
        voice=style.voice,
        case=style.case,
        track=style.track,
        leading=style.leading,
        mode=style.mode,
        align=style.align,
        valign=part.valign,
        max_size=min(MOST_SIZE, style.max_size / scene.width),
        max_lines=style.max_lines,
        rules=style.rules,
        small_font=style.small_font,
        small_color=(hints.small_ink or None) if titled else None,
        effect=_effect(scene, role, measured),
    )


def _effect(scene: Scene, role: Role, measured: Measured) -> TextEffect:
    """Return the one effect that does most for this line: what is needed to read it comes first."""
    hints, palette = scene.hints, scene.palette
    if hints.panel is not None and role in hints.panel_for:
        return TextEffect(kind="plate", color=hints.panel_color or palette.paper, amount=1.0)
    if role == "title" and hints.outline and contrast(hints.outline, measured.ink) > OUTLINED:
        return TextEffect(kind="outline", color=hints.outline, amount=1.0)
    if measured.veil:
        return TextEffect(kind="scrim", color=measured.veil_color, amount=min(1.0, measured.veil))
    if hints.shadow and luminance(measured.ink) > SHADED:
        return TextEffect(kind="shadow", color=mix(palette.dark, "#000000", 0.5), amount=SHADOWS.get(role, SHADOW))
    return TextEffect()


def _distance(one: Box, other: Box) -> float:
    """Return how far apart two boxes are: the largest difference of their edges, in pixels."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))
