"""The map of the kernel names existing files and folders."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
MAP: Final = ROOT / "kernel" / "README.md"
PATH: Final = re.compile(r"`((?:kernel|plugins|web|config|tests)/[\w./-]+)`")


def test_the_map_names_what_is_there() -> None:
    named = PATH.findall(MAP.read_text())
    assert len(named) > 30
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_map_draws_every_package() -> None:
    drawn = set(re.findall(r"\w+", MAP.read_text().split("```")[1]))
    packages = {path.stem for path in (ROOT / "kernel").iterdir() if path.suffix == ".py" or path.is_dir()}
    assert packages - drawn - {"__init__", "__pycache__", "pytest_plugin", "README"} == set()
