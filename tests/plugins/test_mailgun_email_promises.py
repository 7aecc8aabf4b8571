"""What the Mailgun provider guarantees beyond the contract: batches and refusals."""

from collections.abc import Callable, Iterator
from email.utils import parseaddr
from pathlib import Path

import httpx
import pytest

from kernel.spi import (
    Attachment,
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
from tests.plugins.mailgun import Sender
from tests.plugins.running_email import message, states
from tests.vendors.mailgun_api import (
    DOMAIN,
    INVALID,
    KEY,
    SANDBOX,
    UNVERIFIED,
    FakeMailgun,
    not_allowed,
    problem,
)

PDF = Attachment(name="invoice.pdf", media_type="application/pdf", content=b"%PDF \x00\xff\r\n")


@pytest.fixture
def vendor() -> FakeMailgun:
    return FakeMailgun()


@pytest.fixture
def server(vendor: FakeMailgun) -> Iterator[Loopback]:
    with Loopback(vendor) as running:
        yield running


@pytest.mark.anyio
async def test_a_campaigns_batch_is_one_call_in_which_every_reader_gets_their_own(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path
) -> None:
    batch = [
        message(
            f"r{number}@example.org",
            to_name="Jürgen, B." if number == 7 else f"Reader {number}",
            subject=f"Größe für {number}",
            text=f"Hello {number}",
            html=f"<p>Hello {number}: 100% &amp; {{{{more}}}}</p>",
            headers={"List-Unsubscribe": f"<https://covers.example/u/{number}>", "List-Id": "<bulk.covers.example>"},
            metadata={"batch_id": "autumn", "recipient_id": str(number)},
        )
        for number in range(1000)
    ]
    async with Sender(server, tmp_path) as it:
        results = await it.send(batch, stream="bulk", batch_id="autumn")
    assert {(result.state, result.message_id) for result in results} == {("queued", f"autumn@{DOMAIN}")}
    assert len(vendor.requests) == 1 and len(vendor.delivered) == 1000
    own = vendor.delivered[7]
    assert parseaddr(own["to"]) == ("Jürgen, B.", "r7@example.org")
    assert (own["subject"], own["text"], own["html"]) == (batch[7].subject, batch[7].text, batch[7].html)
    assert own["h:List-Unsubscribe"] == "<https://covers.example/u/7>"
    assert (own["v:batch_id"], own["v:recipient_id"]) == ("autumn", "7")
    assert (own["o:tag"], own["o:tracking"]) == ("bulk", "no")
    assert vendor.calls[0]["h:List-Id"] == ["<bulk.covers.example>"], "what is the same for all is sent once"


@pytest.mark.anyio
async def test_a_single_message_needs_no_variables(server: Loopback, vendor: FakeMailgun, tmp_path: Path) -> None:
    one = message(reply_to="Help <help@example.com>", headers={"X-Kind": "receipt"}, attachments=[PDF])
    async with Sender(server, tmp_path) as it:
        (result,) = await it.send([one], stream="transactional", batch_id="b1")
    assert (result.state, result.message_id) == ("queued", f"b1@{DOMAIN}")
    (call,) = vendor.calls
    assert "recipient-variables" not in call
    assert call["h:Reply-To"] == ["Help <help@example.com>"] and call["h:X-Kind"] == ["receipt"]
    assert (call["from"], call["o:tag"]) == (["covers@example.com"], ["transactional"])
    assert vendor.files == [(PDF.name, PDF.media_type, PDF.content)]
    assert "html" not in call


@pytest.mark.anyio
async def test_messages_that_differ_in_more_than_values_are_calls_of_their_own(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path
) -> None:
    batch = [
        message("one@example.org"),
        message("two@example.org", html="<p>Hello</p>"),
        message("three@example.org", attachments=[PDF]),
        message("four@example.org", text="What %recipient.text% means"),
        message("five@example.org"),
        message("one@example.org", text="Once more"),
    ]
    async with Sender(server, tmp_path) as it:
        assert await states(it, *batch) == ["queued"] * 6
    readers = [sorted(call["to"]) for call in vendor.calls]
    apart = [["two@example.org"], ["three@example.org"], ["four@example.org"], ["one@example.org"]]
    assert readers == [["five@example.org", "one@example.org"], *apart]
    assert vendor.calls[3]["text"] == ["What %recipient.text% means"]
    ids = [call["h:Message-Id"][0] for call in vendor.calls]
    assert ids == [f"<b1@{DOMAIN}>"] * 4 + [f"<b1.1@{DOMAIN}>"], "an address gets no two messages with one id"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "expected", "field", "effect"),
    [
        (lambda: httpx.Response(401, text="Forbidden"), AuthFailed, "api_key", Effect.NONE),
        (lambda: problem(403, "Access denied"), AuthFailed, "api_key", Effect.NONE),
        (lambda: problem(404, f"Domain not found: {DOMAIN}"), SettingsInvalid, "domain", Effect.NONE),
        (lambda: httpx.Response(404, text="404 page not found"), SettingsInvalid, "base_url", Effect.NONE),
        (lambda: httpx.Response(200, text="Mailgun Magnificent API"), SettingsInvalid, "base_url", Effect.NONE),
        (lambda: not_allowed(SANDBOX), SettingsInvalid, "domain", Effect.NONE),
        (lambda: not_allowed(SANDBOX, 400), SettingsInvalid, "domain", Effect.NONE),
        (lambda: not_allowed(UNVERIFIED), SettingsInvalid, "domain", Effect.NONE),
        (lambda: not_allowed("Account disabled"), AuthFailed, None, Effect.NONE),
        (lambda: problem(403, "Please activate your Mailgun account."), AuthFailed, None, Effect.NONE),
        (lambda: problem(400, "'from' parameter is not a valid address"), SettingsInvalid, "sender", Effect.NONE),
        (lambda: problem(402, "Request failed"), QuotaExhausted, None, Effect.NONE),
        (lambda: httpx.Response(500, html="<h1>Sorry</h1>"), Unavailable, None, Effect.UNKNOWN),
        (lambda: httpx.Response(502), Unavailable, None, Effect.UNKNOWN),
        (lambda: httpx.Response(200, json={"message": "Queued. Thank you."}), Unavailable, None, Effect.UNKNOWN),
        (lambda: httpx.Response(200, json={"id": ""}), Unavailable, None, Effect.UNKNOWN),
        (lambda: httpx.Response(200, json=["odd"]), Unavailable, None, Effect.UNKNOWN),
        (
            lambda: httpx.Response(307, headers={"location": "https://elsewhere.example/"}),
            SettingsInvalid,
            "base_url",
            Effect.NONE,
        ),
    ],
)
async def test_what_concerns_the_whole_batch_is_an_error(
    server: Loopback,
    vendor: FakeMailgun,
    tmp_path: Path,
    answer: Callable[[], httpx.Response],
    expected: type[ProviderError],
    field: str | None,
    effect: Effect,
) -> None:
    vendor.answer = lambda request: answer()
    async with Sender(server, tmp_path) as it:
        with pytest.raises(expected) as caught:
            await states(it, message(), message("bob@example.org"))
    error = caught.value
    assert (type(error), error.field, error.effect) == (expected, field, effect)
    assert KEY not in repr(error) + error.detail and len(error.detail) <= 300
    assert len(vendor.requests) == 1


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("reason", "step"),
    [
        (SANDBOX, "add the address to them at Mailgun"),
        (UNVERIFIED, "enter its DNS records"),
        ("Account disabled", "see Mailgun's control panel"),
    ],
)
async def test_a_domain_that_may_not_send_is_an_error_with_the_next_step(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path, reason: str, step: str
) -> None:
    vendor.answer = lambda request: not_allowed(reason)
    async with Sender(server, tmp_path) as it:
        with pytest.raises(ProviderError) as caught:
            await states(it, message())
    assert step in caught.value.detail


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "after"),
    [
        (lambda: problem(429, "Too many requests", retry_after="30"), 30.0),
        (lambda: httpx.Response(429, json={"retry-seconds": 60}), 60.0),
        (lambda: httpx.Response(429, json={"retry-seconds": "soon"}), None),
        (lambda: not_allowed("recipient limit exceeded, try again after 51 minutes", 400), 3060.0),
        (lambda: not_allowed("You are sending too fast. Your account is on probation."), None),
    ],
)
async def test_too_many_messages_are_told_with_the_time_to_come_back(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path, answer: Callable[[], httpx.Response], after: float | None
) -> None:
    vendor.answer = lambda request: answer()
    async with Sender(server, tmp_path) as it:
        with pytest.raises(RateLimited) as caught:
            await states(it, message())
    assert caught.value.retry_after == after


