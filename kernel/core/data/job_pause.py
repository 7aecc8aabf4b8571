"""What administrators have paused: a kind of jobs, or an instance. Claims read it, so it holds at once everywhere."""

from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, String, exists, select
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, ReadConnection
from kernel.core.data.moments import Moment

INSTANCE: Final = "instance:"
"""Before the id of a paused instance; without it `name` is a kind of jobs."""


class JobPause(Base):
    """A kind of jobs of which no worker begins any, or an instance that gets no new work, since `paused_at`."""

    __tablename__ = "job_pause"

    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    paused_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)


def is_paused(name: str) -> ColumnElement[bool]:
    """Match while this is paused."""
    return exists(select(JobPause.name).where(JobPause.name == name))


async def paused_instances(reader: ReadConnection) -> frozenset[str]:
    """Return the ids of paused instances."""
    found = await reader.execute(select(JobPause.name).where(JobPause.name.startswith(INSTANCE)))
    return frozenset(name.removeprefix(INSTANCE) for name in found.scalars())
