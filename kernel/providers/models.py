"""One row for every call to a provider."""

from datetime import datetime

from advanced_alchemy.types import DateTimeUTC
from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core.database import BigInt, Row


class Attempt(Row):
    """How one call ended and what it cost. `detail` is for administrators and holds no secret.

    `estimated_micros` is what it was expected to cost. `held_micros` is set where the cost is unknown and something may
    have been charged: the estimate then counts as spent. `user_id` is whom it was made for, also after they are gone.

    `outcome`: `ok`, `error`, `skipped` (not called: `detail` says why) or `abandoned` (given up by the kernel).
    `cost_micros` is in micros of a USD; NULL, with `cost_source` `unknown`, when nobody knows: it is never guessed.
    """

    __tablename__ = "attempt"

    job_id: Mapped[str | None] = mapped_column(String(36), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    instance_id: Mapped[str] = mapped_column(String(40))
    provider: Mapped[str] = mapped_column(String(40))
    plugin_version: Mapped[str] = mapped_column(String(40))
    operation: Mapped[str] = mapped_column(String(40))
    n: Mapped[int]
    outcome: Mapped[str] = mapped_column(String(16))
    code: Mapped[str | None] = mapped_column(String(40))
    detail: Mapped[str] = mapped_column(String(500))
    effect: Mapped[str | None] = mapped_column(String(16))
    started_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), index=True)
    elapsed_ms: Mapped[int]
    cost_micros: Mapped[int | None] = mapped_column(BigInt)
    cost_source: Mapped[str] = mapped_column(String(16))
    model: Mapped[str | None] = mapped_column(String(200))
    user_id: Mapped[int | None] = mapped_column(BigInt)
    estimated_micros: Mapped[int | None] = mapped_column(BigInt)
    held_micros: Mapped[int | None] = mapped_column(BigInt)


Index("ix_attempt_instance", Attempt.instance_id, Attempt.outcome, Attempt.started_at)
Index("ix_attempt_instance_page", Attempt.instance_id, Attempt.id)
Index("ix_attempt_outcome_page", Attempt.outcome, Attempt.id)
Index("ix_attempt_kind_page", Attempt.kind, Attempt.id)
