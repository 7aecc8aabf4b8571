"""Table of addresses that get no email."""

from datetime import datetime
from typing import Any

from sqlalchemy import String, UniqueConstraint
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core.data.database import Row
from kernel.core.data.moments import Moment


class EmailSuppression(Row):
    """An address that must not get email; `source` is the instance that reported it, or `link`.

    `scope`: `all` email (the address does not exist, or its owner complained), or `bulk` only (unsubscribed).
    `event_id` is the vendor's name for the last report, `last_at` when there was another one than the first.
    `tried_at` is when an email that its owner had asked for was last sent there all the same.
    """

    __tablename__ = "email_suppression"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (UniqueConstraint("address", "scope", name="uq_email_suppression"), {"sqlite_autoincrement": True})

    address: Mapped[str] = mapped_column(String(254))
    scope: Mapped[str] = mapped_column(String(8))
    reason: Mapped[str] = mapped_column(String(16))
    source: Mapped[str] = mapped_column(String(40))
    event_id: Mapped[str | None] = mapped_column(String(255), default=None)
    last_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
    tried_at: Mapped[datetime | None] = mapped_column(Moment, default=None)
