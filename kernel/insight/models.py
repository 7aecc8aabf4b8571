"""Tables of figures: one row for each day, kind and label."""

from datetime import datetime

from sqlalchemy import ForeignKey, Integer, String, text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core.data.database import Base, BigInt
from kernel.core.data.moments import Moment


class DailyFigure(Base):
    """One figure of one UTC day (`YYYY-MM-DD`): what is shown is `value` plus `departed`.

    `value` is counted from stored rows, and is the same however often it is counted. `departed` is what accounts
    added that have been deleted since, whose rows are gone.
    """

    __tablename__ = "daily_figure"

    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    metric: Mapped[str] = mapped_column(String(24), primary_key=True)
    label: Mapped[str] = mapped_column(String(120), primary_key=True)
    value: Mapped[int] = mapped_column(BigInt, default=0, server_default=text("0"))
    departed: Mapped[int] = mapped_column(BigInt, default=0, server_default=text("0"))


class FigureState(Base):
    """How far the figures are counted. One row, id 1.

    `fence` grows with every change of figures: what was counted before another change is counted again.
    `refreshed_at` is null until all days are counted. `invoices` tells whether invoices changed since.
    """

    __tablename__ = "figure_state"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    fence: Mapped[int] = mapped_column(Integer, default=0)
    refreshed_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
    invoices: Mapped[str] = mapped_column(String(200), default="")


class DepartedUser(Base):
    """A deleted account whose figures are in `departed`: its rows, while there still are some, count no more."""

    __tablename__ = "departed_user"

    user_id: Mapped[int] = mapped_column(
        BigInt, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
