"""Budgets: reserved before a call, settled with its attempt, never lost."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import select

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.providers import IMAGE, CallAbandoned, Caller, CallOutcome, Instance, NoProviderAvailable, estimate
from kernel.providers.invariants import spending_adds_up, spending_is_not_negative
from kernel.providers.models import Attempt, Reservation, Spend
from kernel.providers.spending.budgets import Budgets, OverBudget, Planned, save_limits
from kernel.providers.spending.counters import Scope
from kernel.spi import ContentRefused, ImageCapabilities, ImageProvider, ImageResult, ProviderError, Unavailable
from tests.providers.conftest import REQUEST, NoControl, StubInstances
from tests.support.statements import statements

pytestmark = pytest.mark.anyio

Stub = Instance[ImageProvider, ImageCapabilities]
PRICE = 40_000


class Till:
    """Instances that cost 40,000 micros a picture, and what was spent on them."""

    def __init__(self, stubs: StubInstances, database: Database) -> None:
        self._stubs = stubs
        self.database = database
        self.caller = Caller(stubs.registry({}), database)

    async def opens(self, limits: Mapping[tuple[Scope, str], int], **modes: str) -> Caller:
        prices = {name: {"price_micros": PRICE} for name in modes}
        for name, mode in modes.items():
            (self._stubs.folder / name).mkdir(exist_ok=True)
            self._stubs.set_mode(name, mode)
        async with self.database.write() as session:
            await save_limits(session, limits)
        self.caller = Caller(self._stubs.registry(prices), self.database)
        return self.caller

    async def spent(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Return scope and subject → spent and reserved, after checking that it all adds up."""
        async with self.database.read() as connection:
            assert await spending_adds_up(connection) == []
            assert await spending_is_not_negative(connection) == []
            rows = await connection.execute(
                select(Spend.scope, Spend.subject, Spend.spent_micros, Spend.reserved_micros)
            )
            return {(row[0], row[1]): (row[2], row[3]) for row in rows}

    async def attempts(self) -> list[tuple[Any, ...]]:
        columns = (Attempt.instance_id, Attempt.outcome, Attempt.detail, Attempt.cost_micros, Attempt.held_micros)
        async with self.database.read() as connection:
            return [tuple(row) for row in await connection.execute(select(*columns).order_by(Attempt.id))]


@pytest.fixture
async def till(stubs: StubInstances, database: Database) -> Till:
    return Till(stubs, database)


def draw(chosen: Stub) -> Awaitable[ImageResult]:
    return chosen.provider.generate(REQUEST, NoControl())


async def call(
    caller: Caller, operation: Callable[[Stub], Awaitable[ImageResult]] = draw, **more: Any
) -> CallOutcome[ImageResult]:
    options: dict[str, Any] = {
        "name": "generate",
        "result_type": ImageResult,
        "repeatable": True,
        "estimate": lambda chosen: estimate(chosen.capabilities, REQUEST.size, prices=chosen.prices),
        "user_id": 7,
    }
    return await caller.call(IMAGE, operation, **options | more)


async def test_a_good_call_is_spent_by_site_instance_and_user(till: Till) -> None:
    await call(await till.opens({("site_month", ""): 1_000_000}, one="ok"))
    paid = (PRICE, 0)
    assert await till.spent() == {("site_month", ""): paid, ("instance_month", "one"): paid, ("user_day", "7"): paid}


async def test_what_was_spent_is_counted_without_any_budget_too(till: Till) -> None:
    await call(await till.opens({}, one="ok"))
    assert (await till.spent())["site_month", ""] == (PRICE, 0)


@pytest.mark.parametrize("mode", ["refused", "invalid", "unavailable", "rate_limited", "auth_failed"])
async def test_what_surely_was_not_done_is_given_back(till: Till, mode: str) -> None:
    caller = await till.opens({("site_month", ""): 1_000_000}, one=mode)
    with pytest.raises(ProviderError):
        await call(caller)
    assert (await till.spent())["site_month", ""] == (0, 0)


@pytest.mark.parametrize("mode", ["lost", "bug", "wrong_type"])
async def test_what_may_have_been_done_stays_spent_at_the_estimate(till: Till, mode: str) -> None:
    caller = await till.opens({("site_month", ""): 1_000_000}, one=mode)
    with pytest.raises(ProviderError):
        await call(caller)
    assert (await till.spent())["site_month", ""] == (PRICE, 0)
    assert [row[3:] for row in await till.attempts()] == [(None, PRICE)]


