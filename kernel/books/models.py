"""Tables of books, their editions, and the packs of files that are made of them."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import JSON, Float, ForeignKey, Index, Integer, String, Text, UniqueConstraint, Uuid, text
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from kernel.core import clock
from kernel.core.data.database import Base, BigInt, Row
from kernel.core.data.job_table import LeasedJob
from kernel.core.data.moments import Moment
from kernel.covers.models import IN_BIN, IN_GALLERY

OPEN: Final = text("state IN ('queued', 'running')")


class BookRow(Row):
    """What is true of all editions of a book. `deleted_at` puts it into the bin.

    `cover_id` is its cover, of which no other book is made; null once that was removed for good. `version` grows with
    every change of the book or of one of its editions. `direction` is that in which the pages follow each other: `ltr`
    or `rtl`. `price` is as it is to be read.
    """

    __tablename__ = "book"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (
            UniqueConstraint("cover_id", name="uq_book_cover"),
            Index("ix_book_shelf", "user_id", "id", **IN_GALLERY),
            Index("ix_book_bin", "user_id", "deleted_at", "id", **IN_BIN),
            {"sqlite_autoincrement": True},
        )

    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    cover_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("cover.id", ondelete="SET NULL"))
    version: Mapped[int] = mapped_column(Integer)
    title: Mapped[str] = mapped_column(String(200))
    subtitle: Mapped[str] = mapped_column(String(200))
    authors: Mapped[str] = mapped_column(String(200))
    tagline: Mapped[str] = mapped_column(String(300))
    blurb: Mapped[str] = mapped_column(Text)
    about_author: Mapped[str] = mapped_column(Text)
    quote: Mapped[str] = mapped_column(Text, default="", server_default=text("''"))
    series: Mapped[str] = mapped_column(String(200))
    number: Mapped[str] = mapped_column(String(40))
    language: Mapped[str] = mapped_column(String(20))
    direction: Mapped[str] = mapped_column(String(3))
    publisher: Mapped[str] = mapped_column(String(200))
    price: Mapped[str] = mapped_column(String(40))
    pages: Mapped[int | None] = mapped_column(Integer)
    updated_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    deleted_at: Mapped[datetime | None] = mapped_column(Moment)


class BookPicture(Base):
    """A picture that a book has of its own. Books of a series may share it; it goes with the last of them."""

    __abstract__ = True

    book_id: Mapped[int] = mapped_column(BigInt, ForeignKey("book.id", ondelete="CASCADE"), primary_key=True)
    picture_id: Mapped[int] = mapped_column(BigInt, ForeignKey("picture.id"))


class PublisherMark(BookPicture):
    """The publisher's mark, for spine and back."""

    __tablename__ = "publisher_mark"
    __table_args__ = (Index("ix_publisher_mark_picture", "picture_id"),)


class BackPicture(BookPicture):
    """The picture on the back, beside what is said about the author."""

    __tablename__ = "back_picture"
    __table_args__ = (Index("ix_back_picture_picture", "picture_id"),)


BOOK_PICTURES: Final[tuple[type[BookPicture], ...]] = (PublisherMark, BackPicture)


class EditionRow(Row):
    """A book in one trade form; `name` says which, see `kernel.books.editions`.

    `trim` is like `6x9`, in inches. `spine` and what follows it are what the printer's own template says, in inches,
    null where it is not needed. What does not apply to a form is blank or null.
    """

    __tablename__ = "edition"

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> Any:
        return (UniqueConstraint("book_id", "name", name="uq_edition_book_name"), {"sqlite_autoincrement": True})

    book_id: Mapped[int] = mapped_column(BigInt, ForeignKey("book.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(32))
    trim: Mapped[str] = mapped_column(String(20))
    paper: Mapped[str] = mapped_column(String(32))
    background: Mapped[str] = mapped_column(String(16))
    color: Mapped[str] = mapped_column(String(7))
    isbn: Mapped[str] = mapped_column(String(13))
    spine: Mapped[float | None] = mapped_column(Float)
    sheet_width: Mapped[float | None] = mapped_column(Float)
    sheet_height: Mapped[float | None] = mapped_column(Float)
    board_width: Mapped[float | None] = mapped_column(Float)
    board_height: Mapped[float | None] = mapped_column(Float)
    wrap: Mapped[float | None] = mapped_column(Float)
    hinge: Mapped[float | None] = mapped_column(Float)


class EditionPack(LeasedJob, Base):
    """One wish for the files of a book's editions, and its way to an end.

    `state`: queued, running, completed, failed, canceled. `ordered` is all that the files are made of, as it was when
    they were asked for; `digest` is its hash. `done` counts the editions whose files are made. `contents` names the
    files and what was found in them. A pack that has ended is removed at `expires_at`.
    """

    __tablename__ = "edition_pack"
    job_kind = "edition_pack"
    __table_args__ = (
        Index("ix_edition_pack_book", "book_id", "id"),
        Index("ix_edition_pack_open", "state", "run_after", postgresql_where=OPEN),
        Index("ix_edition_pack_user", "user_id", "state"),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInt, ForeignKey("user.id", ondelete="CASCADE"))
    book_id: Mapped[int] = mapped_column(BigInt, ForeignKey("book.id", ondelete="CASCADE"))
    book_version: Mapped[int] = mapped_column(Integer)
    digest: Mapped[str] = mapped_column(String(64))
    ordered: Mapped[dict[str, Any]] = mapped_column(JSON)
    state: Mapped[str] = mapped_column(String(10))
    done: Mapped[int] = mapped_column(Integer, default=0)
    total: Mapped[int] = mapped_column(Integer)
    contents: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    error_code: Mapped[str | None] = mapped_column(String(64))
    error_message: Mapped[str | None] = mapped_column(String(500))
    created_at: Mapped[datetime] = mapped_column(Moment, default=clock.now)
    finished_at: Mapped[datetime | None] = mapped_column(Moment)
    expires_at: Mapped[datetime | None] = mapped_column(Moment)
