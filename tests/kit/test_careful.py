"""Providers that keep the contract pass every rule."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kernel.spi import ProviderSpec, Secret, Settings
from kernel.spi.testing import ImageContract, SigninContract
from tests.kit.signins import FormSignin, NoSettings, RedirectSignin
from tests.stub_image import STUB
from tests.stub_image.provider import StubSettings


class TestStub(ImageContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return STUB

    @pytest.fixture
    def settings(self, tmp_path: Path) -> Settings:
        return StubSettings(control=str(tmp_path), api_key=Secret("fine"))

    @pytest.fixture
    def broken(self, settings: StubSettings) -> Mapping[str, Settings]:
        return {
            "api_key": msgspec.structs.replace(settings, api_key=Secret("bad")),
            "sizes": msgspec.structs.replace(settings, sizes=("big",)),
        }


class TestForm(SigninContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return ProviderSpec(
            kind="signin",
            id="form",
            label="Form",
            summary="A form.",
            contract=(1, 0),
            settings=NoSettings,
            build=FormSignin,
            offline=True,
        )

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        return {}


class TestRedirect(TestForm):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return ProviderSpec(
            kind="signin",
            id="redirect",
            label="Redirect",
            summary="A redirect.",
            contract=(1, 0),
            settings=NoSettings,
            build=RedirectSignin,
        )
