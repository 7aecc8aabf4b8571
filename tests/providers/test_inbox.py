"""Vendors' webhooks: verified while the vendor waits, stored once, applied once, and again when it failed."""

import asyncio
import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.audit import Actor
from kernel.core.config import load_config
from kernel.core.data.database import Database
from kernel.core.errors import AppError
from kernel.core.vault import Vault, open_vault
from kernel.providers import Caller, Registry, load_plugins
from kernel.providers.invariants import events_have_one_row
from kernel.providers.models import Notice, WebhookDelivery, WebhookEvent, WebhookRejection
from kernel.providers.webhooks.inbox import MAX_TRIES, InboxEvent, WebhookInbox
from kernel.spi import Kind, WebhookRequest
from tests.local_product import LocalProduct
from tests.person import Person, fault, next_page
from tests.product import Product
from tests.support.databases import BACKENDS, Databases
from tests.support.processes import wait_until

KEY = "correct horse battery staple"
PATH = "/api/webhooks/email/post"

POST_OFFICE = f"""
[[instances]]
id = "post"
kind = "email"
provider = "stub-mail"
label = "Post"
settings = {{ key = "{KEY}" }}

[[instances]]
id = "deaf"
kind = "email"
provider = "stub-mail"
label = "Deaf"
settings = {{ key = "{KEY}", webhooks = false }}
"""


@pytest.fixture(scope="module", params=BACKENDS)
def mail_product(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Product]:
    """The product with an email service that receives webhooks."""
    product = LocalProduct(
        databases,
        request.param,
        settings=POST_OFFICE,
        env={"COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image,tests.stub_email"},
    )
    product.start()
    yield product
    product.close()


@pytest.fixture
def vendor(mail_product: Product) -> Person:
    return mail_product.visitor(**{"x-stub-key": KEY})


@pytest.fixture
def clerk(mail_product: Product) -> Person:
    return mail_product.admin()


FORGED = WebhookRequest(body=b"[]", headers={}, query={}, received_unix=0.0)


def events(*names: str) -> bytes:
    return json.dumps([[name, "bounced", f"{name}@example.com"] for name in names]).encode()


def row_of(clerk: Person, event_id: str) -> dict[str, Any]:
    rows = [row for row in clerk.get("/api/admin/webhooks?instance=post").json() if row["eventId"] == event_id]
    assert len(rows) == 1, rows
    found: dict[str, Any] = rows[0]
    return found


def test_an_event_is_stored_and_dealt_with(vendor: Person, clerk: Person) -> None:
    name = uuid4().hex
    answer = vendor.post(PATH, content=events(name))
    assert (answer.status_code, answer.json()) == (200, {"received": 1})
    wait_until(lambda: row_of(clerk, name)["state"] != "pending", "the event's end")
    row = row_of(clerk, name)
    assert row["instanceId"] == "post" and row["kind"] == "email" and row["ref"] == f"{name}@example.com"


def test_an_event_that_comes_again_is_one_event(vendor: Person, clerk: Person) -> None:
    first, second = uuid4().hex, uuid4().hex
    assert vendor.post(PATH, content=events(first)).json() == {"received": 1}
    assert vendor.post(PATH, content=events(first)).json() == {"received": 0}
    assert vendor.post(PATH, content=events(first, second, second)).json() == {"received": 1}
    row_of(clerk, first)
    row_of(clerk, second)


def test_what_is_no_text_is_taken_in_all_the_same(vendor: Person, clerk: Person) -> None:
    name = uuid4().hex
    body = f'[["{name}\\ud800", "bounced", "half \\udfff a pair\\u0000"]]'.encode()
    assert vendor.post(PATH, content=body).json() == {"received": 1}
    assert vendor.post(PATH, content=body).json() == {"received": 0}
    rows = clerk.get("/api/admin/webhooks?instance=post").json()
    assert [row["ref"] for row in rows if row["eventId"].startswith(name)] == ["half ? a pair"]


def test_events_whose_long_ids_begin_alike_are_two(vendor: Person) -> None:
    name = uuid4().hex * 10
    assert vendor.post(PATH, content=events(f"{name}1", f"{name}2", name)).json() == {"received": 3}
    assert vendor.post(PATH, content=events(f"{name}2", f"{name}3")).json() == {"received": 1}


