"""What the documentation is written from: chapters of the README, code of examples, and templates."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from kernel.commands.plugin_new import plugin_files

ROOT: Final = Path(__file__).resolve().parents[3]
CHAPTER: Final = "Write a provider"
EXAMPLES: Final = ROOT / "kernel" / "docs" / "examples"
PAGES: Final = ROOT / "kernel" / "docs" / "pages"
CHANGELOG: Final = ROOT / "kernel" / "spi" / "CHANGELOG.md"

WRITTEN: Final = {"tollgate": "payment"}
"""Distributions that `coverwright plugins new` writes, and that a page explains: name → kind."""

_README_ONLY: Final = re.compile(r"<!-- README only -->.*?<!-- end -->\n*", re.DOTALL)
_ROW: Final = re.compile(r"\| `(\w+)` \|([^|]*)\|([^|]*)\|([^|]*)\|")


class Duties(NamedTuple):
    """What the README says of a method: when it is called, what it must not do, what it may raise. All Markdown."""

    when: str
    must_not: str
    may_raise: str


@cache
def chapter() -> Mapping[str, str]:
    """Return the README's sections for plugin authors as Markdown, by heading; the beginning has the chapter's own."""
    readme = (ROOT / "README.md").read_text()
    found = re.search(rf"^## {CHAPTER}\n(.*?)^## ", readme, re.MULTILINE | re.DOTALL)
    assert found is not None, f"the README has no chapter {CHAPTER!r}"
    beginning, *sections = re.split(r"^### (.+)\n", _README_ONLY.sub("", found[1]), flags=re.MULTILINE)
    return {CHAPTER: beginning.strip(), **dict(zip(sections[::2], map(str.strip, sections[1::2]), strict=True))}


@cache
def duties() -> Mapping[tuple[str, str], Duties]:
    """Return the rows of the README's tables of methods, by kind and method."""
    found: dict[tuple[str, str], Duties] = {}
    kind = ""
    for line in chapter()["The methods of each kind"].splitlines():
        if heading := re.match(r"\*\*(\w+)\*\*", line):
            kind = heading[1]
        elif row := _ROW.match(line):
            found[kind, row[1]] = Duties(*(cell.strip() for cell in row.groups()[1:]))
    return found


@cache
def example_files() -> Mapping[str, str]:
    """Return the text of every file that a page may show, by its path: `lantern/lantern.py`."""
    files = {
        path.relative_to(EXAMPLES).as_posix(): path.read_text()
        for path in sorted(EXAMPLES.rglob("*"))
        if path.is_file() and path.suffix in (".py", ".toml")
    }
    for name, kind in WRITTEN.items():
        files |= {f"{name}/{path}": text for path, text in plugin_files(name, kind)}  # type: ignore[arg-type]
    return files


def excerpt(place: str) -> str:
    """Return a file (`lantern/lantern.py`), or parts of it (`lantern/lantern.py#LanternImages.place,judge`).

    Raises KeyError for what is not there.
    """
    path, _, names = place.partition("#")
    text = example_files()[path]
    if not names:
        return text
    defined = dict(_definitions(ast.parse(text)))
    lines = text.splitlines()
    return "\n\n\n".join(_cut(lines, *defined[name]) for name in names.split(",")) + "\n"


def _cut(lines: list[str], first: int, last: int) -> str:
    """Return lines without the indentation that they share."""
    chosen = lines[first - 1 : last]
    margin = min(len(line) - len(line.lstrip()) for line in chosen if line.strip())
    return "\n".join(line[margin:] for line in chosen)


def _definitions(tree: ast.Module | ast.ClassDef, before: str = "") -> Iterator[tuple[str, tuple[int, int]]]:
    """Return the name of every class, function and constant, with its first and last line."""
    for node in tree.body:
        name = ""
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        if name:
            first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
            yield before + name, (first, node.end_lineno or first)
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node, f"{before}{node.name}.")
