"""Table of the site's stored settings."""

from typing import Any

from sqlalchemy import JSON, Boolean, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core.database import Base


class Setting(Base):
    """One stored setting of an administrator, in the specified shape."""

    __tablename__ = "setting"

    setting_key: Mapped[str] = mapped_column(String(64), primary_key=True)
    prompt_template: Mapped[str | None] = mapped_column(Text)
    default_values: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    show_genre_checkbox: Mapped[bool] = mapped_column(Boolean, default=False)
    text_value: Mapped[str | None] = mapped_column(Text)
