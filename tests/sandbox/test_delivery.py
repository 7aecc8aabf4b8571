"""The site gets every event at its webhook address: signed, at least once, after outages too."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import httpx
import msgspec
import pytest

from kernel.spi import WebhookRejected, WebhookRequest
from kernel.spi.testing import Loopback
from plugins.sandbox_payments import delivery
from plugins.sandbox_payments.provider import SandboxPayments
from plugins.sandbox_payments.rows import DAY_S
from tests.sandbox.bank import customer, open_bank, signed, start, subscribe

pytestmark = pytest.mark.anyio

LIMIT_S = 10.0


class Site:
    """The webhook address of a site: records requests, and answers with `status`."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.calls: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.calls.append(request)
        return httpx.Response(self.status)

    @property
    def types(self) -> list[str]:
        return [json.loads(call.content)["type"] for call in self.calls]


async def until(done: Callable[[], bool]) -> None:
    """Wait for a condition, with a limit."""
    async with asyncio.timeout(LIMIT_S):
        while not done():
            await asyncio.sleep(0.01)


async def with_site(folder: Path, site: Site, story: Callable[[SandboxPayments], Awaitable[None]]) -> None:
    """Run a scenario at a bank whose site is reachable."""
    with Loopback(site) as vendor:
        bank = open_bank(folder, vendor.url)
        try:
            await story(bank)
        finally:
            await bank.aclose()


async def test_what_happens_is_told_at_the_address_of_the_instance_and_believed(tmp_path: Path) -> None:
    site = Site()

    async def story(bank: SandboxPayments) -> None:
        truth = await subscribe(bank)
        await until(lambda: len(site.calls) >= 4)
        assert {call.url.path for call in site.calls} == {"/api/webhooks/payment/kit"}
        told = set()
        for call in site.calls:
            request = WebhookRequest(
                body=call.content,
                headers={name.lower(): value for name, value in call.headers.items()},
                query={},
                received_unix=float(call.headers["x-sandbox-signature"][2:].partition(",")[0]),
            )
            (event,) = await bank.read_webhook(request)
            told.add((event.topic, event.ref))
        assert told == {("subscription_changed", truth.ref), ("invoice_changed", truth.customer)}

    await with_site(tmp_path, site, story)


async def test_failed_renewals_and_deletions_are_reported(tmp_path: Path) -> None:
    site = Site()

    async def story(bank: SandboxPayments) -> None:
        truth = await subscribe(bank, "confirmation_at_renewal")
        await bank.advance(32)
        await until(lambda: "payment.action_required" in site.types)
        await bank.delete_customer(truth.customer)
        await until(lambda: "customer.deleted" in site.types)

    await with_site(tmp_path, site, story)


async def test_nothing_is_told_of_what_changes_nothing(tmp_path: Path) -> None:
    site = Site()

    async def story(bank: SandboxPayments) -> None:
        who = await customer(bank)
        await bank.products()
        await bank.subscriptions(who)
        await bank.advance(1)
        truth = await subscribe(bank, who=who)
        await bank.cancel(truth.ref, at_period_end=True, idempotency_key="a")
        await bank.cancel(truth.ref, at_period_end=True, idempotency_key="b")
        await bank.reactivate(truth.ref, idempotency_key="c")
        await bank.delete_customer(who)
        await until(lambda: "customer.deleted" in site.types)
        assert sorted(site.types) == ["customer.deleted"] + ["invoice.changed"] * 2 + ["subscription.changed"] * 5

    await with_site(tmp_path, site, story)


@pytest.mark.parametrize("status", [302, 400, 404, 500, 503])
async def test_what_the_site_did_not_take_is_told_again_with_a_fresh_signature(
    tmp_path: Path, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "FIRST_WAIT_S", 0.05)
    site = Site(status)

    async def story(bank: SandboxPayments) -> None:
        await start(bank)
        await until(lambda: len(site.calls) >= 4)
        site.status = 200
        refused = len(site.calls)
        await until(lambda: len(site.calls) >= refused + 2)
        ids = {json.loads(call.content)["id"] for call in site.calls}
        assert len(ids) == 2, "the same events, and no others"

    await with_site(tmp_path, site, story)


async def test_an_event_is_given_up_after_its_last_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "FIRST_WAIT_S", 0.001)
    monkeypatch.setattr(delivery, "MOST_TRIES", 3)
    site = Site(500)

    async def story(bank: SandboxPayments) -> None:
        await start(bank)
        await until(lambda: len(site.calls) == 6)
        await start(bank)
        await until(lambda: len(site.calls) == 12)

    await with_site(tmp_path, site, story)
    assert len(site.calls) == 12, "two events of each start, three times each"


async def test_what_a_crash_left_untold_is_told_by_the_next_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "FIRST_WAIT_S", 0.05)
    gone = open_bank(tmp_path)
    started = await start(gone)
    await gone.aclose()
    site = Site()

    async def story(bank: SandboxPayments) -> None:
        await bank.prepare()
        await until(lambda: len(site.calls) >= 2)
        assert {json.loads(call.content)["subscription"] for call in site.calls} == {started.subscription.ref}

    await with_site(tmp_path, site, story)


async def test_a_worker_syncs_overdue_renewals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "LOOK_S", 0.05)
    site = Site()

    async def story(bank: SandboxPayments) -> None:
        await subscribe(bank)
        await bank.prepare()
        await until(lambda: len(site.calls) == 4)
        with closing(sqlite3.connect(tmp_path / "instance" / "bank.db")) as books:
            books.execute("UPDATE meta SET value = ? WHERE name = 'offset'", (str(32 * DAY_S),))
            books.commit()
        await until(lambda: len(site.calls) > 4)

    await with_site(tmp_path, site, story)


@pytest.mark.parametrize("minutes", [-6, 6])
async def test_a_signature_holds_for_five_minutes(bank: SandboxPayments, tmp_path: Path, minutes: int) -> None:
    await bank.now()
    event = {"id": "evt_1", "type": "subscription.changed", "created": 1, "subscription": "sub_1", "customer": "cus_1"}
    fresh = signed(tmp_path / "instance", event)
    assert len(await bank.read_webhook(fresh)) == 1
    with pytest.raises(WebhookRejected):
        await bank.read_webhook(msgspec.structs.replace(fresh, received_unix=fresh.received_unix + minutes * 60))


async def test_another_banks_signature_is_worth_nothing(bank: SandboxPayments, tmp_path: Path) -> None:
    other = open_bank(tmp_path / "other")
    for provider in (bank, other):
        await provider.now()
    event = {"id": "evt_1", "type": "subscription.changed", "created": 1, "subscription": "sub_1", "customer": "cus_1"}
    with pytest.raises(WebhookRejected):
        await bank.read_webhook(signed(tmp_path / "other" / "instance", event))
    await other.aclose()


async def test_events_of_real_money_are_of_no_interest(bank: SandboxPayments, tmp_path: Path) -> None:
    await bank.now()
    event = {"id": "evt_1", "type": "subscription.changed", "created": 1, "subscription": "sub_1", "customer": "cus_1"}
    assert await bank.read_webhook(signed(tmp_path / "instance", {**event, "live": True})) == ()
