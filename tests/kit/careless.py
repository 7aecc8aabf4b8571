"""A careless provider for every rule of the kit. `test_careless.py` runs each against its rule and expects a failure.

Not collected by itself: every test here is meant to fail.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from kernel.spi import Kind, ProviderSpec, Settings
from kernel.spi.testing import ImageContract, SigninContract, StorageContract, probes
from kernel.spi.testing.contract import ProviderContract

CASES: dict[str, str] = {}
"""Test id below this file → what is careless."""

KINDS: dict[type[ProviderContract], Kind] = {
    ImageContract: "image",
    StorageContract: "storage",
    SigninContract: "signin",
}

probes.SETTLE_S = 0.3  # what is left behind here never ends


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

        name = f"Test{build.__name__}"
        Case.__name__ = Case.__qualname__ = name
        CASES[f"{name}::{method}"] = build.__doc__ or name
        globals()[name] = Case
        return build

    return register


from tests.kit import careless_basics, careless_images, careless_objects, careless_signins  # noqa: E402, F401
