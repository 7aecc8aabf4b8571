"""Health, attempts and usage, as administrators get them over HTTP; and the budgets they set there."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.providers.models import Attempt
from kernel.providers.monitoring.statistics import attempts_page, health_strip, percentile, usage
from tests.person import Person, fault, next_page
from tests.product import Product
from tests.providers.conftest import StubInstances
from tests.support.processes import wait_until
from tests.support.statements import statements

PRICE = 40_000


@pytest.fixture
def priced(product: Product, admin: Person) -> Iterator[Product]:
    """The product with image services that cost 40,000 micros a picture."""

    def charge(micros: int | None) -> None:
        for name in ("stub", "spare"):
            body = {"settings": {"price_micros": micros}, "force": True}
            answer = admin.patch(f"/api/admin/instances/{name}", json=body)
            assert answer.status_code == 200, answer.text
            revision = answer.json()["revision"]
            wait_until(lambda name=name, revision=revision: _running(admin, name) >= revision, "the new price")

    charge(PRICE)
    yield product
    assert admin.put("/api/admin/budgets", json={"instances": []}).status_code == 200
    charge(None)


def _running(admin: Person, name: str) -> int:
    return int(admin.get(f"/api/admin/instances/{name}").json()["runningRevision"])


def test_a_cover_shows_up_as_an_attempt_with_its_cost(priced: Product, admin: Person) -> None:
    ada = priced.user()

    def paid() -> dict[str, Any] | None:
        ada.cover()
        newest: dict[str, Any] = admin.get("/api/admin/attempts?kind=image&instance=stub&outcome=ok&limit=1").json()[0]
        return newest if newest["costMicros"] is not None else None

    newest = wait_until(paid, "an attempt with a price", 20)
    assert newest["instanceId"] == "stub" and newest["userId"] == ada.id and newest["operation"] == "generate"
    assert (newest["costMicros"], newest["costSource"], newest["model"]) == (PRICE, "computed", "stub-1")
    rows = admin.get("/api/admin/usage?by=user").json()["rows"]
    [mine] = [row for row in rows if row["key"] == str(ada.id)]
    assert mine["label"] == ada.user["email"] and mine["ok"] == mine["calls"] and mine["costMicros"] >= PRICE


def test_attempts_are_read_page_by_page(product: Product, ada: Person, admin: Person) -> None:
    for _ in range(3):
        ada.cover()
    seen, address = [], "/api/admin/attempts?limit=2"
    for _ in range(3):
        answer = admin.get(address)
        seen += [row["id"] for row in answer.json()]
        following = next_page(answer)
        if following is None:
            break
        address = following
    assert seen == sorted(set(seen), reverse=True) and len(seen) >= 3


@pytest.mark.parametrize(
    "query",
    ["kind=nothing", "outcome=perhaps", "cursor=%00", "limit=0", "limit=101", "kind=image&kind=email", "instance=%00"],
)
def test_odd_questions_about_attempts_are_answered(product: Product, admin: Person, query: str) -> None:
    answer = admin.get(f"/api/admin/attempts?{query}")
    assert answer.status_code in (200, 400, 422), answer.text


@pytest.mark.parametrize(
    "query",
    ["by=moon", "from=2026-13-01", "from=2026-02-01&to=2026-01-01", "from=1900-01-01&to=2026-01-01", "to=x"],
)
def test_usage_of_no_range_is_refused(product: Product, admin: Person, query: str) -> None:
    answer = admin.get(f"/api/admin/usage?{query}")
    assert answer.status_code == 422 and fault(answer)["fields"]


def test_usage_at_the_ends_of_time_is_nothing(product: Product, admin: Person) -> None:
    for query in ("from=9999-12-01&to=9999-12-31", "from=0001-01-01&to=0001-01-31", "to=0001-01-01"):
        answer = admin.get(f"/api/admin/usage?by=day&{query}")
        assert answer.status_code == 200 and answer.json()["rows"] == [], answer.text


def test_the_health_strip_shows_every_instance(product: Product, ada: Person, admin: Person) -> None:
    ada.cover()
    rows = {row["instanceId"]: row for row in admin.get("/api/admin/health").json()}
    assert {"stub", "spare", "disk", "password"} <= rows.keys()
    stub = rows["stub"]
    assert stub["calls"] >= 1 and 0 < stub["successRate"] <= 1 and stub["lastSuccessAt"]
    assert 0 <= stub["p50Ms"] <= stub["p95Ms"]
    disk = rows["disk"]
    assert (disk["state"], disk["calls"], disk["successRate"], disk["p50Ms"]) == ("ready", 0, None, None)


def test_a_refused_picture_is_no_failure_of_the_service(unreliable: Product, ada: Person, admin: Person) -> None:
    before = {row["instanceId"]: row for row in admin.get("/api/admin/health").json()}["stub"]
    unreliable.stub.does("refused", "ok")
    assert ada.finished(ada.generate())["status"] == "failed"
    after = {row["instanceId"]: row for row in admin.get("/api/admin/health").json()}["stub"]
    assert (after["calls"], after["successRate"]) == (before["calls"], before["successRate"])


def test_a_user_over_the_daily_budget_is_refused_before_generation(priced: Product, admin: Person) -> None:
    ada, bob = priced.user(), priced.user()
    body = {"userDayMicros": PRICE, "instances": [{"instanceId": "spare", "monthMicros": 5}]}
    answer = admin.put("/api/admin/budgets", json=body)
    assert answer.status_code == 200, answer.text
    shown = answer.json()
    assert shown["userDayMicros"] == PRICE and shown["siteMonthMicros"] is None
    assert shown["instances"] == body["instances"] and shown == admin.get("/api/admin/budgets").json()

    def refused() -> dict[str, Any] | None:  # once the worker knows the price
        answer = ada.start()
        if answer.status_code == 402:
            return fault(answer)
        ada.finished(answer.json()["generationId"])
        return None

    error = wait_until(refused, "the end of the day's budget", 20)
    assert error["code"] == "budget_reached" and "tomorrow" in error["message"]
    assert bob.start().status_code == 202
    with priced.later(days=1):
        assert ada.start().status_code == 202


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"instances": [{"instanceId": "nobody", "monthMicros": 1}]}, "instances"),
        ({"instances": [{"instanceId": "stub", "monthMicros": 1}] * 2}, "instances"),
        ({"instances": [], "siteMonthMicros": -1}, "siteMonthMicros"),
        ({"instances": [], "userDayMicros": 1.5}, "userDayMicros"),
        ({"instances": [], "moonMicros": 1}, "moonMicros"),
        ({}, "instances"),
    ],
)
def test_budgets_that_make_no_sense_are_refused(
    product: Product, admin: Person, body: dict[str, Any], field: str
) -> None:
    answer = admin.put("/api/admin/budgets", json=body)
    assert answer.status_code == 422 and field in fault(answer)["fields"], answer.text


@pytest.mark.fault
def test_the_doctor_finds_that_spending_adds_up(priced: Product, ada: Person) -> None:
    ada.cover()
    assert priced.doctor() == ""


NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def row(at: datetime, **values: Any) -> dict[str, Any]:
    return {
        "kind": "image",
        "instance_id": "one",
        "provider": "stub",
        "plugin_version": "1",
        "operation": "generate",
        "n": 1,
        "outcome": "ok",
        "code": None,
        "detail": "",
        "effect": None,
        "started_at": at,
        "elapsed_ms": 100,
        "cost_micros": None,
        "cost_source": "unknown",
        "model": "stub-1",
        "user_id": None,
        "held_micros": None,
        "created_at": at,
    } | values


class Nobody:
    async def labels(self, connection: Any, ids: Any) -> dict[int, str]:
        return {user_id: f"user {user_id}" for user_id in ids}


@pytest.fixture
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernel.core.clock.now_unix", NOON.timestamp)


async def fill(database: Database, *rows: dict[str, Any]) -> None:
    async with database.write() as session:
        await session.execute(insert(Attempt), list(rows))


@pytest.mark.anyio
async def test_unknown_cost_is_shown_as_unknown_and_never_as_nothing(
    stubs: StubInstances, database: Database, at_noon: None
) -> None:
    await fill(
        database,
        row(NOON, cost_micros=300, user_id=1),
        row(NOON, user_id=1, held_micros=40),
        row(NOON, user_id=2),
        row(NOON, outcome="error", code="unavailable", effect="unknown", user_id=2),
        row(NOON, outcome="error", code="unavailable", effect="none", user_id=2),
        row(NOON, outcome="error", code="content_refused", effect="none", user_id=2),
        row(NOON, outcome="skipped", user_id=2),
        row(NOON, kind="email", instance_id="post", operation="send"),
        row(NOON - timedelta(days=21), cost_micros=5000, user_id=2),
    )
    registry = stubs.registry({"one": {}})
    async with database.read() as connection:
        shown = await usage(connection, registry, Nobody(), by="user", since=None, until=None)
    assert (shown.since.isoformat(), shown.until.isoformat()) == ("2026-11-01", "2026-11-20")
    rows = {entry.key: entry for entry in shown.rows}
    one, two = rows["1"], rows["2"]
    assert (one.label, one.calls, one.ok, one.cost_micros, one.unknown_calls) == ("user 1", 2, 2, 300, 1)
    assert one.estimated_held_micros == 40
    assert (two.calls, two.ok, two.failed, two.refused, two.cost_micros, two.unknown_calls) == (4, 1, 2, 1, None, 2)
    assert rows[""].unknown_calls == 0


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("by", "keys"), [("day", ["2026-11-18", "2026-11-20"]), ("instance", ["one", "two"]), ("model", ["m", "stub-1"])]
)
async def test_usage_by_day_is_by_utc_day(
    stubs: StubInstances, database: Database, at_noon: None, by: Any, keys: list[str]
) -> None:
    late = datetime(2026, 11, 18, 23, 59, 59, 999999, tzinfo=UTC)
    await fill(
        database,
        row(late, cost_micros=10),
        row(NOON, cost_micros=5, instance_id="two", model="m"),
        row(NOON, cost_micros=1),
        row(datetime(2026, 11, 21, tzinfo=UTC), cost_micros=100),
    )
    registry = stubs.registry({"one": {}})
    async with database.read() as connection:
        shown = await usage(connection, registry, Nobody(), by=by, since=None, until=None)
    assert sorted(entry.key for entry in shown.rows) == keys
    assert sum(entry.cost_micros or 0 for entry in shown.rows) == 16


@pytest.mark.anyio
async def test_percentiles_are_of_the_last_hours_good_calls(
    stubs: StubInstances, database: Database, at_noon: None
) -> None:
    times = [row(NOON - timedelta(seconds=number), elapsed_ms=number) for number in range(1, 101)]
    await fill(
        database,
        *times,
        row(NOON - timedelta(hours=2), elapsed_ms=90_000, cost_micros=7),
        row(NOON, outcome="error", code="unavailable", effect="none", elapsed_ms=90_000),
        row(NOON, outcome="skipped"),
    )
    async with database.read() as connection:
        registry = stubs.registry({"one": {}, "idle": {}})
        shown = {entry.instance_id: entry for entry in await health_strip(connection, registry)}
    one = shown["one"]
    assert (one.p50_ms, one.p95_ms, one.calls, one.success_rate) == (50, 95, 101, 100 / 101)
    assert one.last_error_at == NOON and one.last_success_at == NOON - timedelta(seconds=1)
    assert (one.calls_today, one.spent_today_micros, one.unknown_today) == (102, 7, 100)
    assert (shown["idle"].calls_today, shown["idle"].spent_today_micros) == (0, 0)


@pytest.mark.anyio
async def test_lists_take_the_same_statements_however_long_they_are(
    stubs: StubInstances, database: Database, at_noon: None
) -> None:
    registry = stubs.registry({name: {} for name in ("one", "two", "three", "four")})

    async def count(read: Callable[[Any], Any]) -> int:
        with statements() as counted:
            async with database.read() as connection:
                await read(connection)
        return len(counted)

    for rows in (1, 200):
        await fill(database, *(row(clock.now(), user_id=number) for number in range(rows)))
        assert await count(lambda connection: health_strip(connection, registry)) == 4
        page = {"kind": None, "instance": "one", "outcome": None, "cursor": None, "limit": 100}
        assert await count(lambda connection, page=page: attempts_page(connection, **page)) == 1
        by_user = {"by": "user", "since": None, "until": None}
        assert await count(lambda connection, by=by_user: usage(connection, registry, Nobody(), **by)) == 1


@pytest.mark.parametrize(
    ("values", "percent", "expected"), [([], 50, None), ([7], 95, 7), ([1, 2], 50, 1), ([1, 2, 3, 4], 95, 4)]
)
def test_a_percentile_is_a_value_that_was_measured(values: list[int], percent: int, expected: int | None) -> None:
    assert percentile(values, percent) == expected
