"""Campaigns while workers are killed, answers get lost and the service is down: one email for each person."""

import asyncio
import json
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from kernel.accounts.models import User
from kernel.core.data.database import Database
from tests.running_product import RunningProduct
from tests.support.databases import BACKENDS
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault

CROWD = 20
SETTINGS = """
email = ["{first}"]

[[instances]]
id = "vendor"
kind = "email"
provider = "stub-mail"
label = "Vendor"
settings = {{ key = "unused", control = "{control}", lookup = true }}

[[instances]]
id = "silent"
kind = "email"
provider = "stub-mail"
label = "Silent"
settings = {{ key = "unused", control = "{control}" }}
"""
UNREACHED = 700
"""Seconds after which a message that the vendor does not list was not accepted."""
SHORT_S = 4.0
MOST_LOOKS = 10


class CampaignHarness:
    """A product with two workers and a fake vendor that tests can read."""

    def __init__(self, backend_url: str, folder: Path, first: str) -> None:
        self.control = folder
        self.product = RunningProduct(
            database_url=backend_url,
            workers=2,
            settings=SETTINGS.format(first=first, control=folder),
            env={"COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image,tests.stub_email"},
        ).start()
        admin = self.product.admin()
        assert admin.put("/api/admin/email/postal-address", json={"postalAddress": "1 Harbour Road"}).status_code == 200
        asyncio.run(self._gather())

    async def _gather(self) -> None:
        """Create users with confirmed addresses."""
        database = Database(self.product.sqlalchemy_url, pool_size=1)
        async with database.write() as session:
            for number in range(CROWD):
                email = f"reader{number}@example.org"
                session.add(User(email=email, email_norm=email, email_verified=True))
        await database.aclose()

    def does(self, mode: str) -> None:
        """Set the vendor's mode."""
        (self.control / "mode").write_text(mode)

    def begin(self, subject: str) -> str:
        """Begin a campaign to everybody and return its id."""
        body = {"subject": subject, "htmlBody": "<p>Hello {{email}}</p>"}
        answer = self.product.admin().post("/api/admin/email/broadcast", json=body)
        assert (answer.status_code, answer.json()["recipients"]) == (202, CROWD)
        return str(answer.json()["id"])

    def shown(self, campaign_id: str) -> dict[str, Any]:
        """Return the progress of a campaign."""
        answer: dict[str, Any] = self.product.admin().get(f"/api/admin/email/campaigns/{campaign_id}").json()
        return answer

    def ended(self, campaign_id: str) -> dict[str, Any]:
        """Wait for the end of a campaign, and advance the clock by the hours that may take; its ledger adds up."""
        for _ in range(MOST_LOOKS):
            with suppress(TimeoutError):
                wait_until(lambda: self.shown(campaign_id)["state"] == "done", "the end of the email", SHORT_S)
                break
            self.product.advance(UNREACHED)
        end = self.shown(campaign_id)
        assert end["state"] == "done", end
        assert sum(end[state] for state in ("sent", "failed", "skipped", "unknown")) == CROWD
        assert self.product.doctor() == ""
        return end

    def got(self, subject: str) -> Counter[str]:
        """Return how many emails each person got."""
        path = self.control / "taken"
        lines = path.read_text().splitlines() if path.exists() else []
        entries = [json.loads(line) for line in lines]
        return Counter(entry["to"] for entry in entries if entry["subject"] == subject)


@pytest.fixture(scope="module")
def harness_of(
    new_database: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory, alone: None
) -> Iterator[Callable[[str, str], CampaignHarness]]:
    """Return the product of a database and a first service; started on first use."""
    running: dict[tuple[str, str], CampaignHarness] = {}

    def get(backend: str, first: str) -> CampaignHarness:
        if (backend, first) not in running:
            running[backend, first] = CampaignHarness(new_database(backend), tmp_path_factory.mktemp("vendor"), first)
        return running[backend, first]

    yield get
    for harness in running.values():
        harness.product.close()


@pytest.fixture(params=BACKENDS)
def vendor(request: pytest.FixtureRequest, harness_of: Callable[[str, str], CampaignHarness]) -> CampaignHarness:
    """A vendor with a lookup."""
    harness = harness_of(request.param, "vendor")
    harness.does("ok")
    return harness


@pytest.fixture
def silent(harness_of: Callable[[str, str], CampaignHarness]) -> CampaignHarness:
    """A vendor without a lookup."""
    harness = harness_of("sqlite", "silent")
    harness.does("ok")
    return harness


