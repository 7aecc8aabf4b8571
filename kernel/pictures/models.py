"""Tables of pictures."""

from uuid import UUID

from sqlalchemy import ForeignKey, Index, Integer, String, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core.database import Base, BigInt, Row


class Picture(Row):
    """A finished picture. `native_*` is the size the provider made, in pixels; `tint` its mean colour as `#rrggbb`.

    `placeholder` is the picture at a glance, as base64 of a tiny WebP; pictures made before there were any have none.
    """

    __tablename__ = "picture"

    sha256: Mapped[str] = mapped_column(String(64))
    width: Mapped[int] = mapped_column(Integer)
    height: Mapped[int] = mapped_column(Integer)
    native_width: Mapped[int] = mapped_column(Integer)
    native_height: Mapped[int] = mapped_column(Integer)
    tint: Mapped[str] = mapped_column(String(7))
    placeholder: Mapped[str | None] = mapped_column(String(320))


class PictureFile(Base):
    """One stored form of a picture: the original, or a thumbnail named after its width. It remembers its instance."""

    __tablename__ = "picture_file"
    __table_args__ = (Index("ix_picture_file_object", "instance_id", "object_key", unique=True),)

    picture_id: Mapped[int] = mapped_column(BigInt, ForeignKey("picture.id", ondelete="CASCADE"), primary_key=True)
    form: Mapped[str] = mapped_column(String(16), primary_key=True)
    instance_id: Mapped[str] = mapped_column(String(64))
    object_key: Mapped[str] = mapped_column(String(255))
    media_type: Mapped[str] = mapped_column(String(32))
    size: Mapped[int] = mapped_column(BigInt)
    sha256: Mapped[str] = mapped_column(String(64))


class GenerationReference(Base):
    """A picture that a generation is to take as its model, kept until the job has ended. It remembers its instance."""

    __tablename__ = "generation_reference"
    __table_args__ = (Index("ix_generation_reference_object", "instance_id", "object_key", unique=True),)

    generation_id: Mapped[UUID] = mapped_column(Uuid, ForeignKey("generation.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    instance_id: Mapped[str] = mapped_column(String(64))
    object_key: Mapped[str] = mapped_column(String(255))
    media_type: Mapped[str] = mapped_column(String(32))
    size: Mapped[int] = mapped_column(BigInt)
    sha256: Mapped[str] = mapped_column(String(64))


class ArchiveFile(Base):
    """Where a finished archive of covers is stored, kept until it expires. It remembers its instance."""

    __tablename__ = "archive_file"
    __table_args__ = (Index("ix_archive_file_object", "instance_id", "object_key", unique=True),)

    archive_id: Mapped[UUID] = mapped_column(Uuid, ForeignKey("archive.id", ondelete="CASCADE"), primary_key=True)
    instance_id: Mapped[str] = mapped_column(String(64))
    object_key: Mapped[str] = mapped_column(String(255))
    media_type: Mapped[str] = mapped_column(String(32))
    size: Mapped[int] = mapped_column(BigInt)
    sha256: Mapped[str] = mapped_column(String(64))
