"""The fal provider passes the kit, with a fake API."""

from collections.abc import Mapping
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import ProviderSpec, Secret, Settings
from kernel.spi.testing import ImageContract
from plugins.fal_images import FAL
from plugins.fal_images.settings import FalSettings
from tests.vendors.fal_api import KEY, FakeFal, flagged, problem

SETTINGS = FalSettings(api_key=Secret(KEY), timeout_seconds=5)


class TestConformance(ImageContract):
    """FLUX.2, the default: a seed, references to edit, two formats."""

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return FAL

    @pytest.fixture
    def settings(self) -> Settings:
        return SETTINGS

    @pytest.fixture
    def vendor(self) -> FakeFal:
        vendor = FakeFal()
        vendor.statuses = ["COMPLETED"]
        return vendor

    @pytest.fixture
    def upstream(self, vendor: FakeFal) -> httpx.MockTransport:
        return httpx.MockTransport(vendor)

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {
            "api_key": msgspec.structs.replace(settings, api_key=Secret("fal-id:wrong")),
            "model": msgspec.structs.replace(settings, model="somebody/nobody-made-it"),
            "base_url": msgspec.structs.replace(settings, base_url="https://queue.fal.run/?a=b"),
            "extra_input": msgspec.structs.replace(settings, extra_input="[]"),
        }

    @pytest.fixture
    def faults(self, vendor: FakeFal) -> Mapping[str, Any]:
        def refused(request: httpx.Request) -> httpx.Response:
            vendor.result = flagged()
            return vendor(request)

        return {
            "bad_key": problem(401, "Authentication is required to access this application."),
            "rate_limit": problem(429, "Too many concurrent requests", **{"retry-after": "7"}),
            "server_error": problem(500, "Internal server error"),
            "refused": refused,
            "no_funds": problem(403, "User is locked. Reason: Exhausted balance. Top up your balance."),
            "garbage": httpx.Response(200, html="<html>502</html>"),
        }


class TestConformanceOfIdeogram(TestConformance):
    """References of style only, no choice of format."""

    @pytest.fixture
    def settings(self) -> Settings:
        return msgspec.structs.replace(SETTINGS, model="fal-ai/ideogram/v3")


class TestConformanceOfRecraft(TestConformance):
    """No seed and no references."""

    @pytest.fixture
    def settings(self) -> Settings:
        return msgspec.structs.replace(SETTINGS, model="fal-ai/recraft/v4.1/text-to-image")
