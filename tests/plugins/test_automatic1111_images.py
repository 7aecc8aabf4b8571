"""The provider for Stable Diffusion web UIs passes the kit, and keeps what it promises beyond the contract."""

import asyncio
import base64
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.core.config import load_config
from kernel.providers.calls.pricing import cost_of
from kernel.providers.instances.context import ProviderBuildContext
from kernel.spi import (
    Brief,
    DeadlineExceeded,
    Effect,
    ImageProvider,
    ImageRequest,
    InvalidRequest,
    ProviderError,
    ProviderSpec,
    Secret,
    Settings,
    SettingsInvalid,
    Size,
    Unavailable,
)
from kernel.spi.testing import FakeControl, ImageContract
from plugins.automatic1111_images import AUTOMATIC1111
from plugins.automatic1111_images import provider as module
from plugins.automatic1111_images.settings import WebUISettings
from tests.plugins.running_images import error_of, running
from tests.vendors.pictures import picture
from tests.vendors.webui_server import CHECKPOINTS, HOST, SAMPLERS, FakeWebUI
from tests.vendors.wire import Conduct, cut, drip, hang_up, on_the_wire, says, silent

LOGIN = "writer:works"
SETTINGS = WebUISettings(base_url=HOST, timeout_seconds=5)
SIZE = Size(832, 1216)
REQUEST = ImageRequest(prompt="A lighthouse", size=SIZE, brief=Brief(description="A lighthouse"))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL_S", 0.01)


class TestConformance(ImageContract):
    """With a login, as `--api-auth` wants it."""

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return AUTOMATIC1111

    @pytest.fixture
    def settings(self) -> Settings:
        return msgspec.structs.replace(SETTINGS, api_auth=Secret(LOGIN))

    @pytest.fixture
    def upstream(self) -> httpx.MockTransport:
        return httpx.MockTransport(FakeWebUI(LOGIN))

    def canary(self, field: str) -> str:
        return f"writer:{super().canary(field)}"

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {
            "api_auth": msgspec.structs.replace(settings, api_auth=Secret("writer:wrong")),
            "base_url": msgspec.structs.replace(settings, base_url=f"{HOST}/elsewhere"),
            "checkpoint": msgspec.structs.replace(settings, checkpoint="nobody-has.safetensors"),
            "sampler": msgspec.structs.replace(settings, sampler="Heun"),
            "sizes": msgspec.structs.replace(settings, sizes=("832",)),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": httpx.Response(401, json={"detail": "Incorrect username or password"}),
            "rate_limit": httpx.Response(429, headers={"retry-after": "7"}),
            "server_error": httpx.Response(500, json={"error": "OutOfMemoryError", "errors": "CUDA out of memory"}),
            "refused": None,  # it declines nothing
            "no_funds": None,
            "garbage": httpx.Response(200, html="<html>502</html>"),
        }


@pytest.fixture
def vendor() -> FakeWebUI:
    return FakeWebUI()


provider_at = partial(running, AUTOMATIC1111, SETTINGS)


async def trouble(provider: ImageProvider, request: ImageRequest = REQUEST) -> ProviderError:
    return await error_of(provider, request)


@pytest.mark.anyio
async def test_an_order_says_what_the_settings_say(vendor: FakeWebUI, tmp_path: Path) -> None:
    changes = {"checkpoint": "flux", "sampler": "Euler", "steps": 8, "cfg_scale": 1.0, "negative": "letters"}
    async with provider_at(vendor, tmp_path, **changes) as provider:
        result = await provider.generate(msgspec.structs.replace(REQUEST, seed=7), FakeControl())
        assert cost_of(provider.capabilities(), result) == (0, "reported")
    assert vendor.asked == [
        (
            "txt2img",
            {
                "prompt": "A lighthouse",
                "negative_prompt": "letters",
                "seed": 7,
                "width": 832,
                "height": 1216,
                "steps": 8,
                "cfg_scale": 1.0,
                "batch_size": 1,
                "n_iter": 1,
                "save_images": False,
                "sampler_name": "Euler",
                "override_settings": {"sd_model_checkpoint": "flux"},
            },
        )
    ]
    assert (result.model, result.images[0].size, result.images[0].seed) == ("flux", SIZE, 7)


@pytest.mark.anyio
async def test_a_reference_is_where_a_picture_begins(vendor: FakeWebUI, tmp_path: Path) -> None:
    reference = picture(64, 96, "jpeg")
    async with provider_at(vendor, tmp_path, strength=0.4) as provider:
        await provider.generate(msgspec.structs.replace(REQUEST, references=(reference,)), FakeControl())
        assert not provider.capabilities().edits
    ((method, order),) = vendor.asked
    assert (method, order["denoising_strength"]) == ("img2img", 0.4)
    assert order["init_images"] == [base64.b64encode(reference).decode()]


@pytest.mark.anyio
async def test_a_reference_that_is_no_picture_is_not_sent(vendor: FakeWebUI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider, msgspec.structs.replace(REQUEST, references=(b"<svg/>",)))
    assert isinstance(error, InvalidRequest) and vendor.requests == []


@pytest.mark.anyio
async def test_a_picture_may_come_as_an_address(vendor: FakeWebUI, tmp_path: Path) -> None:
    vendor.prefix = "data:image/png;base64,"
    async with provider_at(vendor, tmp_path) as provider:
        assert (await provider.generate(REQUEST, FakeControl())).images[0].size == SIZE