@pytest.mark.parametrize("point", ["batch_claimed", "batch_sent", "batch_settled"])
def test_every_recipient_gets_a_campaign_once_although_a_worker_is_killed(vendor: CampaignHarness, point: str) -> None:
    product, subject = vendor.product, f"News about {point}"
    product.plant(point)
    campaign_id = vendor.begin(subject)
    product.struck(point)
    end = vendor.ended(campaign_id)
    assert end["sent"] == CROWD and set(vendor.got(subject).values()) == {1}


def test_two_workers_killed_one_after_the_other_lose_nobody(vendor: CampaignHarness) -> None:
    product, subject = vendor.product, "News about two"
    product.plant("batch_claimed")
    product.plant("batch_sent")
    campaign_id = vendor.begin(subject)
    product.struck("batch_claimed")
    product.struck("batch_sent")
    end = vendor.ended(campaign_id)
    assert end["sent"] == CROWD and set(vendor.got(subject).values()) == {1}


def test_a_lost_answer_is_found_out(vendor: CampaignHarness) -> None:
    vendor.does("lost")
    campaign_id = vendor.begin("News about answers")
    wait_until(lambda: vendor.got("News about answers"), "a batch", 30)
    vendor.does("ok")
    end = vendor.ended(campaign_id)
    assert end["sent"] == CROWD and set(vendor.got("News about answers").values()) == {1}


def test_what_the_vendor_says_it_never_took_is_sent(vendor: CampaignHarness) -> None:
    vendor.does("cut")
    campaign_id = vendor.begin("News about cuts")
    wait_until(lambda: vendor.got("News about cuts"), "a batch", 30)
    vendor.does("ok")
    end = vendor.ended(campaign_id)
    assert end["sent"] == CROWD and set(vendor.got("News about cuts").values()) == {1}


def test_a_vendor_that_is_away_is_waited_for(vendor: CampaignHarness) -> None:
    vendor.does("down")
    campaign_id = vendor.begin("News about patience")
    wait_until(lambda: vendor.shown(campaign_id)["reason"] == "unavailable", "waiting", 30)
    vendor.does("ok")
    end = vendor.ended(campaign_id)
    assert end["sent"] == CROWD and set(vendor.got("News about patience").values()) == {1}


@pytest.mark.parametrize(("point", "taken"), [("batch_claimed", CROWD - 8), ("batch_sent", CROWD)])
def test_where_nobody_can_tell_nobody_is_written_to_twice(silent: CampaignHarness, point: str, taken: int) -> None:
    product, subject = silent.product, f"Silence at {point}"
    product.plant(point)
    campaign_id = silent.begin(subject)
    product.struck(point)
    end = silent.ended(campaign_id)
    assert (end["sent"], end["unknown"]) == (CROWD - 8, 8)
    assert sum(silent.got(subject).values()) == taken and set(silent.got(subject).values()) == {1}


def test_a_worker_that_froze_with_a_batch_changes_nothing_when_it_goes_on(vendor: CampaignHarness) -> None:
    product, subject = vendor.product, "News about sleep"
    product.plant("batch_claimed", "stop")
    campaign_id = vendor.begin(subject)
    product.struck("batch_claimed")
    end = vendor.ended(campaign_id)
    for name in ("worker-1", "worker-2"):
        product.signal(name, signal.SIGCONT)
    next_id = vendor.begin("News about waking")
    vendor.ended(next_id)
    assert vendor.shown(campaign_id) == end
    assert end["sent"] == CROWD and set(vendor.got(subject).values()) == {1}


def test_a_request_survives_the_web_server(vendor: CampaignHarness) -> None:
    product, subject = vendor.product, "News about requests"
    body = {"subject": subject, "htmlBody": "<p>Hello</p>"}
    key = {"idempotency-key": "requests"}
    admin = product.admin()
    product.plant("inside_campaign_start")
    with pytest.raises(httpx.TransportError):
        admin.post("/api/admin/email/broadcast", json=body, headers=key)
    product.struck("inside_campaign_start")
    product.answers("/healthz")
    first, again = (admin.post("/api/admin/email/broadcast", json=body, headers=key) for _ in range(2))
    assert (first.status_code, again.json()["id"]) == (202, first.json()["id"])
    assert again.headers["idempotent-replayed"] == "true" and "idempotent-replayed" not in first.headers
    vendor.ended(first.json()["id"])
    assert set(vendor.got(subject).values()) == {1} and len(vendor.got(subject)) == CROWD
