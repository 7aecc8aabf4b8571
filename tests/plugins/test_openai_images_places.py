"""Where the OpenAI provider sends its requests, and as whom: Azure's deployments, organizations, projects."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import Brief, ContentRefused, ImageRequest, ProviderError, Secret, SettingsInvalid, Size
from kernel.spi.testing import FakeContext, FakeControl
from plugins.openai_images import OPENAI
from plugins.openai_images.errors import judge
from plugins.openai_images.settings import OpenAISettings
from tests.plugins.running_images import running
from tests.vendors.openai_api import KEY, FakeOpenAI
from tests.vendors.pictures import picture

AZURE = "https://covers.openai.azure.com"
SETTINGS = OpenAISettings(api_key=Secret(KEY), deployment="our-images")
REQUEST = ImageRequest(prompt="A lighthouse", size=Size(1536, 2304), brief=Brief(description="A lighthouse"))


class FakeAzure:
    """Azure OpenAI in front of the same API: another header, deployments in addresses, versions in queries."""

    def __init__(self) -> None:
        self.vendor = FakeOpenAI(key=None)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.headers.get("api-key") != KEY or "authorization" in request.headers:
            error = {"code": "401", "message": "Access denied due to invalid subscription key."}
            return httpx.Response(401, json={"error": error})
        path = request.url.path.removeprefix("/openai")
        if path.startswith("/deployments/our-images/") and request.url.params.get("api-version"):
            path = path.replace("/deployments/our-images", "/v1")
        elif path == "/models" and request.url.params.get("api-version"):
            path = "/v1/models"
        if not path.startswith("/v1/"):
            error = {"code": "DeploymentNotFound", "message": "The API deployment for this resource does not exist."}
            return httpx.Response(404, json={"error": error})
        inner = httpx.Request(
            request.method, f"https://api.openai.com{path}", headers=request.headers, content=request.content
        )
        return self.vendor(inner)


provider_at = partial(running, OPENAI, SETTINGS)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("address", "asked"),
    [
        (f"{AZURE}?api-version=2025-04-01-preview", "/openai/deployments/our-images/images/generations"),
        (f"{AZURE}/openai/?api-version=2025-04-01-preview", "/openai/deployments/our-images/images/generations"),
        (
            f"{AZURE}/openai/deployments/our-images/images/generations?api-version=2025-04-01-preview",
            "/openai/deployments/our-images/images/generations",
        ),
        (AZURE, "/openai/v1/images/generations"),
        (f"{AZURE}/openai/v1/?api-version=preview", "/openai/v1/images/generations"),
    ],
)
async def test_azure_is_asked_for_its_deployment(tmp_path: Path, address: str, asked: str) -> None:
    vendor = FakeAzure()
    async with provider_at(vendor, tmp_path, base_url=address) as provider:
        result = await provider.generate(REQUEST, FakeControl())
        report = await provider.check()
        can = provider.capabilities()
    (drawing, listing) = vendor.requests
    assert drawing.url.path == asked
    assert drawing.url.params == listing.url.params == httpx.URL(address).params
    body = json.loads(drawing.content)
    assert (body["model"], "moderation" in body) == ("our-images", False)
    assert (result.model, can.prices) == ("gpt-image-2", ())
    assert report.ok and [(step.name, step.status) for step in report.steps][-1] == ("model", "skip")


@pytest.mark.anyio
async def test_references_go_to_the_deployment_as_well(tmp_path: Path) -> None:
    vendor = FakeAzure()
    async with provider_at(vendor, tmp_path, base_url=f"{AZURE}?api-version=2025-04-01-preview") as provider:
        await provider.generate(msgspec.structs.replace(REQUEST, references=(picture(64, 96),)), FakeControl())
    assert vendor.requests[0].url.path == "/openai/deployments/our-images/images/edits"


@pytest.mark.anyio
async def test_a_wrong_key_and_a_wrong_deployment_are_settings(tmp_path: Path) -> None:
    address = f"{AZURE}?api-version=2025-04-01-preview"
    fields = []
    for changes in ({"api_key": Secret("wrong")}, {"deployment": "another"}):
        async with provider_at(FakeAzure(), tmp_path, base_url=address, **changes) as provider:
            with pytest.raises(ProviderError) as caught:
                await provider.generate(REQUEST, FakeControl())
            fields.append(caught.value.field)
    assert fields == ["api_key", "deployment"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"base_url": AZURE, "api_key": None}, "api_key"),
        ({"base_url": f"{AZURE}?api-version=1", "text_model": "gpt-9-mini"}, "text_model"),
    ],
)
def test_what_cannot_work_at_azure_is_refused(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    context = FakeContext(tmp_path, httpx.MockTransport(FakeAzure()))
    with pytest.raises(SettingsInvalid) as caught:
        OPENAI.build(msgspec.structs.replace(SETTINGS, **changes), context)
    assert caught.value.field == field


@pytest.mark.parametrize("name", ["innererror", "inner_error"])
def test_azures_filter_declines(name: str) -> None:
    error = {"code": "400", "message": "filtered", name: {"code": "ResponsibleAIPolicyViolation"}}
    answer = httpx.Response(400, json={"error": error}, request=httpx.Request("POST", AZURE))
    assert type(judge(answer)) is ContentRefused


@pytest.mark.anyio
async def test_who_pays_is_told_in_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-environment")
    for organization, project in (("org-ours", "proj_ours"), ("", "")):
        vendor = FakeOpenAI()
        changes = {"deployment": "", "organization": organization, "project": project}
        async with provider_at(vendor, tmp_path, **changes) as provider:
            await provider.generate(REQUEST, FakeControl())
        headers = vendor.requests[-1].headers
        assert headers.get("openai-organization", "") == organization
        assert headers.get("openai-project", "") == project
        assert headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.anyio
async def test_a_compatible_server_may_have_a_query(tmp_path: Path) -> None:
    vendor = FakeOpenAI()
    async with provider_at(
        vendor, tmp_path, deployment="", base_url="https://images.example/v1?tenant=covers"
    ) as provider:
        await provider.generate(REQUEST, FakeControl())
    assert str(vendor.requests[-1].url) == "https://images.example/v1/images/generations?tenant=covers"
