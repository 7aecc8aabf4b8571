"""The list of proofs in requirements.toml names known requirements and tests that exist."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
TABLE: Final = tomllib.loads((ROOT / "tests" / "requirements.toml").read_text())
KNOWN: Final = {f"{area}-{number:02}" for area, count in TABLE["areas"].items() for number in range(1, count + 1)}
PROOFS: Final[dict[str, list[str]]] = TABLE["proofs"]
TITLE: Final = r"""(?:it|test)(?:\.each\([\s\S]*?\))?\(\s*(['"`]){title}\1"""


@cache
def python_tests(path: Path) -> frozenset[str]:
    """Return the tests of a file: functions, and classes or assignments that pytest collects."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(name for name in names if name.startswith(("test_", "Test")))


def exists(proof: str) -> bool:
    """Return whether a test exists."""
    file, is_python, name = proof.partition("::")
    if is_python:
        return (ROOT / file).is_file() and name in python_tests(ROOT / file)
    file, _, title = proof.partition(" > ")
    return bool(title) and re.search(TITLE.format(title=re.escape(title)), text_of(ROOT / file)) is not None


@cache
def text_of(path: Path) -> str:
    """Return the text of a file; empty if it does not exist."""
    return path.read_text() if path.is_file() else ""


def test_every_requirement_is_proven() -> None:
    assert sorted(KNOWN ^ set(PROOFS)) == []
    assert all(PROOFS.values())


def test_every_named_test_exists() -> None:
    absent = {name: [proof for proof in proofs if not exists(proof)] for name, proofs in PROOFS.items()}
    assert {name: proofs for name, proofs in absent.items() if proofs} == {}


@pytest.mark.parametrize(
    "proof",
    [
        "tests/test_requirements.py::test_that_is_not_there",
        "tests/absent.py::test_x",
        "web/src/ui/toaster.test.tsx > says what no title says",
        "web/src/absent.test.ts > x",
        "web/src/ui/toaster.test.tsx",
    ],
)
def test_a_test_that_is_not_there_is_noticed(proof: str) -> None:
    assert not exists(proof)
