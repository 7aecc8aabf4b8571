"""Notices: once per incident, and gone when the cause is."""

import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from kernel.core.database import Database
from kernel.providers import IMAGE, Caller, Declaration
from kernel.providers.operation.budgets import save_limits
from kernel.providers.operation.models import Notice
from kernel.providers.operation.notices import dismiss, open_notice
from kernel.providers.operation.review import Review
from kernel.spi import ImageResult, ProviderError, Retirement
from tests.person import Person
from tests.product import Product
from tests.providers.conftest import REQUEST, NoControl, World
from tests.support.processes import wait_until


class Room:
    """A caller, and the notices that its calls lead to."""

    def __init__(self, world: World, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.database = database
        self.now = time.time()
        monkeypatch.setattr("kernel.core.clock.now_unix", lambda: self.now)
        self.caller = Caller(world.registry({}), database)

    def opens(self, **modes: str) -> None:
        for name, mode in modes.items():
            (self.world.folder / name).mkdir(exist_ok=True)
            self.world.set_mode(name, mode)
        self.caller = Caller(self.world.registry({name: {"price_micros": 100} for name in modes}), self.database)

    async def call(self, **more: Any) -> str:
        """Make one call and return who answered, or what went wrong."""
        try:
            outcome = await self.caller.call(
                IMAGE,
                lambda chosen: chosen.provider.generate(REQUEST, NoControl()),
                name="generate",
                result_type=ImageResult,
                repeatable=True,
                estimate=lambda can: can.prices[0].micros,
                **more,
            )
        except ProviderError as error:
            return error.code
        return outcome.instance_id

    async def look(self, after_s: float = 0) -> None:
        """Let time pass, then look after notices."""
        self.now += after_s
        await self.caller.notices.flush()
        await Review(self.caller.registry, self.database, self.caller.notices).run()
        await self.caller.notices.flush()

    async def rows(self, *columns: str) -> list[tuple[Any, ...]]:
        async with self.database.read() as connection:
            chosen = [getattr(Notice, name) for name in columns]
            return [tuple(row) for row in await connection.execute(select(*chosen).order_by(Notice.id))]

    async def open(self) -> list[tuple[str, str, str]]:
        """Return kind, instance and code of what goes on."""
        rows = await self.rows("kind", "instance_id", "code", "resolved_at")
        return [(kind, instance, code) for kind, instance, code, resolved in rows if resolved is None]


@pytest.fixture
async def room(world: World, database: Database, monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(world, database, monkeypatch)


@pytest.mark.anyio
async def test_a_circuit_that_opens_is_told_once_until_it_closes(room: Room) -> None:
    room.opens(one="unavailable unavailable unavailable unavailable ok")
    for _ in range(3):
        await room.call()
    await room.look()
    assert await room.open() == [("instance_down", "one", "unavailable")]
    room.now += 6
    await room.call()
    await room.look(6)
    assert await room.rows("kind", "count") == [("instance_down", 1)]
    room.now += 20
    assert await room.call() == "one"
    await room.look(6)
    assert await room.open() == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("auth_failed", ("needs_attention", "one", "auth_failed")),
        ("settings", ("needs_attention", "one", "settings_invalid")),
        ("quota", ("quota_exhausted", "one", "quota_exhausted")),
    ],
)
async def test_what_only_an_administrator_can_put_right_is_told_at_once(
    room: Room, mode: str, expected: tuple[str, str, str]
) -> None:
    room.opens(one=mode)
    await room.call()
    await room.look(6)
    assert await room.open() == [expected]
    instance = room.caller.registry.instance("one")
    assert instance is not None
    instance.health.reset()
    await room.look(6)
    assert await room.open() == []


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["refused", "invalid", "unsupported", "rate_limited:5"])
async def test_what_is_nobodys_trouble_is_not_told(room: Room, mode: str) -> None:
    room.opens(one=mode)
    for _ in range(4):
        room.now += 10
        await room.call()
    await room.look()
    assert await room.open() == []


@pytest.mark.anyio
async def test_a_broken_plugin_is_named(room: Room) -> None:
    room.opens(one="bug")
    await room.call()
    await room.look()
    [(kind, params)] = await room.rows("kind", "params")
    assert kind == "provider_bug"
    assert params["plugin"].startswith("stub_image") and params["label"] == "one"


@pytest.mark.anyio
async def test_a_fallback_that_worked_is_told_once_per_incident(room: Room) -> None:
    room.opens(one="unavailable unavailable ok", two="ok")
    assert [await room.call(), await room.call()] == ["two", "two"]
    await room.look()
    assert await room.rows("kind", "instance_id", "code", "count") == [("fallback_used", "one", "unavailable", 2)]
    room.now += 1
    assert await room.call() == "one"
    await room.look(60)
    assert len(await room.open()) == 1  # it may fail again any moment
    await room.look(600)
    assert await room.open() == []


