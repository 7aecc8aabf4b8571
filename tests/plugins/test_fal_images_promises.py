"""What the fal provider guarantees beyond the contract: inputs, ends, waiting, canceling, pictures, cost, the check."""

import asyncio
from functools import partial
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
    ImageProvider,
    ImageRequest,
    InvalidRequest,
    NotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    Secret,
    SettingsInvalid,
    Size,
    Unavailable,
    Unsupported,
)
from kernel.spi.testing import FakeControl, StoppingControl
from plugins.fal_images import FAL
from plugins.fal_images import provider as module
from plugins.fal_images.errors import judge
from plugins.fal_images.models import MODELS
from plugins.fal_images.settings import FalSettings
from tests.plugins.running_images import error_of, running
from tests.vendors.fal_api import KEY, FakeFal, flagged, problem
from tests.vendors.pictures import picture
from tests.vendors.wire import Conduct, cut, drip, hang_up, on_the_wire, says, silent

SIZE = Size(1152, 1728)
REQUEST = ImageRequest(prompt="A lighthouse", size=SIZE, brief=Brief(description="A lighthouse"))
SETTINGS = FalSettings(api_key=Secret(KEY))
FIRST = "00000000-0000-4000-8000-000000000001"


@pytest.fixture
def vendor() -> FakeFal:
    return FakeFal()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL_S", 0.01)


provider_at = partial(running, FAL, SETTINGS)


async def trouble(provider: ImageProvider, request: ImageRequest = REQUEST) -> ProviderError:
    return await error_of(provider, request)


# Inputs


