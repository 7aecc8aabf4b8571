"""Table of addresses that get no email."""

from typing import Any

from sqlalchemy import String, UniqueConstraint
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core.data.database import Row


class EmailSuppression(Row):
    """An address that must not get email; `source` is the instance that reported it.

    `scope`: `all` email (the address does not exist, or its owner complained), or `bulk` only (unsubscribed).
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
