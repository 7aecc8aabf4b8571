"""The Mailgun provider passes the kit, with a fake on this machine; and which webhooks it believes."""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import httpx
import pytest

from kernel.spi import EmailMessage, ProviderSpec, Secret, Settings, WebhookRejected, WebhookRequest
from kernel.spi.testing import EmailContract, FakeContext
from plugins.mailgun_email import MAILGUN
from plugins.mailgun_email.provider import MailgunEmail
from plugins.mailgun_email.settings import MailgunSettings
from plugins.mailgun_email.webhooks import MAX_TOKENS, UsedTokens
from tests.plugins.mailgun import (
    BOUNCED,
    COMPLAINED,
    DEFERRED,
    DELIVERED,
    JOHN,
    NOW,
    OPENED,
    UNSUBSCRIBED,
    received,
    settings,
    webhook,
)
from tests.vendors.mailgun_api import INVALID, SIGNING_KEY, FakeMailgun, problem, signed

TOKENS = {"bounced": "b", "complained": "c", "unsubscribed": "u", "delivered": "d", "other": "o"}


class TestConformance(EmailContract):
    @pytest.fixture
    def vendor(self) -> FakeMailgun:
        return FakeMailgun()

    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return MAILGUN

    @pytest.fixture
    def settings(self) -> MailgunSettings:
        return settings()

    @pytest.fixture
    def upstream(self, vendor: FakeMailgun) -> httpx.MockTransport:
        return httpx.MockTransport(vendor)

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        return {
            "api_key": settings(api_key=Secret("wrong")),
            "domain": settings(domain="mg.example.net"),
            "sender": settings(sender="nobody"),
            "base_url": settings(base_url="http://"),
        }

    @pytest.fixture
    def refused_address(self) -> str:
        return INVALID

    @pytest.fixture
    def delivered(self, vendor: FakeMailgun) -> Callable[[], Awaitable[Sequence[EmailMessage]]]:
        async def look() -> Sequence[EmailMessage]:
            return [
                EmailMessage(
                    to=parseaddr(fields["to"])[1],
                    sender=parseaddr(fields["from"])[1],
                    subject=fields["subject"],
                    text=fields["text"],
                    html=fields.get("html"),
                )
                for fields in vendor.delivered
            ]

        return look

    @pytest.fixture
    def faults(self) -> Mapping[str, Any]:
        return {
            "bad_key": httpx.Response(401, text="Forbidden"),
            "rate_limit": problem(429, "Too many requests", retry_after="7"),
            "server_error": httpx.Response(500, html="<h1>Sorry</h1>"),
            "garbage": httpx.Response(200, content=b"\x00\xff not JSON"),
            "no_funds": problem(402, "Request failed"),
        }

    @pytest.fixture
    def webhooks(self) -> Mapping[str, WebhookRequest]:
        events: dict[str, dict[str, Any]] = {
            "bounced": BOUNCED,
            "complained": COMPLAINED,
            "unsubscribed": UNSUBSCRIBED,
            "delivered": DELIVERED,
            "other": OPENED,
        }
        return {topic: webhook(event, TOKENS[topic] * 50) for topic, event in events.items()}

    def forge(self, request: WebhookRequest) -> Iterator[tuple[str, WebhookRequest]]:
        """The proof stands in the body."""
        genuine = json.loads(request.body)
        event, proof = genuine["event-data"], genuine["signature"]
        yield "without any proof", received(json.dumps({"event-data": event}).encode())
        for name in ("token", "timestamp", "signature"):
            values: list[Any] = ["", "ü" * 64, None, 7, [], proof[name][:-1] + "!"]
            for value in values:
                body = {"event-data": event, "signature": proof | {name: value}}
                yield f"{name} {value!r}", received(json.dumps(body).encode())
        yield "another key", received(signed(event, token=proof["token"], at=NOW, key="of another account"))
        yield "a day late", received(request.body, late_s=86_400)
        yield "from the future", received(request.body, late_s=-3600)


@pytest.fixture
async def mailgun(tmp_path: Path) -> Any:
    it: MailgunEmail = MAILGUN.build(settings(), FakeContext(tmp_path))
    yield it
    await it.aclose()


