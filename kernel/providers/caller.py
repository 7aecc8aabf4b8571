"""The one place where providers are called: choose, hold, limit, judge, write down, pass on."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from kernel.core import clock
from kernel.core.database import Database
from kernel.core.telemetry import PROVIDER_CALLS
from kernel.providers.call import Call, CallOutcome, T
from kernel.providers.guard import guarded, translate
from kernel.providers.instances import Instance
from kernel.providers.kinds import C, KindOf, P
from kernel.providers.ledger import AttemptRecord, Entry, Ledger, describe
from kernel.providers.operation.budgets import BUDGET_REACHED, Budgets, NoRoom, Planned
from kernel.providers.operation.notices import Notices
from kernel.providers.registry import NoProviderAvailable, Registry
from kernel.spi import DeadlineExceeded, Effect, ProviderBug, ProviderError, Unavailable, Unsupported

log = logging.getLogger(__name__)

DEFAULT_LIMIT_S: Final = 60.0
"""Limit of one call, and of waiting for a free slot, where neither caller nor capabilities name one."""


class Caller:
    """Calls providers. Close it with `aclose` after the last call.

    `stirred` is set when something has happened that other processes or administrators should soon know.
    """

    def __init__(self, registry: Registry, database: Database | None) -> None:
        self.registry: Final = registry
        self.budgets: Final = Budgets(database)
        self.notices: Final = Notices(database)
        self.stirred: Final = asyncio.Event()
        self._ledger = Ledger(database, registry.plugins.observe)

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
        estimate: Callable[[C], int | None] | None = None,
        instance_id: str | None = None,
        job_id: str | None = None,
        user_id: int | None = None,
        first_attempt: int = 1,
        deadline_s: float | None = None,
        max_attempts: int | None = None,
        record: bool = True,
    ) -> CallOutcome[T]:
        """Run an operation on the first instance of the route that can, passing on to the next where that is right.

        `operation` runs once per instance that is tried, under `deadline_s` over all of them and the instance's own
        limit. `repeatable`: whether it may be passed on when it may have been carried out already. `verify` looks at a
        result; a ProviderError raised there is the attempt's outcome. `instance_id` names the only instance to use.
        `estimate` says what a call of such an instance will probably cost, in micros of a USD: without it, and where it
        says None, no budget limits the call. `user_id` is whom the call is made for.

        Raises the ProviderError that ended it: at once one that must not be passed on; at the end of the route the
        first that is worth a retry, else the first. Raises NoProviderAvailable when nobody could be tried, Unsupported
        when nobody accepts, and lets CallAbandoned through.
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
        )
        route = self.registry.route(kind) if instance_id is None else (self.registry.find(instance_id, kind),)
        for instance in route:
            if call.tries_left <= 0:
                break
            if why := self._not_now(call, instance, chosen=instance_id is not None):
                call.skipped.append((instance, why))
                continue
            estimated = call.estimate(instance.capabilities) if call.estimate else None
            try:
                reservation = await self._reserve(call, instance, estimated)
            except NoRoom as refusal:
                call.skipped.append((instance, BUDGET_REACHED))
                call.broke = refusal.scope != "instance_month"
                if call.broke:
                    break
                continue
            outcome = await self._try(call, instance, estimated, reservation)
            if isinstance(outcome, CallOutcome):
                self._tell_fallback(call, instance)
                return outcome
            call.errors.append(outcome)
            if not outcome.fallback or (outcome.effect is Effect.UNKNOWN and not repeatable):
                raise outcome
        await self._note_refusal(call)
        raise call.verdict()

    async def _reserve(self, call: Call[P, C, T], instance: Instance[P, C], estimated: int | None) -> str | None:
        """Make room in the budgets. Raises NoRoom, and NoProviderAvailable while the budgets cannot be asked."""
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
                self.notices.tell("budget_reached", about, "reached", label=instance.label if about else "")
                self.stirred.set()
            raise
        except (SQLAlchemyError, OSError) as error:
            log.warning("budgets cannot be asked: %s", type(error).__name__)
            raise NoProviderAvailable(call.kind.name, {instance.id: "budgets cannot be asked"}, 5.0) from error

    def _tell_fallback(self, call: Call[P, C, T], stood_in: Instance[P, C]) -> None:
        """Open notices for those who should have answered."""
        failed = [attempt for attempt in call.attempts if attempt.outcome == "error"]
        for attempt in failed:
            if attempt.code != Unsupported.code:
                self.notices.tell(
                    "fallback_used",
                    attempt.instance_id,
                    attempt.code or "",
                    standIn=stood_in.label,
                    detail=attempt.detail,
                )
                self.stirred.set()

    def _not_now(self, call: Call[P, C, T], instance: Instance[P, C], *, chosen: bool) -> str | None:
        """Return why this instance is left out, or None."""
        if not (instance.usable if chosen else instance.state == "ready"):
            return instance.reason or instance.state
        if call.accepts is not None and not call.accepts(instance.capabilities):
            return Unsupported.code
        wait = None if chosen else instance.health.wait_s()
        if wait is None:
            return None
        call.waits.append(wait)
        return f"{instance.health.state} for {wait:.0f} s more ({instance.health.last_code})"

    async def _try(
        self, call: Call[P, C, T], instance: Instance[P, C], estimated: int | None, reservation: str | None
    ) -> CallOutcome[T] | ProviderError:
        """Call one instance and write down how it went."""
        started_unix, started = clock.now_unix(), time.perf_counter()
        instance.health.begin()
        call.reached, call.brought = False, None
        result: T | None = None
        error: ProviderError | None = None
        given_up: BaseException | None = None
        try:
            result = await self._run(call, instance)
        except ProviderError as raised:
            error = raised
        except BaseException as raised:
            given_up = raised
        if given_up is not None or not call.reached:
            instance.health.abandon()
        else:
            self._judge(instance, error)
        record = describe(
            instance,
            n=call.next_n,
            outcome="abandoned" if given_up is not None else "error" if error else "ok",
            started_unix=started_unix,
            elapsed_s=time.perf_counter() - started,
            error=error,
            result=call.brought,
            detail=type(given_up).__name__ if given_up is not None else "",
            estimated_micros=estimated,
            reached=call.reached,
        )
        await self._note(call, record, reservation)
        if given_up is not None:
            raise given_up
        if error is not None:
            if isinstance(error, ProviderBug):
                log.error("instance %s broke its contract", instance.id, exc_info=error)
            return error
        assert result is not None or call.result_type is None
        return CallOutcome(result, instance.id, instance.provider_id, tuple(call.attempts))  # type: ignore[arg-type]

    def _judge(self, instance: Instance[P, C], error: ProviderError | None) -> None:
        """Let the instance's health know how a call ended, and administrators what they should."""
        before = instance.health.state
        instance.health.end(error)
        if isinstance(error, ProviderBug):
            version = f"{instance.plugin} {instance.plugin_version}".rstrip()
            self.notices.tell(
                "provider_bug", instance.id, error.code, plugin=version, label=instance.label, detail=str(error.detail)
            )
            self.stirred.set()
        if error is not None and instance.health.state != before:
            self.notices.tell_closed(instance, error)
        if instance.health.unshared:
            self.stirred.set()

    async def _run(self, call: Call[P, C, T], instance: Instance[P, C]) -> T:
        """Hold the instance and a slot, run the operation within its limit, verify what it brought."""
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
        call.brought = result
        if call.verify is not None:
            try:
                await call.verify(result)
            except ProviderError as error:
                raise translate(instance, error) from error
        return result

    async def _wait_for_slot(self, call: Call[P, C, T], instance: Instance[P, C]) -> float:
        """Take one of the instance's slots and return how long the call itself may take."""
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
        """Return how long this step may take. Raises DeadlineExceeded when the call's own time is over."""
        own = instance.deadline_s or DEFAULT_LIMIT_S
        left = call.left_s()
        if left is None:
            return own
        if left <= 0:
            raise DeadlineExceeded("the deadline had passed before the call", effect=Effect.NONE)
        return min(own, left)

    async def _note_refusal(self, call: Call[P, C, T]) -> None:
        """Write down that a budget kept a call from being made; a service that merely rests needs no row each time."""
        skips = call.new_skips()
        if any(entry.detail == BUDGET_REACHED for entry in skips):
            await self._write(call, *skips)

    async def _note(self, call: Call[P, C, T], record: AttemptRecord, reservation: str | None) -> None:
        """Keep the attempt, after those that were skipped on the way to it."""
        skips = call.new_skips()
        call.attempts.append(record)
        call.next_n += 1
        call.tries_left -= 1
        PROVIDER_CALLS.labels(record.instance_id, call.name, record.code or record.outcome).observe(
            record.elapsed_ms / 1000
        )
        await self._write(call, *skips, record, reservation=reservation)

    async def _write(self, call: Call[P, C, T], *records: AttemptRecord, reservation: str | None = None) -> None:
        if not call.record:
            return
        entry = Entry(
            kind=call.kind.name,
            operation=call.name,
            job_id=call.job_id,
            user_id=call.user_id,
            records=records,
            reservation=reservation,
        )
        await self._ledger.write(entry)

    async def aclose(self) -> None:
        """Wait for attempt rows that are still being written."""
        await self._ledger.aclose()
