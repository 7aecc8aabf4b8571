"""What one process learns about an instance, all know within a moment; calls never read the database for it."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from kernel.core.data.database import Database
from kernel.core.queue.server import QueueServer
from kernel.providers import IMAGE, Caller, Declaration, NoProviderAvailable, Registry
from kernel.providers.models import Notice, ProviderCheck
from kernel.providers.monitoring.monitor import CHECK_EVERY_S, FIRST_CHECK_S, Monitor
from kernel.providers.monitoring.shared_health import SharedHealth
from kernel.spi import CheckReport, CheckStep, ImageResult, ProviderError, Unavailable
from tests.providers.conftest import REQUEST, NoControl, StubInstances

pytestmark = pytest.mark.anyio


class Process:
    """One of several processes: its own registry, caller and monitor on the same database."""

    def __init__(self, stubs: StubInstances, database: Database, redis: "Claims", *names: str) -> None:
        self.registry: Registry = stubs.registry({name: {} for name in names})
        self.caller = Caller(self.registry, database)
        self.shared = SharedHealth(self.registry, database)
        self.watch = Monitor(self.caller, database, QueueServer(redis), (self.caller.notices.flush,), 400)

    def state(self, name: str) -> str:
        instance = self.registry.instance(name)
        assert instance is not None
        return instance.health.state

    async def call(self) -> None:
        await self.caller.call(
            IMAGE,
            lambda chosen: chosen.provider.generate(REQUEST, NoControl()),
            name="generate",
            result_type=ImageResult,
            repeatable=True,
        )

    async def fail(self, times: int) -> None:
        for _ in range(times):
            with pytest.raises(ProviderError):
                await self.call()


class Claims:
    """The queue server as far as the monitor uses it."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    async def set(self, name: str, value: int, *, nx: bool, ex: int) -> bool | None:
        if name in self.taken:
            return None
        self.taken.add(name)
        return True


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.time()
        monkeypatch.setattr("kernel.core.clock.now_unix", lambda: self.now)

    def advance(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def claims() -> Claims:
    return Claims()


Pair = tuple[Process, Process]


@pytest.fixture
async def pair(stubs: StubInstances, database: Database, moment: Clock, claims: Claims) -> Pair:
    return Process(stubs, database, claims, "one"), Process(stubs, database, claims, "one")


async def test_a_circuit_that_opens_here_is_open_there(stubs: StubInstances, pair: Pair) -> None:
    here, there = pair
    stubs.set_mode("one", "unavailable")
    await here.fail(3)
    await here.shared.exchange()
    await there.shared.exchange()
    assert there.state("one") == "down"
    with pytest.raises(NoProviderAvailable) as caught:
        await there.call()
    assert caught.value.retry_after == 5
    assert len(stubs.calls("one")) == 3


async def test_calls_that_fail_together_close_it_for_no_longer_than_three(stubs: StubInstances, pair: Pair) -> None:
    here, _ = pair
    under_way, all_there = 0, asyncio.Event()

    async def fails_with_the_others(_: object) -> ImageResult:
        nonlocal under_way
        under_way += 1
        if under_way == 8:
            all_there.set()
        await all_there.wait()
        raise Unavailable("the link is cut")

    calls = [
        here.caller.call(IMAGE, fails_with_the_others, name="generate", result_type=ImageResult, repeatable=True)
        for _ in range(8)
    ]
    ends = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(end) for end in ends} == {Unavailable}
    with pytest.raises(NoProviderAvailable) as caught:
        await here.call()
    assert caught.value.retry_after == 5


async def test_a_successful_probe_closes_the_circuit_everywhere(
    stubs: StubInstances, pair: Pair, moment: Clock
) -> None:
    here, there = pair
    stubs.set_mode("one", "unavailable unavailable unavailable ok")
    await here.fail(3)
    await here.shared.exchange()
    await there.shared.exchange()
    moment.advance(6)
    await there.call()
    await there.shared.exchange()
    await here.shared.exchange()
    assert here.state("one") == "up"


