"""A faulty provider for every rule of the kit. `test_careless.py` runs each against its rule and expects a failure.

Not collected by itself: every test here is meant to fail.
"""

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.spi import Kind, ProviderSpec, Settings
from kernel.spi.testing import ImageContract, SigninContract, StorageContract, faults, probes
from kernel.spi.testing.contract import ProviderContract

CASES: dict[str, str] = {}
"""Test id below this file → what is faulty."""

KINDS: dict[type[ProviderContract], Kind] = {
    ImageContract: "image",
    StorageContract: "storage",
    SigninContract: "signin",
}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the kit's waits: what is left behind here never ends, and a call that waits here waits forever."""
    monkeypatch.setattr(probes, "SETTLE_S", 0.3)
    monkeypatch.setattr(faults, "FAULT_LIMIT_S", 2.0)


def careless(
    rule: str,
    contract: type[ProviderContract],
    settings: type[Settings],
    values: Callable[[Path], dict[str, Any]] = lambda folder: {},
    broken: Mapping[str, dict[str, Any]] | None = None,
    **changes: Any,
) -> Callable[[Callable[[Any, Any], Any]], Callable[[Any, Any], Any]]:
    """Make a test class for a provider that breaks one rule. `changes` go into the spec, `broken` into that fixture."""

    def register(build: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        method = next(name for name in dir(contract) if name.startswith(f"test_{rule}_"))

        class Case(contract):  # type: ignore[misc, valid-type]
            @pytest.fixture
            def spec(self) -> ProviderSpec[Any, Any]:
                known = {"label": "Careless", "summary": "Careless.", "contract": (1, 0), "offline": True, **changes}
                return ProviderSpec(kind=KINDS[contract], id="careless", settings=settings, build=build, **known)

            @pytest.fixture
            def settings(self, tmp_path: Path) -> Settings:
                return settings(**values(tmp_path))

            @pytest.fixture
            def broken(self, tmp_path: Path) -> Mapping[str, Settings]:
                return {field: settings(**values(tmp_path), **wrong) for field, wrong in (broken or {}).items()}

            @pytest.fixture
            def nested_keys(self) -> bool:
                return False

        _add(Case, build, method)
        return build

    return register


def spoilt(
    rule: str, example: type[ProviderContract], given: ProviderSpec[Any, Any], **fixtures: Any
) -> Callable[[Callable[[Any, Any], Any]], Callable[[Any, Any], Any]]:
    """Make a test class of an example that keeps the contract, for a provider that breaks one rule.

    `example` tests the careful provider of `given`; `fixtures` replaces what its fixtures return.
    """

    def register(build: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        method = next(name for name in dir(example) if name.startswith(f"test_{rule}_"))

        class Case(example):  # type: ignore[misc, valid-type]
            @pytest.fixture
            def spec(self) -> ProviderSpec[Any, Any]:
                return msgspec.structs.replace(given, build=build)

        for name, value in fixtures.items():
            setattr(Case, name, pytest.fixture(lambda self, value=value: value, name=name))
        _add(Case, build, method)
        return build

    return register


def _add(case: type[ProviderContract], build: Callable[[Any, Any], Any], method: str) -> None:
    name = f"Test{build.__name__}"
    case.__name__ = case.__qualname__ = name
    CASES[f"{name}::{method}"] = build.__doc__ or name
    globals()[name] = case


for module in sorted(Path(__file__).parent.glob("careless_*.py")):
    importlib.import_module(f"tests.kit.{module.stem}")
