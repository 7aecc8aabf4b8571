"""The watch that every process keeps: sharing health, following budgets, checking instances, minding notices."""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from redis.exceptions import RedisError

from kernel.core import clock
from kernel.core.database import Database
from kernel.providers.administration.store import save_check
from kernel.providers.caller import Caller
from kernel.providers.guard import guarded
from kernel.providers.instances import Instance
from kernel.providers.operation.notices import forget_old
from kernel.providers.operation.review import CHECK_FAILED, Review
from kernel.providers.operation.sharing import SharedHealth, forget
from kernel.spi import AuthFailed, CheckReport, CheckStep, ProviderError, QuotaExhausted, SettingsInvalid

log = logging.getLogger(__name__)

TICK_S: Final = 2.0
LEAST_REST_S: Final = 0.2
"""However much happens: what happens in between is told together."""

FLUSH_LIMIT_S: Final = 0.5
REVIEW_S: Final = 10.0
CHECK_EVERY_S: Final = 900.0
FIRST_CHECK_S: Final = 30.0
"""No check while everything is starting."""

CHECK_LIMIT_S: Final = 15.0
CLEANING_S: Final = 3600.0

Flush = Callable[[], Awaitable[None]]


class Watch:
    """A plain loop in every web and worker process; what only one of them should do is claimed at the queue server."""

    def __init__(self, caller: Caller, database: Database, redis: Any, flushes: Sequence[Flush]) -> None:
        self._caller = caller
        self._registry = caller.registry
        self._database = database
        self._redis = redis
        self._flushes = flushes
        self._shared = SharedHealth(caller.registry, database)
        self._review = Review(caller.registry, database, caller.notices)
        self._started = clock.now_unix()
        self._reviewed = 0.0
        self._turns: dict[str, int] = {}
        self._opened: dict[str, float] = {}
        self._checking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Watch until cancelled; one failure does not end the loop."""
        try:
            while True:
                await self._each(self._shared.exchange, self._caller.budgets.refresh, *self._flushes, self._look_after)
                await asyncio.sleep(LEAST_REST_S)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._caller.stirred.wait(), TICK_S - LEAST_REST_S)
                self._caller.stirred.clear()
        finally:
            for task in self._checking:
                task.cancel()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.flush(), FLUSH_LIMIT_S)

    async def flush(self) -> None:
        """Tell the others, for the last time, what happened here."""
        await self._each(self._shared.tell, *self._flushes)

    async def _each(self, *steps: Flush) -> None:
        for step in steps:
            try:
                await step()
            except Exception as error:
                log.warning("watch: %s failed: %s", getattr(step, "__qualname__", step), type(error).__name__)

    async def _look_after(self) -> None:
        now = clock.now_unix()
        if abs(now - self._reviewed) >= REVIEW_S:
            self._reviewed = now
            if await self._claim("review", int(now // REVIEW_S), keep_s=int(REVIEW_S)) is not False:
                await self._review.run()
                await self._caller.budgets.expire()
                await self._caller.notices.flush()
            if await self._claim("cleaning", int(now // CLEANING_S), keep_s=int(CLEANING_S)):
                await self._clean()
        if now - self._started >= FIRST_CHECK_S:
            await self._check_due(now)

    async def _clean(self) -> None:
        known = list(self._registry.snapshot.instances.values())
        async with self._database.write() as session:
            await forget(session, known)
            await forget_old(session)

    async def _check_due(self, now: float) -> None:
        """Start the checks whose turn has come: each routed instance every CHECK_EVERY_S, and when it has just failed.

        The turns of different instances are spread over the time between.
        """
        snapshot = self._registry.snapshot
        for instance_id in sorted({entry for route in snapshot.routes.values() for entry in route}):
            instance = snapshot.instances.get(instance_id)
            if instance is None or instance.state != "ready":
                continue
            spread = int(hashlib.sha256(instance_id.encode()).hexdigest()[:8], 16) % int(CHECK_EVERY_S)
            turn = int((now + spread) // CHECK_EVERY_S)
            due = self._turns.get(instance_id) != turn and await self._claim(
                f"check:{instance_id}", turn, keep_s=2 * int(CHECK_EVERY_S)
            )
            self._turns[instance_id] = turn
            failed = instance.health.state == "down" and self._opened.get(instance_id) != instance.health.since_unix
            self._opened[instance_id] = instance.health.since_unix
            if failed and not due:
                since = int(instance.health.since_unix)
                due = await self._claim(f"failed:{instance_id}", since, keep_s=int(CHECK_EVERY_S))
            if due:
                task = asyncio.create_task(self._check(instance, mends=not failed), name=f"check {instance_id}")
                self._checking.add(task)
                task.add_done_callback(self._checking.discard)

    async def _check(self, instance: Instance[Any, Any], *, mends: bool) -> None:
        """Check one instance and keep how it went.

        A good check closes an open circuit only at its regular turn (`mends`): right after three failures it shows
        merely that the vendor's door is open, while what is behind it may be down.
        """
        try:
            ok = await self._ask(instance)
            if ok and mends and instance.health.state != "up":
                instance.health.reset()
            async with self._database.write() as session:
                await save_check(session, instance.id, ok)
            self._caller.stirred.set()
        except Exception as error:
            log.warning("check of instance %s: %s", instance.id, type(error).__name__)

    async def _ask(self, instance: Instance[Any, Any]) -> bool:
        instance.acquire()
        try:
            report = await guarded(instance, instance.provider.check, result_type=CheckReport, limit_s=CHECK_LIMIT_S)
        except ProviderError as error:
            ours = isinstance(error, AuthFailed | SettingsInvalid | QuotaExhausted)
            self._tell(instance, str(error.detail) or error.code, ours=ours)
            return False
        if report.ok:
            return True
        step = next((step for step in report.steps if step.status == "fail"), CheckStep(name="check", status="fail"))
        self._tell(instance, instance.redact(f"{step.name}: {step.detail}"), ours=step.field is not None)
        return False

    def _tell(self, instance: Instance[Any, Any], detail: str, *, ours: bool) -> None:
        self._caller.notices.tell(
            "needs_attention" if ours else "instance_down",
            instance.id,
            CHECK_FAILED,
            label=instance.label,
            provider=instance.provider_id,
            detail=detail,
        )

    async def _claim(self, what: str, turn: int, *, keep_s: int) -> bool | None:
        """Say whether this process may do what one process should do; None when nobody can say."""
        try:
            name = f"coverwright:watch:{what}:{turn}"
            return bool(await self._redis.set(name, 1, nx=True, ex=keep_s))
        except (RedisError, OSError):
            return None