async def test_an_administrators_good_check_resets_it_everywhere_even_where_it_was_never_known(
    stubs: StubInstances, pair: Pair, moment: Clock
) -> None:
    here, there = pair
    stubs.set_mode("one", "auth_failed")
    await here.fail(1)
    await here.shared.exchange()
    moment.advance(0.001)
    instance = there.registry.instance("one")
    assert instance is not None and instance.health.state == "up"
    instance.health.reset()
    await there.shared.exchange()
    await here.shared.exchange()
    assert here.state("one") == there.state("one") == "up"


async def test_new_settings_start_afresh_everywhere(stubs: StubInstances, pair: Pair, moment: Clock) -> None:
    here, there = pair
    stubs.set_mode("one", "auth_failed")
    await here.fail(1)
    for process in (here, there, here):
        await process.shared.exchange()
    assert there.state("one") == "attention"
    moment.advance(1)
    for process in pair:
        _change(process.registry, references=2)
        await process.shared.exchange()
    assert here.state("one") == there.state("one") == "up"
    for process in pair:
        await process.shared.exchange()
    assert here.state("one") == there.state("one") == "up"


async def test_a_process_that_starts_later_knows_what_the_others_know(
    stubs: StubInstances, database: Database, pair: Pair, claims: Claims
) -> None:
    here, _ = pair
    stubs.set_mode("one", "unavailable")
    await here.fail(3)
    await here.shared.exchange()
    late = Process(stubs, database, claims, "one")
    await late.shared.exchange()
    assert late.state("one") == "down"


async def test_the_later_word_holds_whatever_is_written_first(stubs: StubInstances, pair: Pair, moment: Clock) -> None:
    here, there = pair
    stubs.set_mode("one", "rate_limited:30")
    await here.fail(1)
    moment.advance(1)
    instance = there.registry.instance("one")
    assert instance is not None
    instance.health.reset()
    await there.shared.exchange()
    await here.shared.exchange()
    await there.shared.exchange()
    assert here.state("one") == there.state("one") == "up"