@pytest.mark.anyio
@pytest.mark.parametrize("images", [[], ["?"], [base64.b64encode(b"<html>").decode()]])
async def test_an_answer_without_a_picture_is_the_servers_fault(
    vendor: FakeWebUI, tmp_path: Path, images: list[str]
) -> None:
    vendor.answer = httpx.Response(200, json={"images": images, "info": ""})
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
    assert (type(error), error.effect) == (Unavailable, Effect.UNKNOWN)


# Progress and interrupting


@pytest.mark.anyio
async def test_progress_is_the_servers(vendor: FakeWebUI, tmp_path: Path) -> None:
    vendor.shares = [0.0, 0.0, 0.25, 0.25, 0.75, 0.5]
    control = FakeControl()
    async with provider_at(vendor.slowly, tmp_path) as provider:
        await provider.generate(REQUEST, control)
    assert control.steps == [("generating", None), ("generating", 0.25), ("generating", 0.75)]


@pytest.mark.anyio
async def test_the_progress_of_anothers_picture_is_not_told(vendor: FakeWebUI, tmp_path: Path) -> None:
    vendor.shares = [0.6, 0.9, 0.1, 0.5]
    control = FakeControl()
    async with provider_at(vendor.slowly, tmp_path) as provider:
        await provider.generate(REQUEST, control)
    assert control.steps == [("queued", None), ("generating", None), ("generating", 0.1), ("generating", 0.5)]


@pytest.mark.anyio
@pytest.mark.parametrize(("shares", "interrupted"), [([0.0, 0.2], 1), ([0.6, 0.8], 0)], ids=["ours", "another's"])
async def test_only_ones_own_picture_is_interrupted(
    vendor: FakeWebUI, tmp_path: Path, shares: list[float], interrupted: int
) -> None:
    vendor.shares = [*shares, *[shares[-1]] * 1000]
    control = FakeControl()
    async with provider_at(vendor.slowly, tmp_path) as provider:
        call = asyncio.ensure_future(provider.generate(REQUEST, control))
        while len(control.steps) < 1 + interrupted:
            await asyncio.sleep(0.01)
        call.cancel()
        await asyncio.wait({call})
        assert vendor.interrupted == 0, "a worker that stops interrupts nothing"
        for name in (*control.remote_ids, *control.remote_ids, "cover-unknown"):
            await provider.cancel(name)
    assert vendor.interrupted == interrupted


@pytest.mark.anyio
async def test_a_picture_that_takes_too_long_is_interrupted(vendor: FakeWebUI, tmp_path: Path) -> None:
    vendor.shares = [0.0] * 100_000
    async with provider_at(vendor.slowly, tmp_path, timeout_seconds=1) as provider:
        error = await trouble(provider)
    assert (type(error), error.effect, vendor.interrupted) == (DeadlineExceeded, Effect.UNKNOWN, 1)


# The check and errors


@pytest.mark.anyio
async def test_the_check_suggests_what_there_is(vendor: FakeWebUI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, checkpoint="sdxl", sampler="Euler") as provider:
        report = await provider.check()
    assert [(step.name, step.status) for step in report.steps] == [("reach", "ok"), ("model", "ok"), ("sampler", "ok")]
    titles = tuple(one["title"] for one in CHECKPOINTS)
    assert report.suggestions == {"checkpoint": titles, "sampler": tuple(SAMPLERS)} and vendor.asked == []


@pytest.mark.anyio
async def test_a_server_without_its_api_says_how_to_start_it(tmp_path: Path) -> None:
    async with provider_at(lambda _: httpx.Response(404, json={"detail": "Not Found"}), tmp_path) as provider:
        (step,) = (await provider.check()).steps
    assert (step.status, step.field) == ("fail", "base_url") and "start it with --api" in step.detail


@pytest.mark.anyio
async def test_a_port_that_is_not_allowed_names_the_cure(tmp_path: Path) -> None:
    context = ProviderBuildContext(load_config({"COVERWRIGHT_DATA": str(tmp_path)}), "studio", kind="image")
    provider = AUTOMATIC1111.build(msgspec.structs.replace(SETTINGS, base_url="http://10.0.0.7:7860"), context)
    (step,) = (await provider.check()).steps
    await provider.aclose()
    await context.aclose()
    assert (step.status, step.field) == ("fail", "base_url")
    assert "list studio=10.0.0.7:7860 in COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES" in step.detail


@pytest.mark.anyio
async def test_a_sampler_that_is_not_there_is_a_setting(vendor: FakeWebUI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, sampler="Heun") as provider:
        error = await trouble(provider)
    assert (type(error), error.field) == (SettingsInvalid, "sampler")


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [cut, hang_up, says("503 Unavailable"), says("429 Slow", "Retry-After: 0")])
async def test_a_server_that_fails_may_be_asked_again_later(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(AUTOMATIC1111, SETTINGS, tmp_path, conduct) as (provider, _):
        assert (await trouble(provider)).retry


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [drip, silent])
async def test_the_time_limit_holds(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(AUTOMATIC1111, msgspec.structs.replace(SETTINGS, timeout_seconds=1), tmp_path, conduct) as (
        provider,
        _,
    ):
        error = await trouble(provider)
    assert (type(error), error.effect) == (DeadlineExceeded, Effect.UNKNOWN)
