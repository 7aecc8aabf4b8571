"""A drawing process: `python -m plugins.atelier.worker` reads Specs from its input and answers with covers.

A separate process, because the drawing library holds the interpreter's lock for the whole of a stroke. It ends when
its input does, so it never outlives the server.
"""

import os
import sys
import time
import traceback
from typing import BinaryIO

from plugins.atelier.brief import Spec
from plugins.atelier.frames import HEAD, MAX_FRAME, Drawn, Failed, Message, Progress, Ready, pack, spec

NICENESS = 5  # drawing can wait; answering requests cannot


def resident_bytes() -> int:
    """Return how much memory the process uses now; its peak where the system reports no more."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def _read(stream: BinaryIO) -> Spec | None:
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    (length,) = HEAD.unpack(head)
    body = stream.read(length) if length <= MAX_FRAME else b""
    return spec(body) if len(body) == length else None


def _draw(order: Spec, send: "Sender") -> Message:
    from plugins.atelier.compose import compose
    from plugins.atelier.reference import UnreadableReference

    started = time.perf_counter()
    try:
        cover = compose(order, lambda phase: send(Progress(phase)))
        png = cover.png()
    except UnreadableReference as error:
        return Failed("reference", str(error))
    except Exception:
        return Failed("bug", traceback.format_exc(limit=-6))
    return Drawn(
        png,
        cover.direction.family,
        cover.type.missing,
        cover.type.has_title,
        resident_bytes(),
        time.perf_counter() - started,
    )


class Sender:
    """Writes frames to the server."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __call__(self, item: Message) -> None:
        self._stream.write(pack(item))
        self._stream.flush()


def _setup() -> Message:
    """Load everything that the first cover would otherwise wait for."""
    started = time.perf_counter()
    try:
        from kernel.press import PressError
    except Exception as error:
        return Failed("setup", str(error))
    try:
        from plugins.atelier.compose import compose

        compose(Spec(description="", title="A", author="A", family="ridges", width=96, height=144))
    except PressError as error:
        return Failed("setup", str(error))
    except Exception:
        return Failed("bug", traceback.format_exc(limit=-3))
    return Ready(time.perf_counter() - started)


def main() -> None:
    """Serve until the input ends."""
    frames = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # the output of a library must not get between frames
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    send = Sender(frames)
    send(_setup())
    while (order := _read(sys.stdin.buffer)) is not None:
        send(_draw(order, send))


if __name__ == "__main__":
    main()
