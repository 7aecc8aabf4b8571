"""Table of themes."""

from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core.data.database import BigInt, Row


class Theme(Row):
    """A user's theme. `usage_count` counts generations that were accepted with it."""

    __tablename__ = "theme"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (Index("ix_theme_user", "user_id", "id"), {"sqlite_autoincrement": True})

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(100))
    description: Mapped[str | None] = mapped_column(String(500))
    colors: Mapped[list[str]] = mapped_column(JSON)
    style_prompt: Mapped[str] = mapped_column(String(1000))
    usage_count: Mapped[int] = mapped_column(Integer, default=0)
