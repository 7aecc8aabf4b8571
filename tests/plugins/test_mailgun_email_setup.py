"""What administrators see of Mailgun before they use it: the check step by step, and the webhook by a click."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kernel.spi import AuthFailed, InvalidRequest, ProviderError, Secret, SettingsInvalid
from kernel.spi.testing import FakeContext
from plugins.mailgun_email import MAILGUN
from plugins.mailgun_email.provider import MailgunEmail
from tests.plugins.mailgun import settings
from tests.vendors.mailgun_api import SENDING_KEY, SIGNING_KEY, FakeMailgun, not_allowed, problem

OURS = "https://covers.example/api/webhooks/email/kit"
THEIRS = "https://other.example/hook"
NEEDED = ("delivered", "permanent_fail", "complained", "unsubscribed")


class Setup:
    """Providers with various settings, for one vendor."""

    def __init__(self, folder: Path) -> None:
        self.vendor = FakeMailgun()
        self.context = FakeContext(folder, httpx.MockTransport(self.vendor))
        self.built: list[MailgunEmail] = []

    def provider(self, **more: Any) -> MailgunEmail:
        self.built.append(MAILGUN.build(settings(**more), self.context))
        return self.built[-1]

    async def check(self, **more: Any) -> dict[str, str]:
        """Return the status of each step."""
        report = await self.provider(**more).check()
        return {step.name: step.status for step in report.steps}


@pytest.fixture
async def setup(tmp_path: Path) -> AsyncIterator[Setup]:
    it = Setup(tmp_path)
    yield it
    for provider in it.built:
        await provider.aclose()
    await it.context.http.aclose()


@pytest.mark.anyio
async def test_the_check_reads_the_domain_and_its_webhooks_and_sends_nothing(setup: Setup) -> None:
    setup.vendor.webhooks = {event: [THEIRS, OURS] for event in NEEDED}
    assert await setup.check() == {"key": "ok", "delivery": "ok", "webhook": "ok"}
    assert setup.vendor.delivered == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("more", "step", "status"),
    [
        ({"api_key": Secret("wrong")}, "key", "fail"),
        ({"domain": "mg.example.net"}, "key", "fail"),
        ({"webhook_signing_key": None}, "webhook", "warn"),
        ({"webhook_signing_key": Secret("of another account")}, "webhook", "warn"),
        ({"api_key": Secret(SENDING_KEY)}, "delivery", "warn"),
    ],
)
async def test_the_check_says_which_step_is_wrong(setup: Setup, more: dict[str, Any], step: str, status: str) -> None:
    setup.vendor.webhooks = {event: [OURS] for event in NEEDED}
    found = await setup.check(**more)
    assert found.pop(step) == status
    assert set(found.values()) <= {"ok"}


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("state", "authorized", "status"),
    [("active", {"a@example.org"}, "warn"), ("unverified", None, "fail"), ("disabled", None, "fail")],
)
async def test_a_domain_that_cannot_send_to_everybody_is_told(
    setup: Setup, state: str, authorized: set[str] | None, status: str
) -> None:
    setup.vendor.state, setup.vendor.authorized = state, authorized
    report = await setup.provider().check()
    (step,) = [step for step in report.steps if step.name == "delivery"]
    assert (step.status, step.field) == (status, "domain")
    assert report.ok == (status == "warn")


@pytest.mark.anyio
async def test_a_domain_that_refuses_the_empty_message_fails_the_check(setup: Setup) -> None:
    setup.vendor.answer = lambda request: not_allowed("Account disabled")
    report = await setup.provider().check()
    assert [(step.name, step.status) for step in report.steps] == [("key", "fail")]
    setup.vendor.answer = lambda request: httpx.Response(200, json={"id": "<x@y>"})
    report = await setup.provider().check()
    assert [(step.name, step.status, step.field) for step in report.steps] == [("key", "fail", "base_url")]


@pytest.mark.anyio
async def test_each_region_has_its_own_host(setup: Setup) -> None:
    for region, host in (("us", "api.mailgun.net"), ("eu", "api.eu.mailgun.net")):
        await setup.check(region=region)
        assert setup.vendor.requests[-1].url.host == host


@pytest.mark.anyio
async def test_a_click_registers_the_webhook_and_reads_its_key(setup: Setup) -> None:
    setup.vendor.webhooks = {"opened": [THEIRS], "delivered": [THEIRS]}
    it = setup.provider()
    assert (await it.create_webhook(OURS)).reveal() == SIGNING_KEY
    again = await it.create_webhook(OURS)
    assert again.reveal() == SIGNING_KEY
    registered = {event: urls for event, urls in setup.vendor.webhooks.items() if OURS in urls}
    assert set(registered) == set(NEEDED), "no event that the contract does not have"
    assert setup.vendor.webhooks["opened"] == [THEIRS] and THEIRS in setup.vendor.webhooks["delivered"]


@pytest.mark.anyio
async def test_a_webhook_that_cannot_be_registered_says_why(setup: Setup) -> None:
    with pytest.raises(AuthFailed) as caught:
        await setup.provider(api_key=Secret(SENDING_KEY)).create_webhook(OURS)
    assert "register the webhook at Mailgun" in caught.value.detail
    setup.vendor.webhooks = {"delivered": [THEIRS, f"{THEIRS}2", f"{THEIRS}3"]}
    with pytest.raises(InvalidRequest) as refused:
        await setup.provider().create_webhook(OURS)
    assert "at most 3 URLs" in refused.value.detail
    for answer in (problem(400, "could not get HSK for account"), httpx.Response(200, json={"http_signing_key": ""})):
        setup.vendor.answer = lambda request, answer=answer: answer
        with pytest.raises(ProviderError):
            await setup.provider().create_webhook(OURS)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sender", "nobody"),
        ("sender", "ädä@example.org"),
        ("api_key", Secret("key\r\nx: y")),
        ("base_url", "ftp://mailgun.example"),
        ("base_url", "https://user:password@mailgun.example"),
    ],
)
def test_settings_that_cannot_work_are_refused_at_their_field(tmp_path: Path, field: str, value: Any) -> None:
    with pytest.raises(SettingsInvalid) as caught:
        MAILGUN.build(settings(**{field: value}), FakeContext(tmp_path))
    assert caught.value.field == field
