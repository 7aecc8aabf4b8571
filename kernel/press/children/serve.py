"""The drawing process's side: reads orders from its input, answers each, and ends when its input does.

So it never outlives the server.
"""

import os
import select
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO, Final

import msgspec

from kernel.press.children.frames import HEAD, MAX_FRAME, Done, Failure, Message, Progress, Ready, pack
from kernel.press.errors import PressError

OnPhase = Callable[[str], None]

NICENESS: Final = 5  # drawing can wait; answering requests cannot


class Refused(Exception):
    """An order that cannot be drawn; `reason` is a word of the program's own."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def serve(
    order_type: Any,
    work: Callable[[Any, OnPhase], Any],
    warm_up: Callable[[], None],
    *,
    idle_seconds: float | None = None,
) -> None:
    """Answer orders until the input ends, or none has come for `idle_seconds`.

    `warm_up` loads everything that the first order would otherwise wait for; what it raises is why this process cannot
    start. `work` may raise Refused.
    """
    frames = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # the output of a library must not get between frames
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    orders = msgspec.msgpack.Decoder(order_type)
    stream = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)

    def send(item: Message) -> None:
        frames.write(pack(item))
        frames.flush()

    send(_ready(warm_up))
    while select.select([stream], [], [], idle_seconds)[0] and (body := _frame(stream)) is not None:
        send(_answer(orders.decode(body), work, lambda phase: send(Progress(phase))))


def resident_bytes() -> int:
    """Return how much memory the process uses now; its peak where the system reports no more."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def _frame(stream: BinaryIO) -> bytes | None:
    head = _exactly(stream, HEAD.size)
    if head is None:
        return None
    (length,) = HEAD.unpack(head)
    return _exactly(stream, length) if length <= MAX_FRAME else None


def _exactly(stream: BinaryIO, size: int) -> bytes | None:
    """Read so many bytes of an unbuffered stream; None when it ends before."""
    parts: list[bytes] = []
    while size:
        part = stream.read(size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _ready(warm_up: Callable[[], None]) -> Message:
    started = time.perf_counter()
    try:
        warm_up()
    except (PressError, ImportError) as error:
        return Failure("setup", str(error))
    except Exception:
        return Failure("bug", traceback.format_exc(limit=-3))
    return Ready(time.perf_counter() - started)


def _answer(order: Any, work: Callable[[Any, OnPhase], Any], on_phase: OnPhase) -> Message:
    try:
        result = work(order, on_phase)
    except Refused as error:
        return Failure(error.reason, str(error))
    except Exception:
        return Failure("bug", traceback.format_exc(limit=-6))
    return Done(msgspec.msgpack.encode(result), resident_bytes())
