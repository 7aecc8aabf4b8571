"""`coverwright plugins new`: writes a distribution that works and passes the kit, as a starting point."""

import keyword
import os
import re
import sys
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from kernel.providers import load_plugins
from kernel.spi import Kind

NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST_NAME: Final = 39
SUFFIX: Final = ".txt"
"""Suffix of templates, so that no tool takes them for code of the product."""


def new_plugin(name: str, kind: Kind, into: Path) -> int:
    """Write the distribution `name` into a new folder below `into`; return the exit code."""
    if len(name) > LONGEST_NAME or len(name) < 2 or not NAME.fullmatch(name):
        print("A name is 2 to 39 small letters, digits and single hyphens, and starts with a letter.", file=sys.stderr)
        return 2
    module = name.replace("-", "_")
    if taken := _taken(name, module, kind):
        print(f"{taken} Please choose another name.", file=sys.stderr)
        return 2
    folder = into / name
    if folder.exists():
        print(f"{folder} is already there.", file=sys.stderr)
        return 1
    for path, text in plugin_files(name, kind):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    print(f"Wrote {folder}. Its README says what is where; `pytest` in it runs the conformance kit.")
    return 0


def _taken(name: str, module: str, kind: Kind) -> str:
    """Return a sentence about what has this name already, or nothing."""
    if keyword.iskeyword(module):
        return f"`{module}` is a word of the Python language."
    plugins = load_plugins(os.environ)
    if (offer := plugins.offer(kind, name)) is not None:
        return f"The plugin `{offer.plugin}` offers the {kind} provider `{name}`."
    if any(record.name == module for record in plugins.records):
        return f"There is a plugin `{module}`."
    found = None if module in sys.stdlib_module_names else find_spec(module)
    if module in sys.stdlib_module_names or module == "tests" or (found is not None and found.has_location):
        return f"`{module}` is the name of another Python module."
    return ""


def plugin_files(name: str, kind: Kind) -> Iterator[tuple[str, str]]:
    """Return each file of a new distribution: its path and its text."""
    module = name.replace("-", "_")
    title = "".join(part.capitalize() for part in name.split("-"))
    contracts = "coverwright-spi[pictures]" if kind == "image" else "coverwright-spi"
    words = {"@id@": name, "@kind@": kind, "@spi@": contracts, "acme": module, "Acme": title, "ACME": module.upper()}
    pattern = re.compile("|".join(map(re.escape, words)))
    templates = files("kernel.commands") / "plugin_template"
    for part in ("common", kind):
        for template in sorted((templates / part).iterdir(), key=lambda entry: entry.name):
            yield _place(template, part, module), pattern.sub(lambda found: words[found[0]], template.read_text())


def _place(template: Traversable, part: str, module: str) -> str:
    file = template.name.removesuffix(SUFFIX)
    if part == "common":
        return file
    return f"tests/{file}" if file.startswith(("test_", "vendor")) else f"src/{module}/{file}"
