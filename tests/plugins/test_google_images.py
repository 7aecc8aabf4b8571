"""The Google provider passes the kit, and keeps what it promises beyond the contract."""

import base64
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.providers.calls.pricing import cost_of, estimate
from kernel.spi import (
    AuthFailed,
    Brief,
    ContentRefused,
    DeadlineExceeded,
    Effect,
    ImageProvider,
    ImageRequest,
    InvalidRequest,
    ProviderError,
    ProviderSpec,
    QuotaExhausted,
    RateLimited,
    Secret,
    Settings,
    SettingsInvalid,
    Size,
    Unavailable,
)
from kernel.spi.testing import FakeControl, ImageContract
from plugins.google_images import GOOGLE
from plugins.google_images.errors import judge_for
from plugins.google_images.settings import GoogleSettings
from tests.plugins.running_images import error_of, running
from tests.vendors.gemini_api import KEY, FakeGemini, bad_key, no_allowance, problem, too_often
from tests.vendors.pictures import picture
from tests.vendors.wire import Conduct, cut, drip, hang_up, on_the_wire, says, silent

SETTINGS = GoogleSettings(api_key=Secret(KEY), resolution="1K", timeout_seconds=5)
SIZE = Size(848, 1264)
REQUEST = ImageRequest(prompt="A lighthouse", size=SIZE, brief=Brief(description="A lighthouse"))


def ended(reason: str, **more: Any) -> dict[str, Any]:
    """Return an answer without a picture."""
    return {"candidates": [{"content": {"parts": []}, "finishReason": reason, **more}]}


class TestConformance(ImageContract):
    """Gemini 3 Pro Image, the default."""

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return GOOGLE

    @pytest.fixture
    def settings(self) -> Settings:
        return SETTINGS

    @pytest.fixture
    def upstream(self) -> httpx.MockTransport:
        return httpx.MockTransport(FakeGemini())

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {
            "api_key": msgspec.structs.replace(settings, api_key=Secret("AIza-wrong")),
            "model": msgspec.structs.replace(settings, model="imagen-4.0-generate-001"),
            "resolution": msgspec.structs.replace(settings, model="gemini-3.1-flash-lite-image", resolution="4K"),
            "base_url": msgspec.structs.replace(settings, base_url="https://generativelanguage.googleapis.com/v0"),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": bad_key(),
            "rate_limit": too_often(7),
            "server_error": problem(503, "UNAVAILABLE", "The model is overloaded."),
            "refused": httpx.Response(200, json=ended("IMAGE_SAFETY", finishMessage="Try rephrasing the prompt.")),
            "no_funds": no_allowance(),
            "garbage": httpx.Response(200, html="<html>502</html>"),
        }


@pytest.fixture
def vendor() -> FakeGemini:
    return FakeGemini()


provider_at = partial(running, GOOGLE, SETTINGS)


async def trouble(provider: ImageProvider, request: ImageRequest = REQUEST) -> ProviderError:
    return await error_of(provider, request)


@pytest.mark.anyio
async def test_a_ratio_and_a_resolution_are_asked_for(vendor: FakeGemini, tmp_path: Path) -> None:
    reference = picture(64, 96, "jpeg")
    request = msgspec.structs.replace(REQUEST, size=Size(1696, 2528), references=(reference,))
    async with provider_at(vendor, tmp_path, resolution="2K") as provider:
        result = await provider.generate(request, FakeControl())
    assert vendor.asked == [
        {
            "contents": [
                {
                    "role": "user",
                    "parts": [
                        {"inlineData": {"mimeType": "image/jpeg", "data": base64.b64encode(reference).decode()}},
                        {"text": "A lighthouse"},
                    ],
                }
            ],
            "generationConfig": {
                "responseModalities": ["IMAGE"],
                "imageConfig": {"aspectRatio": "2:3", "imageSize": "2K"},
            },
        }
    ]
    assert result.images[0].size == Size(1696, 2528)
    assert vendor.requests[0].url.path == "/v1beta/models/gemini-3-pro-image:generateContent"
    assert "key" not in vendor.requests[0].url.params


@pytest.mark.anyio
async def test_a_reference_that_is_no_picture_is_not_sent(vendor: FakeGemini, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider, msgspec.structs.replace(REQUEST, references=(b"<svg/>",)))
    assert isinstance(error, InvalidRequest) and vendor.requests == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "what was asked for is prohibited"),
        (
            ended("IMAGE_SAFETY", finishMessage="Please rephrase."),
            "held back for safety (IMAGE_SAFETY) Please rephrase.",
        ),
        (ended("IMAGE_RECITATION"), "too close to a source"),
        (
            {"candidates": [{"content": {"parts": [{"text": "I cannot draw that."}]}, "finishReason": "STOP"}]},
            "I cannot draw that.",
        ),
    ],
)
async def test_whoever_declines_is_told_apart(
    vendor: FakeGemini, tmp_path: Path, answer: dict[str, Any], words: str
) -> None:
    vendor.answer = answer
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
    assert type(error) is ContentRefused and words in error.detail


