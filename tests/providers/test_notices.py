"""Notices: once per incident, and resolved with the cause."""

import shutil
import time
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from kernel.core.data.database import Database
from kernel.providers import IMAGE, Caller, Declaration
from kernel.providers.models import Notice
from kernel.providers.notices.review import NoticeReview
from kernel.providers.notices.service import dismiss, open_notice
from kernel.providers.plugins.loader import Clash
from kernel.providers.spending.budgets import save_limits
from kernel.spi import ImageResult, ProviderError, Retirement
from tests.person import Person
from tests.product import Product
from tests.providers.conftest import REQUEST, NoControl, StubInstances
from tests.support.processes import wait_until


class NoticeHarness:
    """A caller, and the notices that its calls lead to."""

    def __init__(self, stubs: StubInstances, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.stubs = stubs
        self.database = database
        self.now = time.time()
        monkeypatch.setattr("kernel.core.clock.now_unix", lambda: self.now)
        self.caller = Caller(stubs.registry({}), database)

    def opens(self, **modes: str) -> None:
        for name, mode in modes.items():
            (self.stubs.folder / name).mkdir(exist_ok=True)
            self.stubs.set_mode(name, mode)
        self.caller = Caller(self.stubs.registry({name: {"price_micros": 100} for name in modes}), self.database)

    async def call(self, **more: Any) -> str:
        """Make one call and return the instance that answered, or the error."""
        try:
            outcome = await self.caller.call(
                IMAGE,
                lambda chosen: chosen.provider.generate(REQUEST, NoControl()),
                name="generate",
                result_type=ImageResult,
                repeatable=True,
                estimate=lambda chosen: chosen.capabilities.prices[0].micros,
                **more,
            )
        except ProviderError as error:
            return error.code
        return outcome.instance_id

    async def look(self, after_s: float = 0) -> None:
        """Advance the clock, then review notices."""
        self.now += after_s
        await self.caller.notices.flush()
        await NoticeReview(self.caller.registry, self.database, self.caller.notices).run()
        await self.caller.notices.flush()

    async def rows(self, *columns: str) -> list[tuple[Any, ...]]:
        async with self.database.read() as connection:
            chosen = [getattr(Notice, name) for name in columns]
            return [tuple(row) for row in await connection.execute(select(*chosen).order_by(Notice.id))]

    async def open(self) -> list[tuple[str, str, str]]:
        """Return kind, instance and code of open notices."""
        rows = await self.rows("kind", "instance_id", "code", "resolved_at")
        return [(kind, instance, code) for kind, instance, code, resolved in rows if resolved is None]


@pytest.fixture
async def harness(stubs: StubInstances, database: Database, monkeypatch: pytest.MonkeyPatch) -> NoticeHarness:
    return NoticeHarness(stubs, database, monkeypatch)


@pytest.mark.anyio
async def test_an_open_circuit_gives_one_notice(harness: NoticeHarness) -> None:
    harness.opens(one="unavailable unavailable unavailable unavailable ok")
    for _ in range(3):
        await harness.call()
    await harness.look()
    assert await harness.open() == [("instance_down", "one", "unavailable")]
    harness.now += 6
    await harness.call()
    await harness.look(6)
    assert await harness.rows("kind", "count") == [("instance_down", 1)]
    harness.now += 20
    assert await harness.call() == "one"
    await harness.look(6)
    assert await harness.open() == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("auth_failed", ("needs_attention", "one", "auth_failed")),
        ("settings", ("needs_attention", "one", "settings_invalid")),
        ("quota", ("quota_exhausted", "one", "quota_exhausted")),
        ("rate_limited:3600", ("instance_down", "one", "rate_limited")),
    ],
)
async def test_what_only_an_administrator_can_put_right_is_told_at_once(
    harness: NoticeHarness, mode: str, expected: tuple[str, str, str]
) -> None:
    harness.opens(one=mode)
    await harness.call()
    await harness.look(6)
    assert await harness.open() == [expected]
    instance = harness.caller.registry.instance("one")
    assert instance is not None
    instance.health.reset()
    await harness.look(6)
    assert await harness.open() == []


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["refused", "invalid", "unsupported", "rate_limited:5"])
async def test_what_is_nobodys_trouble_is_not_told(harness: NoticeHarness, mode: str) -> None:
    harness.opens(one=mode)
    for _ in range(4):
        harness.now += 10
        await harness.call()
    await harness.look()
    assert await harness.open() == []


