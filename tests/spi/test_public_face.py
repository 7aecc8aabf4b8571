"""`kernel.spi` is the only interface for plugin authors: complete, sorted, and independent of the kernel behind it."""

import ast
import importlib
import pkgutil
import sys
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


def test_the_contracts_import_nothing_of_the_kernel_behind_them() -> None:
    for module in modules():
        source = Path(str(sys.modules[module].__file__)).read_text()
        for node in ast.walk(ast.parse(source)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not name.startswith("kernel.") or name.startswith("kernel.spi."), f"{module} imports {name}"
