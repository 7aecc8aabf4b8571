"""What every email provider over HTTP guarantees when the network or the vendor's host misbehaves."""

import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, ClassVar, Protocol

import httpx
import pytest

from kernel.spi import DeadlineExceeded, Effect, EmailProvider, SettingsInvalid, Unavailable
from kernel.spi.testing.loopback import Loopback
from tests.plugins.running_email import message, states


class FakeVendor(Protocol):
    """A vendor on this machine: the requests it got, and an answer that replaces its own."""

    requests: list[httpx.Request]
    answer: Any

    def __call__(self, request: httpx.Request) -> httpx.Response: ...


@pytest.mark.anyio
class EmailNetworkTests:
    """Inherit it. `new_vendor` makes the fake, `open_sender` the provider with more settings.

    `address` is the setting of the vendor's address, `taken` the state of a message that was accepted.
    """

    new_vendor: ClassVar[Callable[[], Any]]
    open_sender: ClassVar[Callable[..., AbstractAsyncContextManager[EmailProvider]]]
    address: ClassVar[str]
    taken: ClassVar[str]

    @pytest.fixture
    def vendor(self) -> Any:
        return type(self).new_vendor()

    @pytest.fixture
    def server(self, vendor: FakeVendor) -> Any:
        with Loopback(vendor) as running:
            yield running

    def sender(self, server: Loopback, folder: Path, **more: Any) -> AbstractAsyncContextManager[EmailProvider]:
        return type(self).open_sender(server, folder, **more)

    async def test_the_key_does_not_follow_a_redirect(
        self, server: Loopback, vendor: FakeVendor, tmp_path: Path
    ) -> None:
        elsewhere = type(self).new_vendor()
        with Loopback(elsewhere) as other:
            vendor.answer = lambda request: httpx.Response(307, headers={"location": f"{other.url}{request.url.path}"})
            async with self.sender(server, tmp_path) as it:
                with pytest.raises(SettingsInvalid) as caught:
                    await states(it, message())
        assert caught.value.field == self.address
        assert elsewhere.requests == [] and len(vendor.requests) == 1

    async def test_an_address_that_the_operator_does_not_allow_is_not_reached(
        self, server: Loopback, vendor: FakeVendor, tmp_path: Path
    ) -> None:
        with Loopback(type(self).new_vendor()) as listed:
            async with self.sender(listed, tmp_path, **{self.address: server.url}) as it:
                with pytest.raises(Unavailable) as caught:
                    await states(it, message())
        assert caught.value.effect is Effect.NONE and vendor.requests == []

    async def test_a_server_that_says_nothing_is_given_up_and_its_effect_is_unknown(
        self, server: Loopback, vendor: FakeVendor, tmp_path: Path
    ) -> None:
        released = threading.Event()

        def hold(request: httpx.Request) -> httpx.Response:
            released.wait(10)
            return httpx.Response(200)

        vendor.answer = hold
        async with self.sender(server, tmp_path, timeout_s=0.2) as it:
            with pytest.raises(DeadlineExceeded) as caught:
                await states(it, message())
        released.set()
        assert caught.value.effect is Effect.UNKNOWN

    async def test_a_connection_lost_after_the_request_leaves_the_effect_unknown(
        self, server: Loopback, vendor: FakeVendor, tmp_path: Path
    ) -> None:
        def reset(request: httpx.Request) -> httpx.Response:
            raise ConnectionError

        vendor.answer = reset
        async with self.sender(server, tmp_path) as it:
            with pytest.raises(Unavailable) as caught:
                await states(it, message())
        assert caught.value.effect is Effect.UNKNOWN and len(vendor.requests) == 1

    async def test_neither_proxies_nor_passwords_come_from_this_machine(
        self, server: Loopback, vendor: FakeVendor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "netrc").write_text("default login somebody password else")
        monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
        proxied = type(self).new_vendor()
        with Loopback(proxied) as proxy:
            monkeypatch.setenv("HTTP_PROXY", proxy.url)
            async with self.sender(server, tmp_path) as it:
                assert await states(it, message()) == [self.taken]
        assert proxied.requests == []
        assert "c29tZWJvZHk" not in vendor.requests[0].headers.get("authorization", "")  # "somebody" in base64
