"""One call: failover, limits, translated errors, recorded attempts."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import select

from kernel.core.data.database import Base, Database
from kernel.providers import IMAGE, CallAbandoned, Caller, CallOutcome, Instance, NoProviderAvailable
from kernel.providers.models import Attempt
from kernel.spi import (
    AuthFailed,
    ContentRefused,
    DeadlineExceeded,
    Effect,
    ImageCapabilities,
    ImageProvider,
    ImageResult,
    InvalidRequest,
    KernelEvent,
    ProviderBug,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    SettingsInvalid,
    Unavailable,
    Unsupported,
)
from tests.providers.conftest import REQUEST, NoControl, StubInstances

pytestmark = pytest.mark.anyio

Stub = Instance[ImageProvider, ImageCapabilities]


def draw(chosen: Stub) -> Awaitable[ImageResult]:
    return chosen.provider.generate(REQUEST, NoControl())


async def call(
    caller: Caller, operation: Callable[[Stub], Awaitable[ImageResult]] = draw, **more: Any
) -> CallOutcome[ImageResult]:
    options: dict[str, Any] = {"name": "generate", "result_type": ImageResult, "repeatable": True, **more}
    return await caller.call(IMAGE, operation, **options)


async def test_the_first_instance_answers(stubs: StubInstances) -> None:
    outcome = await call(stubs.caller(one="ok", two="ok"))
    assert outcome.instance_id == "one"
    assert outcome.result.images[0].data.startswith(b"\x89PNG")
    assert stubs.calls("two") == []


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("refused", ContentRefused),
        ("invalid", InvalidRequest),
    ],
)
async def test_what_is_the_users_fault_is_not_passed_on(
    stubs: StubInstances, mode: str, expected: type[ProviderError]
) -> None:
    with pytest.raises(expected):
        await call(stubs.caller(one=mode, two="ok"))
    assert stubs.calls("two") == []


@pytest.mark.parametrize(
    ("mode", "code"),
    [
        ("unavailable", "unavailable"),
        ("lost", "unavailable"),
        ("rate_limited:3", "rate_limited"),
        ("auth_failed", "auth_failed"),
        ("quota", "quota_exhausted"),
        ("settings", "settings_invalid"),
        ("unsupported", "unsupported"),
        ("bug", "provider_bug"),
        ("exit", "provider_bug"),
        ("wrong_type", "provider_bug"),
    ],
)
async def test_what_another_instance_may_do_better_is_passed_on(stubs: StubInstances, mode: str, code: str) -> None:
    outcome = await call(stubs.caller(one=mode, two="ok"))
    assert outcome.instance_id == "two"
    assert [(entry.instance_id, entry.outcome, entry.code) for entry in outcome.attempts] == [
        ("one", "error", code),
        ("two", "ok", None),
    ]


@pytest.mark.parametrize("mode", ["lost", "bug", "exit", "wrong_type"])
async def test_what_may_have_happened_is_not_repeated_unless_that_is_safe(stubs: StubInstances, mode: str) -> None:
    with pytest.raises(ProviderError) as caught:
        await call(stubs.caller(one=mode, two="ok"), repeatable=False)
    assert caught.value.effect is Effect.UNKNOWN
    assert stubs.calls("two") == []


async def test_what_surely_did_not_happen_is_passed_on_even_if_it_must_not_repeat(stubs: StubInstances) -> None:
    outcome = await call(stubs.caller(one="unavailable", two="ok"), repeatable=False)
    assert outcome.instance_id == "two"


async def test_of_several_failures_the_first_worth_a_retry_is_told(stubs: StubInstances) -> None:
    with pytest.raises(RateLimited) as caught:
        await call(stubs.caller(one="auth_failed", two="rate_limited:9", three="unavailable"))
    assert caught.value.retry_after == 9


async def test_without_any_worth_a_retry_the_first_is_told(stubs: StubInstances) -> None:
    with pytest.raises(QuotaExhausted):
        await call(stubs.caller(one="quota", two="auth_failed"))


async def test_tries_are_limited(stubs: StubInstances) -> None:
    with pytest.raises(Unavailable):
        await call(stubs.caller(one="unavailable", two="unavailable", three="ok"), max_attempts=2)
    assert stubs.calls("three") == []


async def test_an_incapable_instance_is_skipped_and_recorded(stubs: StubInstances) -> None:
    registry = stubs.registry({"plain": {"references": 0}, "able": {}})
    outcome = await call(Caller(registry, None), accepts=lambda known: known.reference_images > 0)
    assert outcome.instance_id == "able"
    assert [(entry.instance_id, entry.outcome) for entry in outcome.attempts] == [("plain", "skipped"), ("able", "ok")]
    assert stubs.calls("plain") == []


async def test_what_nobody_can_do_is_unsupported(stubs: StubInstances) -> None:
    with pytest.raises(Unsupported):
        await call(stubs.caller(one="ok"), accepts=lambda known: False)


async def test_without_a_provider_the_call_fails(stubs: StubInstances) -> None:
    with pytest.raises(NoProviderAvailable, match="references"):
        await call(Caller(stubs.registry({"bad": {"references": -1}}), None))


async def test_one_named_instance_is_called_and_no_other(stubs: StubInstances) -> None:
    caller = stubs.caller(one="ok", two="unavailable")
    with pytest.raises(Unavailable):
        await call(caller, instance_id="two")
    assert stubs.calls("one") == []


async def test_a_hanging_call_ends_at_its_deadline(stubs: StubInstances) -> None:
    with pytest.raises(DeadlineExceeded) as caught:
        await call(stubs.caller(one="hang"), deadline_s=0.1)  # by itself it does not end
    assert caught.value.effect is Effect.UNKNOWN


async def test_a_plugin_that_ignores_cancellation_cannot_hold_us_but_keeps_its_lease(stubs: StubInstances) -> None:
    caller = stubs.caller(one="stubborn:0.6")
    instance = caller.registry.instance("one")
    assert instance is not None
    started = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        await call(caller, deadline_s=0.1)
    instance.retire()
    assert not instance.closed  # the plugin is still at it
    while not instance.closed:
        await asyncio.sleep(0.01)
    assert time.monotonic() - started >= 0.6


async def test_the_limit_of_an_instance_leaves_time_for_the_next(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {"deadline_s": 0.1}, "two": {}})
    stubs.set_mode("one", "hang")
    outcome = await call(Caller(registry, None), deadline_s=5)
    assert outcome.instance_id == "two"
    assert outcome.attempts[0].code == "deadline_exceeded"


async def test_slots_bound_the_calls_at_a_time(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {"concurrency": 2}})
    caller = Caller(registry, None)
    running = most = 0

    async def count(chosen: Stub) -> ImageResult:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return await draw(chosen)

    await asyncio.gather(*(call(caller, count) for _ in range(7)))
    assert most == 2


async def test_no_free_slot_in_time_is_not_the_instances_fault(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {"concurrency": 1}})
    stubs.set_mode("one", "slow:0.4")
    caller = Caller(registry, None)
    first = asyncio.create_task(call(caller))
    await asyncio.sleep(0)
    for _ in range(4):
        with pytest.raises(Unavailable) as caught:
            await call(caller, deadline_s=0.02)
        assert caught.value.effect is Effect.NONE
    assert (await first).instance_id == "one"
    instance = registry.instance("one")
    assert instance is not None and instance.health.state == "up"


async def test_the_kernel_can_give_a_call_up(stubs: StubInstances) -> None:
    class Gone(CallAbandoned):
        pass

    async def careless(chosen: Stub) -> ImageResult:
        try:
            raise Gone
        except Exception as error:  # what plugins do
            raise Unavailable("swallowed") from error

    with pytest.raises(Gone):
        await call(stubs.caller(one="ok", two="ok"), careless)


async def test_cancelling_a_call_cancels_the_plugin(stubs: StubInstances) -> None:
    ended = asyncio.Event()
    started = asyncio.Event()

    async def wait(chosen: Stub) -> ImageResult:
        started.set()
        try:
            return await draw(chosen)
        finally:
            ended.set()

    task = asyncio.create_task(call(stubs.caller(one="hang"), wait))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(1):
        await ended.wait()


async def test_a_result_that_fails_verification_is_passed_on(stubs: StubInstances) -> None:
    seen: list[int] = []

    async def verify(result: ImageResult) -> None:
        seen.append(len(result.images[0].data))
        if len(seen) == 1:
            raise Unavailable("not a picture", effect=Effect.UNKNOWN)

    outcome = await call(stubs.caller(one="garbage", two="ok"), verify=verify)
    assert outcome.instance_id == "two"
    assert outcome.attempts[0].detail == "not a picture"


async def test_a_secret_in_an_error_is_blotted_out(stubs: StubInstances) -> None:
    registry = stubs.registry({"one": {"api_key": "canary-5f1e"}})
    stubs.set_mode("one", "bug")
    with pytest.raises(ProviderBug) as caught:
        await call(Caller(registry, None))
    assert caught.value.detail.endswith("RuntimeError: the stub fell over its key ***")
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize("own", [type("Busy", (RateLimited,), {"code": "busy"}), ProviderError, ProviderBug])
async def test_only_the_vocabulary_itself_is_understood(stubs: StubInstances, own: type[ProviderError]) -> None:
    async def fail(chosen: Stub) -> ImageResult:
        raise own("x")

    with pytest.raises(ProviderBug, match="plugin stub_image"):
        await call(stubs.caller(one="ok"), fail)


@pytest.mark.parametrize(
    ("given", "kept"), [(5, 5.0), (-1, 0.0), (1e9, 3600.0), (float("nan"), None), ("soon", None), (True, None)]
)
async def test_a_strange_retry_after_is_made_sane(stubs: StubInstances, given: Any, kept: float | None) -> None:
    async def fail(chosen: Stub) -> ImageResult:
        raise RateLimited("x", retry_after=given)

    with pytest.raises(RateLimited) as caught:
        await call(stubs.caller(one="ok"), fail)
    assert caught.value.retry_after == kept


async def test_every_attempt_is_written_down(stubs: StubInstances, database: Database) -> None:
    registry = stubs.registry({"plain": {"references": 0}, "down": {}, "paid": {"price_micros": 40_000}})
    stubs.set_mode("down", "rate_limited:2")
    caller = Caller(registry, database)
    await call(caller, accepts=lambda known: known.reference_images > 0, job_id="job-1", first_attempt=3)
    async with database.read() as connection:
        rows = (
            await connection.execute(
                select(
                    Attempt.instance_id,
                    Attempt.n,
                    Attempt.outcome,
                    Attempt.code,
                    Attempt.cost_micros,
                    Attempt.cost_source,
                    Attempt.model,
                    Attempt.job_id,
                ).order_by(Attempt.id)
            )
        ).all()
    assert [tuple(row) for row in rows] == [
        ("plain", 3, "skipped", None, None, "unknown", None, "job-1"),
        ("down", 3, "error", "rate_limited", None, "unknown", None, "job-1"),
        ("paid", 4, "ok", None, 40_000, "computed", "stub-1", "job-1"),
    ]


async def test_plugins_that_observe_see_every_attempt_afterwards(
    stubs: StubInstances, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = stubs.registry({"plain": {"references": 0}, "down": {}, "one": {}})
    stubs.set_mode("down", "unavailable")
    seen: list[KernelEvent] = []
    monkeypatch.setattr(registry.plugins, "observe", seen.append)
    caller = Caller(registry, database)
    await call(caller, accepts=lambda known: known.reference_images > 0)
    await caller.aclose()
    assert [(event.name, event.subject) for event in seen] == [("usage.recorded", "down"), ("usage.recorded", "one")]


async def test_a_draining_instance_is_called_by_name_and_gets_no_new_work(stubs: StubInstances) -> None:
    caller = stubs.caller(one="ok", two="ok")
    instance = caller.registry.instance("one")
    assert instance is not None
    instance.state = "draining"
    assert (await call(caller)).instance_id == "two"
    assert (await call(caller, instance_id="one")).instance_id == "one"


async def test_attempts_that_end_together_are_all_written_down(stubs: StubInstances, database: Database) -> None:
    caller = stubs.caller(one="ok")
    await asyncio.gather(*(call(caller, job_id=f"job-{number}") for number in range(50)))
    await caller.aclose()
    async with database.read() as connection:
        jobs = (await connection.execute(select(Attempt.job_id))).scalars().all()
    assert sorted(map(str, jobs)) == sorted(f"job-{number}" for number in range(50))


async def test_a_detail_that_no_database_takes_is_cleaned(stubs: StubInstances, database: Database) -> None:
    async def fail(chosen: Stub) -> ImageResult:
        raise Unavailable("a\0b" + "x" * 2000)

    with pytest.raises(Unavailable):
        await call(stubs.caller(one="ok"), fail)
    async with database.read() as connection:
        detail = (await connection.execute(select(Attempt.detail))).scalar_one()
    assert detail == "ab" + "x" * 498


async def test_a_ledger_that_cannot_be_written_fails_no_call(stubs: StubInstances, database: Database) -> None:
    caller = stubs.caller(one="ok")
    async with database.write() as session:
        await (await session.connection()).run_sync(Base.metadata.tables["attempt"].drop)
    assert (await call(caller)).instance_id == "one"


async def test_three_failures_open_the_circuit_and_one_probe_closes_it(
    stubs: StubInstances, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr("kernel.core.clock.now_unix", lambda: now)
    caller = stubs.caller(one="unavailable unavailable unavailable unavailable ok")
    for _ in range(3):
        with pytest.raises(Unavailable):
            await call(caller)
    with pytest.raises(NoProviderAvailable) as caught:
        await call(caller)
    assert caught.value.retry_after == 5
    assert len(stubs.calls("one")) == 3
    now += 6
    with pytest.raises(Unavailable):
        await call(caller)
    with pytest.raises(NoProviderAvailable) as caught:
        await call(caller)
    assert caught.value.retry_after == 10
    now += 11
    await call(caller)
    await call(caller)
    assert len(stubs.calls("one")) == 6


async def test_a_rate_limited_instance_rests_as_long_as_it_asked(stubs: StubInstances) -> None:
    caller = stubs.caller(one="rate_limited:30 ok", two="ok")
    assert (await call(caller)).instance_id == "two"
    outcome = await call(caller)
    assert [(entry.instance_id, entry.outcome) for entry in outcome.attempts] == [("one", "skipped"), ("two", "ok")]


@pytest.mark.parametrize("mode", ["refused", "invalid", "unsupported"])
async def test_a_refusal_does_not_hurt_health(stubs: StubInstances, mode: str) -> None:
    caller = stubs.caller(one=mode)
    for _ in range(5):
        with pytest.raises(ProviderError):
            await call(caller)
    instance = caller.registry.instance("one")
    assert instance is not None and instance.health.state == "up"


@pytest.mark.parametrize(("mode", "error"), [("auth_failed", AuthFailed), ("settings", SettingsInvalid)])
async def test_a_rejected_key_asks_for_attention_at_once(
    stubs: StubInstances, mode: str, error: type[ProviderError]
) -> None:
    caller = stubs.caller(one=mode)
    with pytest.raises(error):
        await call(caller)
    instance = caller.registry.instance("one")
    assert instance is not None and instance.health.state == "attention"
    with pytest.raises(NoProviderAvailable) as refused:
        await call(caller)
    assert refused.value.retry_after is None, "nobody waits for what waiting cannot mend"
    instance.health.reset()
    stubs.set_mode("one", "ok")
    assert (await call(caller)).instance_id == "one"


async def test_what_a_vendor_says_is_written_down_whatever_it_is(stubs: StubInstances, database: Database) -> None:
    async def fail(chosen: Stub) -> ImageResult:
        raise Unavailable("half \ud800 a pair\0")

    with pytest.raises(Unavailable) as caught:
        await call(stubs.caller(one="ok"), fail)
    assert caught.value.detail == "half ? a pair"
    async with database.read() as connection:
        assert (await connection.execute(select(Attempt.detail))).scalars().all() == ["half ? a pair"]
