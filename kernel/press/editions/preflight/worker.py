"""Checks files that nobody vouches for: `python -m kernel.press.editions.preflight.worker`, with little memory.

The process has no more than MEMORY bytes of its own and is replaced after a while; whoever asks sets the time. It reads
one file, writes none, and opens no connection.
"""

import contextlib
import os
import resource
import sys
from pathlib import Path
from typing import Any, Final

from kernel.press.children.serve import OnPhase, Refused, serve
from kernel.press.editions.order import CheckFile, CheckTask, MatchTemplate

MEMORY: Final = 512 * 2**20
IDLE_SECONDS: Final = 120.0


def _work(order: CheckTask, on_phase: OnPhase) -> Any:
    from kernel.press.editions.preflight.checking import check
    from kernel.press.editions.preflight.template import template_size
    from kernel.press.trade.geometry import TradeFault

    try:
        match order:
            case CheckFile():
                return check(Path(order.path), order.target, picture=order.picture)
            case MatchTemplate():
                return template_size(Path(order.path))
    except TradeFault as error:
        raise Refused("order", str(error)) from error
    except MemoryError as error:
        raise Refused("unreadable", "The file needs too much memory.") from error


def _warm_up() -> None:
    import kernel.press.editions.preflight.checking  # noqa: F401

    _limit()


def _limit() -> None:
    """Take no more memory than there is now and MEMORY more, and write no file."""
    with contextlib.suppress(OSError, ValueError):  # macOS says neither how much there is nor takes this limit
        used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.addaudithook(_no_connections)


def _no_connections(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse sockets and programs to whatever the libraries that read the file might be talked into."""
    if event.startswith(("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.system")):
        raise PermissionError(f"{event} {len(arguments)}")


if __name__ == "__main__":
    serve(CheckTask, _work, _warm_up, idle_seconds=IDLE_SECONDS)
