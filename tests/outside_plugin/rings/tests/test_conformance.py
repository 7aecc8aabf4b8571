"""Rings keep the contract."""

from collections.abc import Mapping

import pytest
from coverwright_spi import ProviderSpec, Settings
from coverwright_spi.testing import ImageContract
from rings import RINGS
from rings.provider import Rings
from rings.settings import RingsSettings


class TestConformance(ImageContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[RingsSettings, Rings]:
        return RINGS

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        return {}  # no setting of it can be wrong
