"""What a drawing process answers."""

import msgspec


class Drawn(msgspec.Struct, frozen=True):
    """A cover is finished. `style` says in words how it was drawn; `missing` are characters that no font has.

    `bare` is the same picture without its words, None where they are painted into it.
    """

    png: bytes
    bare: bytes | None
    family: str
    style: str
    missing: str
    has_title: bool
    seconds: float
