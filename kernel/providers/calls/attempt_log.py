"""The log of attempts: what was called, how it ended, what it cost."""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import insert
from sqlalchemy.exc import SQLAlchemyError

from kernel.core import clock
from kernel.core.data.database import Database
from kernel.core.text.storable import storable
from kernel.providers.calls.pricing import NONE_SET, CostSource, SetPrices, cost_of
from kernel.providers.instances.instance import Instance
from kernel.providers.models import Attempt
from kernel.providers.spending.budgets import RESUME, Fetched, settle
from kernel.providers.spending.counters import Spent
from kernel.spi import Effect, KernelEvent, ProviderError

Columns = dict[str, Any]

log = logging.getLogger(__name__)

Outcome = Literal["ok", "error", "skipped", "abandoned"]

DETAIL_CHARS: Final = 500
WRITE_LIMIT_S: Final = 5.0
"""A caller waits no longer than this for the log; the row is then written in the background."""

USAGE_RECORDED: Final = "usage.recorded"


class AttemptRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt at one instance. `detail` is for administrators.

    `held_micros` is the estimate where the cost is unknown and the vendor may charge anyway.
    """

    instance_id: str
    provider: str
    plugin_version: str
    n: int
    outcome: Outcome
    started_unix: float
    elapsed_ms: int
    code: str | None = None
    detail: str = ""
    effect: Effect | None = None
    cost_micros: int | None = None
    cost_source: CostSource = "unknown"
    model: str | None = None
    estimated_micros: int | None = None
    held_micros: int | None = None

    @property
    def spent_micros(self) -> int:
        """Return what it counts against budgets."""
        return (self.held_micros if self.cost_micros is None else self.cost_micros) or 0


class AttemptEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The attempts of one step of a call, the user they were made for, and the reservation they settle."""

    kind: str
    operation: str
    job_id: str | None
    user_id: int | None
    records: tuple[AttemptRecord, ...]
    reservation: str | None = None


def describe(
    instance: Instance[Any, Any],
    *,
    n: int,
    outcome: Outcome,
    started_unix: float,
    elapsed_s: float,
    error: ProviderError | None = None,
    result: Any = None,
    detail: str = "",
    estimated_micros: int | None = None,
    reached: bool = False,
    prices: SetPrices = NONE_SET,
) -> AttemptRecord:
    """Describe one attempt. `reached`: the vendor may have received the request; `prices`: those of its beginning.

    A result has its cost even if it could not be used in the end.
    """
    micros, source = (None, "unknown") if result is None else cost_of(instance.capabilities, result, prices)
    charged = result is not None or (outcome == "abandoned" and reached)
    charged = charged or (error is not None and error.effect is Effect.UNKNOWN)
    return AttemptRecord(
        instance_id=instance.id,
        provider=instance.provider_id,
        plugin_version=instance.plugin_version,
        n=n,
        outcome=outcome,
        started_unix=started_unix,
        elapsed_ms=round(elapsed_s * 1000),
        code=error.code if error else None,
        detail=str(error.detail) if error else detail,
        effect=error.effect if error else None,
        cost_micros=micros,
        cost_source=source,
        model=getattr(result, "model", None),
        estimated_micros=estimated_micros,
        held_micros=estimated_micros if charged and micros is None else None,
    )


class AttemptLog:
    """Writes attempts in short transactions of their own; those that end together share one.

    A failed write is logged and fails nothing else. `observe` is called with every attempt that was written.
    """

    def __init__(self, database: Database | None, observe: Callable[[KernelEvent], None]) -> None:
        self._database = database
        self._observe = observe
        self._waiting: list[tuple[AttemptEntry, asyncio.Event]] = []
        self._writer: asyncio.Task[None] | None = None

    async def write(self, entry: AttemptEntry) -> None:
        """Store attempts; wait at most WRITE_LIMIT_S."""
        if self._database is None or not entry.records:
            return
        written = asyncio.Event()
        self._waiting.append((entry, written))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_waiting(self._database), name="attempt ledger")
        try:
            async with asyncio.timeout(WRITE_LIMIT_S):
                await written.wait()
        except TimeoutError:
            log.warning("the log of attempts is slow")

    async def _write_waiting(self, database: Database) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            if not await self._store(database, [entry for entry, _ in batch]) and len(batch) > 1:
                for entry, _ in batch:  # one invalid row must not prevent the others
                    await self._store(database, [entry])
            for _, written in batch:
                written.set()
            await asyncio.sleep(0)  # waiting callers continue first; they do not depend on observers
            self._notify_observers([entry for entry, _ in batch])

    async def _store(self, database: Database, entries: list[AttemptEntry]) -> bool:
        rows = [_row(entry, record) for entry in entries for record in entry.records]
        reservations = [entry.reservation for entry in entries if entry.reservation is not None]
        spent = [
            Spent(
                micros=record.spent_micros,
                instance_id=record.instance_id,
                user_id=entry.user_id,
                at=datetime.fromtimestamp(record.started_unix, UTC),
            )
            for entry in entries
            for record in entry.records
            if record.spent_micros
        ]
        fetched = [
            Fetched(job_id=entry.job_id, instance_id=record.instance_id)
            for entry in entries
            for record in entry.records
            if entry.operation == RESUME and entry.job_id is not None and record.cost_micros is not None
        ]
        try:
            async with database.write() as session:
                await session.execute(insert(Attempt), rows)
                await settle(session, reservations, spent, fetched)
        except (SQLAlchemyError, OSError):
            log.exception("%d attempts were not written", len(rows))
            return False
        return True

    def _notify_observers(self, entries: list[AttemptEntry]) -> None:
        for entry in entries:
            for record in entry.records:
                if record.outcome != "skipped":
                    self._observe(
                        KernelEvent(name=USAGE_RECORDED, subject=record.instance_id, at_unix=record.started_unix)
                    )

    async def aclose(self) -> None:
        """Wait for rows that are still being written."""
        if self._writer is not None:
            await asyncio.wait({self._writer}, timeout=WRITE_LIMIT_S)


def _row(entry: AttemptEntry, record: AttemptRecord) -> Columns:
    return {
        "job_id": entry.job_id,
        "kind": entry.kind,
        "instance_id": record.instance_id,
        "provider": record.provider,
        "plugin_version": storable(record.plugin_version, 40),
        "operation": entry.operation,
        "n": record.n,
        "outcome": record.outcome,
        "code": record.code,
        "detail": storable(record.detail, DETAIL_CHARS),
        "effect": record.effect.value if record.effect else None,
        "started_at": datetime.fromtimestamp(record.started_unix, UTC),
        "elapsed_ms": record.elapsed_ms,
        "cost_micros": record.cost_micros,
        "cost_source": record.cost_source,
        "model": None if record.model is None else storable(record.model, 200),
        "user_id": entry.user_id,
        "estimated_micros": record.estimated_micros,
        "held_micros": record.held_micros,
        "created_at": clock.now(),
    }
