"""Named points at which a test can kill the process. They do nothing outside the test environment."""

import os
import signal
from pathlib import Path


def faultpoint(name: str) -> None:
    """Kill or stop this process if a test has requested it.

    `COVERWRIGHT_FAULTPOINTS` names a folder; a file in it called `<name>` holds `kill` or `stop`. The file is removed
    first, so that the fault happens only once.
    """
    folder = os.environ.get("COVERWRIGHT_FAULTPOINTS")
    if not folder or os.environ.get("COVERWRIGHT_ENV") != "test":
        return
    plan = Path(folder) / name
    try:
        what = plan.read_text().strip()
        plan.unlink()
    except OSError:
        return
    os.kill(os.getpid(), signal.SIGSTOP if what == "stop" else signal.SIGKILL)
