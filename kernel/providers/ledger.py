"""The ledger of attempts: what was called, how it ended, what it cost."""

import asyncio
import logging
import math
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import insert
from sqlalchemy.exc import SQLAlchemyError

from kernel.core import clock
from kernel.core.database import Database
from kernel.providers.instances import Instance
from kernel.providers.models import Attempt
from kernel.spi import Effect, ImageCapabilities, ImageResult, ProviderError, Usage

Columns = dict[str, Any]

log = logging.getLogger(__name__)

Outcome = Literal["ok", "error", "skipped", "abandoned"]
CostSource = Literal["reported", "computed", "unknown"]

DETAIL_CHARS: Final = 500
WRITE_LIMIT_S: Final = 5.0
"""A caller waits no longer than this for the ledger; the row is then written in the background."""

PIXELS_PER_MEGAPIXEL: Final = 1_000_000


class AttemptRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One try at one instance. `detail` is for administrators."""

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
) -> AttemptRecord:
    """Put together what is known of one try."""
    micros, source = cost_of(instance.capabilities, result) if outcome == "ok" else (None, "unknown")
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
    )


def cost_of(capabilities: Any, result: Any) -> tuple[int | None, CostSource]:
    """Return a result's cost in micros of a USD and how it is known: reported, computed from list prices, or not."""
    usage = getattr(result, "usage", None)
    if isinstance(usage, Usage) and usage.cost_micros is not None:
        return usage.cost_micros, "reported"
    if (
        isinstance(capabilities, ImageCapabilities)
        and isinstance(result, ImageResult)
        and len(capabilities.prices) == 1
    ):
        price = capabilities.prices[0]
        if price.per == "image":
            return price.micros * len(result.images), "computed"
        if price.per == "megapixel":
            pixels = sum(image.size.width * image.size.height for image in result.images)
            return math.ceil(price.micros * pixels / PIXELS_PER_MEGAPIXEL), "computed"
    return None, "unknown"


class Ledger:
    """Writes attempts in short transactions of their own; those that end together share one.

    A failed write is logged and fails nothing else.
    """

    def __init__(self, database: Database | None) -> None:
        self._database = database
        self._waiting: list[tuple[list[Columns], asyncio.Event]] = []
        self._writer: asyncio.Task[None] | None = None

    async def write(self, kind: str, operation: str, job_id: str | None, *records: AttemptRecord) -> None:
        """Store attempts; wait WRITE_LIMIT_S at most."""
        if self._database is None or not records:
            return
        written = asyncio.Event()
        self._waiting.append(([_row(kind, operation, job_id, record) for record in records], written))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_waiting(self._database), name="attempt ledger")
        try:
            await asyncio.wait_for(written.wait(), WRITE_LIMIT_S)
        except TimeoutError:
            log.warning("the ledger of attempts is slow")

    async def _write_waiting(self, database: Database) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            if not await self._store(database, [row for rows, _ in batch for row in rows]) and len(batch) > 1:
                for rows, _ in batch:  # one bad row must not take the others with it
                    await self._store(database, rows)
            for _, written in batch:
                written.set()

    async def _store(self, database: Database, rows: list[Columns]) -> bool:
        try:
            async with database.write() as session:
                await session.execute(insert(Attempt), rows)
        except (SQLAlchemyError, OSError):
            log.exception("%d attempts were not written", len(rows))
            return False
        return True

    async def aclose(self) -> None:
        """Wait for rows that are still being written."""
        if self._writer is not None:
            await asyncio.wait({self._writer}, timeout=WRITE_LIMIT_S)


def _row(kind: str, operation: str, job_id: str | None, record: AttemptRecord) -> Columns:
    return {
        "job_id": job_id,
        "kind": kind,
        "instance_id": record.instance_id,
        "provider": record.provider,
        "plugin_version": _text(record.plugin_version, 40),
        "operation": operation,
        "n": record.n,
        "outcome": record.outcome,
        "code": record.code,
        "detail": _text(record.detail, DETAIL_CHARS),
        "effect": record.effect.value if record.effect else None,
        "started_at": datetime.fromtimestamp(record.started_unix, UTC),
        "elapsed_ms": record.elapsed_ms,
        "cost_micros": record.cost_micros,
        "cost_source": record.cost_source,
        "model": None if record.model is None else _text(record.model, 200),
        "created_at": clock.now(),
    }


def _text(text: str, chars: int) -> str:
    return text.replace("\0", "")[:chars]  # PostgreSQL's texts cannot hold NUL
