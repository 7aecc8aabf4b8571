"""Tables of what a look was applied to, so that it can be continued and taken back."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, Integer, String, text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core.data.database import Base, BigInt, Row
from kernel.core.data.moments import Moment


class LookRun(Row):
    """A look that is applied to covers, one after the other, or taken back from them.

    `state`: applying, applied, undoing, undone. Of a theme one run at most is open; `lettering` is the look as it was
    when the run began, `stepped_at` when it went on last: null where a release began it that did not keep that.
    """

    __tablename__ = "look_run"
    __table_args__ = (
        Index("ix_look_run_theme", "theme_id", "id"),
        Index("ix_look_run_open", "state", postgresql_where=text("state IN ('applying', 'undoing')")),
        {"sqlite_autoincrement": True},
    )

    theme_id: Mapped[int] = mapped_column(BigInt, ForeignKey("theme.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(String(10))
    lettering: Mapped[dict[str, Any]] = mapped_column(JSON)
    stepped_at: Mapped[datetime | None] = mapped_column(Moment)


class LookChange(Base):
    """What a run does to one cover.

    `state`: waiting; changed, with the version that was shown before and the one that was made; same, where the cover
    had the look already; left, where it cannot have it or is gone; undone; kept, where it was changed again since.
    """

    __tablename__ = "look_change"
    __table_args__ = (Index("ix_look_change_cover", "cover_id"),)

    run_id: Mapped[int] = mapped_column(BigInt, ForeignKey("look_run.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(Integer, primary_key=True)
    cover_id: Mapped[int] = mapped_column(BigInt, ForeignKey("cover.id", ondelete="CASCADE"))
    state: Mapped[str] = mapped_column(String(10))
    before_version: Mapped[int | None] = mapped_column(Integer)
    after_version: Mapped[int | None] = mapped_column(Integer)