@pytest.mark.anyio
async def test_refused_addresses_of_a_large_batch_are_found_and_the_others_sent_once(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path
) -> None:
    batch = [message(f"r{number}@example.org", text=str(number)) for number in range(100)]
    batch[13], batch[77] = message(INVALID), message(INVALID)
    async with Sender(server, tmp_path) as it:
        found = await states(it, *batch)
    assert [place for place, state in enumerate(found) if state == "invalid"] == [13, 77]
    assert set(found) == {"invalid", "queued"}
    assert sorted(fields["to"] for fields in vendor.delivered) == sorted(
        f"r{number}@example.org" for number in range(100) if number not in (13, 77)
    )
    assert len(vendor.requests) < 30


@pytest.mark.anyio
async def test_a_failure_after_something_was_sent_concerns_the_rest_only(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path
) -> None:
    batch = [message("a@example.org"), message("b@example.org", html="<p>x</p>"), message(attachments=[PDF])]
    failures = {
        "failed": problem(429, "Too many requests"),
        "unknown": httpx.Response(500),
    }
    async with Sender(server, tmp_path) as it:
        for state, failure in failures.items():
            vendor.requests.clear()
            vendor.answer = lambda request, failure=failure: failure if len(vendor.requests) == 2 else None
            assert await states(it, *batch) == ["queued", state, "failed"]
            assert len(vendor.requests) == 2, "after a failure nothing more is tried"


