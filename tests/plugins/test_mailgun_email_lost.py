"""Mailgun: what is found out about messages whose answer was lost, and how the provider meets a failing network."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kernel.spi import Effect, NotFound, Secret, Unavailable
from kernel.spi.testing.loopback import Loopback
from tests.plugins.email_network import EmailNetworkTests
from tests.plugins.mailgun import Sender
from tests.plugins.running_email import message, states
from tests.vendors.mailgun_api import SENDING_KEY, FakeMailgun


@pytest.fixture
def vendor() -> FakeMailgun:
    return FakeMailgun()


@pytest.fixture
def server(vendor: FakeMailgun) -> Iterator[Loopback]:
    with Loopback(vendor) as running:
        yield running


class TestNetwork(EmailNetworkTests):
    new_vendor = FakeMailgun
    open_sender = Sender
    address = "base_url"
    taken = "queued"


@pytest.mark.anyio
async def test_a_batch_whose_answer_was_lost_is_found_in_the_log(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path
) -> None:
    readers = [f"r{number}@example.org" for number in range(30)]
    vendor.lost, vendor.page = True, 12
    async with Sender(server, tmp_path) as it:
        with pytest.raises(Unavailable) as caught:
            await states(it, *map(message, readers), batch_id="b7")
        assert caught.value.effect is Effect.UNKNOWN and len(vendor.calls) == 1
        found = await it.lookup("b7")
        assert {to: result.state for to, result in (found or {}).items()} == dict.fromkeys(readers, "queued")
    assert all(request.url.host == "127.0.0.1" for request in vendor.requests), (
        "the key goes to no address of an answer"
    )


@pytest.mark.anyio
@pytest.mark.parametrize(("late", "logged_ago_s"), [(True, 3600.0), (False, 60.0)])
async def test_an_empty_or_recent_log_proves_nothing(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path, late: bool, logged_ago_s: float
) -> None:
    """Mailgun's log is complete up to half an hour ago: what is missing may have been sent."""
    vendor.late, vendor.logged_ago_s = late, logged_ago_s
    async with Sender(server, tmp_path) as it:
        await states(it, message(), batch_id="b7")
        with pytest.raises(NotFound):
            await it.lookup("b7")


@pytest.mark.anyio
async def test_a_sending_key_sends_and_has_no_log(server: Loopback, tmp_path: Path) -> None:
    async with Sender(server, tmp_path, api_key=Secret(SENDING_KEY)) as it:
        assert await states(it, message(), batch_id="b7") == ["queued"]
        assert await it.lookup("b7") is None


@pytest.mark.anyio
@pytest.mark.parametrize(
    "answer",
    [
        {"items": None},
        {"items": [{"event": 7, "timestamp": 1.0}]},
        {"items": [{"event": "accepted"}]},
        {"items": [{"event": "accepted", "timestamp": 1.0, "message": {"recipients": "x"}}]},
        [],
        {
            "items": [{"event": "accepted", "timestamp": 1.0}],
            "paging": {"next": "https://elsewhere.example/../../secrets?x"},
        },
    ],
)
async def test_an_odd_log_is_an_error(server: Loopback, vendor: FakeMailgun, tmp_path: Path, answer: object) -> None:
    vendor.answer = lambda request: httpx.Response(200, json=answer)
    async with Sender(server, tmp_path) as it:
        with pytest.raises((Unavailable, NotFound)):
            await it.lookup("b7")
