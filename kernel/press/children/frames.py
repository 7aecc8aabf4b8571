"""The protocol between a server and a drawing process: length-prefixed MessagePack over the process's own pipes."""

import struct
from typing import Any, Final

import msgspec

HEAD: Final = struct.Struct(">I")
MAX_FRAME: Final = 256 * 2**20  # bytes; four references of 10 MB fit many times over


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The process has loaded its libraries and fonts, in this many `seconds`."""

    seconds: float


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """A phase begins."""

    phase: str


class Done(msgspec.Struct, frozen=True, tag="done"):
    """A drawing is finished: its `result`, encoded; `memory` is the process's resident bytes."""

    result: bytes
    memory: int


class Failure(msgspec.Struct, frozen=True, tag="failed"):
    """It cannot be drawn. `reason`: `setup` (libraries, fonts), `bug`, or a word of the program's own."""

    reason: str
    detail: str


Message = Ready | Progress | Done | Failure

_messages = msgspec.msgpack.Decoder(Message)


def pack(item: Any) -> bytes:
    """Return a frame."""
    body = msgspec.msgpack.encode(item)
    return HEAD.pack(len(body)) + body


def message(body: bytes) -> Message:
    """Read the body of a frame from a drawing process."""
    read: Message = _messages.decode(body)
    return read
