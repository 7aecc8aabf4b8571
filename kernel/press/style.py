"""How a text is to be set: the input of a layout."""

from typing import Literal

import msgspec

from kernel.press.catalogue import Voice

Case = Literal["upper", "typed"]
Mode = Literal["fit", "stack", "small"]
Align = Literal["left", "center", "right"]
Valign = Literal["top", "middle", "bottom"]


class TypeStyle(msgspec.Struct, frozen=True, kw_only=True):
    """A face and how it is set.

    `track` is in ems. `leading` is the distance of baselines, in heights of a capital where the face or case has only
    capitals, else in ems. `mode`: `fit` sets all lines in one size, `stack` scales each line to the measure, `small`
    sets function words on their own line at a third of the size, between hairlines when `rules`. `max_size` is in
    pixels per em and bounds the largest line.
    """

    font: str
    case: Case = "typed"
    track: float = 0.0
    leading: float = 1.12
    mode: Mode = "fit"
    align: Align = "center"
    voice: Voice = "serif"
    max_size: float = 1e9
    max_lines: int = 5
    rules: bool = False
    small_font: str = ""
    language: str = ""
