"""Tables of moves: subscribers of an old price who are told of a new one, and get it with a later renewal."""

from datetime import datetime
from typing import Any, ClassVar, Final

from sqlalchemy import ForeignKey, Index, Integer, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.billing.models import INSTANCE_CHARS, REF_CHARS
from kernel.core.data.database import BigInt, Row
from kernel.core.data.moments import Moment

RUNNING: Final = "state = 'running'"
PENDING: Final = "state IN ('waiting', 'told')"


def _only(where: str) -> dict[str, Any]:
    return {name: text(where) for name in ("postgresql_where", "sqlite_where")}


class PriceMove(Row):
    """What an administrator began: the subscribers of one price go to another. Amounts are those of that time.

    `state`: `running`, `stopped` by an administrator, or `finished`. Of one price only one move runs at a time.
    """

    __tablename__ = "price_move"
    job_kind: ClassVar = "price_move"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            Index("uq_price_move_running", "instance_id", "old_price", unique=True, **_only(RUNNING)),
            {"sqlite_autoincrement": True},
        )

    instance_id: Mapped[str] = mapped_column(String(INSTANCE_CHARS))
    old_price: Mapped[str] = mapped_column(String(REF_CHARS))
    new_price: Mapped[str] = mapped_column(String(REF_CHARS))
    old_amount: Mapped[int] = mapped_column(BigInt)
    new_amount: Mapped[int] = mapped_column(BigInt)
    currency: Mapped[str] = mapped_column(String(8))
    interval: Mapped[str] = mapped_column(String(8))
    notice_days: Mapped[int] = mapped_column(Integer)
    state: Mapped[str] = mapped_column(String(16))
    ended_at: Mapped[datetime | None] = mapped_column(Moment, default=None)


class MovedSubscriber(Row):
    """One subscriber of a move, also one who is left out of it, and why.

    `waiting` for the letter; `told`, and waiting for the renewal; `moved` at the vendor; `left_out`; `stopped`. Nobody
    looks at a pending row before `run_after`. Times from a vendor are unix seconds by its own clock: `notice_ends` is
    when the first renewal may cost the new price, `renews_at` the renewal that does. `asked_at` is when the vendor was
    first asked: whoever has the new price without it chose it themselves.
    """

    __tablename__ = "moved_subscriber"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            UniqueConstraint("move_id", "subscription_id"),
            Index("ix_moved_subscriber_due", "run_after", **_only(PENDING)),
            {"sqlite_autoincrement": True},
        )

    move_id: Mapped[int] = mapped_column(BigInt, ForeignKey("price_move.id", ondelete="CASCADE"))
    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"), index=True)
    subscription_id: Mapped[int] = mapped_column(BigInt, ForeignKey("subscription.id", ondelete="CASCADE"), index=True)
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(String(16), default=None)
    run_after: Mapped[datetime] = mapped_column(Moment)
    told_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
    notice_ends: Mapped[int | None] = mapped_column(BigInt, default=None)
    asked_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
    renews_at: Mapped[int | None] = mapped_column(BigInt, default=None)
