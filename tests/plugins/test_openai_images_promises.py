"""What the OpenAI provider guarantees beyond the contract: models, requests, answers and network failures."""

import base64
import json
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.providers.calls.pricing import cost_of, estimate
from kernel.spi import (
    Brief,
    ContentRefused,
    DeadlineExceeded,
    Effect,
    ImageRequest,
    InvalidRequest,
    Preparable,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    Secret,
    SettingsInvalid,
    Size,
    TextRequest,
    Unavailable,
    Unsupported,
)
from kernel.spi.testing import FakeContext, FakeControl
from plugins.openai_images import OPENAI
from plugins.openai_images.errors import judge
from plugins.openai_images.models import LARGE, STANDARD
from plugins.openai_images.provider import OpenAIImages
from plugins.openai_images.settings import OpenAISettings
from tests.plugins.running_images import error_of, running
from tests.vendors.openai_api import KEY, FakeOpenAI, failure
from tests.vendors.pictures import picture
from tests.vendors.wire import Conduct, bomb, cut, drip, endless, hang_up, on_the_wire, says, silent, wire

SIZE = Size(1536, 2304)
REQUEST = ImageRequest(prompt="A lighthouse", size=SIZE, brief=Brief(description="A lighthouse"))
SETTINGS = OpenAISettings(api_key=Secret(KEY))


@pytest.fixture
def vendor() -> FakeOpenAI:
    return FakeOpenAI()


def provider_at(
    vendor: FakeOpenAI, folder: Path, settings: OpenAISettings = SETTINGS
) -> AbstractAsyncContextManager[OpenAIImages]:
    return running(OPENAI, settings, vendor, folder)


async def trouble(provider: OpenAIImages, request: ImageRequest = REQUEST) -> ProviderError:
    return await error_of(provider, request)


# Models


@pytest.mark.parametrize("model", ["gpt-image-1", "dall-e-3", "dall-e-2"])
def test_a_model_that_was_shut_down_is_refused_with_the_day(model: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match="was shut down on 2026-") as caught:
        OPENAI.build(OpenAISettings(api_key=Secret(KEY), model=model), FakeContext(tmp_path))
    assert caught.value.field == "model"


