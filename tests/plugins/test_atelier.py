"""The atelier keeps the contract. Pictures are asked for in the smallest size it claims."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.spi import ProviderSpec, Settings
from kernel.spi.testing import ImageContract
from tests.plugins.specs import spec_of


class TestConformance(ImageContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return spec_of("plugins.atelier", "image", "atelier")

    @pytest.fixture
    def broken(self, settings: Settings, tmp_path: Path) -> Mapping[str, Settings]:
        return {"fonts_folder": msgspec.structs.replace(settings, fonts_folder=str(tmp_path / "no-fonts-here"))}
