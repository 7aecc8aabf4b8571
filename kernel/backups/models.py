"""The table of backups. It tells of this place, not of its contents: no backup holds it."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import BigInteger, Index, Integer, String, Uuid, text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base
from kernel.core.data.job_table import LeasedJob
from kernel.core.data.moments import Moment

OPEN: Final[dict[str, Any]] = {
    where: text("state IN ('queued', 'running')") for where in ("postgresql_where", "sqlite_where")
}


class Backup(LeasedJob, Base):
    """A backup: `queued`, `running`, `completed` or `failed`; or a restore: `restoring`, then `restored`.

    `place` is where it is, `name` what it is called there. `size` are the bytes of all that it holds, `added` those
    that were new in its place.
    """

    __tablename__ = "backup"
    job_kind = "backup"
    __table_args__ = (
        Index("ix_backup_open", "kind", unique=True, **OPEN),
        Index("ix_backup_place", "place", "created_at"),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), default="backup")
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    finished_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
    state: Mapped[str] = mapped_column(String(12))
    place: Mapped[str] = mapped_column(String(500))
    name: Mapped[str] = mapped_column(String(40), default="")
    objects: Mapped[int] = mapped_column(Integer, default=0)
    size: Mapped[int] = mapped_column(BigInteger, default=0)
    added: Mapped[int] = mapped_column(BigInteger, default=0)
    missing: Mapped[int] = mapped_column(Integer, default=0)
    error: Mapped[str | None] = mapped_column(String(300), default=None)