@pytest.mark.anyio
async def test_flux_is_asked_in_pixels(vendor: FakeFal, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(msgspec.structs.replace(REQUEST, seed=7), FakeControl())
    size = {"width": 1152, "height": 1728}
    asked = {"prompt": "A lighthouse", "image_size": size, "output_format": "png", "seed": 7}
    assert vendor.asked == [("fal-ai/flux-2-pro", asked)]
    assert (result.images[0].size, result.images[0].seed) == (SIZE, 7)


@pytest.mark.anyio
async def test_references_of_flux_go_to_the_endpoint_that_edits(vendor: FakeFal, tmp_path: Path) -> None:
    request = msgspec.structs.replace(REQUEST, references=(picture(64, 96), picture(64, 96, "jpeg")))
    async with provider_at(vendor, tmp_path) as provider:
        await provider.generate(request, FakeControl())
        assert provider.capabilities().edits
    ((endpoint, asked),) = vendor.asked
    assert endpoint == "fal-ai/flux-2-pro/edit"
    assert [url.partition(",")[0] for url in asked["image_urls"]] == [
        "data:image/png;base64",
        "data:image/jpeg;base64",
    ]
    assert [request.url.path for request in vendor.requests][1:3] == [f"/fal-ai/flux-2-pro/requests/{FIRST}/status"] * 2


@pytest.mark.anyio
async def test_references_of_ideogram_are_models_of_style(vendor: FakeFal, tmp_path: Path) -> None:
    request = msgspec.structs.replace(REQUEST, size=Size(832, 1248), references=(picture(64, 96),))
    async with provider_at(vendor, tmp_path, model="fal-ai/ideogram/v3") as provider:
        await provider.generate(request, FakeControl())
        assert not provider.capabilities().edits
    assert vendor.asked[0][0] == "fal-ai/ideogram/v3"
    assert vendor.asked[0][1]["rendering_speed"] == "BALANCED"


@pytest.mark.anyio
async def test_a_model_without_an_entry_is_asked_for_a_size(vendor: FakeFal, tmp_path: Path) -> None:
    request = msgspec.structs.replace(REQUEST, size=Size(832, 1216))
    async with provider_at(vendor, tmp_path, model="somebody/model/v9") as provider:
        await provider.generate(request, FakeControl())
    size = {"width": 832, "height": 1216}
    assert vendor.asked == [("somebody/model/v9", {"prompt": "A lighthouse", "image_size": size})]


@pytest.mark.anyio
async def test_further_input_adds_but_never_replaces(vendor: FakeFal, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, extra_input='{"safety_tolerance": "3", "prompt": "no"}') as provider:
        await provider.generate(REQUEST, FakeControl())
    assert vendor.asked[0][1]["safety_tolerance"] == "3"
    assert vendor.asked[0][1]["prompt"] == "A lighthouse"


@pytest.mark.anyio
async def test_a_reference_that_is_no_picture_orders_nothing(vendor: FakeFal, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider, msgspec.structs.replace(REQUEST, references=(b"<svg/>",)))
    assert isinstance(error, InvalidRequest) and vendor.requests == []


# Waiting and ends


@pytest.mark.anyio
async def test_who_waits_is_told_so(vendor: FakeFal, tmp_path: Path) -> None:
    vendor.ahead = [1]
    control = FakeControl()
    async with provider_at(vendor, tmp_path) as provider:
        await provider.generate(REQUEST, control)
    assert control.remote_ids == [FIRST]
    assert control.steps == [("queued", None), ("queued", None), ("generating", None)]
    assert control.positions == [3, 2, None], "the place from 1: fal counts those that are ahead"


@pytest.mark.anyio
@pytest.mark.parametrize("result", [flagged(), flagged("image_urls")], ids=["prompt", "reference"])
async def test_a_declining_model_is_distinguished(vendor: FakeFal, tmp_path: Path, result: httpx.Response) -> None:
    vendor.result = result
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
        with pytest.raises(ContentRefused):
            await provider.resume(FIRST, FakeControl())
    assert type(error) is ContentRefused


@pytest.mark.anyio
async def test_a_blackened_picture_is_a_refusal(vendor: FakeFal, tmp_path: Path) -> None:
    vendor.changes = {"has_nsfw_concepts": [True]}
    async with provider_at(vendor, tmp_path, model="fal-ai/flux/dev") as provider:
        error = await trouble(provider, msgspec.structs.replace(REQUEST, size=Size(832, 1216)))
    assert type(error) is ContentRefused and vendor.served == []


@pytest.mark.anyio
async def test_an_order_that_failed_says_why(vendor: FakeFal, tmp_path: Path) -> None:
    vendor.said = {"error": "Runner disconnected", "error_type": "runner_disconnected"}
    vendor.result = problem(503, "Runner disconnected")
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
        with pytest.raises(NotFound):
            await provider.resume(FIRST, FakeControl())
    assert type(error) is Unavailable and "runner_disconnected" in error.detail


@pytest.mark.anyio
@pytest.mark.parametrize(
    "changes",
    [{"images": []}, {"images": [{"url": "http://169.254.169.254/"}]}, {"images": [{"url": "data:;base64,?"}]}],
)
async def test_a_success_without_a_usable_picture_was_paid_for(
    vendor: FakeFal, tmp_path: Path, changes: dict[str, Any]
) -> None:
    vendor.changes = changes
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
        with pytest.raises(NotFound):
            await provider.resume(FIRST, FakeControl())
    assert (type(error), error.effect) == (Unavailable, Effect.UNKNOWN)
    assert vendor.served == []


@pytest.mark.anyio
async def test_a_few_lost_answers_do_not_lose_the_order(vendor: FakeFal, tmp_path: Path) -> None:
    failures = iter([problem(503, "Unavailable"), httpx.Response(200, html="<html>"), problem(429, "Slow")])

    def flaky(request: httpx.Request) -> httpx.Response:
        if request.method == "GET" and "/requests/" in request.url.path:
            return next(failures, None) or vendor(request)
        return vendor(request)

    async with provider_at(flaky, tmp_path) as provider:
        assert len((await provider.generate(REQUEST, FakeControl())).images) == 1
    assert len(vendor.asked) == 1


@pytest.mark.anyio
async def test_an_order_that_takes_too_long_is_cancelled(vendor: FakeFal, tmp_path: Path) -> None:
    vendor.statuses = ["IN_QUEUE"]
    async with provider_at(vendor, tmp_path, timeout_seconds=1) as provider:
        error = await trouble(provider)
    assert (type(error), error.effect) == (DeadlineExceeded, Effect.UNKNOWN)
    assert vendor.cancelled == [FIRST]


@pytest.mark.anyio
async def test_an_order_is_cancelled_when_nobody_wants_it(vendor: FakeFal, tmp_path: Path) -> None:
    control = StoppingControl()
    async with provider_at(vendor, tmp_path) as provider:
        with pytest.raises(asyncio.CancelledError):
            await provider.generate(REQUEST, control)
        assert vendor.cancelled == []
        for name in (*control.remote_ids, "00000000-unknown", "../../models"):
            await provider.cancel(name)
        assert vendor.cancelled == [FIRST]
        vendor.statuses, vendor.polls = ["COMPLETED"], {FIRST: 1}
        await provider.cancel(FIRST)  # has ended, which fal answers with a 400
    assert vendor.cancelled == [FIRST]


@pytest.mark.anyio
async def test_another_process_fetches_the_result(vendor: FakeFal, tmp_path: Path) -> None:
    control = StoppingControl()
    async with provider_at(vendor, tmp_path) as provider:
        with pytest.raises(asyncio.CancelledError):
            await provider.generate(REQUEST, control)
    async with provider_at(vendor, tmp_path) as another:
        result = await another.resume(control.remote_ids[0], FakeControl())
    assert result.images[0].size == SIZE and len(vendor.asked) == 1


# Cost


@pytest.mark.anyio
async def test_megapixels_are_charged_as_begun(vendor: FakeFal, tmp_path: Path) -> None:
    request = msgspec.structs.replace(REQUEST, references=(picture(1000, 500),))
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(request, FakeControl())
        # 0.03 for the first megapixel, 0.015 for the second and for the reference's
        assert cost_of(provider.capabilities(), result) == (60_000, "computed")
        assert estimate(provider.capabilities(), SIZE) == 45_000


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("model", "extra", "micros"),
    [
        ("fal-ai/ideogram/v3", "", 60_000),
        ("fal-ai/ideogram/v3", '{"rendering_speed": "QUALITY"}', 90_000),
        ("fal-ai/recraft/v4.1/text-to-image", "", 40_000),
        ("fal-ai/stable-diffusion-v35-medium", "", 20_000),
        ("fal-ai/stable-diffusion-v35-large", "", None),
        ("somebody/model", "", None),
    ],
)
async def test_a_cost_is_known_or_unknown(
    vendor: FakeFal, tmp_path: Path, model: str, extra: str, micros: int | None
) -> None:
    async with provider_at(vendor, tmp_path, model=model, extra_input=extra) as provider:
        request = msgspec.structs.replace(REQUEST, size=provider.capabilities().sizes[1])
        result = await provider.generate(request, FakeControl())
        assert cost_of(provider.capabilities(), result)[0] == micros


