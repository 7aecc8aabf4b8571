"""The Replicate provider passes the kit, with a fake API."""

from collections.abc import Mapping
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import ProviderSpec, Secret, Settings
from kernel.spi.testing import ImageContract
from plugins.replicate_images import REPLICATE
from plugins.replicate_images.settings import ReplicateSettings
from tests.vendors.replicate_api import TOKEN, FakeReplicate, problem

SETTINGS = ReplicateSettings(api_token=Secret(TOKEN), timeout_seconds=5)


class TestConformance(ImageContract):
    """FLUX.2, the default: a seed, references, three formats."""

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return REPLICATE

    @pytest.fixture
    def settings(self) -> Settings:
        return SETTINGS

    @pytest.fixture
    def vendor(self) -> FakeReplicate:
        vendor = FakeReplicate()
        vendor.statuses = ["succeeded"]
        return vendor

    @pytest.fixture
    def upstream(self, vendor: FakeReplicate) -> httpx.MockTransport:
        return httpx.MockTransport(vendor)

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {
            "api_token": msgspec.structs.replace(settings, api_token=Secret("r8_wrong")),
            "model": msgspec.structs.replace(settings, model="somebody/nobody-made-it"),
            "base_url": msgspec.structs.replace(settings, base_url="https://api.replicate.com/elsewhere"),
            "extra_input": msgspec.structs.replace(settings, extra_input="[]"),
        }

    @pytest.fixture
    def faults(self, vendor: FakeReplicate) -> Mapping[str, Any]:
        def refused(request: httpx.Request) -> httpx.Response:
            vendor.statuses = ["failed"]
            vendor.changes = {"error": "The input or output was flagged as sensitive. (E005)"}
            return vendor(request)

        return {
            "bad_key": problem(401, "Unauthenticated", "You did not pass a valid authentication token"),
            "rate_limit": problem(429, "Throttled", "Request was throttled. Your rate limit resets in ~7s."),
            "server_error": problem(500, "Internal server error", ""),
            "refused": refused,
            "no_funds": problem(402, "Insufficient credit", "You have insufficient credit to run this model."),
            "garbage": httpx.Response(200, html="<html>502</html>"),
        }


class TestConformanceOfIdeogram(TestConformance):
    """No seed, no references, no choice of format."""

    @pytest.fixture
    def settings(self) -> Settings:
        return msgspec.structs.replace(SETTINGS, model="ideogram-ai/ideogram-v4-balanced")


class TestConformanceOfSeedream(TestConformance):
    """Sizes by their ratio, and a list as an answer."""

    @pytest.fixture
    def settings(self) -> Settings:
        return msgspec.structs.replace(SETTINGS, model="bytedance/seedream-4.5")
