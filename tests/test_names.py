"""Names are distinct: no class name twice in the kernel, no folder that is a long flat list."""

import ast
from collections import defaultdict
from pathlib import Path

KERNEL = Path(__file__).parents[1] / "kernel"
MOST_MODULES = 14
PUBLIC = {"spi", "spi/testing"}
"""What plugin authors import stays where it is."""
NUMBERED = {"migrations/versions"}
EXAMPLES = KERNEL / "docs" / "examples"
"""Plugins as others write them."""


def test_no_class_name_stands_for_two_things() -> None:
    homes = defaultdict(list)
    for path in set(KERNEL.rglob("*.py")) - set(EXAMPLES.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(KERNEL)))
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_no_folder_holds_more_modules_than_one_takes_in_at_a_glance() -> None:
    counts = defaultdict(int)
    for path in KERNEL.rglob("*.py"):
        if path.name != "__init__.py":
            counts[path.parent.relative_to(KERNEL).as_posix()] += 1
    crowded = {folder: count for folder, count in counts.items() if count > MOST_MODULES}
    assert {folder for folder in crowded if folder not in PUBLIC | NUMBERED} == set()