@pytest.mark.anyio
async def test_a_broken_plugin_is_named(harness: NoticeHarness) -> None:
    harness.opens(one="bug")
    await harness.call()
    await harness.look()
    [(kind, params)] = await harness.rows("kind", "params")
    assert kind == "provider_bug"
    assert params["plugin"].startswith("stub_image") and params["label"] == "one"


@pytest.mark.anyio
async def test_a_fallback_gives_one_notice_per_incident(harness: NoticeHarness) -> None:
    harness.opens(one="unavailable unavailable ok", two="ok")
    assert [await harness.call(), await harness.call()] == ["two", "two"]
    await harness.look()
    assert await harness.rows("kind", "instance_id", "code", "count") == [("fallback_used", "one", "unavailable", 2)]
    harness.now += 1
    assert await harness.call() == "one"
    await harness.look(60)
    assert len(await harness.open()) == 1  # it may fail again at any time
    await harness.look(600)
    assert await harness.open() == []


@pytest.mark.anyio
async def test_notices_of_an_instance_that_was_removed_are_over(harness: NoticeHarness) -> None:
    harness.opens(one="unavailable", two="ok")
    await harness.call()
    await harness.look()
    assert await harness.open() == [("fallback_used", "one", "unavailable")]
    harness.opens(two="ok")
    await harness.look(6)
    assert await harness.open() == []


@pytest.mark.anyio
async def test_a_dispute_notice_lasts_until_its_deadline(harness: NoticeHarness) -> None:
    harness.opens(one="ok")
    async with harness.database.write() as session:
        await open_notice(session, "payment_disputed", "one", "du_1", label="One", ref="du_1")
    await harness.look(20 * 86_400)
    assert await harness.open() == [("payment_disputed", "one", "du_1")]
    await harness.look(2 * 86_400)
    assert await harness.open() == []


@pytest.mark.anyio
async def test_an_instance_that_cannot_do_it_is_no_fallback(harness: NoticeHarness) -> None:
    harness.opens(one="unsupported", two="ok")
    assert await harness.call() == "two"
    await harness.look()
    assert await harness.open() == []


@pytest.mark.anyio
async def test_settings_that_are_not_in_use_are_told_until_they_are(harness: NoticeHarness) -> None:
    harness.opens(one="ok")
    registry = harness.caller.registry

    def save(references: int) -> None:
        declarations = [
            Declaration(
                id=entry.id,
                kind=entry.kind,
                provider=entry.provider_id,
                label=entry.label,
                settings={**entry.declaration.settings, **({"references": references} if entry.id == "one" else {})},
            )
            for entry in registry.snapshot.instances.values()
        ]
        registry.publish(registry.build_snapshot(declarations, registry.snapshot.failover_orders))

    save(-1)
    await harness.look()
    assert await harness.open() == [("update_failed", "one", "settings_not_in_use")]
    save(2)
    await harness.look(6)
    assert await harness.open() == []


@pytest.mark.anyio
async def test_an_instance_that_cannot_be_built_needs_attention(harness: NoticeHarness) -> None:
    harness.caller = Caller(harness.stubs.registry({"one": {"references": -1}}), harness.database)
    await harness.look()
    assert await harness.open() == [("needs_attention", "one", "needs_attention")]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("days", "code"),
    [(61, None), (60, "retires_in_60_days"), (30, "retires_in_30_days"), (7, "retires_in_7_days"), (-1, "retired")],
)
async def test_a_retiring_model_gives_a_notice_in_time(harness: NoticeHarness, days: int, code: str | None) -> None:
    harness.opens(one="ok")
    _retire(harness, days)
    await harness.look()
    assert await harness.open() == ([("model_retiring", "one", code)] if code else [])


@pytest.mark.anyio
async def test_a_dismissed_notice_shows_again_only_when_it_gets_worse(harness: NoticeHarness) -> None:
    harness.opens(one="ok")
    _retire(harness, 31)
    await harness.look()
    [(notice_id,)] = await harness.rows("id")
    async with harness.database.write() as session:
        await dismiss(session, notice_id)
    await harness.look(10)
    assert await harness.rows("code", "count", "resolved_at") == [("retires_in_60_days", 1, None)]
    assert (await harness.rows("dismissed_at"))[0][0] is not None
    _retire(harness, 30)
    await harness.look(10)
    assert await harness.rows("code", "dismissed_at") == [("retires_in_30_days", None)]