@pytest.mark.anyio
async def test_a_proof_is_good_for_one_event(mailgun: MailgunEmail) -> None:
    """Mailgun's signature does not cover the event: whoever has seen one call could sign another with it."""
    (event,) = await mailgun.read_webhook(webhook(DELIVERED))
    repeated = webhook(DELIVERED | {"attempt": 2})
    assert await mailgun.read_webhook(repeated) == (event,), "Mailgun repeats a call that got no answer"
    with pytest.raises(WebhookRejected):
        await mailgun.read_webhook(webhook(COMPLAINED))
    assert await mailgun.read_webhook(webhook(OPENED, "o" * 50)) == ()
    with pytest.raises(WebhookRejected):
        await mailgun.read_webhook(webhook(COMPLAINED, "o" * 50))
    (other,) = await mailgun.read_webhook(webhook(COMPLAINED, "n" * 50))
    assert other.event_id != event.event_id


@pytest.mark.anyio
async def test_a_proof_that_another_process_has_seen_makes_no_second_event(
    mailgun: MailgunEmail, tmp_path: Path
) -> None:
    elsewhere: MailgunEmail = MAILGUN.build(settings(), FakeContext(tmp_path))
    (first,) = await mailgun.read_webhook(webhook(DELIVERED))
    (second,) = await elsewhere.read_webhook(webhook(COMPLAINED))
    await elsewhere.aclose()
    assert first.event_id == second.event_id, "the inbox takes an id once"


def test_used_proofs_take_little_memory() -> None:
    used = UsedTokens()
    assert all(used.admit(f"token {number}", "x") for number in range(MAX_TOKENS + 10))
    assert not used.admit(f"token {MAX_TOKENS}", "y")
    assert len(used._events) == MAX_TOKENS


@pytest.mark.anyio
async def test_a_call_that_mailgun_repeats_for_hours_is_still_believed(mailgun: MailgunEmail) -> None:
    (event,) = await mailgun.read_webhook(received(signed(BOUNCED, token="r" * 50, at=NOW), late_s=8.2 * 3600))
    assert (event.topic, event.ref) == ("bounced", JOHN)


@pytest.mark.anyio
async def test_events_of_a_subaccount_are_proven_by_the_parents_key(mailgun: MailgunEmail) -> None:
    (event,) = await mailgun.read_webhook(webhook(BOUNCED, key=SIGNING_KEY, name="parent-signature"))
    assert event.topic == "bounced"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("event", "topic"),
    [
        (BOUNCED | {"reason": "suppress-bounce", "delivery-status": {"code": 605}}, "bounced"),
        (BOUNCED | {"reason": "suppress-complaint", "delivery-status": {"code": 607}}, "complained"),
        (BOUNCED | {"reason": "suppress-unsubscribe", "delivery-status": {"code": 606}}, "unsubscribed"),
        (BOUNCED | {"reason": "generic", "delivery-status": None}, "bounced"),
        (BOUNCED | {"reason": "old", "delivery-status": {"code": 602, "message": "Too old"}}, None),
        (BOUNCED | {"reason": "espblock"}, None),
        (BOUNCED | {"delivery-status": {"bounce-type": "soft"}}, None),
        (BOUNCED | {"severity": None}, None),
        (BOUNCED | {"recipient": None}, None),
        (DEFERRED, None),
        ({"event": "clicked", "recipient": JOHN}, None),
        ({"event": ["delivered"], "recipient": JOHN}, None),
        ({}, None),
    ],
)
async def test_only_what_ends_mail_to_an_address_for_good_is_a_bounce(
    mailgun: MailgunEmail, event: dict[str, Any], topic: str | None
) -> None:
    assert [found.topic for found in await mailgun.read_webhook(webhook(event))] == ([topic] if topic else [])


@pytest.mark.anyio
async def test_without_a_signing_key_every_webhook_is_rejected(tmp_path: Path) -> None:
    it: MailgunEmail = MAILGUN.build(settings(webhook_signing_key=None), FakeContext(tmp_path))
    assert not it.capabilities().webhooks
    with pytest.raises(WebhookRejected):
        await it.read_webhook(received(signed(BOUNCED, token="t" * 50, at=NOW, key="")))
    await it.aclose()
