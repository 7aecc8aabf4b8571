"""What the Replicate provider guarantees beyond the contract: inputs, ends, canceling, resuming, downloads, cost."""

import asyncio
import base64
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import respx

from kernel.core.config import load_config
from kernel.providers.calls.pricing import cost_of, estimate
from kernel.providers.instances.context import ProviderBuildContext
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
    Secret,
    SettingsInvalid,
    Size,
    Unavailable,
    Unsupported,
)
from kernel.spi.testing import FakeContext, FakeControl, StoppingControl
from plugins.replicate_images import REPLICATE
from plugins.replicate_images import provider as module
from plugins.replicate_images.errors import judge
from plugins.replicate_images.settings import ReplicateSettings
from tests.plugins.running_images import error_of, running
from tests.vendors.pictures import picture
from tests.vendors.replicate_api import FILES, TOKEN, FakeReplicate, problem
from tests.vendors.wire import Conduct, cut, drip, endless, hang_up, on_the_wire, says, silent

SIZE = Size(1152, 1728)
REQUEST = ImageRequest(prompt="A lighthouse", size=SIZE, brief=Brief(description="A lighthouse"))
SETTINGS = ReplicateSettings(api_token=Secret(TOKEN))


def data_url(content: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


NO_PICTURE = data_url(b"<html>")


@pytest.fixture
def vendor() -> FakeReplicate:
    return FakeReplicate()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL_S", 0.01)


provider_at = partial(running, REPLICATE, SETTINGS)


async def trouble(provider: ImageProvider, request: ImageRequest = REQUEST) -> ProviderError:
    return await error_of(provider, request)


# Inputs


@pytest.mark.anyio
async def test_flux_is_asked_in_pixels(vendor: FakeReplicate, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(msgspec.structs.replace(REQUEST, seed=7), FakeControl())
    assert vendor.asked == [
        {
            "prompt": "A lighthouse",
            "aspect_ratio": "custom",
            "width": 1152,
            "height": 1728,
            "output_format": "png",
            "seed": 7,
        }
    ]
    assert (result.images[0].size, result.images[0].seed) == (SIZE, 7)


@pytest.mark.anyio
async def test_a_model_without_an_entry_is_asked_for_a_ratio(vendor: FakeReplicate, tmp_path: Path) -> None:
    request = msgspec.structs.replace(REQUEST, size=Size(832, 1248))
    async with provider_at(vendor, tmp_path, model=f"somebody/model:{'a' * 64}") as provider:
        await provider.generate(request, FakeControl())
    assert vendor.asked == [{"prompt": "A lighthouse", "aspect_ratio": "2:3"}]
    assert vendor.requests[0].url.path == "/v1/predictions"


@pytest.mark.anyio
async def test_further_input_adds_but_never_replaces(vendor: FakeReplicate, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, extra_input='{"safety_tolerance": 3, "prompt": "no"}') as provider:
        await provider.generate(REQUEST, FakeControl())
    assert vendor.asked[0]["safety_tolerance"] == 3
    assert vendor.asked[0]["prompt"] == "A lighthouse"


@pytest.mark.anyio
async def test_small_references_go_along_and_large_ones_are_uploaded(vendor: FakeReplicate, tmp_path: Path) -> None:
    small = picture(64, 96)
    large = small + bytes(300_000)  # bytes after the end of a PNG are allowed
    async with provider_at(vendor, tmp_path) as provider:
        await provider.generate(msgspec.structs.replace(REQUEST, references=(small, large)), FakeControl())
    inline, uploaded = vendor.asked[0]["input_images"]
    assert inline.startswith("data:image/png;base64,")
    assert uploaded == "https://api.replicate.com/v1/files/1"


@pytest.mark.anyio
async def test_a_reference_that_is_no_picture_starts_nothing(vendor: FakeReplicate, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider, msgspec.structs.replace(REQUEST, references=(b"<svg/>",)))
    assert isinstance(error, InvalidRequest) and vendor.requests == []


# Ends


@pytest.mark.anyio
@pytest.mark.parametrize("status", ["aborted", "canceled", "failed"])
@pytest.mark.parametrize("after", [[], ["starting", "processing"]], ids=["at once", "later"])
async def test_a_prediction_that_brings_nothing_is_the_vendors_fault(
    vendor: FakeReplicate, tmp_path: Path, status: str, after: list[str]
) -> None:
    vendor.statuses = [*after, status]
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
    assert (type(error), error.effect) == (Unavailable, Effect.NONE)
    assert vendor.cancelled == []


@pytest.mark.anyio
async def test_a_broken_model_declined_nothing(vendor: FakeReplicate, tmp_path: Path) -> None:
    vendor.statuses = ["failed"]
    vendor.changes = {"error": "Failed to download weights of safety_checker: connection reset"}
    async with provider_at(vendor, tmp_path) as provider:
        assert type(await trouble(provider)) is Unavailable


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["NSFW content detected.", "flagged as sensitive (E005)", "Request moderated"])
async def test_a_declining_model_is_distinguished(vendor: FakeReplicate, tmp_path: Path, text: str) -> None:
    vendor.statuses, vendor.changes = ["failed"], {"error": text}
    async with provider_at(vendor, tmp_path) as provider:
        assert type(await trouble(provider)) is ContentRefused


@pytest.mark.anyio
@pytest.mark.parametrize(
    "changes", [{"version": None}, {"id": 7}, {"id": "../../account"}, {"output": []}, {"output": {"a": 1}}]
)
async def test_a_prediction_of_another_shape_is_the_vendors_fault(
    vendor: FakeReplicate, tmp_path: Path, changes: dict[str, Any]
) -> None:
    vendor.statuses, vendor.changes = ["succeeded"], changes
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
    assert (type(error), error.effect) == (Unavailable, Effect.UNKNOWN)


@pytest.mark.anyio
async def test_a_few_lost_questions_do_not_lose_the_prediction(vendor: FakeReplicate, tmp_path: Path) -> None:
    failures = iter([problem(503, "Unavailable", ""), httpx.Response(200, html="<html>"), problem(429, "Slow", "")])

    def flaky(request: httpx.Request) -> httpx.Response:
        if request.method == "GET" and "/predictions/" in request.url.path:
            return next(failures, None) or vendor(request)
        return vendor(request)

    async with provider_at(flaky, tmp_path) as provider:
        assert len((await provider.generate(REQUEST, FakeControl())).images) == 1
    assert len(vendor.asked) == 1


@pytest.mark.anyio
async def test_a_vendor_that_falls_silent_leaves_a_prediction_to_resume(vendor: FakeReplicate, tmp_path: Path) -> None:
    def silent_later(request: httpx.Request) -> httpx.Response:
        return vendor(request) if request.method == "POST" else problem(503, "Unavailable", "")

    control = FakeControl()
    async with provider_at(silent_later, tmp_path) as provider:
        with pytest.raises(Unavailable) as caught:
            await provider.generate(REQUEST, control)
    assert caught.value.effect is Effect.UNKNOWN
    assert (control.remote_ids, vendor.cancelled) == (["prediction1"], [])


@pytest.mark.anyio
async def test_progress_tells_the_true_fraction(vendor: FakeReplicate, tmp_path: Path) -> None:
    logs = iter(["", " 25%|██▌       | 5/20", " 75%|███████▌  | 15/20", " 10%|█         | 2/20 of another stage", ""])
    vendor.statuses = ["starting", "processing", "processing", "processing", "succeeded"]

    def telling(request: httpx.Request) -> httpx.Response:
        if "predictions" in request.url.path:
            vendor.changes = {"logs": next(logs, "")}
        return vendor(request)

    control = FakeControl()
    async with provider_at(telling, tmp_path) as provider:
        await provider.generate(REQUEST, control)
    assert control.steps == [("queued", None), ("generating", 0.25), ("generating", 0.75)]


# Giving up and coming back


@pytest.mark.anyio
async def test_a_prediction_that_takes_too_long_is_cancelled(vendor: FakeReplicate, tmp_path: Path) -> None:
    vendor.statuses = ["processing"]
    context = FakeContext(tmp_path, httpx.MockTransport(vendor))
    provider = REPLICATE.build(msgspec.structs.replace(SETTINGS, timeout_seconds=1), context)
    error = await trouble(provider)
    await provider.aclose()
    await context.http.aclose()
    assert (type(error), error.effect) == (DeadlineExceeded, Effect.UNKNOWN)
    assert vendor.cancelled == ["prediction1"]


@pytest.mark.anyio
async def test_a_prediction_is_cancelled_when_nobody_wants_it(vendor: FakeReplicate, tmp_path: Path) -> None:
    control = StoppingControl()
    async with provider_at(vendor, tmp_path) as provider:
        with pytest.raises(asyncio.CancelledError):
            await provider.generate(REQUEST, control)
        assert vendor.cancelled == []
        for name in (*control.remote_ids, "prediction9", "../account"):
            await provider.cancel(name)
    assert vendor.cancelled == ["prediction1"]


@pytest.mark.anyio
async def test_another_worker_fetches_the_result_of_an_interrupted_call(vendor: FakeReplicate, tmp_path: Path) -> None:
    class Torn(Exception):
        pass

    class Crashing(FakeControl):
        async def checkpoint(self, remote_id: str) -> None:
            await super().checkpoint(remote_id)
            raise Torn

    control = Crashing()
    async with provider_at(vendor, tmp_path) as provider:
        with pytest.raises(Torn):
            await provider.generate(REQUEST, control)
    async with provider_at(vendor, tmp_path) as another:
        result = await another.resume(control.remote_ids[0], FakeControl())
        assert cost_of(another.capabilities(), result) == (44_860, "computed")
    assert result.images[0].size == SIZE
    assert len(vendor.asked) == 1


@pytest.mark.anyio
@pytest.mark.parametrize("status", ["canceled", "failed", "aborted"])
async def test_what_can_bring_no_picture_any_more_is_started_anew(
    vendor: FakeReplicate, tmp_path: Path, status: str
) -> None:
    vendor.statuses, vendor.polls, vendor.asked = [status], {"prediction1": 0}, [{}]
    async with provider_at(vendor, tmp_path) as provider:
        for name in ("prediction1", "prediction9", "../account"):
            with pytest.raises(NotFound):
                await provider.resume(name, FakeControl())


@pytest.mark.anyio
@pytest.mark.parametrize(
    "output",
    [[], {"a": 1}, f"{FILES}/gone.png", "ftp://replicate.delivery/x", "data:image/png;base64,?", NO_PICTURE],
    ids=["nothing", "odd", "expired", "unsafe", "undecodable", "no picture"],
)
async def test_a_success_without_a_usable_picture_is_started_anew(
    vendor: FakeReplicate, tmp_path: Path, output: Any
) -> None:
    vendor.statuses, vendor.changes, vendor.polls, vendor.asked = (
        ["succeeded"],
        {"output": output},
        {"prediction1": 0},
        [{"width": 1152, "height": 1728}],
    )
    async with provider_at(vendor, tmp_path) as provider:
        with pytest.raises(NotFound):
            await provider.resume("prediction1", FakeControl())


# Pictures


@pytest.mark.anyio
@pytest.mark.parametrize(
    "address",
    ["http://replicate.delivery/x.png", "ftp://replicate.delivery/x", "/x.png", "", "http://169.254.169.254/"],
)
async def test_a_picture_is_fetched_over_https_only(vendor: FakeReplicate, tmp_path: Path, address: str) -> None:
    vendor.statuses, vendor.output = ["succeeded"], [address]
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
    assert (type(error), error.effect) == (Unavailable, Effect.UNKNOWN)
    assert vendor.served == []


@pytest.mark.anyio
async def test_the_token_is_shown_to_nobody_but_the_api(tmp_path: Path, vendor: FakeReplicate) -> None:
    vendor.statuses, vendor.output = ["succeeded"], "https://elsewhere.example/x.png"
    context = ProviderBuildContext(load_config({"COVERWRIGHT_DATA": str(tmp_path)}), "replicate")
    provider = REPLICATE.build(SETTINGS, context)
    with respx.mock() as network:
        network.route(host="api.replicate.com").mock(side_effect=vendor)
        fetched = network.get("https://elsewhere.example/x.png").respond(200, content=picture(1152, 1728))
        await provider.generate(REQUEST, FakeControl())
    await provider.aclose()
    await context.aclose()
    assert fetched.call_count == 1
    assert TOKEN not in str(fetched.calls.last.request.headers.raw)
    assert all(request.headers["authorization"] == f"Bearer {TOKEN}" for request in vendor.requests)


@pytest.mark.anyio
async def test_a_picture_may_come_in_the_answer(vendor: FakeReplicate, tmp_path: Path) -> None:
    vendor.output = [data_url(picture(1152, 1728))]
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(REQUEST, FakeControl())
    assert (result.images[0].size, vendor.served) == (SIZE, [])


@pytest.mark.anyio
async def test_a_lost_download_is_tried_again(vendor: FakeReplicate, tmp_path: Path) -> None:
    vendor.lost_downloads = 2
    async with provider_at(vendor, tmp_path) as provider:
        await provider.generate(REQUEST, FakeControl())
    assert (len(vendor.served), len(vendor.asked)) == (3, 1)


@pytest.mark.anyio
async def test_a_picture_that_is_gone_was_made_all_the_same(vendor: FakeReplicate, tmp_path: Path) -> None:
    vendor.output = f"{FILES}/gone.png"
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
    assert (type(error), error.effect) == (Unavailable, Effect.UNKNOWN)


# Cost


@pytest.mark.anyio
async def test_megapixels_and_references_are_counted(vendor: FakeReplicate, tmp_path: Path) -> None:
    request = msgspec.structs.replace(REQUEST, references=(picture(1000, 500),))
    async with provider_at(vendor, tmp_path) as provider:
        result = await provider.generate(request, FakeControl())
        # 0.015 for the picture, 0.015 for each of its 1.990656 megapixels and of the reference's 0.5
        assert cost_of(provider.capabilities(), result) == (52_360, "computed")
        assert estimate(provider.capabilities(), SIZE) == 44_860
        assert estimate(provider.capabilities(), SIZE, references=1) == 59_860


@pytest.mark.anyio
async def test_a_model_without_a_price_has_an_unknown_cost(vendor: FakeReplicate, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, model="black-forest-labs/flux-2-flex") as provider:
        result = await provider.generate(REQUEST, FakeControl())
        assert cost_of(provider.capabilities(), result) == (None, "unknown")


# Errors and the wire


@pytest.mark.parametrize(
    ("answer", "kind", "field"),
    [
        (problem(404, "Not found", ""), SettingsInvalid, "model"),
        (problem(422, "Input validation failed", "- input.prompt: too long"), InvalidRequest, None),
        (problem(422, "Input validation failed", "- input.width: too large"), Unsupported, None),
        (httpx.Response(302), Unavailable, None),
        (httpx.Response(504), DeadlineExceeded, None),
    ],
)
def test_each_response_becomes_its_error(answer: httpx.Response, kind: type[ProviderError], field: str | None) -> None:
    answer.request = httpx.Request("POST", "https://api.replicate.com/v1/models/a/b/predictions")
    error = judge(answer)
    assert error is not None and (type(error), error.field) == (kind, field)


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [cut, hang_up, says("503 Unavailable"), says("429 Slow", "Retry-After: 0")])
async def test_a_prediction_is_never_started_twice(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(REPLICATE, SETTINGS, tmp_path, conduct) as (provider, server):
        assert (await trouble(provider)).retry
    assert server.requests == 1


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [drip, silent])
async def test_the_time_limit_holds_where_the_library_has_none(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(REPLICATE, msgspec.structs.replace(SETTINGS, timeout_seconds=1), tmp_path, conduct) as (
        provider,
        _,
    ):
        error = await trouble(provider)
    assert (type(error), error.effect) == (DeadlineExceeded, Effect.UNKNOWN)


@pytest.mark.anyio
async def test_an_answer_beyond_all_measure_is_cut_off(tmp_path: Path) -> None:
    async with on_the_wire(REPLICATE, SETTINGS, tmp_path, endless) as (provider, _):
        error = await trouble(provider)
    assert type(error) is Unavailable and "larger than" in error.detail


@pytest.mark.anyio
async def test_a_private_address_is_refused_unless_the_operator_lists_it(tmp_path: Path) -> None:
    async with on_the_wire(REPLICATE, SETTINGS, tmp_path, silent, allowed=False) as (provider, server):
        error = await trouble(provider)
        report = await provider.check()
    assert (type(error), error.effect) == (Unavailable, Effect.NONE)
    assert [(step.status, step.field) for step in report.steps] == [("fail", "base_url")]
    assert server.requests == 0
