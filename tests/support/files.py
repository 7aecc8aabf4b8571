"""Looking at folders that a product works in meanwhile."""

import os
from pathlib import Path


def files_below(folder: Path, part: str = "") -> list[Path]:
    """Return the files below a folder whose path contains a text, sorted. What is removed meanwhile is left out.

    `Path.rglob` raises FileNotFoundError when a folder goes between being listed and being read.
    """
    found = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
    return sorted(Path(path) for path in found if part in path)
