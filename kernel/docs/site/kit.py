"""The rules of the conformance kit, read from its source: their names are sentences."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from kernel.docs.site.sources import ROOT
from kernel.spi import testing

FOLDER: Final = ROOT / "kernel" / "spi" / "testing"
EVERY_KIND: Final = "ProviderContract"
CONTRACTS: Final[Mapping[str, str]] = {contract.__name__: kind for kind, contract in testing.CONTRACTS.items()}
"""Class of the kit → the kind whose providers it tests."""

GROUPS: Final[Mapping[str, str]] = {
    "SET": "settings",
    "LIFE": "life cycle",
    "CHK": "check",
    "SEC": "secrecy",
    "LOOP": "event loop",
    "CAP": "capabilities",
    "ERR": "errors",
    "HOOK": "webhooks",
    "IMG": "pictures",
    "PAY": "subscriptions",
    "MAIL": "messages",
    "KEEP": "kept messages",
    "STO": "objects",
    "SIGN": "sign-in",
}
"""Beginning of a rule's name → what the rules of the group are about."""

ARRANGING: Final = frozenset({"_subscribed", "started", "_monthly", "prices"})
"""Helpers of rules that only make what a rule is about: what they call is not what it checks."""

_NAME: Final = re.compile(r"test_([A-Z]+)_(\d\d)_(.+)")


class KitRule(NamedTuple):
    """A rule: `PAY_04`, its sentence, and the names that it and its helpers call, methods of a provider among them."""

    id: str
    sentence: str
    calls: frozenset[str]

    @property
    def group(self) -> str:
        """Return the beginning of its name."""
        return self.id.partition("_")[0]


class Override(NamedTuple):
    """What an author says about the provider: a fixture, method or constant of the class, and what it is for."""

    name: str
    text: str


class _Class(NamedTuple):
    bases: tuple[str, ...]
    rules: tuple[KitRule, ...]
    overrides: tuple[Override, ...]


def rules_of(contract: str) -> list[KitRule]:
    """Return the rules of a class of the kit, without those that hold for every kind."""
    return sorted((rule for owner in _own(contract) for rule in _classes()[owner].rules), key=lambda rule: rule.id)


def overrides_of(contract: str) -> list[Override]:
    """Return what authors may override in a class of the kit, without what every kind has."""
    return [override for owner in _own(contract) for override in _classes()[owner].overrides]


def common_rules() -> list[KitRule]:
    """Return the rules for every kind."""
    return rules_of(EVERY_KIND)


def kinds_that_declare(fault: str) -> list[str]:
    """Return the kinds whose authors must declare how their vendor reports a fault."""
    return [kind for kind, contract in testing.CONTRACTS.items() if fault in contract.faults_needed]


def rules_for(contract: str, method: str) -> list[KitRule]:
    """Return the rules that call a method."""
    return [rule for rule in rules_of(contract) if method in rule.calls]


def _own(contract: str) -> Iterator[str]:
    """Return the class and its bases, the class first, but not what all kinds share unless it is asked for."""
    yield contract
    for base in _classes()[contract].bases:
        if base in _classes() and base != EVERY_KIND:
            yield from _own(base)


@cache
def _classes() -> Mapping[str, _Class]:
    trees = [ast.parse(path.read_text()) for path in sorted(FOLDER.glob("*.py"))]
    functions = {
        node.name: _attributes(node)
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    return {
        node.name: _Class(
            tuple(base.id for base in node.bases if isinstance(base, ast.Name)),
            tuple(_rules(node, functions)),
            tuple(_overrides(node)),
        )
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


def _rules(owner: ast.ClassDef, functions: Mapping[str, frozenset[str]]) -> Iterator[KitRule]:
    for node in owner.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (found := _NAME.fullmatch(node.name)):
            group, number, words = found.groups()
            helpers = [functions[name] for name in _helpers(node) if name in functions]
            sentence = f"{words[0].upper()}{words[1:].replace('_', ' ')}."
            yield KitRule(f"{group}_{number}", sentence, _attributes(node).union(*helpers))


def _helpers(node: ast.AST) -> set[str]:
    """Return the functions, and methods of the class, that a rule may use."""
    functions = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    methods = {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self"
    }
    return (functions | methods) - ARRANGING


def _overrides(owner: ast.ClassDef) -> Iterator[Override]:
    """Return fixtures and methods with a docstring, and constants with a text below them."""
    for node, after in zip(owner.body, [*owner.body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            usable = not node.name.startswith(("_", "test_")) and node.name not in ("with_canaries", "sung", "exercise")
            if text and usable:
                yield Override(node.name, text)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and _is_text(after):
            yield Override(node.target.id, ast.literal_eval(after.value))  # type: ignore[union-attr]


def _is_text(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _attributes(node: ast.AST) -> frozenset[str]:
    return frozenset(one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute))
