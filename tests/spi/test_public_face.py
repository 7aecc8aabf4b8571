"""`kernel.spi` is the only interface for plugin authors: complete, sorted, and independent of the kernel behind it."""

import ast
import importlib
import pkgutil
from pathlib import Path

import kernel.spi

INNER = ("kernel.spi.testing",)
"""Modules beside the contracts: the conformance kit is imported by name, by tests only."""


def modules() -> list[str]:
    found = [name for _, name, _ in pkgutil.iter_modules(kernel.spi.__path__, "kernel.spi.")]
    return [name for name in found if name not in INNER]


def public_names(module: str) -> set[str]:
    """Return what a module defines itself under a public name."""
    source = Path(str(importlib.import_module(module).__file__)).read_text()
    names: set[str] = set()
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    return {name for name in names if not name.startswith("_") and name not in ("S", "P")}


def test_dunder_all_lists_what_the_modules_define() -> None:
    defined = set().union(*(public_names(module) for module in modules()))
    assert set(kernel.spi.__all__) == defined


def test_all_is_sorted_and_without_repetition() -> None:
    constants = [name for name in kernel.spi.__all__ if name.isupper()]
    classes = [name for name in kernel.spi.__all__ if name[0].isupper() and not name.isupper()]
    functions = [name for name in kernel.spi.__all__ if name[0].islower()]
    assert kernel.spi.__all__ == [*sorted(constants), *sorted(classes), *sorted(functions)]
    assert len(set(kernel.spi.__all__)) == len(kernel.spi.__all__)


def test_every_name_is_there() -> None:
    assert [name for name in kernel.spi.__all__ if not hasattr(kernel.spi, name)] == []


def test_every_public_thing_has_a_docstring() -> None:
    classes = [getattr(kernel.spi, name) for name in kernel.spi.__all__ if isinstance(getattr(kernel.spi, name), type)]
    assert [kind.__name__ for kind in classes if not kind.__doc__] == []


def test_contracts_and_kit_import_nothing_of_the_kernel_not_even_by_their_own_name() -> None:
    """The same files are the package `coverwright_spi` of an author, so they import each other relatively."""
    for path in Path(str(kernel.spi.__file__)).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert [name for name in names if name.partition(".")[0] == "kernel"] == [], path
