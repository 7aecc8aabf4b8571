"""The Postmark provider passes the kit, with a fake on this machine; and which of its webhooks are relevant."""

import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from kernel.spi import EmailMessage, ProviderSpec, Secret, Settings, WebhookRejected, WebhookRequest
from kernel.spi.testing import EmailContract, FakeContext
from plugins.postmark_email import POSTMARK
from plugins.postmark_email.settings import PostmarkSettings
from tests.plugins.postmark import (
    BOUNCE,
    COMPLAINT,
    DELIVERY,
    INACTIVE,
    SECRET,
    TOKEN,
    UNSUBSCRIBED,
    Impostor,
    api_error,
    webhook,
)


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