@pytest.mark.anyio
async def test_a_gateway_has_prices_of_its_own(vendor: FakeFal, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, base_url="https://gateway.example") as provider:
        assert provider.capabilities().prices == ()


# The check


@pytest.mark.anyio
async def test_the_check_tells_the_price_and_orders_nothing(vendor: FakeFal, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        report = await provider.check()
    assert [(step.name, step.status) for step in report.steps] == [("reach", "ok"), ("key", "ok"), ("model", "ok")]
    assert report.steps[-1].detail == "fal-ai/flux-2-pro: 0.03 USD per megapixels"
    assert report.suggestions == {"model": tuple(MODELS)} and vendor.asked == []


@pytest.mark.anyio
async def test_a_gateway_is_checked_where_it_is(vendor: FakeFal, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, base_url="https://gateway.example") as provider:
        report = await provider.check()
    assert report.ok and {request.url.host for request in vendor.requests} == {"gateway.example"}


# Errors and the wire


@pytest.mark.parametrize(
    ("answer", "kind", "field"),
    [
        (problem(404, "Application not found"), SettingsInvalid, "model"),
        (problem(403, "User is locked. Reason: Admin lock."), QuotaExhausted, None),
        (
            problem(422, [{"loc": ["body", "prompt"], "msg": "too long", "type": "string_too_long"}]),
            InvalidRequest,
            None,
        ),
        (problem(422, [{"loc": ["body", "image_size"], "msg": "too large", "type": "x"}]), Unsupported, None),
        (problem(429, "Slow", **{"retry-after": "7"}), RateLimited, None),
        (httpx.Response(504), DeadlineExceeded, None),
        (httpx.Response(302), Unavailable, None),
        (httpx.Response(422, json={"detail": ["odd", {"loc": 7}]}), Unsupported, None),
    ],
)
def test_each_response_becomes_its_error(answer: httpx.Response, kind: type[ProviderError], field: str | None) -> None:
    answer.request = httpx.Request("POST", "https://queue.fal.run/fal-ai/flux-2-pro")
    error = judge(answer)
    assert error is not None and (type(error), error.field) == (kind, field)


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [cut, hang_up, says("503 Unavailable"), says("429 Slow", "Retry-After: 0")])
async def test_an_order_is_never_placed_twice(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(FAL, SETTINGS, tmp_path, conduct) as (provider, server):
        assert (await trouble(provider)).retry
    assert server.requests == 1


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [drip, silent])
async def test_the_time_limit_holds(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(FAL, msgspec.structs.replace(SETTINGS, timeout_seconds=1), tmp_path, conduct) as (
        provider,
        _,
    ):
        error = await trouble(provider)
    assert (type(error), error.effect) == (DeadlineExceeded, Effect.UNKNOWN)
