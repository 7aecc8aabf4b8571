"""Ends this process when the process that started it has ended: a killed launcher leaves nothing running."""

import multiprocessing
import os
import signal
import threading
import time
from typing import Final

LAUNCHER: Final = "COVERWRIGHT_LAUNCHER"
"""Environment variable with the launcher's process id; not set when a command was started manually."""

LOOK_S: Final = 0.5
GRACE_S: Final = 5.0


def exit_with_parent(grace_s: float = GRACE_S) -> None:
    """Watch the parent process and end this one when it has ended: with SIGTERM, and by force after `grace_s`.

    Does nothing without a launcher. A process that was forked by a server calls it again: threads are not forked.
    """
    launcher = os.environ.get(LAUNCHER)
    if not launcher:
        return
    forked_by = multiprocessing.parent_process()
    parent = int(launcher) if forked_by is None or forked_by.pid is None else forked_by.pid
    threading.Thread(target=_watch, args=(parent, grace_s), name="leash", daemon=True).start()


def _watch(parent: int, grace_s: float) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_S)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(grace_s)
    os.kill(os.getpid(), signal.SIGKILL)
