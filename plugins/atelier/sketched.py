"""What a sketching process is asked for, and what it answers."""

from typing import Final

import msgspec

from kernel.press.lettering.document import Lettering
from plugins.atelier.brief import Spec

SKETCH_WIDTH: Final = 450
"""Pixels. At 300 some veils under type were measured to be weaker than on the whole cover, at 450 none."""


class Sketched(msgspec.Struct, frozen=True):
    """A small cover. `jpeg` is without words where `lettering` says how they are set; else they are painted into it.

    `missing` are characters that no font has.
    """

    jpeg: bytes
    lettering: Lettering | None
    missing: str
    has_title: bool


def small(spec: Spec) -> Spec:
    """Return the Spec of the same cover, at most `SKETCH_WIDTH` wide."""
    scale = min(1.0, SKETCH_WIDTH / spec.width)
    return msgspec.structs.replace(spec, width=round(spec.width * scale), height=max(1, round(spec.height * scale)))
