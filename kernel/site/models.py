"""Tables of the site: stored settings and the landing carousel."""

from typing import Any

from sqlalchemy import JSON, Boolean, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core.data.database import Base, BigInt, Row


class Setting(Base):
    """One stored setting of an administrator, in the specified shape.

    A setting whose text is the address of an uploaded picture also names the picture.
    """

    __tablename__ = "setting"

    setting_key: Mapped[str] = mapped_column(String(64), primary_key=True)
    prompt_template: Mapped[str | None] = mapped_column(Text)
    default_values: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    show_genre_checkbox: Mapped[bool] = mapped_column(Boolean, default=False)
    text_value: Mapped[str | None] = mapped_column(Text)
    picture_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("picture.id"))


class CarouselCover(Row):
    """A cover on the landing page: a public copy of a picture."""

    __tablename__ = "carousel_cover"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (Index("ix_carousel_order", "is_active", "display_order", "id"), {"sqlite_autoincrement": True})

    title: Mapped[str] = mapped_column(String(100))
    genre: Mapped[str] = mapped_column(String(50))
    description: Mapped[str] = mapped_column(String(500), default="", server_default="")
    picture_id: Mapped[int] = mapped_column(BigInt, ForeignKey("picture.id"))
    is_active: Mapped[bool] = mapped_column(Boolean, default=True)
    display_order: Mapped[int] = mapped_column(Integer, default=0)
