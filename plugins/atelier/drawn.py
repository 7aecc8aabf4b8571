"""What a drawing process answers."""

import msgspec


class Drawn(msgspec.Struct, frozen=True):
    """A cover is finished. `style` says in words how it was drawn; `missing` are characters that no font has."""

    png: bytes
    family: str
    style: str
    missing: str
    has_title: bool
    seconds: float
