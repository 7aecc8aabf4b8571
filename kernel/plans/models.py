"""Tables of plans and the quota ledger."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Boolean, CheckConstraint, ForeignKey, Index, Integer, String, Uuid, false
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, BigInt, Row
from kernel.core.data.moments import Moment


class PlanLimitsRow(Base):
    """The limits that an administrator saved; one row with id 1, or none while the configured values apply."""

    __tablename__ = "plan_limits"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    pro_unlimited: Mapped[bool] = mapped_column(Boolean)
    pro_monthly_limit: Mapped[int] = mapped_column(Integer)
    free_monthly_limit: Mapped[int] = mapped_column(Integer)
    free_print_files: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())


class Quota(Base):
    """What one user reserved and used in one UTC month (`YYYY-MM`).

    `limit_seen` is the limit at the latest reservation, None when there was none: so `reserved + used` can be checked
    against it at any time.
    """

    __tablename__ = "quota"
    __table_args__ = (
        CheckConstraint("reserved >= 0 AND used >= 0", name="not_negative"),
        CheckConstraint("limit_seen IS NULL OR reserved + used <= limit_seen", name="within_limit"),
    )

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True)
    period: Mapped[str] = mapped_column(String(7), primary_key=True)
    reserved: Mapped[int] = mapped_column(Integer, default=0)
    used: Mapped[int] = mapped_column(Integer, default=0)
    limit_seen: Mapped[int | None] = mapped_column(Integer)


class CoverCredit(Row):
    """Covers that an administrator gave beyond the month's limit, and how many of them are reserved or used.

    `run` is what the administrator's client calls an action for many users, by which each gets them once.
    """

    __tablename__ = "cover_credit"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            CheckConstraint("used >= 0 AND used <= amount", name="within_amount"),
            {"sqlite_autoincrement": True},
        )

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"), index=True)
    amount: Mapped[int] = mapped_column(Integer)
    used: Mapped[int] = mapped_column(Integer, default=0)
    reason: Mapped[str] = mapped_column(String(200))
    run: Mapped[str | None] = mapped_column(String(64), default=None)


class QuotaEntry(Base):
    """One unit of one generation: reserved, then committed or released. `counted` ends with a reset of the month.

    A unit with a `credit_id` is one of that credit, and has no part in the month's counter.
    """

    __tablename__ = "quota_entry"
    __table_args__ = (Index("ix_quota_entry_user_period", "user_id", "period"),)

    generation_id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    period: Mapped[str] = mapped_column(String(7))
    state: Mapped[str] = mapped_column(String(10))
    counted: Mapped[bool] = mapped_column(Boolean, default=True)
    credit_id: Mapped[int | None] = mapped_column(BigInt)
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    settled_at: Mapped[datetime | None] = mapped_column(Moment)