@pytest.mark.anyio
async def test_notices_of_an_instance_that_was_removed_are_over(room: Room) -> None:
    room.opens(one="unavailable", two="ok")
    await room.call()
    await room.look()
    assert await room.open() == [("fallback_used", "one", "unavailable")]
    room.opens(two="ok")
    await room.look(6)
    assert await room.open() == []


@pytest.mark.anyio
async def test_a_dispute_is_told_for_as_long_as_it_can_be_answered(room: Room) -> None:
    room.opens(one="ok")
    async with room.database.write() as session:
        await open_notice(session, "payment_disputed", "one", "du_1", label="One", ref="du_1")
    await room.look(20 * 86_400)
    assert await room.open() == [("payment_disputed", "one", "du_1")]
    await room.look(2 * 86_400)
    assert await room.open() == []


@pytest.mark.anyio
async def test_an_instance_that_cannot_do_it_is_no_fallback(room: Room) -> None:
    room.opens(one="unsupported", two="ok")
    assert await room.call() == "two"
    await room.look()
    assert await room.open() == []


@pytest.mark.anyio
async def test_settings_that_are_not_in_use_are_told_until_they_are(room: Room) -> None:
    room.opens(one="ok")
    registry = room.caller.registry

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
        registry.publish(registry.build_snapshot(declarations, registry.snapshot.routes))

    save(-1)
    await room.look()
    assert await room.open() == [("update_failed", "one", "settings_not_in_use")]
    save(2)
    await room.look(6)
    assert await room.open() == []


@pytest.mark.anyio
async def test_an_instance_that_cannot_be_built_needs_attention(room: Room) -> None:
    room.caller = Caller(room.world.registry({"one": {"references": -1}}), room.database)
    await room.look()
    assert await room.open() == [("needs_attention", "one", "needs_attention")]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("days", "code"),
    [(61, None), (60, "retires_in_60_days"), (30, "retires_in_30_days"), (7, "retires_in_7_days"), (-1, "retired")],
)
async def test_a_model_that_ends_is_told_in_time(room: Room, days: int, code: str | None) -> None:
    room.opens(one="ok")
    _retire(room, days)
    await room.look()
    assert await room.open() == ([("model_retiring", "one", code)] if code else [])


@pytest.mark.anyio
async def test_a_dismissed_notice_shows_again_only_when_it_gets_worse(room: Room) -> None:
    room.opens(one="ok")
    _retire(room, 31)
    await room.look()
    [(notice_id,)] = await room.rows("id")
    async with room.database.write() as session:
        await dismiss(session, notice_id)
    await room.look(10)
    assert await room.rows("code", "count", "resolved_at") == [("retires_in_60_days", 1, None)]
    assert (await room.rows("dismissed_at"))[0][0] is not None
    _retire(room, 30)
    await room.look(10)
    assert await room.rows("code", "dismissed_at") == [("retires_in_30_days", None)]


@pytest.mark.anyio
async def test_a_budget_is_told_at_80_percent_and_when_it_is_spent(room: Room) -> None:
    room.opens(one="ok")
    async with room.database.write() as session:
        await save_limits(session, {("instance_month", "one"): 500, ("site_month", ""): 100_000})
    for _ in range(3):
        await room.call()
    await room.look()
    assert await room.open() == []
    await room.call()
    await room.look()
    assert await room.open() == [("budget_reached", "one", "near")]
    await room.call()
    await room.look()
    assert await room.open() == [("budget_reached", "one", "reached")]
    room.now = (datetime.fromtimestamp(room.now, UTC).replace(day=1) + timedelta(days=40)).timestamp()
    await room.look()
    assert await room.open() == []


@pytest.mark.anyio
async def test_a_call_without_room_is_told_before_all_is_spent(room: Room) -> None:
    room.opens(one="ok", two="ok")
    async with room.database.write() as session:
        await save_limits(session, {("instance_month", "one"): 150})
    assert [await room.call(), await room.call()] == ["one", "two"]
    await room.look()
    assert await room.open() == [("budget_reached", "one", "reached")]


@pytest.mark.anyio
async def test_of_many_at_once_one_notice_is_opened(room: Room) -> None:
    room.opens(one="ok")
    others = [Caller(room.caller.registry, room.database) for _ in range(5)]
    for caller in others:
        caller.notices.tell("instance_down", "one", "unavailable", label="One")
    for caller in others:
        await caller.notices.flush()
    assert await room.rows("kind", "count") == [("instance_down", 5)]


def _retire(room: Room, days: int) -> None:
    instance: Any = room.caller.registry.instance("one")
    day = (datetime.fromtimestamp(room.now, UTC).date() + timedelta(days=days)).isoformat()
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
