"""What the Postmark provider guarantees beyond the contract: batches, refusals and network failures."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate, parseaddr
from pathlib import Path
from typing import Any

import httpx
import pytest

from kernel.spi import (
    AuthFailed,
    Effect,
    InvalidRequest,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
)
from kernel.spi.testing.loopback import Loopback
from tests.plugins.email_network import EmailNetworkTests
from tests.plugins.postmark import (
    STREAMS,
    TOKEN,
    Impostor,
    Sender,
    api_error,
)
from tests.plugins.running_email import message, states


@pytest.fixture
def impostor() -> Impostor:
    return Impostor()


@pytest.fixture
def server(impostor: Impostor) -> Iterator[Loopback]:
    with Loopback(impostor) as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


class TestNetwork(EmailNetworkTests):
    new_vendor = Impostor
    open_sender = Sender
    address = "api_url"
    taken = "sent"


@pytest.mark.anyio
async def test_a_batch_is_one_call_and_says_where_each_message_belongs(
    server: Loopback, impostor: Impostor, folder: Path
) -> None:
    async with Sender(server, folder) as it:
        batch = [message(f"r{number}@example.org", to_name="Jürgen, B.") for number in range(500)]
        assert await states(it, *batch, stream="bulk", batch_id="autumn") == ["sent"] * 500
    assert len(impostor.requests) == 1
    email = impostor.taken[7]
    assert (email["MessageStream"], email["Metadata"]) == ("broadcast", {"batch_id": "autumn"})
    assert parseaddr(email["To"]) == ("Jürgen, B.", "r7@example.org")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "expected", "effect"),
    [
        (lambda: api_error(401, 10), AuthFailed, Effect.NONE),
        (lambda: httpx.Response(401), AuthFailed, Effect.NONE),
        (lambda: api_error(422, 10), AuthFailed, Effect.NONE),
        (lambda: api_error(422, 400), SettingsInvalid, Effect.NONE),
        (lambda: api_error(422, 405), QuotaExhausted, Effect.NONE),
        (lambda: api_error(422, 412), AuthFailed, Effect.NONE),
        (lambda: api_error(422, 402), InvalidRequest, Effect.NONE),
        (lambda: api_error(422, 100), Unavailable, Effect.NONE),
        (lambda: httpx.Response(413), InvalidRequest, Effect.NONE),
        (lambda: httpx.Response(404, html="<h1>?</h1>"), SettingsInvalid, Effect.NONE),
        (lambda: httpx.Response(500, html="<h1>Sorry</h1>"), Unavailable, Effect.UNKNOWN),
        (lambda: httpx.Response(500, json={"Message": "without a code"}), Unavailable, Effect.UNKNOWN),
        (lambda: httpx.Response(500, json=["odd"]), Unavailable, Effect.UNKNOWN),
        (lambda: httpx.Response(200, html="<h1>Hello</h1>"), Unavailable, Effect.UNKNOWN),
        (lambda: httpx.Response(200, json=[]), Unavailable, Effect.UNKNOWN),
        (lambda: httpx.Response(200, json={"ErrorCode": 0}), Unavailable, Effect.UNKNOWN),
    ],
)
async def test_what_concerns_the_whole_batch_is_an_error(
    server: Loopback,
    impostor: Impostor,
    folder: Path,
    answer: Callable[[], httpx.Response],
    expected: type[ProviderError],
    effect: Effect,
) -> None:
    impostor.answer = lambda request: answer()
    async with Sender(server, folder) as it:
        with pytest.raises(expected) as caught:
            await states(it, message(), message("bob@example.org"))
    assert (type(caught.value), caught.value.effect) == (expected, effect)
    assert TOKEN not in repr(caught.value) + caught.value.detail


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("header", "low", "high"), [({}, None, None), ({"retry_after": "30"}, 30, 30), ({"retry_after": "DATE"}, 50, 60)]
)
async def test_too_many_calls_are_told_with_the_time_to_come_back(
    server: Loopback, impostor: Impostor, folder: Path, header: dict[str, str], low: float | None, high: float | None
) -> None:
    in_a_minute = formatdate(time.time() + 59, usegmt=True)
    headers = {name: in_a_minute if value == "DATE" else value for name, value in header.items()}
    impostor.answer = lambda request: api_error(429, 429, **headers)
    async with Sender(server, folder) as it:
        with pytest.raises(RateLimited) as caught:
            await states(it, message())
    after = caught.value.retry_after
    assert after is None if low is None or high is None else after is not None and low <= after <= high


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("item", "state"),
    [
        ({"Message": "delivery may be delayed", "MessageID": "m"}, "queued"),
        ({"ErrorCode": 0, "Message": "OK", "MessageID": "m"}, "sent"),
        (
            {"ErrorCode": 0, "Message": "OK, but will not deliver to these inactive addresses: ada@example.org."},
            "rejected",
        ),
        ({"ErrorCode": 300, "Message": "Invalid 'To' address"}, "invalid"),
        ({"ErrorCode": 406, "Message": "inactive"}, "rejected"),
        ({"ErrorCode": 9999, "Message": "new"}, "failed"),
        ({"ErrorCode": "0"}, "queued"),
        ("nonsense", "unknown"),
    ],
)
async def test_what_concerns_one_message_is_its_result(
    server: Loopback, impostor: Impostor, folder: Path, item: Any, state: str
) -> None:
    impostor.item = item
    async with Sender(server, folder) as it:
        assert await states(it, message()) == [state]


@pytest.mark.anyio
@pytest.mark.parametrize(("code", "state"), [(300, "invalid"), (406, "rejected")])
async def test_a_refused_call_for_one_message_is_the_result_of_that_message(
    server: Loopback, impostor: Impostor, folder: Path, code: int, state: str
) -> None:
    impostor.answer = lambda request: api_error(422, code)
    async with Sender(server, folder) as it:
        assert await states(it, message()) == [state]


@pytest.mark.anyio
async def test_every_message_refused_for_the_same_setting_is_an_error(
    server: Loopback, impostor: Impostor, folder: Path
) -> None:
    impostor.item = {"ErrorCode": 400, "Message": "The 'From' address you supplied is not a Sender Signature"}
    async with Sender(server, folder) as it:
        with pytest.raises(SettingsInvalid) as caught:
            await states(it, message(), message("bob@example.org"))
    assert caught.value.field == "sender"


@pytest.mark.anyio
async def test_a_cancelled_call_leaves_no_thread_waiting(server: Loopback, impostor: Impostor, folder: Path) -> None:
    released, asked = threading.Event(), threading.Event()

    def hold(request: httpx.Request) -> httpx.Response:
        asked.set()
        released.wait(10)
        return httpx.Response(200)

    impostor.answer = hold
    async with Sender(server, folder, timeout_s=30.0) as it:
        calls = [asyncio.create_task(states(it, message())) for _ in range(20)]  # more than there are threads
        await asyncio.to_thread(asked.wait, 5)
        for call in calls:
            call.cancel()
        assert {type(end) for end in await asyncio.gather(*calls, return_exceptions=True)} == {asyncio.CancelledError}
        released.set()
        impostor.answer = None
        assert await states(it, message()) == ["sent"]


@pytest.mark.anyio
async def test_more_than_postmark_takes_is_refused_before_anything_is_sent(
    server: Loopback, impostor: Impostor, folder: Path
) -> None:
    nine_megabytes = message(text="x" * 9_000_000)
    async with Sender(server, folder) as it:
        for batch in ([message()] * 501, [nine_megabytes] * 7):
            with pytest.raises(InvalidRequest):
                await states(it, *batch)
        assert await states(it, message(text="x" * 10_000_001), message()) == ["invalid", "sent"]
    assert len(impostor.taken) == 1


@pytest.mark.anyio
async def test_what_postmarks_client_would_let_through_is_refused_per_message(
    server: Loopback, impostor: Impostor, folder: Path
) -> None:
    odd = [
        message(subject="Ready\r\nBcc: everybody@example.org"),
        message(text=""),
        message(metadata={"x" * 21: "y"}),
        message(metadata={"x": "y" * 81}),
        message(to="a@example.org, b@example.org"),
        message(),
    ]
    async with Sender(server, folder) as it:
        assert await states(it, *odd) == ["invalid"] * 5 + ["sent"]


@pytest.mark.anyio
async def test_an_international_domain_goes_out_in_ascii(server: Loopback, impostor: Impostor, folder: Path) -> None:
    async with Sender(server, folder, sender="Cover Shop <shop@bücher.example>") as it:
        assert await states(it, message("ada@bücher.example")) == ["sent"]
    assert impostor.taken[0]["To"] == "ada@xn--bcher-kva.example"
    assert parseaddr(impostor.taken[0]["From"]) == ("Cover Shop", "shop@xn--bcher-kva.example")


@pytest.mark.anyio
async def test_a_batch_is_found_again_in_both_streams(server: Loopback, folder: Path) -> None:
    async with Sender(server, folder) as it:
        await states(it, message("one@example.org"), batch_id="b7")
        await states(it, message("two@example.org"), batch_id="b7", stream="bulk")
        await states(it, message("three@example.org"), batch_id="b8")
        found = await it.lookup("b7")
        assert {to: result.state for to, result in (found or {}).items()} == {
            "one@example.org": "sent",
            "two@example.org": "sent",
        }
        assert await it.lookup("never") == {}


@pytest.mark.anyio
async def test_the_check_offers_the_streams_there_are(server: Loopback, folder: Path) -> None:
    async with Sender(server, folder, bulk_stream="newsletter") as it:
        report = await it.check()
    assert not report.ok
    assert report.suggestions["bulk_stream"] == STREAMS
