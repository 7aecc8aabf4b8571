"""The password sign-in keeps the contract."""

from collections.abc import Mapping
from typing import Any

import pytest

from kernel.spi import ProviderSpec, Settings
from kernel.spi.testing import SigninContract
from tests.plugins.specs import spec_of


@pytest.mark.usefixtures("real_argon2")
class TestConformance(SigninContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return spec_of("plugins.password_signin", "signin", "password")

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        return {}  # it has no settings
