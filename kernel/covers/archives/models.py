"""Table of archives: covers that are being packed, or are packed, into one file to download."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import JSON, ForeignKey, Index, Integer, String, UniqueConstraint, Uuid, text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, BigInt
from kernel.core.data.job_table import LeasedJob
from kernel.core.data.moments import Moment


class Archive(LeasedJob, Base):
    """One wish for an archive and its way to an end.

    `state`: queued, running, completed, failed, canceled. `done` counts the covers that are packed. An archive that has
    ended is removed at `expires_at`.
    """

    __tablename__ = "archive"
    job_kind = "archive"
    __table_args__ = (
        UniqueConstraint("user_id", "idempotency_key", name="uq_archive_user_key"),
        Index("ix_archive_open", "state", "run_after", postgresql_where=text("state IN ('queued', 'running')")),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    idempotency_key: Mapped[str | None] = mapped_column(String(255))
    request_hash: Mapped[str] = mapped_column(String(64))
    cover_ids: Mapped[list[int]] = mapped_column(JSON)
    format: Mapped[str] = mapped_column(String(8))
    state: Mapped[str] = mapped_column(String(10))
    done: Mapped[int] = mapped_column(Integer, default=0)
    total: Mapped[int] = mapped_column(Integer)
    error_code: Mapped[str | None] = mapped_column(String(64))
    error_message: Mapped[str | None] = mapped_column(String(500))
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)
    expires_at: Mapped[datetime | None] = mapped_column(Moment)
