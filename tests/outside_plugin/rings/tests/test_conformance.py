"""Rings keep the contract."""

import pytest
from rings import RINGS

from kernel.spi.testing import ImageContract


class TestConformance(ImageContract):
    @pytest.fixture
    def spec(self):
        return RINGS

    @pytest.fixture
    def broken(self):
        return {}  # no setting of it can be wrong