async def test_a_result_that_is_of_no_use_is_paid_all_the_same(till: Till) -> None:
    async def verify(made: ImageResult) -> None:
        raise Unavailable("not a picture")

    caller = await till.opens({("site_month", ""): 1_000_000}, one="ok")
    with pytest.raises(Unavailable):
        await call(caller, verify=verify)
    assert [row[1:] for row in await till.attempts()] == [("error", "not a picture", PRICE, None)]
    assert (await till.spent())["site_month", ""] == (PRICE, 0)


async def test_a_call_that_was_given_up_at_the_vendor_stays_spent(till: Till) -> None:
    async def leave(chosen: Stub) -> ImageResult:
        raise CallAbandoned

    caller = await till.opens({("site_month", ""): 1_000_000}, one="ok")
    with pytest.raises(CallAbandoned):
        await call(caller, leave)
    assert (await till.spent())["site_month", ""] == (PRICE, 0)


async def test_calls_at_once_cannot_share_the_last_cent(till: Till) -> None:
    caller = await till.opens({("site_month", ""): 5 * PRICE + PRICE // 2}, one="slow:0.05")
    done = await asyncio.gather(*(call(caller, user_id=number) for number in range(20)), return_exceptions=True)
    assert len([outcome for outcome in done if isinstance(outcome, CallOutcome)]) == 5
    refused = [outcome for outcome in done if isinstance(outcome, NoProviderAvailable)]
    assert len(refused) == 15 and {error.retry_after for error in refused} == {None}
    assert len(till._stubs.calls("one")) == 5
    assert (await till.spent())["site_month", ""] == (5 * PRICE, 0)


async def test_an_instance_without_budget_left_is_skipped_and_says_so(till: Till) -> None:
    caller = await till.opens({("instance_month", "one"): PRICE}, one="ok", two="ok")
    assert (await call(caller)).instance_id == "one"
    assert (await call(caller)).instance_id == "two"
    assert [row[:3] for row in await till.attempts()] == [
        ("one", "ok", ""),
        ("one", "skipped", "budget_reached"),
        ("two", "ok", ""),
    ]


async def test_a_site_without_budget_left_calls_nobody(till: Till) -> None:
    caller = await till.opens({("site_month", ""): PRICE - 1}, one="ok", two="ok")
    with pytest.raises(NoProviderAvailable) as caught:
        await call(caller)
    assert caught.value.retry_after is None
    assert caught.value.reasons == {"one": "budget_reached"}
    assert [row[:3] for row in await till.attempts()] == [("one", "skipped", "budget_reached")]
    assert till._stubs.calls("one") == till._stubs.calls("two") == []


async def test_a_resting_instance_is_worth_waiting_for_when_another_has_no_budget(till: Till) -> None:
    caller = await till.opens({("instance_month", "two"): PRICE - 1}, one="rate_limited:30", two="ok")
    with pytest.raises(ProviderError):
        await call(caller)
    with pytest.raises(NoProviderAvailable) as caught:
        await call(caller)
    assert caught.value.retry_after is not None


async def test_a_users_day_is_over_for_that_user_only(till: Till) -> None:
    caller = await till.opens({("user_day", ""): PRICE}, one="ok")
    await call(caller, user_id=1)
    with pytest.raises(NoProviderAvailable):
        await call(caller, user_id=1)
    assert (await call(caller, user_id=2)).instance_id == "one"


async def test_a_user_over_budget_is_refused_unless_a_service_may_be_free(till: Till) -> None:
    caller = await till.opens({("user_day", ""): PRICE}, one="ok")
    await call(caller, user_id=1)
    async with till.database.read() as connection:
        with pytest.raises(OverBudget) as caught:
            await caller.budgets.refuse_over_budget(connection, 1, [PRICE, 10 * PRICE])
        await caller.budgets.refuse_over_budget(connection, 1, [PRICE, None])
        await caller.budgets.refuse_over_budget(connection, 2, [PRICE])
    assert (caught.value.status, caught.value.code) == (402, "budget_reached")


async def test_what_has_no_known_price_is_not_limited(till: Till) -> None:
    caller = await till.opens({("site_month", ""): 0}, one="ok")
    assert (await call(caller, estimate=lambda can: None)).instance_id == "one"


async def test_without_a_budget_a_call_reads_and_reserves_nothing(till: Till) -> None:
    caller = await till.opens({}, one="ok")
    await call(caller)
    with statements() as made:
        await call(caller, estimate=None)
        await call(caller, estimate=lambda can: 0)
    assert made
    assert not [text for text in made if text.startswith(("DELETE", "SELECT"))]


async def test_a_call_that_was_lost_with_its_process_is_spent_when_its_time_is_over(
    till: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await till.opens({("site_month", ""): 1_000_000}, one="hang")
    started = asyncio.Event()

    async def hang(chosen: Stub) -> ImageResult:
        started.set()
        return await draw(chosen)

    lost = asyncio.create_task(call(caller, hang, job_id="job-9"))
    await started.wait()
    assert (await till.spent())["site_month", ""] == (0, PRICE)
    monkeypatch.setattr("kernel.providers.calls.attempt_log.AttemptLog.write", _nothing)
    lost.cancel()
    await asyncio.gather(lost, return_exceptions=True)
    other = Budgets(till.database)
    assert await other.expire() == 0
    later = clock.now_unix() + 3600
    monkeypatch.setattr("kernel.core.clock.now_unix", lambda: later)
    assert await asyncio.gather(other.expire(), other.expire()) in ([1, 0], [0, 1])
    assert (await till.spent())["site_month", ""] == (PRICE, 0)
    assert [row[1:] for row in await till.attempts()] == [
        ("abandoned", "the process ended during the call", None, PRICE)
    ]


async def test_a_lost_call_that_was_resumed_is_spent_once(till: Till, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = await till.opens({("site_month", ""): 1_000_000}, one="ok")
    planned = Planned(
        micros=50_000,
        instance_id="one",
        provider="stub",
        kind="image",
        operation="generate",
        job_id="job-9",
        user_id=7,
        lasts_s=10,
    )
    assert await caller.budgets.reserve(planned) is not None
    await call(caller, name="resume", estimate=None, job_id="job-9", instance_id="one")
    later = clock.now_unix() + 3600
    monkeypatch.setattr("kernel.core.clock.now_unix", lambda: later)
    assert await caller.budgets.expire() == 1
    assert (await till.spent())["site_month", ""] == (PRICE, 0)


@pytest.mark.parametrize("mode", ["lost", "slow:0"])
async def test_only_the_real_cost_remains_when_a_torn_call_is_fetched_later(till: Till, mode: str) -> None:
    caller = await till.opens({("site_month", ""): 1_000_000}, one=mode)

    async def leave(chosen: Stub) -> ImageResult:
        await draw(chosen)
        raise CallAbandoned

    prices = iter((50_001, 50_002))
    for _ in range(2):  # the vendor lost the first job, which may have cost something nevertheless
        with pytest.raises((ProviderError, CallAbandoned)):
            await call(caller, leave, job_id="job-9", estimate=lambda can: next(prices))
    assert (await till.spent())["site_month", ""] == (100_003, 0)
    till._stubs.set_mode("one", "ok")
    for _ in range(2):  # a worker that was presumed dead may return the same result
        await call(caller, name="resume", estimate=None, job_id="job-9", instance_id="one")
    assert (await till.spent())["user_day", "7"] == (50_001 + 2 * PRICE, 0)
    assert [row[3:] for row in await till.attempts()] == [(None, 50_001), (0, None), (PRICE, None), (PRICE, None)]


async def test_a_fetched_picture_of_unknown_cost_leaves_the_estimate(till: Till) -> None:
    caller = await till.opens({("site_month", ""): 1_000_000}, one="lost")
    with pytest.raises(ProviderError):
        await call(caller, job_id="job-9")
    till._stubs.set_mode("one", "ok")
    free = Caller(till._stubs.registry({"one": {}}), till.database)
    await call(free, name="resume", estimate=None, job_id="job-9", instance_id="one")
    assert (await till.spent())["site_month", ""] == (PRICE, 0)


async def _nothing(*_args: object) -> None:
    return None


async def test_a_new_limit_applies_once_it_was_read(till: Till) -> None:
    caller = await till.opens({}, one="ok")
    await call(caller)
    async with till.database.write() as session:
        await save_limits(session, {("site_month", ""): PRICE})
    await caller.budgets.refresh()
    with pytest.raises(NoProviderAvailable):
        await call(caller)


async def test_a_refusal_leaves_no_reservation_behind(till: Till) -> None:
    caller = await till.opens({("site_month", ""): 10 * PRICE, ("user_day", ""): PRICE - 1}, one="ok")
    with pytest.raises(NoProviderAvailable):
        await call(caller)
    async with till.database.read() as connection:
        assert (await connection.execute(select(Reservation.id))).all() == []
    assert set((await till.spent()).values()) <= {(0, 0)}


async def test_a_refused_picture_costs_nothing_and_is_not_passed_on(till: Till) -> None:
    caller = await till.opens({("site_month", ""): 1_000_000}, one="refused", two="ok")
    with pytest.raises(ContentRefused):
        await call(caller)
    assert (await till.spent())["site_month", ""] == (0, 0)
