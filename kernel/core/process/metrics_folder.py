"""The folder through which the processes of a host share what they count; named before the library is imported."""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The library reads this variable when it is imported."""
LIVE: Final = "gauge_live*_*.db"
"""Files of figures that end with their process: the number at their end."""


def share(folder: Path) -> None:
    """Let this process and those that it starts share an empty folder, unless the operator has named one."""
    if os.environ.get(FOLDER):
        return
    with suppress(OSError):  # counting is not worth a failed start
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        os.environ[FOLDER] = str(folder)


def forget_ended() -> None:
    """Remove the present figures of processes that have ended; what they have counted stays."""
    for file in Path(os.environ[FOLDER]).glob(LIVE):
        number = file.stem.rpartition("_")[2]
        if number.isdigit() and not _is_alive(int(number)):
            file.unlink(missing_ok=True)


def _is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        pass
    return True
