"""The lettering of one panel as data: what is stored, edited, laid out and drawn.

Lengths are fractions of the panel, so that one document fits every format: x and widths of its width, y and heights of
its height, type sizes of its width. Colors are `#RRGGBB`.
"""

from typing import Annotated, Final, Literal

import msgspec

from kernel.press.catalogue import Voice
from kernel.press.style import Align, Case, Mode, Valign

FORMAT: Final = 1
"""The version of this document's form; a later one reads earlier ones."""

MOST_BLOCKS: Final = 12

Role = Literal["title", "subtitle", "author", "series", "tagline", "blurb", "note"]
EffectKind = Literal["none", "shadow", "outline", "plate", "scrim", "gradient", "blur"]
"""What stands between type and picture. `scrim` darkens or lightens softly around the letters, `gradient` from the
nearer edge of the panel, `plate` is an even ground behind the box, `blur` softens the picture behind it."""

Property = Literal["font", "size", "place", "align", "case", "track", "color", "effect"]
"""What an author can fix by hand; `place` is the area with its vertical alignment and rotation."""

Fraction = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Color = Annotated[str, msgspec.Meta(pattern="^#[0-9A-Fa-f]{6}$")]


class Area(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A rectangle of the panel."""

    left: Fraction
    top: Fraction
    width: Annotated[float, msgspec.Meta(gt=0.0, le=1.0)]
    height: Annotated[float, msgspec.Meta(gt=0.0, le=1.0)]


class TextEffect(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What makes the letters stand off the picture; `amount` is its strength or opacity."""

    kind: EffectKind = "none"
    color: Color = "#000000"
    amount: Fraction = 0.0


class Block(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """One text and how it is set into its area.

    `font` is a short name of the catalogue; a script that it lacks is set in a face of the same `voice`. `track`,
    `leading`, `mode`, `rules` and `small_font` as in `TypeStyle`. `max_size` bounds the largest line. `turn` is the
    rotation in degrees clockwise (spines, type that runs up an edge). `small_color` is that of small words and rules.
    `held` is what the author fixed by hand: the press never changes it, whatever else it chooses anew.
    """

    role: Role
    text: Annotated[str, msgspec.Meta(max_length=5000)]
    area: Area
    font: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    color: Color
    voice: Voice = "serif"
    case: Case = "typed"
    track: Annotated[float, msgspec.Meta(ge=-0.2, le=1.0)] = 0.0
    leading: Annotated[float, msgspec.Meta(ge=0.5, le=3.0)] = 1.12
    mode: Mode = "fit"
    align: Align = "center"
    valign: Valign = "top"
    max_size: Annotated[float, msgspec.Meta(gt=0.0, le=2.0)] = 2.0
    max_lines: Annotated[int, msgspec.Meta(ge=1, le=40)] = 5
    rules: bool = False
    small_font: Annotated[str, msgspec.Meta(max_length=40)] = ""
    small_color: Color | None = None
    turn: Literal[0, 90, 270] = 0
    effect: TextEffect = msgspec.field(default_factory=TextEffect)
    held: Annotated[tuple[Property, ...], msgspec.Meta(max_length=8)] = ()


class ArtworkView(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """How the artwork lies below the letters: cropped first, then blurred, then darkened. The artwork stays as it is.

    At `zoom` 1 it fills the panel; `x` and `y` say which part is seen, 0 at the left or upper edge of the artwork, 1 at
    the other. `blur` is the deviation as a share of the most there is, `darken` the opacity of the black over it.
    """

    zoom: Annotated[float, msgspec.Meta(ge=1.0, le=4.0)] = 1.0
    x: Fraction = 0.5
    y: Fraction = 0.5
    darken: Annotated[float, msgspec.Meta(ge=0.0, le=0.9)] = 0.0
    blur: Fraction = 0.0


PLAIN: Final = ArtworkView()
"""The artwork as it was made."""


class Lettering(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The words on one panel, drawn in the order of `blocks`, MOST_BLOCKS at most, and the view of what is below them.

    `style` is the id of the style it began with.
    """

    format: Annotated[int, msgspec.Meta(ge=1, le=FORMAT)] = FORMAT
    style: Annotated[str, msgspec.Meta(max_length=60)] = ""
    language: Annotated[str, msgspec.Meta(max_length=20)] = ""
    blocks: tuple[Block, ...] = ()
    artwork: ArtworkView = msgspec.field(default_factory=ArtworkView)

    @property
    def is_plain(self) -> bool:
        """Return whether the composed picture would be the artwork itself."""
        return not self.blocks and self.artwork == PLAIN


class CoverWords(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What is to stand on a cover. `number` is the volume's place in the series, as it is to be read ("Book 2")."""

    title: str = ""
    author: str = ""
    subtitle: str = ""
    series: str = ""
    number: str = ""
    tagline: str = ""
