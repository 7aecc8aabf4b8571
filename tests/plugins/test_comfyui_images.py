"""The ComfyUI provider passes the kit, and keeps what it promises beyond the contract."""

import asyncio
import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.core.config import load_config
from kernel.core.text.languages import LANGUAGES
from kernel.providers.calls.pricing import cost_of
from kernel.providers.instances.context import ProviderBuildContext
from kernel.spi import (
    Brief,
    DeadlineExceeded,
    Effect,
    ImageProvider,
    ImageRequest,
    InvalidRequest,
    NotFound,
    ProviderError,
    ProviderSpec,
    Secret,
    Settings,
    SettingsInvalid,
    Size,
    Unavailable,
)
from kernel.spi.testing import FakeControl, ImageContract, StoppingControl
from plugins.comfyui_images import COMFYUI
from plugins.comfyui_images import provider as module
from plugins.comfyui_images.recent import Named, Nothing
from plugins.comfyui_images.settings import ComfyUISettings
from plugins.comfyui_images.workflow import read_workflow
from tests.plugins.running_images import error_of, running
from tests.vendors.comfyui_server import CHECKPOINTS, HOST, FakeComfyUI, node, ran, workflow
from tests.vendors.pictures import picture
from tests.vendors.wire import Conduct, cut, drip, hang_up, on_the_wire, says, silent

TOKEN = "Bearer studio"
PLAIN = json.dumps(workflow())
REFERRING = json.dumps(
    workflow(a=node("LoadImage", "Reference 1", image="x.png"), b=node("LoadImage", "Reference 2", image="x.png"))
)
SETTINGS = ComfyUISettings(base_url=HOST, workflow=PLAIN, timeout_seconds=5)
SIZE = Size(832, 1216)
REQUEST = ImageRequest(prompt="A lighthouse", size=SIZE, brief=Brief(description="A lighthouse"))
FIRST = "11111111-0000-4000-8000-000000000001"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL_S", 0.01)


class TestConformance(ImageContract):
    """With references, and a proxy that wants a token."""

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return COMFYUI

    @pytest.fixture
    def settings(self) -> Settings:
        return msgspec.structs.replace(SETTINGS, reference_workflow=REFERRING, authorization=Secret(TOKEN))

    @pytest.fixture
    def upstream(self) -> httpx.MockTransport:
        vendor = FakeComfyUI(TOKEN)
        vendor.places = [None]
        return httpx.MockTransport(vendor)

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {
            "authorization": msgspec.structs.replace(settings, authorization=Secret("Bearer wrong")),
            "base_url": msgspec.structs.replace(settings, base_url=f"{HOST}/elsewhere"),
            "workflow": msgspec.structs.replace(settings, workflow="{}"),
            "reference_workflow": msgspec.structs.replace(settings, reference_workflow=PLAIN),
            "checkpoint": msgspec.structs.replace(settings, checkpoint="nobody-has.safetensors"),
            "sizes": msgspec.structs.replace(settings, sizes=("big",)),
        }

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": httpx.Response(401, text="Authorization required"),
            "rate_limit": httpx.Response(429, headers={"retry-after": "7"}),
            "server_error": httpx.Response(500, text="500 Internal Server Error"),
            "refused": None,  # it declines nothing
            "no_funds": None,
            "garbage": httpx.Response(200, html="<html>502</html>"),
        }


class TestConformanceWithoutReferences(TestConformance):
    """What is there after the first settings: one workflow, and no proxy."""

    @pytest.fixture
    def settings(self) -> Settings:
        return SETTINGS

    @pytest.fixture
    def upstream(self) -> httpx.MockTransport:
        vendor = FakeComfyUI()
        vendor.places = [None]
        return httpx.MockTransport(vendor)

    @pytest.fixture
    def broken(self, settings: Settings) -> Mapping[str, Settings]:
        return {"checkpoint": msgspec.structs.replace(settings, checkpoint="nobody-has.safetensors")}


@pytest.fixture
def vendor() -> FakeComfyUI:
    return FakeComfyUI()


provider_at = partial(running, COMFYUI, SETTINGS)


async def trouble(provider: ImageProvider, request: ImageRequest = REQUEST) -> ProviderError:
    return await error_of(provider, request)