@pytest.mark.anyio
async def test_a_batch_that_takes_too_long_is_cut_short(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plugins.mailgun_email.provider.BATCH_S", -1.0)
    async with Sender(server, tmp_path) as it:
        assert await states(it, message()) == ["failed"]
    assert vendor.requests == []


@pytest.mark.anyio
async def test_what_mailgun_would_refuse_or_misread_is_refused_per_message(
    server: Loopback, vendor: FakeMailgun, tmp_path: Path
) -> None:
    odd = [
        message(subject="Ready\r\nBcc: everybody@example.org"),
        message(text=""),
        message(metadata={"x y": "z"}),
        message(metadata={"x": "z" * 16_001}),
        message(sender="ädä@example.com"),
        message(to="a@example.org, b@example.org"),
        message(text="\ud800"),
        message(),
    ]
    async with Sender(server, tmp_path) as it:
        assert await states(it, *odd) == ["invalid"] * 7 + ["queued"]
        for batch, batch_id in (
            ([message()] * 1001, "b"),
            ([message(text="x" * 9_000_000)] * 3, "b"),
            ([message()], "b 1"),
            ([message()], "x" * 101),
        ):
            with pytest.raises(InvalidRequest):
                await it.send(batch, stream="bulk", batch_id=batch_id)
    assert len(vendor.delivered) == 1


@pytest.mark.anyio
async def test_an_international_domain_goes_out_in_ascii(server: Loopback, vendor: FakeMailgun, tmp_path: Path) -> None:
    async with Sender(server, tmp_path, sender="Cover Shop <shop@bücher.example>") as it:
        assert await states(it, message("ada@bücher.example")) == ["queued"]
    assert vendor.delivered[0]["to"] == "ada@xn--bcher-kva.example"
    assert parseaddr(vendor.delivered[0]["from"]) == ("Cover Shop", "shop@xn--bcher-kva.example")