def test_openai_itself_needs_a_key_and_a_server_of_ones_own_does_not(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        OPENAI.build(OpenAISettings(), FakeContext(tmp_path))
    assert caught.value.field == "api_key"
    OPENAI.build(OpenAISettings(base_url="http://images.example/v1", model="flux"), FakeContext(tmp_path))


@pytest.mark.parametrize("address", ["images.example", "ftp://images.example", "http://user:word@images.example/v1"])
def test_what_is_no_address_is_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        OPENAI.build(msgspec.structs.replace(SETTINGS, base_url=address), FakeContext(tmp_path))
    assert caught.value.field == "base_url"


def test_a_key_that_no_header_can_carry_is_refused(tmp_path: Path) -> None:
    for key in ("sk-\nkey", "sk-schlüssel"):
        with pytest.raises(SettingsInvalid) as caught:
            OPENAI.build(OpenAISettings(api_key=Secret(key)), FakeContext(tmp_path))
        assert caught.value.field == "api_key" and key not in str(caught.value)


@pytest.mark.parametrize("size", [*STANDARD, *LARGE])
def test_every_size_is_one_that_openai_takes(size: Size) -> None:
    assert size.width % 16 == size.height % 16 == 0
    assert 655_360 <= size.width * size.height <= 2560 * 1440
    assert 1 / 3 <= size.width / size.height <= 3


def test_a_model_that_will_end_says_when(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(SETTINGS, model="gpt-image-1.5-2025-12-16")
    (end,) = OPENAI.build(settings, FakeContext(tmp_path)).capabilities().retirements
    assert (end.model, end.day, end.replacement) == ("gpt-image-1.5-2025-12-16", "2026-12-01", "gpt-image-2.6-sunburst")
    assert OPENAI.build(SETTINGS, FakeContext(tmp_path)).capabilities().retirements == ()


def test_a_picture_in_high_quality_is_estimated_before_it_is_made(tmp_path: Path) -> None:
    standard = OPENAI.build(msgspec.structs.replace(SETTINGS, resolution="standard"), FakeContext(tmp_path))
    cost = estimate(standard.capabilities(), Size(1024, 1536))
    assert cost is not None and 165_000 < cost < 168_000  # USD 0.165 and the prompt
    low = OPENAI.build(msgspec.structs.replace(SETTINGS, quality="low"), FakeContext(tmp_path))
    assert estimate(low.capabilities(), SIZE) is None


def test_the_prices_of_another_server_are_unknown(tmp_path: Path) -> None:
    gateway = msgspec.structs.replace(SETTINGS, base_url="https://gateway.example/v1")
    assert OPENAI.build(gateway, FakeContext(tmp_path)).capabilities().prices == ()


# Requests


@pytest.mark.anyio
async def test_a_prompt_goes_out_with_the_settings(vendor: FakeOpenAI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(REQUEST, FakeControl())
    assert vendor.asked == [
        {
            "model": "gpt-image-2",
            "prompt": "A lighthouse",
            "n": 1,
            "size": "1536x2304",
            "quality": "high",
            "output_format": "png",
            "background": "opaque",
            "moderation": "auto",
        }
    ]
    assert result.images[0].size == SIZE


@pytest.mark.anyio
async def test_references_go_out_as_named_pictures_of_their_type(vendor: FakeOpenAI, tmp_path: Path) -> None:
    references = tuple(picture(64, 96, kind) for kind in ("png", "jpeg", "webp"))
    async with provider_at(vendor, tmp_path) as provider:
        await provider.generate(msgspec.structs.replace(REQUEST, references=references), FakeControl())
    assert vendor.parts == [
        ("image[]", "reference-1.png", "image/png"),
        ("image[]", "reference-2.jpg", "image/jpeg"),
        ("image[]", "reference-3.webp", "image/webp"),
    ]
    assert vendor.requests[-1].url.path == "/v1/images/edits"


@pytest.mark.anyio
async def test_a_mask_goes_out_beside_the_picture_it_is_for(vendor: FakeOpenAI, tmp_path: Path) -> None:
    mask = picture(64, 96, "png")
    wanted = msgspec.structs.replace(REQUEST, references=(picture(64, 96, "png"),), mask=mask)
    async with provider_at(vendor, tmp_path) as provider:
        assert provider.capabilities().masks
        await provider.generate(wanted, FakeControl())
        alone = await trouble(provider, msgspec.structs.replace(wanted, references=()))
    assert vendor.parts[-1] == ("mask", "mask.png", "image/png") and mask in vendor.requests[-1].content
    assert isinstance(alone, Unsupported) and len(vendor.requests) == 1
    server = OpenAISettings(base_url="http://images.example/v1", model="flux", sizes=("1536x2304",))
    async with provider_at(vendor, tmp_path, server) as provider:
        assert not provider.capabilities().masks, "only OpenAI's own models are known to take them"
        assert isinstance(await trouble(provider, wanted), Unsupported)


@pytest.mark.anyio
async def test_a_reference_that_is_no_picture_never_leaves_the_house(vendor: FakeOpenAI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider, msgspec.structs.replace(REQUEST, references=(b"<svg/>",)))
    assert isinstance(error, InvalidRequest)
    assert vendor.requests == []


@pytest.mark.anyio
async def test_nothing_of_the_environment_reaches_the_vendor(
    vendor: FakeOpenAI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor.key = None
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "BASE_URL"):
        monkeypatch.setenv(f"OPENAI_{name}", "https://from-the-environment.example")
    server = OpenAISettings(base_url="http://images.example/v1", model="flux", sizes=("1536x2304",))
    async with provider_at(vendor, tmp_path, server) as provider:
        await provider.generate(REQUEST, FakeControl())
    (request,) = vendor.requests
    assert request.url.host == "images.example"
    assert "from-the-environment" not in str(request.headers)
    assert "authorization" not in request.headers


@pytest.mark.anyio
async def test_warming_up_asks_for_nothing(vendor: FakeOpenAI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        assert isinstance(provider, Preparable)
        await provider.prepare()
    assert vendor.requests == []


# Answers


@pytest.mark.anyio
async def test_tokens_become_usage_and_usage_becomes_cost(vendor: FakeOpenAI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(REQUEST, FakeControl())
        assert {line.unit: line.quantity for line in result.usage.lines} == {
            "text_input": 50,
            "image_input": 300,
            "image_output": 5488,
        }
        # 50 x 5 + 300 x 8 + 5,488 x 30 micros
        assert cost_of(provider.capabilities(), result) == (167_290, "computed")


@pytest.mark.anyio
@pytest.mark.parametrize("usage", [None, [], "many", {}, {"input_tokens": -5, "output_tokens": 1}])
async def test_usage_that_makes_no_sense_is_unknown(vendor: FakeOpenAI, tmp_path: Path, usage: Any) -> None:
    vendor.usage = usage
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(REQUEST, FakeControl())
        assert result.usage.lines == ()
        assert cost_of(provider.capabilities(), result) == (None, "unknown")


@pytest.mark.anyio
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"text"',
        b"<html>Bad gateway</html>",
        b'{"data": [',
        b"{}",
        b'{"data": null}',
        b'{"data": []}',
        b'{"data": [{}]}',
        b'{"data": [{"b64_json": "%%%"}]}',
        b'{"data": [{"b64_json": 7}]}',
        json.dumps({"data": [{"b64_json": base64.b64encode(b"<html>").decode()}]}).encode(),
        b"[" * 100_000,
    ],
)
async def test_an_answer_without_a_picture_is_the_vendors_fault(
    vendor: FakeOpenAI, tmp_path: Path, body: bytes
) -> None:
    vendor.answer = httpx.Response(200, content=body, headers={"content-type": "application/json"})
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
    assert type(error) is Unavailable
    assert error.effect is Effect.UNKNOWN


@pytest.mark.anyio
@pytest.mark.parametrize(
    "address", ["https://elsewhere.example/generated/512x512", "http://images.example:8080/generated/512x512", "://"]
)
async def test_pictures_are_fetched_from_the_vendor_only(vendor: FakeOpenAI, tmp_path: Path, address: str) -> None:
    vendor.answer = httpx.Response(200, json={"data": [{"url": address}]})
    settings = OpenAISettings(
        api_key=Secret(KEY), base_url="http://images.example/v1", model="flux", sizes=("1536x2304",)
    )
    async with provider_at(vendor, tmp_path, settings) as provider:
        assert type(await trouble(provider)) is Unavailable
    assert [request.url.path for request in vendor.requests] == ["/v1/images/generations"]


# Errors


@pytest.mark.parametrize(
    ("answer", "kind", "field"),
    [
        (failure(400, "moderation_blocked", "rejected"), ContentRefused, None),
        (failure(400, "billing_hard_limit_reached", "limit"), QuotaExhausted, None),
        (failure(404, "model_not_found", "no such model"), SettingsInvalid, "model"),
        (failure(400, "invalid_value", "model", param="model"), SettingsInvalid, "model"),
        (failure(400, "invalid_value", "quality", param="quality"), SettingsInvalid, "quality"),
        (failure(400, "invalid_value", "size", param="size"), Unsupported, None),
        (failure(400, "invalid_value", "prompt", param="prompt"), InvalidRequest, None),
        (failure(404, None, "Invalid URL"), SettingsInvalid, "base_url"),
        (httpx.Response(302, headers={"location": "https://elsewhere.example"}), Unavailable, None),
        (httpx.Response(504, html="<html>"), DeadlineExceeded, None),
    ],
)
def test_each_response_becomes_its_error(answer: httpx.Response, kind: type[ProviderError], field: str | None) -> None:
    error = judge(answer)
    assert type(error) is kind
    assert error.field == field


@pytest.mark.parametrize(("header", "seconds"), [("500", 500.0), ("0.5", 0.5), ("soon", None), ("", None)])
def test_the_vendor_says_how_long_to_wait(header: str, seconds: float | None) -> None:
    error = judge(failure(429, "rate_limit_exceeded", "slow down", **{"retry-after": header}))
    assert isinstance(error, RateLimited) and error.retry_after == seconds


def test_a_key_that_is_quoted_back_is_not_repeated() -> None:
    error = judge(failure(401, "invalid_api_key", f"Incorrect API key provided: {KEY}"))
    assert error is not None and KEY not in repr(error) + error.detail


@pytest.mark.anyio
async def test_a_full_quota_is_not_asked_again(vendor: FakeOpenAI, tmp_path: Path) -> None:
    vendor.answer = failure(429, "insufficient_quota", "no funds", **{"retry-after": "0"})
    async with provider_at(vendor, tmp_path) as provider:
        assert type(await trouble(provider)) is QuotaExhausted
    assert len(vendor.requests) == 1


# The wire


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [cut, hang_up])
async def test_a_lost_answer_is_not_asked_for_again(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(OPENAI, SETTINGS, tmp_path, conduct, path="/v1") as (provider, server):
        error = await trouble(provider)
    assert (type(error), error.effect) == (Unavailable, Effect.UNKNOWN)
    assert server.requests == 1


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [drip, silent])
async def test_the_time_limit_holds_however_slowly_the_answer_comes(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(
        OPENAI, msgspec.structs.replace(SETTINGS, timeout_seconds=1), tmp_path, conduct, path="/v1"
    ) as (provider, server):
        error = await trouble(provider)
    assert (type(error), error.effect) == (DeadlineExceeded, Effect.UNKNOWN)
    assert server.requests == 1


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [endless, bomb])
async def test_an_answer_beyond_all_measure_is_cut_off(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(OPENAI, SETTINGS, tmp_path, conduct, path="/v1") as (provider, _):
        error = await trouble(provider)
    assert type(error) is Unavailable and "larger than" in error.detail


@pytest.mark.anyio
async def test_a_redirect_is_not_followed(tmp_path: Path, vendor: FakeOpenAI) -> None:
    async with (
        wire(says("200 OK", body=b"{}")) as elsewhere,
        on_the_wire(
            OPENAI, SETTINGS, tmp_path, says("307 Temporary Redirect", f"Location: {elsewhere.url}/v1"), path="/v1"
        ) as (provider, _),
    ):
        assert type(await trouble(provider)) is Unavailable
    assert elsewhere.requests == 0


@pytest.mark.anyio
async def test_a_private_address_is_refused_unless_the_operator_lists_it(tmp_path: Path) -> None:
    async with on_the_wire(OPENAI, SETTINGS, tmp_path, silent, allowed=False, path="/v1") as (provider, server):
        error = await trouble(provider)
        report = await provider.check()
    assert (type(error), error.effect) == (Unavailable, Effect.NONE)
    assert [(step.status, step.field) for step in report.steps] == [("fail", "base_url")]
    assert server.requests == 0


# The check


@pytest.mark.anyio
async def test_the_check_suggests_the_models_that_make_pictures(vendor: FakeOpenAI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        report = await provider.check()
    assert report.ok
    assert report.suggestions == {"model": ("gpt-image-1.5", "gpt-image-2", "gpt-image-2.6-flare")}
    assert vendor.asked == []  # nothing was made


@pytest.mark.anyio
async def test_the_check_warns_of_a_model_that_ends(vendor: FakeOpenAI, tmp_path: Path) -> None:
    vendor.models = [{"id": "gpt-image-2", "shutdown_date": "2027-06-01"}]
    async with provider_at(vendor, tmp_path) as provider:
        report = await provider.check()
    assert [(step.name, step.status) for step in report.steps][-1] == ("model", "warn")
    assert "2027-06-01" in report.steps[-1].detail


@pytest.mark.anyio
async def test_a_key_that_may_only_make_pictures_passes_the_check(vendor: FakeOpenAI, tmp_path: Path) -> None:
    def restricted(request: httpx.Request) -> httpx.Response:
        return failure(403, None, "You have insufficient permissions. Missing scopes: api.model.read.")

    context = FakeContext(tmp_path, httpx.MockTransport(restricted))
    provider = OPENAI.build(SETTINGS, context)
    report = await provider.check()
    await provider.aclose()
    await context.http.aclose()
    assert report.ok
    assert [(step.name, step.status) for step in report.steps] == [("reach", "ok"), ("key", "warn")]


TEXTS = msgspec.structs.replace(SETTINGS, text_model="gpt-9-mini")
QUESTION = TextRequest(instructions="Answer with JSON.", text="A lighthouse keeper finds a letter.")


@pytest.mark.anyio
async def test_a_text_model_is_asked_once_and_its_tokens_have_no_price_of_a_picture(
    vendor: FakeOpenAI, tmp_path: Path
) -> None:
    async with provider_at(vendor, tmp_path, TEXTS) as provider:
        result = await provider.write_text(QUESTION)
        assert provider.capabilities().text_model == "gpt-9-mini"
        assert cost_of(provider.capabilities(), result) == (None, "unknown")
    (asked,) = vendor.asked
    assert asked["model"] == "gpt-9-mini"
    assert [message["content"] for message in asked["messages"]] == [QUESTION.instructions, QUESTION.text]
    assert result.text == "Lighthouse."
    assert {line.unit: line.quantity for line in result.usage.lines} == {"text_input": 40, "text_output": 8}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (httpx.Response(200, json={"choices": [{"message": {"refusal": "I cannot help."}}]}), ContentRefused),
        (
            httpx.Response(200, json={"choices": [{"message": {"content": "A"}, "finish_reason": "content_filter"}]}),
            ContentRefused,
        ),
        (httpx.Response(200, json={"choices": []}), Unavailable),
        (httpx.Response(200, json={"choices": [{"message": {"content": None}}]}), Unavailable),
        (httpx.Response(200, html="<html>502</html>"), Unavailable),
        (failure(429, "rate_limit_exceeded", "Rate limit reached."), RateLimited),
    ],
)
@pytest.mark.anyio
async def test_a_text_model_that_says_nothing_of_use_is_an_error(
    vendor: FakeOpenAI, tmp_path: Path, answer: httpx.Response, kind: type[ProviderError]
) -> None:
    vendor.answer = answer
    async with provider_at(vendor, tmp_path, TEXTS) as provider:
        with pytest.raises(kind):
            await provider.write_text(QUESTION)
    assert len(vendor.asked) == 1


@pytest.mark.anyio
async def test_without_a_text_model_nothing_is_asked(vendor: FakeOpenAI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        assert not provider.capabilities().text_model
        with pytest.raises(Unsupported):
            await provider.write_text(QUESTION)
    assert not vendor.requests