def test_the_key_may_come_in_the_address(mail_product: Product) -> None:
    assert mail_product.visitor().post(f"{PATH}?key={KEY}", content=events(uuid4().hex)).status_code == 200


def test_a_browser_of_another_site_is_no_obstacle_and_no_danger(vendor: Person) -> None:
    headers = {"origin": "https://elsewhere.example", "sec-fetch-site": "cross-site", "content-type": "text/plain"}
    assert vendor.post(PATH, content=events(uuid4().hex), headers=headers).status_code == 200


def test_who_does_not_know_the_key_is_counted_and_told_of(mail_product: Product, clerk: Person) -> None:
    stranger = mail_product.visitor()
    for _ in range(10):
        answer = stranger.post(PATH, content=events("forged"))
        assert answer.status_code == 400 and fault(answer)["code"] == "webhook_rejected"

    def told() -> bool:
        last = {row["instanceId"]: row for row in clerk.get("/api/admin/webhooks/last").json()}["post"]
        notices = clerk.get("/api/admin/notices?open=true").json()
        return last["rejectedToday"] >= 10 and "webhook_rejected" in [notice["kind"] for notice in notices]

    wait_until(told, "the notice of forged calls", 20)
    assert "forged" not in clerk.get("/api/admin/webhooks").text


@pytest.mark.parametrize("body", [b"bug", b"down", b"5", b"[[1, 2, 3]]", b"not json", b"\xff"])
def test_what_could_not_be_read_is_to_be_sent_again(vendor: Person, body: bytes) -> None:
    answer = vendor.post(PATH, content=body)
    assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0
    assert KEY not in answer.text and fault(answer)["code"] == "unavailable"


def test_a_provider_that_hangs_is_cut_off_after_five_seconds(vendor: Person) -> None:
    answer = vendor.post(PATH, content=b"hang")
    assert answer.status_code == 503 and 4.5 < answer.elapsed.total_seconds() < 8


def test_an_empty_call_is_content_with_an_empty_answer(vendor: Person) -> None:
    assert vendor.post(PATH, content=b"[]").json() == {"received": 0}


@pytest.mark.parametrize(
    "path", ["/api/webhooks/email/nobody", "/api/webhooks/payment/post", "/api/webhooks/email/deaf"]
)
def test_an_address_without_a_listener_is_absent(vendor: Person, path: str) -> None:
    assert vendor.post(path, content=events("x")).status_code == 404
    assert vendor.head(path).status_code == 404


def test_a_vendor_that_merely_knocks_is_answered(vendor: Person) -> None:
    answer = vendor.head(PATH)
    assert (answer.status_code, answer.content) == (200, b"")
    assert vendor.get(PATH).status_code == 405


def test_a_body_beyond_a_mebibyte_is_refused(vendor: Person) -> None:
    assert vendor.post(PATH, content=b" " * (1024 * 1024) + events("x")).status_code == 413
    assert vendor.post(PATH, content=b" " * 1_000_000 + events(uuid4().hex)).status_code == 200


def test_texts_that_no_database_takes_are_cleaned(vendor: Person, clerk: Person) -> None:
    name = uuid4().hex
    body = json.dumps([[name, "t" * 500, "r\0" * 500]]).encode()
    assert vendor.post(PATH, content=body).status_code == 200
    row = row_of(clerk, name)
    assert (row["topic"], row["ref"]) == ("t" * 64, "r" * 320)


def test_an_instance_that_is_draining_still_hears_and_a_disabled_one_does_not(vendor: Person, clerk: Person) -> None:
    def becomes(**change: bool) -> None:
        assert clerk.patch("/api/admin/instances/post", json=change).status_code == 200

    becomes(draining=True)
    assert vendor.post(PATH, content=events(uuid4().hex)).status_code == 200
    becomes(draining=False, enabled=False)
    wait_until(lambda: vendor.head(PATH).status_code == 404, "the end of the instance")
    becomes(enabled=True)
    wait_until(lambda: vendor.head(PATH).status_code == 200, "the instance's return")


