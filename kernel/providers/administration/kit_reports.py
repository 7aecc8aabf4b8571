"""Reports of the conformance kit, as `coverwright plugins check` stores them in the data folder."""

import logging
from pathlib import Path
from typing import Final

import msgspec

from kernel.providers.administration.schemas import KitOut

log = logging.getLogger(__name__)

FOLDER: Final = "kit"


def kit_report(data_dir: Path, distribution: str) -> KitOut | None:
    """Return the last report on a distribution, or None where there is no readable one."""
    path = data_dir / FOLDER / f"{distribution}.json"
    if not distribution or path.parent != data_dir / FOLDER:
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=KitOut)
    except OSError:
        return None
    except (msgspec.DecodeError, UnicodeDecodeError):
        log.warning("the kit's report on %s cannot be read", distribution)
        return None