@pytest.mark.anyio
@pytest.mark.parametrize(
    "answer",
    [
        {},
        ended("NO_IMAGE"),
        ended("IMAGE_OTHER"),
        {"candidates": [{"content": {"parts": [{"inlineData": {"mimeType": "image/png", "data": "PGh0bWw+"}}]}}]},
        {"candidates": [{"content": {"parts": [{"inlineData": {"mimeType": "image/png", "data": "?"}}]}}]},
    ],
)
async def test_an_answer_without_a_picture_is_the_vendors_fault(
    vendor: FakeGemini, tmp_path: Path, answer: dict[str, Any]
) -> None:
    vendor.answer = answer
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
    assert (type(error), error.effect) == (Unavailable, Effect.UNKNOWN)


@pytest.mark.anyio
async def test_tokens_are_charged_by_what_they_were(vendor: FakeGemini, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(REQUEST, FakeControl())
        # 300 read at 2 USD for a million, 1120 of the picture at 120, 500 of thoughts at 12
        assert cost_of(provider.capabilities(), result) == (141_000, "computed")
        # 350 and 1120 and 800 of them
        assert estimate(provider.capabilities(), SIZE) == 144_700
        vendor.changes = {"usageMetadata": {"promptTokenCount": 300, "candidatesTokenCount": 1120}}
        result = await provider.generate(REQUEST, FakeControl())
        assert cost_of(provider.capabilities(), result) == (None, "unknown")
    async with provider_at(vendor, tmp_path, model="gemini-nano-banana-2.1") as provider:
        assert provider.capabilities().prices == ()
    async with provider_at(vendor, tmp_path, base_url="https://gateway.example/v1beta") as provider:
        assert provider.capabilities().prices == ()


@pytest.mark.anyio
async def test_the_check_suggests_models_that_make_pictures(vendor: FakeGemini, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        report = await provider.check()
    assert report.ok and report.suggestions == {"model": ("gemini-3-pro-image", "gemini-nano-banana-2.1")}
    async with provider_at(vendor, tmp_path, model="gemini-9-image") as provider:
        report = await provider.check()
    assert [(step.status, step.field) for step in report.steps][-1] == ("fail", "model") and vendor.asked == []


@pytest.mark.anyio
async def test_a_model_whose_end_is_known_says_so(tmp_path: Path) -> None:
    async with provider_at(FakeGemini(), tmp_path, model="gemini-3.1-flash-image") as provider:
        (retirement,) = provider.capabilities().retirements
    assert (retirement.day, retirement.replacement) == ("2026-10-29", "gemini-nano-banana-2.1")


@pytest.mark.parametrize(
    ("answer", "kind", "field"),
    [
        (problem(400, "FAILED_PRECONDITION", "Enable billing."), QuotaExhausted, None),
        (problem(429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric: x, limit: 0"), QuotaExhausted, None),
        (problem(429, "RESOURCE_EXHAUSTED", "Slow down"), RateLimited, None),
        (problem(404, "NOT_FOUND", "no such model"), SettingsInvalid, "model"),
        (problem(403, "PERMISSION_DENIED", f"Consumer 'api_key:{KEY}' has been suspended."), AuthFailed, "api_key"),
        (problem(400, "INVALID_ARGUMENT", "odd"), InvalidRequest, None),
        (httpx.Response(504, json={"error": "odd"}), DeadlineExceeded, None),
    ],
)
def test_each_response_becomes_its_error(answer: httpx.Response, kind: type[ProviderError], field: str | None) -> None:
    answer.request = httpx.Request("POST", "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent")
    error = judge_for(KEY)(answer)
    assert error is not None and (type(error), error.field) == (kind, field)
    assert KEY not in error.detail


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [cut, hang_up, says("503 Unavailable"), says("429 Slow", "Retry-After: 0")])
async def test_a_picture_is_never_asked_for_twice(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(GOOGLE, SETTINGS, tmp_path, conduct) as (provider, server):
        assert (await trouble(provider)).retry
    assert server.requests == 1


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [drip, silent])
async def test_the_time_limit_holds(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(GOOGLE, msgspec.structs.replace(SETTINGS, timeout_seconds=1), tmp_path, conduct) as (
        provider,
        _,
    ):
        error = await trouble(provider)
    assert (type(error), error.effect) == (DeadlineExceeded, Effect.UNKNOWN)