# What ran on the server


@pytest.mark.anyio
async def test_what_others_ran_can_be_taken_and_each_workflow_once(vendor: FakeComfyUI, tmp_path: Path) -> None:
    first, second, ours, odd = (f"33333333-0000-4000-8000-{number:012d}" for number in range(4))
    other = workflow(extra=node("LoadImage", image="example.png"))
    vendor.history = {
        first: ran(first, workflow()),
        second: ran(second, other, at_ms=1_790_000_060_000),
        ours: ran(ours, workflow(), client="coverwright"),
        odd: {"prompt": [1], "outputs": {}},
    } | {f"44444444-0000-4000-8000-{number:012d}": ran("again", workflow()) for number in range(2)}
    async with provider_at(vendor, tmp_path) as provider:
        runs = (await provider.recent_workflows(Nothing())).runs
        assert [(run.id[:8], run.nodes) for run in runs] == [("44444444", 7), ("33333333", 8)]
        assert (runs[1].model, runs[1].text, runs[1].at) == (CHECKPOINTS[0], "watermark", 1_790_000_060.0)
        text = (await provider.workflow_of(Named(id=second))).workflow
        assert json.loads(text) == other
        with pytest.raises(NotFound):
            await provider.workflow_of(Named(id=odd))


def test_the_words_of_its_component_are_there_in_every_language() -> None:
    folder = Path(module.__file__).parent / "static"
    written = {language: json.loads((folder / f"words.{language}.json").read_text()) for language in LANGUAGES}
    assert {path.name for path in folder.glob("words.*")} == {f"words.{language}.json" for language in LANGUAGES}
    names = {language: {key for key in words if not key.startswith("nodes.")} for language, words in written.items()}
    assert all(found == names["en"] for found in names.values())
    assert all("nodes.other" in words for words in written.values())
    variables = re.compile(r"{{\w+}}")
    for words in written.values():
        for key in names["en"]:
            assert set(variables.findall(words[key])) == set(variables.findall(written["en"][key])), key


# Workflows


@pytest.mark.anyio
async def test_marked_nodes_are_filled_and_all_others_stay(vendor: FakeComfyUI, tmp_path: Path) -> None:
    request = msgspec.structs.replace(REQUEST, seed=7)
    async with provider_at(vendor, tmp_path, negative="letters", checkpoint=CHECKPOINTS[1]) as provider:
        result = await provider.generate(request, FakeControl())
        assert provider.capabilities().models == (CHECKPOINTS[1],)
        assert cost_of(provider.capabilities(), result) == (0, "reported")
    (asked,) = vendor.asked
    expected = workflow()
    expected["3"]["inputs"]["seed"] = 7
    expected["4"]["inputs"]["ckpt_name"] = CHECKPOINTS[1]
    expected["5"]["inputs"] |= {"width": 832, "height": 1216}
    expected["6"]["inputs"]["text"] = "A lighthouse"
    expected["7"]["inputs"]["text"] = "letters"
    assert asked == expected
    assert (result.images[0].size, result.images[0].seed) == (SIZE, 7)


@pytest.mark.anyio
async def test_a_text_may_have_a_place_for_the_prompt(vendor: FakeComfyUI, tmp_path: Path) -> None:
    nodes = workflow()
    nodes["6"]["inputs"]["text"] = "oil painting, {{prompt}}, muted"
    async with provider_at(vendor, tmp_path, workflow=json.dumps(nodes)) as provider:
        for _ in range(2):
            await provider.generate(REQUEST, FakeControl())
    assert vendor.asked[0]["6"]["inputs"]["text"] == "oil painting, A lighthouse, muted"
    assert vendor.asked[0]["7"]["inputs"]["text"] == "watermark"
    seeds = [nodes["3"]["inputs"]["seed"] for nodes in vendor.asked]
    assert seeds[0] != seeds[1], "ComfyUI would answer the same order from its cache"


