"""The monitor of every process: shares health, follows budgets, checks instances, reviews notices."""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.queue.server import QueueServer
from kernel.providers.administration.instance_store import save_check
from kernel.providers.calls.caller import Caller
from kernel.providers.calls.guard import guarded
from kernel.providers.instances.instance import Instance
from kernel.providers.monitoring.retention import delete_old_attempts
from kernel.providers.monitoring.shared_health import SharedHealth, delete_others
from kernel.providers.notices.review import CHECK_FAILED, NoticeReview
from kernel.providers.notices.service import delete_old
from kernel.spi import AuthFailed, CheckReport, CheckStep, ProviderError, QuotaExhausted, SettingsInvalid

log = logging.getLogger(__name__)

TICK_S: Final = 2.0
LEAST_REST_S: Final = 0.2
"""Minimum interval: changes in between are shared together."""

FLUSH_LIMIT_S: Final = 0.5
REVIEW_S: Final = 10.0
CHECK_EVERY_S: Final = 900.0
FIRST_CHECK_S: Final = 30.0
"""No check while the processes are starting."""

CHECK_LIMIT_S: Final = 15.0
CLEANING_S: Final = 3600.0

Flush = Callable[[], Awaitable[None]]


class Monitor:
    """A plain loop in every web and worker process; what only one of them should do is claimed at the queue server."""

    def __init__(
        self, caller: Caller, database: Database, server: QueueServer, flushes: Sequence[Flush], attempt_days: int
    ) -> None:
        self._caller = caller
        self._registry = caller.registry
        self._database = database
        self._server = server
        self._flushes = flushes
        self._attempt_days = attempt_days
        self._shared = SharedHealth(caller.registry, database)
        self._review = NoticeReview(caller.registry, database, caller.notices)
        self._started = clock.now_unix()
        self._reviewed = 0.0
        self._turns: dict[str, int] = {}
        self._opened: dict[str, float] = {}
        self._checking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Run until canceled; one failure does not end the loop."""
        try:
            while True:
                await self._each(self._shared.exchange, self._caller.budgets.refresh, *self._flushes, self._maintain)
                await asyncio.sleep(LEAST_REST_S)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(TICK_S - LEAST_REST_S):
                        await self._caller.changed.wait()
                self._caller.changed.clear()
        finally:
            for task in self._checking:
                task.cancel()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_LIMIT_S):
                    await self.flush()

    async def flush(self) -> None:
        """Share this process's changes with the others for the last time."""
        await self._each(self._shared.publish, *self._flushes)

    async def _each(self, *steps: Flush) -> None:
        for step in steps:
            try:
                await step()
            except Exception as error:
                log.warning("monitor: %s failed: %s", getattr(step, "__qualname__", step), type(error).__name__)

    async def _maintain(self) -> None:
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
            await delete_others(session, known)
            await delete_old(session)
        if deleted := await delete_old_attempts(self._database, days=self._attempt_days):
            log.info("cleaned: %d attempts", deleted)

    async def _check_due(self, now: float) -> None:
        """Start the checks that are due: each instance in use every CHECK_EVERY_S, and when it has just failed.

        The checks of different instances are spread over the interval.
        """
        snapshot = self._registry.snapshot
        for instance_id in sorted({entry for route in snapshot.failover_orders.values() for entry in route}):
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
        """Check one instance and store the result.

        A good check closes an open circuit only at its regular time (`mends`): right after three failures it only shows
        that the vendor answers, while the service behind it may still be down.
        """
        try:
            ok = await self._run_check(instance)
            if ok and mends:
                instance.health.pass_check()
            async with self._database.write() as session:
                await save_check(session, instance.id, ok)
            self._caller.changed.set()
        except Exception as error:
            log.warning("check of instance %s: %s", instance.id, type(error).__name__)

    async def _run_check(self, instance: Instance[Any, Any]) -> bool:
        instance.acquire()
        try:
            report = await guarded(instance, instance.provider.check, result_type=CheckReport, limit_s=CHECK_LIMIT_S)
        except ProviderError as error:
            ours = isinstance(error, AuthFailed | SettingsInvalid | QuotaExhausted)
            self._notify(instance, str(error.detail) or error.code, ours=ours)
            return False
        if report.ok:
            return True
        step = next((step for step in report.steps if step.status == "fail"), CheckStep(name="check", status="fail"))
        self._notify(instance, instance.redact(f"{step.name}: {step.detail}"), ours=step.field is not None)
        return False

    def _notify(self, instance: Instance[Any, Any], detail: str, *, ours: bool) -> None:
        self._caller.notices.add(
            "needs_attention" if ours else "instance_down",
            instance.id,
            CHECK_FAILED,
            label=instance.label,
            provider=instance.provider_id,
            detail=detail,
        )

    async def _claim(self, what: str, turn: int, *, keep_s: int) -> bool | None:
        """Return whether this process may do what one process should do; None when the queue server is unreachable."""
        return await self._server.claim(f"watch:{what}:{turn}", keep_s=keep_s)
