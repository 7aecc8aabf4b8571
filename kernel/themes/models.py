"""Table of themes."""

from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, Integer, String, UniqueConstraint
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


class ThemeLook(Row):
    """The look that the covers of a theme share, which makes it a series; a theme without a row is none.

    `lettering` is that of the cover it was taken from, as it was then; `cover_id` is null once that cover is gone.
    """

    __tablename__ = "theme_look"
    __table_args__ = (UniqueConstraint("theme_id", name="uq_theme_look_theme_id"), {"sqlite_autoincrement": True})

    theme_id: Mapped[int] = mapped_column(BigInt, ForeignKey("theme.id", ondelete="CASCADE"))
    cover_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("cover.id", ondelete="SET NULL"))
    lettering: Mapped[dict[str, Any]] = mapped_column(JSON)
