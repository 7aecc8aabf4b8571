"""Tables of pictures."""

from uuid import UUID

from sqlalchemy import ForeignKey, Index, Integer, String, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from kernel.core.data.database import Base, BigInt, Row


class Picture(Row):
    """A finished picture. `native_*` is the size from the provider, in pixels; `tint` its mean color as `#rrggbb`.

    `placeholder` is a tiny preview, as WebP in base64; pictures from before that column have none.
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
    """One stored form of a picture: the original, or a thumbnail named after its width. Names its storage instance."""

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
    """A reference picture of a generation, stored until the job has ended. Names its storage instance."""

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
    """The stored file of a finished archive, kept until it expires. Names its storage instance."""

    __tablename__ = "archive_file"
    __table_args__ = (Index("ix_archive_file_object", "instance_id", "object_key", unique=True),)

    archive_id: Mapped[UUID] = mapped_column(Uuid, ForeignKey("archive.id", ondelete="CASCADE"), primary_key=True)
    instance_id: Mapped[str] = mapped_column(String(64))
    object_key: Mapped[str] = mapped_column(String(255))
    media_type: Mapped[str] = mapped_column(String(32))
    size: Mapped[int] = mapped_column(BigInt)
    sha256: Mapped[str] = mapped_column(String(64))


class EditionPackFile(Base):
    """The stored file of a finished edition pack, kept until it expires. Names its storage instance."""

    __tablename__ = "edition_pack_file"
    __table_args__ = (Index("ix_edition_pack_file_object", "instance_id", "object_key", unique=True),)

    pack_id: Mapped[UUID] = mapped_column(Uuid, ForeignKey("edition_pack.id", ondelete="CASCADE"), primary_key=True)
    instance_id: Mapped[str] = mapped_column(String(64))
    object_key: Mapped[str] = mapped_column(String(255))
    media_type: Mapped[str] = mapped_column(String(32))
    size: Mapped[int] = mapped_column(BigInt)
    sha256: Mapped[str] = mapped_column(String(64))


class StorageSite(Base):
    """The name of this site's folder in every storage. One row, id 1."""

    __tablename__ = "storage_site"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(12))
