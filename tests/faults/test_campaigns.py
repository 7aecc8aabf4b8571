"""E-mails to many while workers are killed, answers get lost and the service is away: everybody once, nobody lost."""

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
from kernel.core.database import Database
from tests.conftest import BACKENDS
from tests.product import Product
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
"""Seconds after which a vendor that lists nothing has not got it."""
SHORT_S = 4.0
MOST_LOOKS = 10


class PostOffice:
    """A product with two workers whose vendor can be looked into."""

    def __init__(self, backend_url: str, folder: Path, first: str) -> None:
        self.control = folder
        self.product = Product(
            database_url=backend_url,
            workers=2,
            settings=SETTINGS.format(first=first, control=folder),
            env={"COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image,tests.stub_email"},
        ).start()
        admin = self.product.admin()
        assert admin.put("/api/admin/email/postal-address", json={"postalAddress": "1 Harbour Road"}).status_code == 200
        asyncio.run(self._gather())

    async def _gather(self) -> None:
        """Let a crowd have confirmed their addresses."""
        database = Database(self.product.sqlalchemy_url, pool_size=1)
        async with database.write() as session:
            for number in range(CROWD):
                email = f"reader{number}@example.org"
                session.add(User(email=email, email_norm=email, email_verified=True))
        await database.aclose()

    def does(self, mode: str) -> None:
        """Set what the vendor does."""
        (self.control / "mode").write_text(mode)

    def begin(self, subject: str) -> str:
        """Begin an e-mail to everybody and return its id."""
        body = {"subject": subject, "htmlBody": "<p>Hello {{email}}</p>"}
        answer = self.product.admin().post("/api/admin/email/broadcast", json=body)
        assert (answer.status_code, answer.json()["recipients"]) == (202, CROWD)
        return str(answer.json()["id"])

    def shown(self, campaign_id: str) -> dict[str, Any]:
        """Return how far an e-mail has come."""
        answer: dict[str, Any] = self.product.admin().get(f"/api/admin/email/campaigns/{campaign_id}").json()
        return answer

    def ended(self, campaign_id: str) -> dict[str, Any]:
        """Wait for the end of an e-mail, and let the hours pass that this may take; its ledger adds up."""
        for _ in range(MOST_LOOKS):
            with suppress(TimeoutError):
                wait_until(lambda: self.shown(campaign_id)["state"] == "done", "the end of the e-mail", SHORT_S)
                break
            self.product.advance(UNREACHED)
        end = self.shown(campaign_id)
        assert end["state"] == "done", end
        assert sum(end[state] for state in ("sent", "failed", "skipped", "unknown")) == CROWD
        assert self.product.doctor() == ""
        return end

    def got(self, subject: str) -> Counter[str]:
        """Return how often everybody got an e-mail."""
        path = self.control / "taken"
        lines = path.read_text().splitlines() if path.exists() else []
        entries = [json.loads(line) for line in lines]
        return Counter(entry["to"] for entry in entries if entry["subject"] == subject)


@pytest.fixture(scope="module")
def offices(
    new_database: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str, str], PostOffice]]:
    """Return the post office of a database and a first service; started when first asked for."""
    running: dict[tuple[str, str], PostOffice] = {}

    def get(backend: str, first: str) -> PostOffice:
        if (backend, first) not in running:
            running[backend, first] = PostOffice(new_database(backend), tmp_path_factory.mktemp("vendor"), first)
        return running[backend, first]

    yield get
    for office in running.values():
        office.product.close()


@pytest.fixture(params=BACKENDS)
def vendor(request: pytest.FixtureRequest, offices: Callable[[str, str], PostOffice]) -> PostOffice:
    """A vendor that can be asked what it took."""
    office = offices(request.param, "vendor")
    office.does("ok")
    return office


@pytest.fixture
def silent(offices: Callable[[str, str], PostOffice]) -> PostOffice:
    """A vendor that tells nothing afterwards."""
    office = offices("sqlite", "silent")
    office.does("ok")
    return office


@pytest.mark.parametrize("point", ["batch_claimed", "batch_sent", "batch_settled"])
def test_everybody_gets_it_once_although_a_worker_is_killed(vendor: PostOffice, point: str) -> None:
    product, subject = vendor.product, f"News about {point}"
    product.plant(point)
    campaign_id = vendor.begin(subject)
    product.struck(point)
    end = vendor.ended(campaign_id)
    assert end["sent"] == CROWD and set(vendor.got(subject).values()) == {1}


def test_two_workers_killed_one_after_the_other_lose_nobody(vendor: PostOffice) -> None:
    product, subject = vendor.product, "News about two"
    product.plant("batch_claimed")
    product.plant("batch_sent")
    campaign_id = vendor.begin(subject)
    product.struck("batch_claimed")
    product.struck("batch_sent")
    end = vendor.ended(campaign_id)
    assert end["sent"] == CROWD and set(vendor.got(subject).values()) == {1}


def test_a_lost_answer_is_found_out(vendor: PostOffice) -> None:
    vendor.does("lost")
    campaign_id = vendor.begin("News about answers")
    wait_until(lambda: vendor.got("News about answers"), "a batch", 30)
    vendor.does("ok")
    end = vendor.ended(campaign_id)
    assert end["sent"] == CROWD and set(vendor.got("News about answers").values()) == {1}


def test_a_vendor_that_is_away_is_waited_for(vendor: PostOffice) -> None:
    vendor.does("down")
    campaign_id = vendor.begin("News about patience")
    wait_until(lambda: vendor.shown(campaign_id)["reason"] == "unavailable", "waiting", 30)
    vendor.does("ok")
    end = vendor.ended(campaign_id)
    assert end["sent"] == CROWD and set(vendor.got("News about patience").values()) == {1}


@pytest.mark.parametrize(("point", "taken"), [("batch_claimed", CROWD - 8), ("batch_sent", CROWD)])
def test_where_nobody_can_tell_nobody_is_written_to_twice(silent: PostOffice, point: str, taken: int) -> None:
    product, subject = silent.product, f"Silence at {point}"
    product.plant(point)
    campaign_id = silent.begin(subject)
    product.struck(point)
    end = silent.ended(campaign_id)
    assert (end["sent"], end["unknown"]) == (CROWD - 8, 8)
    assert sum(silent.got(subject).values()) == taken and set(silent.got(subject).values()) == {1}


def test_a_worker_that_froze_with_a_batch_changes_nothing_when_it_goes_on(vendor: PostOffice) -> None:
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


def test_a_request_survives_the_web_server(vendor: PostOffice) -> None:
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
