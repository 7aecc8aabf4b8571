"""Postmark keeps the contract, against an impostor on this machine that misbehaves on demand."""

import asyncio
import base64
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from email.utils import formatdate, parseaddr
from pathlib import Path
from typing import Any, ClassVar

import httpx
import msgspec
import pytest

from kernel.core.config import load_config
from kernel.providers.context import Context
from kernel.spi import (
    AuthFailed,
    DeadlineExceeded,
    Effect,
    EmailMessage,
    InvalidRequest,
    ProviderError,
    ProviderSpec,
    QuotaExhausted,
    RateLimited,
    Secret,
    Settings,
    SettingsInvalid,
    Unavailable,
    WebhookRejected,
    WebhookRequest,
)
from kernel.spi.testing import EmailContract, FakeContext
from kernel.spi.testing.loopback import Loopback
from plugins.postmark_email import POSTMARK
from plugins.postmark_email.provider import PostmarkEmail
from plugins.postmark_email.settings import PostmarkSettings

TOKEN = "b5c9f0a2-token"
SECRET = "a-webhook-secret-of-ours"
INACTIVE = "inactive@example.org"
STREAMS = ("outbound", "broadcast")


class Impostor:
    """Postmark's API as far as the plugin uses it. `answer` replaces everything it would say."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.requests: list[httpx.Request] = []
        self.answer: Callable[[httpx.Request], httpx.Response] | None = None
        self.item: dict[str, Any] | None = None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.answer is not None:
            return self.answer(request)
        if request.headers.get("x-postmark-server-token") != TOKEN:
            return httpx.Response(401, json={"ErrorCode": 10, "Message": "Bad or missing Server API token."})
        match request.method, request.url.path:
            case "GET", "/server":
                return httpx.Response(200, json={"ID": 1, "Name": "Covers", "DeliveryType": "Live"})
            case "GET", "/message-streams":
                listed = [{"ID": name, "MessageStreamType": "Transactional"} for name in STREAMS]
                return httpx.Response(200, json={"MessageStreams": listed, "TotalCount": 2})
            case "GET", "/messages/outbound":
                return httpx.Response(200, json=self.search(request.url.params))
            case "POST", "/email/batch":
                return httpx.Response(200, json=[self.take(email) for email in json.loads(request.content)])
        return httpx.Response(404, json={"Message": "no such address"})

    def take(self, email: dict[str, Any]) -> dict[str, Any]:
        """Take one message, or answer what `item` says."""
        if self.item is not None:
            return self.item
        if email["MessageStream"] not in STREAMS:
            return {"ErrorCode": 1235, "Message": "The stream provided: 'x' does not exist on this server."}
        address = parseaddr(email["To"])[1]
        if address == INACTIVE:
            return {"ErrorCode": 406, "Message": "You tried to send to a recipient that has been marked as inactive."}
        self.taken.append(email)
        return {"ErrorCode": 0, "Message": "OK", "MessageID": f"id-{len(self.taken)}", "To": email["To"]}

    def search(self, criteria: httpx.QueryParams) -> dict[str, Any]:
        """Search as Postmark does: by one stream and one field of the metadata."""
        found = [
            {
                "MessageID": f"id-{number}",
                "Recipients": [parseaddr(email["To"])[1]],
                "Status": "Sent",
                "Metadata": email["Metadata"],
            }
            for number, email in enumerate(self.taken, 1)
            if email["MessageStream"] == criteria["messagestream"]
            and email["Metadata"]["batch_id"] == criteria["metadata_batch_id"]
        ]
        return {"TotalCount": len(found), "Messages": found}


def api_error(status: int, code: int, message: str = "told", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"ErrorCode": code, "Message": message}, headers=named)


def webhook(told: Any, **headers: str) -> WebhookRequest:
    proof = headers or {"x-webhook-secret": SECRET}
    return WebhookRequest(body=json.dumps(told).encode(), headers=proof, query={}, received_unix=0.0)


BOUNCE = {"RecordType": "Bounce", "ID": 42, "Type": "HardBounce", "Inactive": True, "Email": "john@example.org"}
COMPLAINT = {"RecordType": "SpamComplaint", "ID": 43, "Type": "SpamComplaint", "Email": "john@example.org"}
DELIVERY = {"RecordType": "Delivery", "MessageID": "m", "Recipient": "j@example.org", "DeliveredAt": "2026-11-21"}
UNSUBSCRIBED = {
    "RecordType": "SubscriptionChange",
    "MessageID": "m",
    "MessageStream": "broadcast",
    "ChangedAt": "2026-11-21T10:53:34Z",
    "Recipient": "john@example.org",
    "Origin": "Recipient",
    "SuppressSending": True,
    "SuppressionReason": "ManualSuppression",
}


class TestConformance(EmailContract):
    @pytest.fixture
    def impostor(self) -> Impostor:
        return Impostor()

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return POSTMARK

    @pytest.fixture
    def settings(self) -> PostmarkSettings:
        return PostmarkSettings(api_token=Secret(TOKEN), webhook_secret=Secret(SECRET))

    @pytest.fixture
    def upstream(self, impostor: Impostor) -> httpx.MockTransport:
        return httpx.MockTransport(impostor)

    @pytest.fixture
    def broken(self, settings: PostmarkSettings) -> Mapping[str, Settings]:
        replace = msgspec.structs.replace
        return {
            "api_token": replace(settings, api_token=Secret("wrong")),
            "sender": replace(settings, sender="nobody"),
            "transactional_stream": replace(settings, transactional_stream="none"),
            "bulk_stream": replace(settings, bulk_stream="none"),
            "webhook_secret": replace(settings, webhook_secret=Secret("short")),
            "api_url": replace(settings, api_url="http://"),
        }

    @pytest.fixture
    def refused_address(self) -> str:
        return INACTIVE

    @pytest.fixture
    def delivered(self, impostor: Impostor) -> Callable[[], Awaitable[Sequence[EmailMessage]]]:
        async def look() -> Sequence[EmailMessage]:
            return [
                EmailMessage(
                    to=parseaddr(email["To"])[1],
                    sender=parseaddr(email["From"])[1],
                    subject=email["Subject"],
                    text=email["TextBody"],
                    html=email.get("HtmlBody"),
                )
                for email in impostor.taken
            ]

        return look

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": api_error(401, 10),
            "rate_limit": api_error(429, 429, retry_after="7"),
            "server_error": httpx.Response(500, html="<h1>Sorry</h1>"),
            "garbage": httpx.Response(200, content=b"\x00\xff not JSON"),
            "no_funds": api_error(422, 405),
        }

    @pytest.fixture
    def webhooks(self) -> Mapping[str, WebhookRequest]:
        basic = "Basic " + base64.b64encode(f"anybody:{SECRET}".encode()).decode()
        return {
            "bounced": webhook(BOUNCE),
            "complained": webhook(COMPLAINT),
            "unsubscribed": webhook(UNSUBSCRIBED, authorization=basic),
            "delivered": webhook(DELIVERY),
            "other": webhook({"RecordType": "Open", "Recipient": "john@example.org"}),
        }


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


def message(to: str = "ada@example.org", **fields: Any) -> EmailMessage:
    return EmailMessage(**({"to": to, "sender": "covers@example.com", "subject": "Ready", "text": "Hello"} | fields))


class Sender:
    """The provider as the kernel builds it, with its own HTTP client."""

    limit_s: ClassVar[float] = 5.0

    def __init__(self, server: Loopback, folder: Path, **settings: Any) -> None:
        address = server.url.removeprefix("http://")
        config = load_config({"COVERWRIGHT_DATA": str(folder), "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": address})
        chosen = {"api_token": Secret(TOKEN), "api_url": server.url, "timeout_s": self.limit_s} | settings
        self._context = Context(config, "postmark")
        self.provider: PostmarkEmail = POSTMARK.build(PostmarkSettings(**chosen), self._context)

    async def __aenter__(self) -> PostmarkEmail:
        return self.provider

    async def __aexit__(self, *_: object) -> None:
        await self.provider.aclose()
        await self._context.aclose()


async def states(it: PostmarkEmail, *messages: EmailMessage, **more: Any) -> list[str]:
    results = await it.send(messages, **({"stream": "transactional", "batch_id": "b1"} | more))
    return [result.state for result in results]


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
async def test_the_token_does_not_follow_a_redirect(server: Loopback, impostor: Impostor, folder: Path) -> None:
    elsewhere = Impostor()
    with Loopback(elsewhere) as other:
        impostor.answer = lambda request: httpx.Response(307, headers={"location": f"{other.url}/email/batch"})
        async with Sender(server, folder) as it:
            with pytest.raises(SettingsInvalid) as caught:
                await states(it, message())
    assert caught.value.field == "api_url"
    assert elsewhere.requests == [] and len(impostor.requests) == 1


@pytest.mark.anyio
async def test_an_address_that_the_operator_does_not_allow_is_not_reached(
    server: Loopback, impostor: Impostor, folder: Path
) -> None:
    with Loopback(Impostor()) as listed:
        async with Sender(listed, folder, api_url=server.url) as it:
            with pytest.raises(Unavailable) as caught:
                await states(it, message())
    assert caught.value.effect is Effect.NONE and impostor.requests == []


@pytest.mark.anyio
async def test_a_server_that_says_nothing_is_given_up_and_its_effect_is_unknown(
    server: Loopback, impostor: Impostor, folder: Path
) -> None:
    released = threading.Event()

    def hold(request: httpx.Request) -> httpx.Response:
        released.wait(10)
        return httpx.Response(200)

    impostor.answer = hold
    async with Sender(server, folder, timeout_s=0.2) as it:
        with pytest.raises(DeadlineExceeded) as caught:
            await states(it, message())
    released.set()
    assert caught.value.effect is Effect.UNKNOWN


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
async def test_a_connection_lost_after_the_request_leaves_the_effect_unknown(
    server: Loopback, impostor: Impostor, folder: Path
) -> None:
    def reset(request: httpx.Request) -> httpx.Response:
        raise ConnectionError

    impostor.answer = reset
    async with Sender(server, folder) as it:
        with pytest.raises(Unavailable) as caught:
            await states(it, message())
    assert caught.value.effect is Effect.UNKNOWN and len(impostor.requests) == 1


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


@pytest.mark.anyio
@pytest.mark.parametrize(
    "told",
    [
        BOUNCE | {"Type": "SoftBounce", "Inactive": False},
        BOUNCE | {"Email": None},
        UNSUBSCRIBED | {"SuppressSending": False, "SuppressionReason": None},
        {"RecordType": "Click"},
        {},
    ],
)
async def test_what_changes_nothing_for_good_is_no_event(tmp_path: Path, told: dict[str, Any]) -> None:
    it = POSTMARK.build(PostmarkSettings(api_token=Secret(TOKEN), webhook_secret=Secret(SECRET)), FakeContext(tmp_path))
    assert await it.read_webhook(webhook(told)) == ()
    await it.aclose()


@pytest.mark.anyio
async def test_without_a_webhook_secret_every_webhook_is_rejected(tmp_path: Path) -> None:
    it = POSTMARK.build(PostmarkSettings(api_token=Secret(TOKEN)), FakeContext(tmp_path))
    assert not it.capabilities().webhooks
    with pytest.raises(WebhookRejected):
        await it.read_webhook(webhook(BOUNCE, **{"x-webhook-secret": ""}))
    await it.aclose()


@pytest.mark.anyio
async def test_postmarks_client_takes_neither_proxies_nor_passwords_from_this_machine(
    server: Loopback, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("default login somebody password else")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with Loopback(Impostor()) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        async with Sender(server, folder) as it:
            assert await states(it, message()) == ["sent"]
    request = impostor_of(server).requests[0]
    assert "authorization" not in request.headers


def impostor_of(server: Loopback) -> Impostor:
    assert isinstance(server.handler, Impostor)
    return server.handler
