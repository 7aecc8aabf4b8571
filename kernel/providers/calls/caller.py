"""The one place where providers are called: choose, acquire, limit, judge, record, fail over."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.process.metrics import PROVIDER_CALLS, PROVIDER_COST
from kernel.core.process.tracing import traced
from kernel.providers.calls.attempt_log import AttemptEntry, AttemptLog, AttemptRecord, describe
from kernel.providers.calls.call import PAUSED, Call, CallOutcome, T
from kernel.providers.calls.guard import guarded, translate
from kernel.providers.instances.instance import Instance
from kernel.providers.instances.registry import NoProviderAvailable, Registry
from kernel.providers.kinds import C, KindOf, P
from kernel.providers.notices.service import Notices
from kernel.providers.spending.budgets import BUDGET_REACHED, Budgets, NoRoom, Planned
from kernel.spi import DeadlineExceeded, Effect, ProviderBug, ProviderError, Unavailable, Unsupported

log = logging.getLogger(__name__)

DEFAULT_LIMIT_S: Final = 60.0
"""Time limit of one call, and of waiting for a free slot, where neither caller nor capabilities name one."""


class Caller:
    """Calls providers. Close it with `aclose` after the last call.

    `changed` is set when something has happened that other processes or administrators should soon know.
    """

    def __init__(self, registry: Registry, database: Database | None) -> None:
        self.registry: Final = registry
        self.budgets: Final = Budgets(database)
        self.notices: Final = Notices(database)
        self.changed: Final = asyncio.Event()
        self._attempt_log = AttemptLog(database, registry.plugins.observe)

    async def call(
        self,
        kind: KindOf[P, C],
        operation: Callable[[Instance[P, C]], Awaitable[T]],
        *,
        name: str,
        result_type: Any,
        repeatable: bool,
        accepts: Callable[[C], bool] | None = None,
        verify: Callable[[T], Awaitable[None]] | None = None,
        estimate: Callable[[Instance[P, C]], int | None] | None = None,
        instance_id: str | None = None,
        job_id: str | None = None,
        user_id: int | None = None,
        first_attempt: int = 1,
        deadline_s: float | None = None,
        max_attempts: int | None = None,
        record: bool = True,
        vital: bool = True,
        new_work: bool = False,
    ) -> CallOutcome[T]:
        """Run an operation on the first instance of the failover order that can, and fail over to the next.

        `operation` runs once per instance that is tried, under `deadline_s` over all of them and the instance's own
        limit. `repeatable`: whether it may be repeated elsewhere when it may have been carried out already. `verify`
        checks a result; a ProviderError raised there is the attempt's outcome. `instance_id` names the only instance to
        use. `estimate` returns what a call of an instance will probably cost, in micros of a USD: without it, and where
        it returns None, no budget limits the call. `user_id` is the user for whom the call is made. What
        becomes of a call that is not `vital` says nothing of the instance's health. `new_work` is not given to an
        instance that an administrator has paused.

        Raises the ProviderError that ended it: at once one that does not allow failover; at the end of the failover
        order the first that is worth a retry, else the first. Raises NoProviderAvailable when no instance could be
        tried, Unsupported when none accepts, and lets CallAbandoned through.
        """
        call = Call(
            kind=kind,
            operation=operation,
            name=name,
            result_type=result_type,
            repeatable=repeatable,
            accepts=accepts,
            verify=verify,
            estimate=estimate,
            job_id=job_id,
            user_id=user_id,
            next_n=first_attempt,
            ends_at=None if deadline_s is None else time.monotonic() + deadline_s,
            tries_left=max_attempts if max_attempts is not None else 1000,
            record=record,
            vital=vital,
            new_work=new_work,
        )
        order = self.registry.failover_order(kind) if instance_id is None else (self.registry.find(instance_id, kind),)
        for instance in order:
            if call.tries_left <= 0:
                break
            if why := self._skip_reason(call, instance, chosen=instance_id is not None):
                call.skipped.append((instance, why))
                continue
            call.prices = instance.prices
            estimated = call.estimate(instance) if call.estimate else None
            try:
                reservation = await self._reserve(call, instance, estimated)
            except NoRoom as refusal:
                call.skipped.append((instance, BUDGET_REACHED))
                call.out_of_budget = refusal.scope != "instance_month"
                if call.out_of_budget:
                    break
                continue
            outcome = await self._try(call, instance, estimated, reservation)
            if isinstance(outcome, CallOutcome):
                self._notify_fallback(call, instance)
                return outcome
            call.errors.append(outcome)
            if not outcome.fallback or (outcome.effect is Effect.UNKNOWN and not repeatable):
                raise outcome
        await self._record_skips(call)
        raise call.verdict()

    async def _reserve(self, call: Call[P, C, T], instance: Instance[P, C], estimated: int | None) -> str | None:
        """Reserve the estimated cost. Raises NoRoom, and NoProviderAvailable while the budgets cannot be read."""
        if not estimated or not call.record:
            return None
        planned = Planned(
            micros=estimated,
            instance_id=instance.id,
            provider=instance.provider_id,
            kind=call.kind.name,
            operation=call.name,
            job_id=call.job_id,
            user_id=call.user_id,
            lasts_s=2 * (instance.deadline_s or DEFAULT_LIMIT_S),  # waiting for a slot, and the call itself
        )
        try:
            return await self.budgets.reserve(planned)
        except NoRoom as refusal:
            if refusal.scope != "user_day":
                about = instance.id if refusal.scope == "instance_month" else ""
                self.notices.add("budget_reached", about, "reached", label=instance.label if about else "")
                self.changed.set()
            raise
        except (SQLAlchemyError, OSError) as error:
            log.warning("budgets cannot be read: %s", type(error).__name__)
            raise NoProviderAvailable(call.kind.name, {instance.id: "budgets cannot be asked"}, 5.0) from error

    def _notify_fallback(self, call: Call[P, C, T], stood_in: Instance[P, C]) -> None:
        """Open notices for the instances that should have answered."""
        failed = [attempt for attempt in call.attempts if attempt.outcome == "error"]
        for attempt in failed:
            if attempt.code != Unsupported.code:
                self.notices.add(
                    "fallback_used",
                    attempt.instance_id,
                    attempt.code or "",
                    standIn=stood_in.label,
                    detail=attempt.detail,
                )
                self.changed.set()

    def _skip_reason(self, call: Call[P, C, T], instance: Instance[P, C], *, chosen: bool) -> str | None:
        """Return why this instance is skipped, or None."""
        if not (instance.usable if chosen else instance.state == "ready"):
            return instance.reason or instance.state
        if call.accepts is not None and not call.accepts(instance.capabilities):
            return Unsupported.code
        if call.new_work and instance.id in self.registry.paused:
            return PAUSED
        wait = None if chosen else instance.health.wait_s()
        if wait is None:
            return None
        if instance.health.state != "attention":  # that does not pass by waiting
            call.waits.append(wait)
        return f"{instance.health.state} for {wait:.0f} s more ({instance.health.last_code})"

    async def _try(
        self, call: Call[P, C, T], instance: Instance[P, C], estimated: int | None, reservation: str | None
    ) -> CallOutcome[T] | ProviderError:
        """Call one instance and record the result."""
        started_unix, started = clock.now_unix(), time.perf_counter()
        instance.health.begin()
        call.reached, call.result = False, None
        result: T | None = None
        error: ProviderError | None = None
        given_up: BaseException | None = None
        with traced(
            f"{call.kind.name} {call.name}",
            "client",
            coverwright__instance=instance.id,
            coverwright__provider=instance.provider_id,
            coverwright__attempt=call.next_n,
        ) as span:
            try:
                result = await self._run(call, instance)
            except ProviderError as raised:
                error = raised
                span.fail(error.code)
            except BaseException as raised:
                given_up = raised
                span.fail(type(raised).__name__)
        if given_up is not None or not call.reached or not call.vital:
            instance.health.abandon()
        else:
            self._update_health(instance, error)
        record = describe(
            instance,
            n=call.next_n,
            outcome="abandoned" if given_up is not None else "error" if error else "ok",
            started_unix=started_unix,
            elapsed_s=time.perf_counter() - started,
            error=error,
            result=call.result,
            detail=type(given_up).__name__ if given_up is not None else "",
            estimated_micros=estimated,
            reached=call.reached,
            prices=call.prices,
        )
        await self._record(call, record, reservation)
        if given_up is not None:
            raise given_up
        if error is not None:
            if isinstance(error, ProviderBug):
                log.error("instance %s broke its contract", instance.id, exc_info=error)
            return error
        assert result is not None or call.result_type is None
        return CallOutcome(result, instance.id, instance.provider_id, tuple(call.attempts))  # type: ignore[arg-type]

    def _update_health(self, instance: Instance[P, C], error: ProviderError | None) -> None:
        """Update the instance's health after a call, and open notices for administrators."""
        before = instance.health.state
        instance.health.end(error)
        if isinstance(error, ProviderBug):
            version = f"{instance.plugin} {instance.plugin_version}".rstrip()
            self.notices.add(
                "provider_bug", instance.id, error.code, plugin=version, label=instance.label, detail=str(error.detail)
            )
            self.changed.set()
        if error is not None and instance.health.state != before:
            self.notices.add_open_circuit(instance, error)
        if instance.health.unshared:
            self.changed.set()

    async def _run(self, call: Call[P, C, T], instance: Instance[P, C]) -> T:
        """Acquire the instance and a slot, run the operation within its limit, verify the result."""
        instance.acquire()
        try:
            limit = await self._wait_for_slot(call, instance)
        except BaseException:
            instance.release()
            raise
        call.reached = True
        try:
            result: T = await guarded(
                instance, lambda: call.operation(instance), result_type=call.result_type, limit_s=limit
            )
        finally:
            instance.slots.release()
        call.result = result
        if call.verify is not None:
            try:
                await call.verify(result)
            except ProviderError as error:
                raise translate(instance, error) from error
        return result

    async def _wait_for_slot(self, call: Call[P, C, T], instance: Instance[P, C]) -> float:
        """Acquire one of the instance's slots and return how long the call itself may take."""
        limit = self._limit_s(call, instance)
        try:
            async with asyncio.timeout(limit):
                await instance.slots.acquire()
        except TimeoutError as error:
            raise Unavailable(f"no free slot within {limit:.3g} s", effect=Effect.NONE) from error
        try:
            return self._limit_s(call, instance)
        except DeadlineExceeded:
            instance.slots.release()
            raise

    def _limit_s(self, call: Call[P, C, T], instance: Instance[P, C]) -> float:
        """Return how long this step may take. Raises DeadlineExceeded when the call's own deadline has passed."""
        own = instance.deadline_s or DEFAULT_LIMIT_S
        left = call.left_s()
        if left is None:
            return own
        if left <= 0:
            raise DeadlineExceeded("the deadline had passed before the call", effect=Effect.NONE)
        return min(own, left)

    async def _record_skips(self, call: Call[P, C, T]) -> None:
        """Record that a budget prevented a call; an instance that only pauses is not recorded each time."""
        skips = call.new_skips()
        if any(entry.detail == BUDGET_REACHED for entry in skips):
            await self._write(call, *skips)

    async def _record(self, call: Call[P, C, T], record: AttemptRecord, reservation: str | None) -> None:
        """Record the attempt, after those that were skipped before it."""
        skips = call.new_skips()
        call.attempts.append(record)
        call.next_n += 1
        call.tries_left -= 1
        kind, outcome = call.kind.name, record.code or record.outcome
        PROVIDER_CALLS.labels(kind, record.instance_id, call.name, outcome).observe(record.elapsed_ms / 1000)
        if record.cost_micros:
            PROVIDER_COST.labels(kind, record.instance_id).inc(record.cost_micros / 1_000_000)
        await self._write(call, *skips, record, reservation=reservation)

    async def _write(self, call: Call[P, C, T], *records: AttemptRecord, reservation: str | None = None) -> None:
        if not call.record:
            return
        entry = AttemptEntry(
            kind=call.kind.name,
            operation=call.name,
            job_id=call.job_id,
            user_id=call.user_id,
            records=records,
            reservation=reservation,
        )
        await self._attempt_log.write(entry)

    async def aclose(self) -> None:
        """Wait for attempt rows that are still being written."""
        await self._attempt_log.aclose()
