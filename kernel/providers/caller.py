"""The one place where providers are called: choose, hold, limit, judge, write down, pass on."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from kernel.core import clock
from kernel.core.database import Database
from kernel.core.telemetry import PROVIDER_CALLS
from kernel.providers.guard import guarded, translate
from kernel.providers.instances import Instance
from kernel.providers.kinds import C, KindOf, P
from kernel.providers.ledger import AttemptRecord, Ledger, describe
from kernel.providers.registry import NoProviderAvailable, Registry
from kernel.spi import DeadlineExceeded, Effect, ProviderBug, ProviderError, Unavailable, Unsupported

log = logging.getLogger(__name__)

T = TypeVar("T")

DEFAULT_LIMIT_S: Final = 60.0
"""Limit of one call, and of waiting for a free slot, where neither caller nor capabilities name one."""


@dataclass(frozen=True, slots=True)
class CallOutcome(Generic[T]):
    """What a call brought, from whom, and everything that was tried for it, in order."""

    result: T
    instance_id: str
    provider_id: str
    attempts: tuple[AttemptRecord, ...]


@dataclass(slots=True)
class _Call(Generic[P, C, T]):
    """One call on its way along the route."""

    kind: KindOf[P, C]
    operation: Callable[[Instance[P, C]], Awaitable[T]]
    name: str
    result_type: Any
    repeatable: bool
    accepts: Callable[[C], bool] | None
    verify: Callable[[T], Awaitable[None]] | None
    job_id: str | None
    next_n: int
    ends_at: float | None
    tries_left: int
    record: bool
    reached: bool = False
    skipped: list[tuple[Instance[P, C], str]] = field(default_factory=list)
    attempts: list[AttemptRecord] = field(default_factory=list)
    errors: list[ProviderError] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def left_s(self) -> float | None:
        return None if self.ends_at is None else self.ends_at - time.monotonic()


class Caller:
    """Calls providers. Close it with `aclose` after the last call."""

    def __init__(self, registry: Registry, database: Database | None) -> None:
        self.registry: Final = registry
        self._ledger = Ledger(database)

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
        instance_id: str | None = None,
        job_id: str | None = None,
        first_attempt: int = 1,
        deadline_s: float | None = None,
        max_attempts: int | None = None,
        record: bool = True,
    ) -> CallOutcome[T]:
        """Run an operation on the first instance of the route that can, passing on to the next where that is right.

        `operation` runs once per instance that is tried, under `deadline_s` over all of them and the instance's own
        limit. `repeatable`: whether it may be passed on when it may have been carried out already. `verify` looks at a
        result; a ProviderError raised there is the attempt's outcome. `instance_id` names the only instance to use.

        Raises the ProviderError that ended it: at once one that must not be passed on; at the end of the route the
        first that is worth a retry, else the first. Raises NoProviderAvailable when nobody could be tried, Unsupported
        when nobody accepts, and lets CallAbandoned through.
        """
        call = _Call(
            kind=kind,
            operation=operation,
            name=name,
            result_type=result_type,
            repeatable=repeatable,
            accepts=accepts,
            verify=verify,
            job_id=job_id,
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
            outcome = await self._try(call, instance)
            if isinstance(outcome, CallOutcome):
                return outcome
            call.errors.append(outcome)
            if not outcome.fallback or (outcome.effect is Effect.UNKNOWN and not repeatable):
                raise outcome
        raise self._verdict(call)

    def _not_now(self, call: _Call[P, C, T], instance: Instance[P, C], *, chosen: bool) -> str | None:
        """Return why this instance is left out, or None."""
        if instance.state != "ready":
            return instance.reason or instance.state
        if call.accepts is not None and not call.accepts(instance.capabilities):
            return Unsupported.code
        wait = None if chosen else instance.health.wait_s()
        if wait is None:
            return None
        call.waits.append(wait)
        return f"{instance.health.state} for {wait:.0f} s more ({instance.health.last_code})"

    def _verdict(self, call: _Call[P, C, T]) -> Exception:
        """Return what to raise when the route is used up."""
        if call.errors:
            return next((error for error in call.errors if error.retry), call.errors[0])
        reasons = {instance.id: why for instance, why in call.skipped}
        if call.waits:
            return NoProviderAvailable(call.kind.name, reasons, min(call.waits))
        if Unsupported.code in reasons.values():
            return Unsupported(f"no {call.kind.name} provider can do this")
        return NoProviderAvailable(call.kind.name, reasons)

    async def _try(self, call: _Call[P, C, T], instance: Instance[P, C]) -> CallOutcome[T] | ProviderError:
        """Call one instance and write down how it went."""
        started_unix, started = clock.now_unix(), time.perf_counter()
        instance.health.begin()
        call.reached = False
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
            instance.health.end(error)
        record = describe(
            instance,
            n=call.next_n,
            outcome="abandoned" if given_up is not None else "error" if error else "ok",
            started_unix=started_unix,
            elapsed_s=time.perf_counter() - started,
            error=error,
            result=result,
            detail=type(given_up).__name__ if given_up is not None else "",
        )
        await self._note(call, record)
        if given_up is not None:
            raise given_up
        if error is not None:
            if isinstance(error, ProviderBug):
                log.error("instance %s broke its contract", instance.id, exc_info=error)
            return error
        assert result is not None or call.result_type is None
        return CallOutcome(result, instance.id, instance.provider_id, tuple(call.attempts))  # type: ignore[arg-type]

    async def _run(self, call: _Call[P, C, T], instance: Instance[P, C]) -> T:
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
        if call.verify is not None:
            try:
                await call.verify(result)
            except ProviderError as error:
                raise translate(instance, error) from error
        return result

    async def _wait_for_slot(self, call: _Call[P, C, T], instance: Instance[P, C]) -> float:
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

    def _limit_s(self, call: _Call[P, C, T], instance: Instance[P, C]) -> float:
        """Return how long this step may take. Raises DeadlineExceeded when the call's own time is over."""
        own = instance.deadline_s or DEFAULT_LIMIT_S
        left = call.left_s()
        if left is None:
            return own
        if left <= 0:
            raise DeadlineExceeded("the deadline had passed before the call", effect=Effect.NONE)
        return min(own, left)

    async def _note(self, call: _Call[P, C, T], record: AttemptRecord) -> None:
        """Keep the attempt, after those that were skipped on the way to it."""
        skips = [
            describe(
                instance, n=call.next_n, outcome="skipped", started_unix=record.started_unix, elapsed_s=0.0, detail=why
            )
            for instance, why in call.skipped[len([entry for entry in call.attempts if entry.outcome == "skipped"]) :]
        ]
        call.attempts += [*skips, record]
        call.next_n += 1
        call.tries_left -= 1
        PROVIDER_CALLS.labels(record.instance_id, call.name, record.code or record.outcome).observe(
            record.elapsed_ms / 1000
        )
        if call.record:
            await self._ledger.write(call.kind.name, call.name, call.job_id, *skips, record)

    async def aclose(self) -> None:
        """Wait for attempt rows that are still being written."""
        await self._ledger.aclose()