@pytest.mark.anyio
async def test_a_budget_notice_appears_at_80_percent_and_when_spent(harness: NoticeHarness) -> None:
    harness.opens(one="ok")
    async with harness.database.write() as session:
        await save_limits(session, {("instance_month", "one"): 500, ("site_month", ""): 100_000})
    for _ in range(3):
        await harness.call()
    await harness.look()
    assert await harness.open() == []
    await harness.call()
    await harness.look()
    assert await harness.open() == [("budget_reached", "one", "near")]
    await harness.call()
    await harness.look()
    assert await harness.open() == [("budget_reached", "one", "reached")]
    harness.now = (datetime.fromtimestamp(harness.now, UTC).replace(day=1) + timedelta(days=40)).timestamp()
    await harness.look()
    assert await harness.open() == []


@pytest.mark.anyio
async def test_a_call_beyond_the_budget_is_refused_before_it_is_spent(harness: NoticeHarness) -> None:
    harness.opens(one="ok", two="ok")
    async with harness.database.write() as session:
        await save_limits(session, {("instance_month", "one"): 150})
    assert [await harness.call(), await harness.call()] == ["one", "two"]
    await harness.look()
    assert await harness.open() == [("budget_reached", "one", "reached")]


@pytest.mark.anyio
async def test_a_disk_without_room_is_told_until_there_is_some(
    harness: NoticeHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    config = harness.caller.registry.config
    config.data_dir.mkdir(exist_ok=True)
    least = config.pictures.min_free_bytes
    review = NoticeReview(harness.caller.registry, harness.database, harness.caller.notices)
    usage = shutil.disk_usage
    for free, told in ((least, []), (least - 1, ["disk_full"]), (0, ["disk_full"]), (least, [])):
        # of this folder only: products that run in the same process look at theirs
        monkeypatch.setattr(
            "shutil.disk_usage",
            lambda path, free=free: SimpleNamespace(free=free) if path == config.data_dir else usage(path),
        )
        harness.now += 20
        await review.run()
        await harness.caller.notices.flush()
        assert [kind for kind, _, _ in await harness.open()] == told
    assert len([line for line in caplog.messages if "no cover is made" in line]) == 1


@pytest.mark.anyio
async def test_of_many_at_once_one_notice_is_opened(harness: NoticeHarness) -> None:
    harness.opens(one="ok")
    others = [Caller(harness.caller.registry, harness.database) for _ in range(5)]
    for caller in others:
        caller.notices.add("instance_down", "one", "unavailable", label="One")
    for caller in others:
        await caller.notices.flush()
    assert await harness.rows("kind", "count") == [("instance_down", 5)]


def _retire(harness: NoticeHarness, days: int) -> None:
    instance: Any = harness.caller.registry.instance("one")
    day = (datetime.fromtimestamp(harness.now, UTC).date() + timedelta(days=days)).isoformat()
    assert date.fromisoformat(day)
    soon = Retirement(model="stub-1", day=day, replacement="stub-2")
    instance._capabilities = msgspec.structs.replace(instance.capabilities, retirements=(soon,))


def test_administrators_see_notices_and_put_them_away(unreliable: Product, admin: Person) -> None:
    unreliable.stub.does("unavailable", "ok")
    unreliable.user().cover()

    def told() -> list[dict[str, Any]]:
        return [
            notice
            for notice in admin.get("/api/admin/notices?open=true").json()
            if (notice["kind"], notice["instanceId"]) == ("fallback_used", "stub")
        ]

    [notice] = wait_until(told, "a notice of the fallback", 20)
    assert notice["code"] == "unavailable" and notice["params"]["standIn"] == "Spare"
    assert notice["count"] >= 1 and notice["resolvedAt"] is None
    assert admin.post(f"/api/admin/notices/{notice['id']}/dismiss").status_code == 204
    assert told() == []
    assert notice["id"] in [entry["id"] for entry in admin.get("/api/admin/notices").json()]


@pytest.mark.anyio
async def test_a_plugin_that_claims_what_another_has_is_a_notice(harness: NoticeHarness) -> None:
    harness.opens(one="ok")
    plugins = harness.caller.registry.plugins
    clash = Clash(plugin="evil", distribution="evil-things", claimed="image:stub", holder="stub_image")
    plugins.clashes = (clash,)  # type: ignore[misc]  # these plugins are read for every test
    try:
        await harness.look()
        assert await harness.open() == [("plugin_clash", "", "taken")]
        assert await harness.rows("params") == [
            ({"label": "evil-things", "claimed": "image:stub", "holder": "stub_image"},)
        ]
    finally:
        plugins.clashes = ()  # type: ignore[misc]
    await harness.look(6)
    assert await harness.open() == []
