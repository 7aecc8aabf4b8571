"""What a drawing process answers."""

import msgspec


class Drawn(msgspec.Struct, frozen=True):
    """A cover is finished. `missing` are characters that no font has."""

    png: bytes
    family: str
    missing: str
    has_title: bool
    seconds: float