@pytest.mark.anyio
async def test_references_are_stored_and_loaded_by_name(vendor: FakeComfyUI, tmp_path: Path) -> None:
    one, two = picture(64, 96), picture(64, 96, "jpeg")
    async with provider_at(vendor, tmp_path, reference_workflow=REFERRING, edits=True) as provider:
        can = provider.capabilities()
        for references in ((one, two), (one,)):
            await provider.generate(msgspec.structs.replace(REQUEST, references=references), FakeControl())
    loaded = [[nodes[name]["inputs"]["image"] for name in "ab"] for nodes in vendor.asked]
    assert (can.reference_images, can.edits) == (2, True)
    assert [name.rpartition(".")[2] for name in loaded[0]] == ["png", "jpg"]
    assert loaded[1] == [loaded[0][0]] * 2, "what is left over shows the first once more"
    assert {f"coverwright/{name}" for name in vendor.uploads} == set(loaded[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "This must be JSON"),
        ("[]", "This must be JSON"),
        ('{"nodes": [], "links": []}', "Export (API)"),
        ('{"1": {"inputs": {}}}', "This is not a workflow"),
        (json.dumps({"1": node("KSampler", seed=1)}), "title Prompt"),
        (json.dumps({"1": node("CLIPTextEncode", "Prompt", text=["2", 0])}), "title Prompt"),
        (json.dumps({"1": node("CLIPTextEncode", "Prompt", text="a"), "2": node("KSampler", seed=1)}), "title Size"),
        (
            json.dumps({"1": node("CLIPTextEncode", "prompt ", text="a"), "2": node("X", "Size", width=1, height=1)}),
            "title Seed",
        ),
    ],
)
def test_a_workflow_that_cannot_be_used_says_what_to_do(text: str, words: str) -> None:
    with pytest.raises(SettingsInvalid, match=words.replace("(", r"\(").replace(")", r"\)")) as caught:
        read_workflow(text, field="workflow")
    assert caught.value.field == "workflow"


# Waiting and ends


@pytest.mark.anyio
async def test_who_waits_is_told_so(vendor: FakeComfyUI, tmp_path: Path) -> None:
    vendor.places = [3, 2, 0, 0, None]
    control = FakeControl()
    async with provider_at(vendor, tmp_path) as provider:
        await provider.generate(REQUEST, control)
    assert control.remote_ids == [FIRST]
    assert control.steps == [("queued", None)] * 3 + [("generating", None)]
    assert control.positions == [None, 3, 2, None]


@pytest.mark.anyio
async def test_a_workflow_that_fails_says_why(vendor: FakeComfyUI, tmp_path: Path) -> None:
    about = {"node_type": "KSampler", "exception_message": "CUDA out of memory.\nTried to allocate"}
    vendor.status = {"status_str": "error", "messages": [["execution_start", {}], ["execution_error", about]]}
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
        with pytest.raises(NotFound):
            await provider.resume(FIRST, FakeControl())
    assert (type(error), error.effect) == (Unavailable, Effect.NONE)
    assert error.detail == "the workflow failed: KSampler: CUDA out of memory. Tried to allocate"


@pytest.mark.anyio
@pytest.mark.parametrize("images", [[], [{"file": "odd"}], [{"filename": "gone.png"}], [{"filename": "odd.png"}]])
async def test_a_workflow_without_a_usable_picture_is_started_anew(
    vendor: FakeComfyUI, tmp_path: Path, images: list[dict[str, str]]
) -> None:
    vendor.images = images
    async with provider_at(vendor, tmp_path) as provider:
        error = await trouble(provider)
        with pytest.raises(NotFound):
            await provider.resume(FIRST, FakeControl())
    assert type(error) is Unavailable


@pytest.mark.anyio
async def test_the_node_titled_output_decides(vendor: FakeComfyUI, tmp_path: Path) -> None:
    nodes = workflow()
    nodes["8"]["_meta"]["title"] = "Output"
    async with provider_at(vendor, tmp_path, workflow=json.dumps(nodes)) as provider:
        await trouble(provider)
    assert vendor.requests[-1].url.params["filename"] == "preview.png"


@pytest.mark.anyio
async def test_a_rejected_workflow_names_the_node(vendor: FakeComfyUI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, checkpoint="nobody-has.safetensors") as provider:
        error = await trouble(provider)
    assert (type(error), error.field) == (SettingsInvalid, "workflow")
    assert error.detail == "400 node 4: Value not in list ckpt_name"