def test_events_are_read_page_by_page_and_replayed(vendor: Person, clerk: Person) -> None:
    names = [uuid4().hex for _ in range(3)]
    vendor.post(PATH, content=events(*names))
    first = clerk.get("/api/admin/webhooks?instance=post&limit=2")
    address = next_page(first)
    assert address is not None
    seen = [row["id"] for row in [*first.json(), *clerk.get(address).json()]]
    assert len(seen) == len(set(seen)) == 4 and seen == sorted(seen, reverse=True)
    wait_until(lambda: row_of(clerk, names[0])["state"] != "pending", "the event's end")
    row = row_of(clerk, names[0])
    again = clerk.post(f"/api/admin/webhooks/{row['id']}/replay")
    assert again.status_code == 200
    assert again.json() == row | {"state": "pending", "attempts": 0, "appliedAt": None}
    wait_until(lambda: row_of(clerk, names[0])["state"] == row["state"], "the event's end")
    assert clerk.post("/api/admin/webhooks/987654/replay").status_code == 404


def test_the_doctor_finds_one_row_for_each_event(mail_product: Product) -> None:
    assert mail_product.doctor() == ""


class InboxHarness:
    """An inbox on an empty database, and what its handler received."""

    def __init__(self, inbox: WebhookInbox, database: Database, registry: Registry, vault: Vault) -> None:
        self.inbox = inbox
        self.database = database
        self.registry = registry
        self.vault = vault
        self.seen: list[InboxEvent] = []
        self.failures = 0

    async def handle(self, session: AsyncSession, event: InboxEvent) -> None:
        await session.execute(text("INSERT INTO effect (ref) VALUES (:ref)"), {"ref": event.ref})
        self.seen.append(event)
        if self.failures:
            self.failures -= 1
            raise RuntimeError(f"fell over {KEY}")

    async def hears(self, *names: str) -> None:
        request = WebhookRequest(body=events(*names), headers={"x-stub-key": KEY}, query={}, received_unix=0.0)
        await self.inbox.receive("email", "post", request)

    async def effects(self) -> int:
        async with self.database.read() as connection:
            return len((await connection.execute(text("SELECT ref FROM effect"))).all())

    async def rows(self) -> list[tuple[Any, ...]]:
        columns = (WebhookEvent.event_id, WebhookEvent.state, WebhookEvent.attempts, WebhookEvent.error)
        async with self.database.read() as connection:
            assert await events_have_one_row(connection) == []
            return [tuple(row) for row in await connection.execute(select(*columns).order_by(WebhookEvent.id))]


@pytest.fixture
async def inbox_of(tmp_path: Path, database: Database) -> Any:
    settings = tmp_path / "site.toml"
    settings.write_text("[routes]\nimage = []\nstorage = []\nsignin = []\nemail = []\npayment = []\n" + POST_OFFICE)
    env = {"COVERWRIGHT_ENV": "test", "COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_CONFIG": str(settings)}
    config = load_config(env)
    plugins = load_plugins(env | {"COVERWRIGHT_PLUGINS": "stub_email", "COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_email"})
    registry = Registry.from_config(config, plugins, {})
    vault = open_vault(config)
    async with database.write() as session:
        await session.execute(text("CREATE TABLE effect (ref VARCHAR(320))"))

    def make(*kinds: Kind) -> InboxHarness:
        handlers: dict[Kind, Any] = {}
        inbox = WebhookInbox(database, registry, vault, Caller(registry, database).notices, handlers)
        harness = InboxHarness(inbox, database, registry, vault)
        handlers.update(dict.fromkeys(kinds, harness.handle))
        return harness

    yield make
    await registry.aclose()


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [datetime(2026, 11, 20, tzinfo=UTC).timestamp()]
    monkeypatch.setattr("kernel.core.clock.now_unix", lambda: now[0])
    return now


