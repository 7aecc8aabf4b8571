"""The protocol between the server and a drawing process: length-prefixed MessagePack over the process's own pipes."""

import struct
from typing import Final

import msgspec

from plugins.atelier.brief import Spec

HEAD: Final = struct.Struct(">I")
MAX_FRAME: Final = 256 * 2**20  # bytes; four references of 10 MB fit many times over


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The process has loaded its libraries and fonts, in this many `seconds`."""

    seconds: float


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """A phase begins."""

    phase: str


class Drawn(msgspec.Struct, frozen=True, tag="drawn"):
    """A cover is finished. `missing` are characters that no font has; `memory` the process's resident bytes."""

    png: bytes
    family: str
    missing: str
    has_title: bool
    memory: int
    seconds: float


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The cover cannot be drawn. `reason`: `setup` (libraries, fonts), `reference` (no picture) or `bug`."""

    reason: str
    detail: str


Message = Ready | Progress | Drawn | Failed

_encoder = msgspec.msgpack.Encoder()
_messages = msgspec.msgpack.Decoder(Message)
_specs = msgspec.msgpack.Decoder(Spec)


def pack(item: Message | Spec) -> bytes:
    """Return a frame."""
    body = _encoder.encode(item)
    return HEAD.pack(len(body)) + body


def message(body: bytes) -> Message:
    """Read the body of a frame from a drawing process."""
    read: Message = _messages.decode(body)
    return read


def spec(body: bytes) -> Spec:
    """Read the body of a frame to a drawing process."""
    return _specs.decode(body)