@pytest.mark.anyio
async def test_an_order_is_stopped_where_it_is_and_nobody_elses(vendor: FakeComfyUI, tmp_path: Path) -> None:
    control = StoppingControl()
    async with provider_at(vendor, tmp_path) as provider:
        with pytest.raises(asyncio.CancelledError):
            await provider.generate(REQUEST, control)
        assert vendor.removed == vendor.interrupted == []
        for _ in range(3):  # waits, is worked on, has ended
            await provider.cancel(FIRST)
        await provider.cancel("../interrupt")
    assert (vendor.removed, vendor.interrupted) == ([FIRST], [FIRST])


@pytest.mark.anyio
async def test_an_order_that_takes_too_long_is_interrupted(vendor: FakeComfyUI, tmp_path: Path) -> None:
    vendor.places = [0]
    async with provider_at(vendor, tmp_path, timeout_seconds=1) as provider:
        error = await trouble(provider)
    assert (type(error), error.effect, vendor.interrupted) == (DeadlineExceeded, Effect.UNKNOWN, [FIRST])


@pytest.mark.anyio
async def test_a_reference_that_is_no_picture_orders_nothing(vendor: FakeComfyUI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path, reference_workflow=REFERRING) as provider:
        error = await trouble(provider, msgspec.structs.replace(REQUEST, references=(b"<svg/>",)))
    assert isinstance(error, InvalidRequest) and vendor.requests == []


# The check


@pytest.mark.anyio
async def test_the_check_tells_what_the_server_has(vendor: FakeComfyUI, tmp_path: Path) -> None:
    async with provider_at(vendor, tmp_path) as provider:
        report = await provider.check()
    assert [(step.name, step.status, step.detail) for step in report.steps] == [
        ("reach", "ok", "ComfyUI 0.9.1"),
        ("workflow", "ok", "7 nodes"),
    ]
    assert report.suggestions == {"checkpoint": tuple(sorted(CHECKPOINTS))} and vendor.asked == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changed", "detail"),
    [
        ({"x": node("UltimateUpscale")}, "the server has no node UltimateUpscale"),
        ({"4": node("CheckpointLoaderSimple", ckpt_name="gone.ckpt")}, "the server has no gone.ckpt"),
        ({"3": node("KSampler", seed=1, sampler_name="heun")}, "the server has no heun"),
    ],
)
async def test_the_check_finds_what_is_missing(
    vendor: FakeComfyUI, tmp_path: Path, changed: dict[str, Any], detail: str
) -> None:
    async with provider_at(vendor, tmp_path, workflow=json.dumps(workflow(**changed))) as provider:
        report = await provider.check()
    step = report.steps[-1]
    assert (step.status, step.field, step.detail) == ("fail", "workflow", detail)


@pytest.mark.anyio
@pytest.mark.parametrize("saved", [True, False])
async def test_a_port_that_is_not_allowed_names_the_cure(tmp_path: Path, saved: bool) -> None:
    folder = None if saved else tmp_path / ".draft"
    context = ProviderBuildContext(load_config({"COVERWRIGHT_DATA": str(tmp_path)}), "studio", folder, kind="image")
    provider = COMFYUI.build(msgspec.structs.replace(SETTINGS, base_url="http://127.0.0.1:8188"), context)
    (step,) = (await provider.check()).steps
    await provider.aclose()
    await context.aclose()
    assert (step.status, step.field) == ("fail", "base_url")
    assert f"list {'studio' if saved else 'image'}=127.0.0.1:8188 in COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES" in step.detail


# The wire


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [cut, hang_up, says("503 Unavailable"), says("429 Slow", "Retry-After: 0")])
async def test_an_order_is_never_placed_twice(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(COMFYUI, SETTINGS, tmp_path, conduct) as (provider, server):
        assert (await trouble(provider)).retry
    assert server.requests == 1


@pytest.mark.anyio
@pytest.mark.parametrize("conduct", [drip, silent])
async def test_the_time_limit_holds(tmp_path: Path, conduct: Conduct) -> None:
    async with on_the_wire(COMFYUI, msgspec.structs.replace(SETTINGS, timeout_seconds=1), tmp_path, conduct) as (
        provider,
        _,
    ):
        error = await trouble(provider)
    assert (type(error), error.effect) == (DeadlineExceeded, Effect.UNKNOWN)
