"""Table of the keywords."""

from typing import Any

from sqlalchemy import SmallInteger, String, UniqueConstraint
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core.data.database import Row


class SeoKeyword(Row):
    """A keyword in one language. `folded` is how it is compared: in another case it is the same keyword."""

    __tablename__ = "seo_keyword"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (UniqueConstraint("language", "folded"), {"sqlite_autoincrement": True})

    keyword: Mapped[str] = mapped_column(String(80))
    folded: Mapped[str] = mapped_column(String(240))
    category: Mapped[str] = mapped_column(String(16))
    density: Mapped[int] = mapped_column(SmallInteger)
    priority: Mapped[int] = mapped_column(SmallInteger)
    placement: Mapped[str] = mapped_column(String(16))
    language: Mapped[str] = mapped_column(String(2))
