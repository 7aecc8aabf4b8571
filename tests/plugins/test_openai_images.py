"""The OpenAI provider passes the kit, with a fake API."""

from collections.abc import Mapping
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import ProviderSpec, Secret, Settings
from kernel.spi.testing import ImageContract
from plugins.openai_images import OPENAI
from plugins.openai_images.settings import OpenAISettings
from tests.vendors.openai_api import KEY, FakeOpenAI, failure

SETTINGS = OpenAISettings(api_key=Secret(KEY), timeout_seconds=5, text_model="gpt-9-mini")


class TestConformance(ImageContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return OPENAI

    @pytest.fixture
    def settings(self) -> Settings:
        return SETTINGS

    @pytest.fixture
    def upstream(self) -> httpx.MockTransport:
        return httpx.MockTransport(FakeOpenAI())

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {
            "api_key": msgspec.structs.replace(settings, api_key=Secret("sk-wrong")),
            "model": msgspec.structs.replace(settings, model="gpt-image-9"),
            "base_url": msgspec.structs.replace(settings, base_url="https://images.example/other"),
            "quality": msgspec.structs.replace(settings, quality="max"),
            "sizes": msgspec.structs.replace(settings, sizes=("big",)),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": failure(401, "invalid_api_key", "Incorrect API key provided: sk-wrong."),
            "rate_limit": failure(429, "rate_limit_exceeded", "Rate limit reached.", **{"retry-after": "7"}),
            "server_error": failure(500, None, "The server had an error."),
            "refused": failure(400, "moderation_blocked", "Your request was rejected by the safety system."),
            "no_funds": failure(429, "insufficient_quota", "You exceeded your current quota."),
            "garbage": httpx.Response(200, html="<html>502</html>"),
        }


class TestConformanceWithPreviews(TestConformance):
    """The same, with pictures that come in parts."""

    @pytest.fixture
    def settings(self) -> Settings:
        return msgspec.structs.replace(SETTINGS, previews=True)


class TestConformanceOfAServerThatSpeaksLikeIt(ImageContract):
    """A server without keys, which returns addresses instead of pictures."""

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return OPENAI

    @pytest.fixture
    def settings(self) -> Settings:
        return OpenAISettings(base_url="http://images.example/v1", model="flux.2-dev", sizes=("512x768",))

    @pytest.fixture
    def upstream(self) -> httpx.MockTransport:
        server = FakeOpenAI(key=None, delivery="url")
        server.url_base = "http://images.example"
        server.usage = None
        server.models = [{"id": "flux.2-dev"}]
        return httpx.MockTransport(server)

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {"model": msgspec.structs.replace(settings, model="not-installed")}

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": httpx.Response(401, json={"error": "unauthorized"}),
            "rate_limit": httpx.Response(429, json={"error": {"code": 429}}, headers={"retry-after": "7"}),
            "server_error": httpx.Response(500, json={"error": {"code": 500, "message": "out of memory"}}),
            "refused": failure(400, "content_policy_violation", "no"),
            "no_funds": None,
            "garbage": httpx.Response(200, json=[]),
        }