@pytest.mark.anyio
async def test_an_event_and_its_effect_are_written_together(inbox_of: Any) -> None:
    harness: InboxHarness = inbox_of("email")
    await harness.hears("a", "b")
    await harness.inbox.apply_due()
    assert [event.event_id for event in harness.seen] == ["a", "b"]
    assert await harness.effects() == 2
    assert [row[:3] for row in await harness.rows()] == [("a", "applied", 1), ("b", "applied", 1)]


@pytest.mark.anyio
async def test_several_workers_apply_an_event_once(inbox_of: Any) -> None:
    one, two = inbox_of("email"), inbox_of("email")
    await one.hears(*(str(number) for number in range(20)))
    await asyncio.gather(*(harness.inbox.apply_due() for harness in (one, two, one, two)))
    assert await one.effects() == 20


@pytest.mark.anyio
async def test_a_handler_that_fails_leaves_no_effect_and_is_tried_again_later(
    inbox_of: Any, moment: list[float]
) -> None:
    harness: InboxHarness = inbox_of("email")
    harness.failures = 2
    await harness.hears("a")
    # the first wait is 5 to 10 s, the second twice as long
    for wait, tries in ((0, 1), (4, 1), (6.5, 2), (9, 2), (11.5, 3)):
        moment[0] += wait
        await harness.inbox.apply_due()
        assert len(harness.seen) == tries
    assert await harness.effects() == 1
    assert [row[:3] for row in await harness.rows()] == [("a", "applied", 3)]


@pytest.mark.anyio
async def test_a_handler_that_always_fails_is_given_up_without_telling_secrets(
    inbox_of: Any, moment: list[float]
) -> None:
    harness: InboxHarness = inbox_of("email")
    harness.failures = 100
    await harness.hears("a")
    for _ in range(MAX_TRIES + 3):
        await harness.inbox.apply_due()
        moment[0] += 3601
    assert await harness.rows() == [("a", "failed", MAX_TRIES, "RuntimeError: fell over ***")]
    assert await harness.effects() == 0


@pytest.mark.anyio
async def test_a_kind_that_nobody_handles_is_ignored_until_it_is_replayed(inbox_of: Any) -> None:
    deaf, harness = inbox_of(), inbox_of("email")
    await deaf.hears("a")
    await deaf.inbox.apply_due()
    assert [row[:2] for row in await deaf.rows()] == [("a", "ignored")]
    await harness.inbox.replay(1, Actor(id=1, ip=""))
    await harness.inbox.apply_due()
    assert [row[:2] for row in await harness.rows()] == [("a", "applied")]


@pytest.mark.anyio
async def test_the_body_is_kept_sealed_for_thirty_days(inbox_of: Any, moment: list[float]) -> None:
    harness: InboxHarness = inbox_of("email")
    await harness.hears("a")
    await harness.inbox.apply_due()
    with pytest.raises(AppError):
        await harness.inbox.receive("email", "post", FORGED)
    await harness.inbox.flush()

    async def kept() -> list[Any]:
        async with harness.database.read() as connection:
            return list(await connection.execute(select(WebhookDelivery.id, WebhookDelivery.body)))

    [(delivery, body)] = await kept()
    assert b"a@example.com" not in base64.urlsafe_b64decode(body.split(".")[2])
    assert harness.vault.open(body, place=f"webhook:post:{delivery}").encode("latin-1") == events("a")
    moment[0] += 29 * 86_400
    await harness.inbox.purge()
    assert len(await kept()) == len(await harness.rows()) == 1
    moment[0] += 2 * 86_400
    await harness.inbox.purge()
    assert await kept() == await harness.rows() == []
    async with harness.database.read() as connection:
        assert (await connection.execute(select(WebhookRejection.instance_id))).all() == []


@pytest.mark.anyio
async def test_a_few_forged_calls_are_no_news(inbox_of: Any) -> None:
    harness: InboxHarness = inbox_of("email")
    for _ in range(3):
        with pytest.raises(AppError):
            await harness.inbox.receive("email", "post", FORGED)
    await harness.inbox.flush()
    [last] = [entry for entry in await harness.inbox.last() if entry.instance_id == "post"]
    assert (last.last_at, last.rejected_today) == (None, 3)
    async with harness.database.read() as connection:
        assert (await connection.execute(select(Notice.id))).all() == []
