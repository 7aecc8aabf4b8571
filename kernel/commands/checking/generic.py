"""The kit for distributions without conformance tests: pytest collects this file, one class for each provider.

With default settings only an offline provider can be tested completely; of the others only what works without their
vendor is tested, and the rest is skipped.
"""

import os
from collections.abc import Mapping
from typing import Any, Final

import pytest

from kernel.providers import load_plugins
from kernel.spi import ProviderSpec, Settings
from kernel.spi.testing import CONTRACTS
from kernel.spi.testing.contract import ProviderContract

SEEN_FROM_OUTSIDE: Final = ("SET_", "LIFE_01", "LIFE_02", "SEC_02", "CAP_01", "CAP_02")


def _class_for(given: ProviderSpec[Any, Any]) -> type[ProviderContract]:
    contract = CONTRACTS[given.kind]

    class Generic(contract):  # type: ignore[misc, valid-type]  # chosen at run time
        @pytest.fixture
        def spec(self) -> ProviderSpec[Any, Any]:
            return given

        @pytest.fixture
        def settings(self, request: pytest.FixtureRequest) -> Settings:
            known = request.node.name.removeprefix("test_").startswith(SEEN_FROM_OUTSIDE)
            if not (given.offline or known):
                pytest.skip("needs the vendor")
            try:
                defaults: Settings = given.settings()
            except TypeError:
                pytest.skip("needs settings")
            return defaults

        @pytest.fixture
        def broken(self, settings: Settings) -> Mapping[str, Settings]:
            return {}

        @pytest.fixture
        def nested_keys(self) -> bool:
            return False

        @pytest.fixture
        def confirm(self, settings: Settings) -> Any:
            pytest.skip("needs a person who pays")

        @pytest.fixture
        def webhooks(self, settings: Settings) -> Any:
            pytest.skip("needs the vendor")

        @pytest.fixture
        def faults(self, settings: Settings) -> Mapping[str, Any]:
            return {}

        @pytest.fixture
        def old_settings(self) -> Any:
            if given.settings_version > 1:
                pytest.skip("needs examples of earlier settings")
            return {}

    Generic.__name__ = Generic.__qualname__ = f"Test_{given.kind}_{given.id.replace('-', '_')}"
    return Generic


globals().update(
    {kind.__name__: kind for kind in (_class_for(offer.spec) for offer in load_plugins(os.environ).offers.values())}
)