async def test_a_healthy_instance_costs_no_writes(pair: Pair, database: Database) -> None:
    here, _ = pair
    for _ in range(3):
        await here.call()
    instance = here.registry.instance("one")
    assert instance is not None and not instance.health.unshared


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Set the result of the stub's check, and list the checks of "one" that were made.

    A product that runs in the tests' process, for other tests, goes by the same clock and checks its stubs, too.
    """

    def answer(*steps: CheckStep) -> list[str]:
        made: list[str] = []

        async def check(self: Any) -> CheckReport:
            if self._context.instance_id == "one":
                made.append("one")
            return CheckReport(steps=steps)

        monkeypatch.setattr("tests.stub_image.provider.StubImage.check", check)
        return made

    return answer


async def look(*processes: Process) -> None:
    """Run each monitor once, and wait for the checks that it began."""
    for process in processes:
        await process.watch._maintain()
    await asyncio.gather(*(task for process in processes for task in process.watch._checking))
    for process in processes:
        await process.watch.flush()


GOOD = CheckStep(name="key", status="ok")
Checks = Callable[..., list[str]]


async def test_routed_instances_are_checked_every_quarter_of_an_hour_by_one_process(
    pair: Pair, moment: Clock, checks: Checks
) -> None:
    made = checks(GOOD)
    await look(*pair)
    assert made == []
    moment.advance(FIRST_CHECK_S)
    await look(*pair)
    await look(*pair)
    assert made == ["one"]
    for _ in range(4):
        moment.advance(CHECK_EVERY_S)
        await look(*pair)
    assert made == ["one"] * 5


async def test_how_a_check_went_is_kept(pair: Pair, moment: Clock, checks: Checks, database: Database) -> None:
    checks(GOOD)
    moment.advance(FIRST_CHECK_S)
    await look(pair[0])
    assert await _kept(database) == {"one": True, "disk": True}


async def test_three_failures_cause_a_check_at_once(
    stubs: StubInstances, pair: Pair, moment: Clock, checks: Checks
) -> None:
    made = checks(GOOD)
    moment.advance(FIRST_CHECK_S)
    await look(*pair)
    made.clear()
    stubs.set_mode("one", "unavailable")
    await pair[0].fail(3)
    await pair[0].shared.exchange()
    await pair[1].shared.exchange()
    await look(*pair)
    await look(*pair)
    assert made == ["one"]
    assert pair[0].state("one") == "down"  # the vendor answers, but the service behind it may still be down


async def test_a_good_regular_check_closes_the_circuit_everywhere(
    stubs: StubInstances, pair: Pair, moment: Clock, checks: Checks
) -> None:
    made = checks(GOOD)
    moment.advance(FIRST_CHECK_S)
    stubs.set_mode("one", "auth_failed")
    await pair[0].fail(1)
    await look(*pair)
    moment.advance(CHECK_EVERY_S)
    await look(*pair)
    await look(*pair)
    assert made and {process.state("one") for process in pair} == {"up"}


@pytest.mark.parametrize(("mode", "state"), [("rate_limited:2000", "limited"), ("quota", "attention")])
async def test_a_good_regular_check_ends_no_limit_and_fills_no_account(
    stubs: StubInstances, pair: Pair, moment: Clock, checks: Checks, mode: str, state: str
) -> None:
    made = checks(GOOD)
    moment.advance(FIRST_CHECK_S)
    stubs.set_mode("one", mode)
    await pair[0].fail(1)
    await look(*pair)
    moment.advance(CHECK_EVERY_S)
    await look(*pair)
    assert made and pair[0].state("one") == state


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (CheckStep(name="key", status="fail", detail="not accepted", field="api_key"), "needs_attention"),
        (CheckStep(name="reach", status="fail", detail="no answer"), "instance_down"),
    ],
)
async def test_a_check_that_fails_tells_administrators_and_stops_no_calls(
    pair: Pair, moment: Clock, checks: Checks, database: Database, step: CheckStep, kind: str
) -> None:
    checks(step)
    moment.advance(FIRST_CHECK_S)
    await look(*pair)
    assert await _notices(database) == [(kind, "one", "check_failed", True)]
    await pair[0].call()
    checks(GOOD)
    moment.advance(CHECK_EVERY_S)
    await look(*pair)
    moment.advance(60)
    await look(*pair)
    assert await _notices(database) == [(kind, "one", "check_failed", False)]


async def test_what_is_long_over_is_forgotten(pair: Pair, moment: Clock, checks: Checks, database: Database) -> None:
    checks(CheckStep(name="key", status="fail", field="api_key"))
    moment.advance(FIRST_CHECK_S)
    await look(*pair)
    checks(GOOD)
    moment.advance(CHECK_EVERY_S)
    await look(*pair)
    moment.advance(60)
    await look(*pair)
    assert len(await _notices(database)) == 1
    moment.advance(91 * 86_400)
    await look(*pair)
    assert await _notices(database) == []


async def test_without_a_queue_server_nothing_is_checked_and_notices_are_still_minded(
    stubs: StubInstances, database: Database, moment: Clock, checks: Checks
) -> None:
    class Away(Claims):
        async def set(self, name: str, value: int, *, nx: bool, ex: int) -> bool | None:
            raise ConnectionError

    process = Process(stubs, database, Away(), "one")
    made = checks(GOOD)
    moment.advance(FIRST_CHECK_S)
    _change(process.registry, references=-1)
    await look(process)
    assert made == []
    assert [row[:3] for row in await _notices(database)] == [("update_failed", "one", "settings_not_in_use")]


async def _kept(database: Database) -> dict[str, bool]:
    async with database.read() as connection:
        rows = await connection.execute(select(ProviderCheck.instance_id, ProviderCheck.ok))
        return {row[0]: row[1] for row in rows}


async def _notices(database: Database) -> list[tuple[Any, ...]]:
    async with database.read() as connection:
        columns = (Notice.kind, Notice.instance_id, Notice.code, Notice.resolved_at.is_(None))
        return [tuple(row) for row in await connection.execute(select(*columns).order_by(Notice.id))]


def _change(registry: Registry, **settings: Any) -> None:
    """Change the settings of the one instance, as an administrator would."""
    declarations = []
    for instance in registry.snapshot.instances.values():
        declared = instance.declaration
        more = settings if instance.id == "one" else {}
        declarations.append(
            Declaration(
                id=declared.id,
                kind=declared.kind,
                provider=declared.provider,
                label=declared.label,
                settings={**declared.settings, **more},
            )
        )
    registry.publish(registry.build_snapshot(declarations, registry.snapshot.failover_orders))
