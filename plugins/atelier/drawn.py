"""What a drawing process answers."""

import msgspec

from kernel.press.lettering.document import Lettering
from kernel.spi import Element


class Drawn(msgspec.Struct, frozen=True):
    """A cover is finished. `style` says in words how it was drawn; `missing` are characters that no font has.

    `bare` is the same picture without its words, None where they are painted into it, and `lettering` says how they are
    set. `elements` are what it shows of what was asked for.
    """

    png: bytes
    bare: bytes | None
    lettering: Lettering | None
    elements: tuple[Element, ...]
    family: str
    style: str
    missing: str
    has_title: bool
    seconds: float
