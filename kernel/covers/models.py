"""Tables of covers: the generation is the job, the cover is what it left behind."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    JSON,
    Boolean,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    Uuid,
    false,
    text,
)
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, BigInt, Row
from kernel.core.data.job_table import LeasedJob
from kernel.core.data.moments import Moment
from kernel.covers.book_words import BookWordColumns

MADE_STYLE_CHARS: Final = 300
PAUSED_PHASE: Final = "paused"
"""Of a generation that waits because an administrator has paused all of them, or the services that it could use."""
IN_GALLERY: Final[dict[str, Any]] = {
    where: text("deleted_at IS NULL") for where in ("postgresql_where", "sqlite_where")
}
"""What is in the bin is left out of an index, for PostgreSQL sees no order behind a column that is merely NULL."""
IN_BIN: Final[dict[str, Any]] = {
    where: text("deleted_at IS NOT NULL") for where in ("postgresql_where", "sqlite_where")
}


class Generation(LeasedJob, BookWordColumns, Base):
    """One accepted request and its way to an end.

    `state`: queued, running, completed, failed, canceled. Times are UTC.
    `expected_ms` is the wait as estimated on submission.
    `purged_at` is when the cover was removed from the bin for good. `requested_*` is the service the user chose,
    `style_prompt` their style in place of the theme's. While a job runs, `instance_id` is who gave it the `remote_id`,
    and `vendor_position` its place in the queue of that service, from 1, while its phase is `queued`.
    `spool_sha256` is the result that is made and not yet stored, `order_number` how many could not be used.
    `batch_id` is the first of the variants asked for at once; null where there was one only, before variants existed.
    `refined_cover_id` is the cover that it refines, as a new version of that; it is no foreign key, since covers name
    their generation. With `masked` the last of its references is the mask. One with `extends_side` changes nothing: it
    paints how the artwork `extended_artwork_id` goes on beyond that side, `left` or `right`.
    `lettering` is who sets the words: `press`, or the picture's own `model`; `lettering_style` is the style that was
    wished. `search_key` is prompt, title and author, folded. `reference_covers` are the references that were the
    user's covers. `made_style` is what the service said of the finished picture's technique and mood. `elements` are
    what the user wanted to see, null where the service was to read it from the words; `made_elements` what it drew.
    """

    __tablename__ = "generation"
    job_kind = "generation"
    __table_args__ = (
        UniqueConstraint("user_id", "idempotency_key", name="uq_generation_user_key"),
        Index("ix_generation_user", "user_id", "created_at"),
        Index("ix_generation_history", "user_id", "id"),
        Index("ix_generation_batch", "batch_id"),
        Index("ix_generation_theme", "theme_id"),
        Index("ix_generation_refined", "refined_cover_id"),
        Index("ix_generation_finished", "finished_at"),
        Index("ix_generation_open", "state", "run_after", postgresql_where=text("state IN ('queued', 'running')")),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    batch_id: Mapped[UUID | None] = mapped_column(Uuid)
    idempotency_key: Mapped[str | None] = mapped_column(String(255))
    request_hash: Mapped[str] = mapped_column(String(64))

    prompt: Mapped[str] = mapped_column(Text)
    search_key: Mapped[str] = mapped_column(Text, default="", server_default=text("''"))
    dimensions: Mapped[str] = mapped_column(String(16))
    width: Mapped[int] = mapped_column(Integer)
    height: Mapped[int] = mapped_column(Integer)
    theme_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("theme.id", ondelete="SET NULL"))
    language: Mapped[str] = mapped_column(String(8))
    seed: Mapped[int] = mapped_column(BigInt)
    composed_prompt: Mapped[str] = mapped_column(Text)
    style_prompt: Mapped[str | None] = mapped_column(Text)
    reference_count: Mapped[int] = mapped_column(Integer, default=0, server_default=text("0"))
    reference_covers: Mapped[list[int] | None] = mapped_column(JSON)
    refined_cover_id: Mapped[int | None] = mapped_column(BigInt)
    masked: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    extends_side: Mapped[str | None] = mapped_column(String(5))
    extended_artwork_id: Mapped[int | None] = mapped_column(BigInt)
    requested_instance: Mapped[str | None] = mapped_column(String(64))
    requested_model: Mapped[str | None] = mapped_column(String(120))
    lettering: Mapped[str] = mapped_column(String(8), default="press", server_default=text("'model'"))
    lettering_style: Mapped[str | None] = mapped_column(String(60))
    elements: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))

    state: Mapped[str] = mapped_column(String(10))
    deadline: Mapped[datetime] = mapped_column(Moment)
    phase: Mapped[str] = mapped_column(String(32))
    progress: Mapped[float | None] = mapped_column(Float)
    vendor_position: Mapped[int | None] = mapped_column(Integer)
    expected_ms: Mapped[int | None] = mapped_column(Integer)
    instance_id: Mapped[str | None] = mapped_column(String(64))
    provider: Mapped[str | None] = mapped_column(String(64))
    model: Mapped[str | None] = mapped_column(String(120))
    made_style: Mapped[str | None] = mapped_column(String(MADE_STYLE_CHARS))
    made_elements: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    remote_id: Mapped[str | None] = mapped_column(String(255))
    spool_sha256: Mapped[str | None] = mapped_column(String(64))
    order_number: Mapped[int] = mapped_column(Integer, default=0, server_default=text("0"))
    error_code: Mapped[str | None] = mapped_column(String(64))
    error_message: Mapped[str | None] = mapped_column(String(500))
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    started_at: Mapped[datetime | None] = mapped_column(Moment)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)
    purged_at: Mapped[datetime | None] = mapped_column(Moment)


class Cover(BookWordColumns, Row):
    """A finished cover in somebody's gallery. `deleted_at` puts it into the bin.

    `picture_id` is what is shown. `artwork_id` is the picture without our lettering, null where it never had any;
    `version` is the number of the `CoverVersion` that is shown, 1 where there is none.

    `title_key`, `author_key` and `prompt_key` are folded by us, for search without regard to case: SQLite's `lower`
    knows ASCII only. The prompt's is kept here although the generation has it: a search reads no second table.
    """

    __tablename__ = "cover"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            Index("ix_cover_gallery", "user_id", "id", **IN_GALLERY),
            Index("ix_cover_starred", "user_id", "starred", "id", **IN_GALLERY),
            Index("ix_cover_title", "user_id", "title_key", "id", **IN_GALLERY),
            Index("ix_cover_bin", "user_id", "deleted_at", "id", **IN_BIN),
            Index("ix_cover_theme", "theme_id"),
            {"sqlite_autoincrement": True},
        )

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    generation_id: Mapped[UUID] = mapped_column(Uuid, ForeignKey("generation.id", ondelete="CASCADE"), unique=True)
    picture_id: Mapped[int] = mapped_column(BigInt, ForeignKey("picture.id"), unique=True)
    artwork_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("picture.id"))
    version: Mapped[int] = mapped_column(Integer, default=1, server_default=text("1"))
    theme_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("theme.id", ondelete="SET NULL"))
    title_key: Mapped[str] = mapped_column(String(300))
    author_key: Mapped[str] = mapped_column(String(300))
    prompt_key: Mapped[str] = mapped_column(Text, default="", server_default=text("''"))
    starred: Mapped[bool] = mapped_column(Boolean, default=False)
    deleted_at: Mapped[datetime | None] = mapped_column(Moment)


class CoverVersion(Row):
    """A cover at one time: its artwork, and the lettering, null where the words are part of the picture. The newest
    is shown.

    `picture_id` is a picture that is kept: one whose words a service set, where that is not the artwork, or the last
    one composed of an artwork that gave way to another; all others are made of artwork and lettering.
    `generation_id` is the refinement that made the artwork, on the first version that has it.
    """

    __tablename__ = "cover_version"
    __table_args__ = (
        UniqueConstraint("cover_id", "number", name="uq_cover_version_number"),
        {"sqlite_autoincrement": True},
    )

    cover_id: Mapped[int] = mapped_column(BigInt, ForeignKey("cover.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column(Integer)
    artwork_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("picture.id"))
    picture_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("picture.id"))
    generation_id: Mapped[UUID | None] = mapped_column(Uuid, ForeignKey("generation.id", ondelete="SET NULL"))
    lettering: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class ArtworkExtension(Row):
    """How the artwork of a cover goes on beyond one of its sides, as an image service painted it; the latest of a side.

    `side` is `left` or `right`. The picture is wider than the artwork `artwork_id`, which stands in it at its full
    height, at the other end. `generation_id` is the job that made it.
    """

    __tablename__ = "artwork_extension"
    __table_args__ = (
        UniqueConstraint("cover_id", "side", name="uq_artwork_extension_cover_side"),
        Index("ix_artwork_extension_generation", "generation_id"),
        {"sqlite_autoincrement": True},
    )

    cover_id: Mapped[int] = mapped_column(BigInt, ForeignKey("cover.id", ondelete="CASCADE"))
    side: Mapped[str] = mapped_column(String(5))
    artwork_id: Mapped[int] = mapped_column(BigInt, ForeignKey("picture.id"))
    picture_id: Mapped[int] = mapped_column(BigInt, ForeignKey("picture.id"))
    generation_id: Mapped[UUID | None] = mapped_column(Uuid, ForeignKey("generation.id", ondelete="SET NULL"))
