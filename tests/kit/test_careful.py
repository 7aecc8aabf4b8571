"""Providers that keep the contract pass every rule."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import ProviderSpec, Secret, Settings
from kernel.spi.testing import EmailContract, ImageContract, Loopback, SigninContract
from kernel.spi.testing.probes import LeftTheMachine, only_loopback
from tests.kit.careless_checkouts import EXAMPLE, Scripted
from tests.kit.careless_checkouts import tests as examples
from tests.kit.emails import Pigeonhole
from tests.kit.signins import FormSignin, NoSettings, RedirectSignin
from tests.stub_image import STUB
from tests.stub_image.provider import StubSettings


class TestStub(ImageContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return STUB

    @pytest.fixture
    def settings(self, tmp_path: Path) -> Settings:
        return StubSettings(control=str(tmp_path), api_key=Secret("fine"), letters=False)

    @pytest.fixture
    def broken(self, settings: StubSettings) -> Mapping[str, Settings]:
        return {
            "api_key": msgspec.structs.replace(settings, api_key=Secret("bad")),
            "sizes": msgspec.structs.replace(settings, sizes=("big",)),
        }


class TestScripted(examples.TestConformance):  # type: ignore[misc, name-defined]
    """A vendor whose checkout is a script: the example, whose vendor has pages of its own, with an element instead."""

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return msgspec.structs.replace(EXAMPLE, build=Scripted)


class TestForm(SigninContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return ProviderSpec(
            kind="signin",
            id="form",
            label="Form",
            summary="A form.",
            contract=(1, 0),
            settings=NoSettings,
            build=FormSignin,
            offline=True,
        )

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        return {}


class TestRedirect(TestForm):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return ProviderSpec(
            kind="signin",
            id="redirect",
            label="Redirect",
            summary="A redirect.",
            contract=(1, 0),
            settings=NoSettings,
            build=RedirectSignin,
            offline=True,
        )


class TestPigeonhole(EmailContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return ProviderSpec(
            kind="email",
            id="pigeonhole",
            label="Pigeonhole",
            summary="Keeps messages.",
            contract=(1, 0),
            settings=NoSettings,
            build=Pigeonhole,
            offline=True,
        )

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        return {}


@pytest.mark.anyio
async def test_a_loopback_vendor_answers_hangs_up_and_can_be_out_of_reach() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/lost":
            raise ConnectionError("hang up")
        return httpx.Response(201, headers={"x-seen": request.headers["x-sent"]}, content=request.content[::-1])

    async def chunks() -> AsyncIterator[bytes]:
        yield b"ab"
        yield b"cd"

    async with httpx.AsyncClient(trust_env=False, headers={"x-sent": "yes"}) as client:
        with Loopback(handler) as vendor:
            for content in (b"abcd", chunks()):
                answer = await client.put(f"{vendor.url}/any", content=content)
                assert (answer.status_code, answer.content, answer.headers["x-seen"]) == (201, b"dcba", "yes")
            with pytest.raises(httpx.RemoteProtocolError):
                await client.get(f"{vendor.url}/lost")
            vendor.close()
            with pytest.raises(httpx.ConnectError):
                await client.get(vendor.url)


@pytest.mark.anyio
async def test_rules_reach_this_machine_only() -> None:
    with only_loopback():
        for host, port in (("192.0.2.1", 9), ("vendor.example", 443)):
            with pytest.raises(LeftTheMachine, match=host):
                await asyncio.open_connection(host, port)
