"""books, editions, and packs of their files"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = DateTimeUTC(timezone=True)


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "book",
        sa.Column("id", BIG, sa.Identity(), nullable=False),
        sa.Column("user_id", BIG, nullable=False),
        sa.Column("cover_id", BIG, nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.String(length=length) if length else sa.Text(), nullable=False)
            for name, length in (
                ("title", 200),
                ("subtitle", 200),
                ("authors", 200),
                ("tagline", 300),
                ("blurb", 0),
                ("about_author", 0),
                ("series", 200),
                ("number", 40),
                ("language", 20),
                ("direction", 3),
                ("publisher", 200),
                ("price", 40),
            )
        ),
        sa.Column("pages", sa.Integer(), nullable=True),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("deleted_at", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_book_user_id_user"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["cover_id"], ["cover.id"], name=op.f("fk_book_cover_id_cover"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_book")),
        sa.UniqueConstraint("cover_id", name="uq_book_cover"),
        sqlite_autoincrement=True,
    )
    on_shelf, in_bin = sa.text("deleted_at IS NULL"), sa.text("deleted_at IS NOT NULL")
    op.create_index("ix_book_shelf", "book", ["user_id", "id"], postgresql_where=on_shelf, sqlite_where=on_shelf)
    op.create_index(
        "ix_book_bin", "book", ["user_id", "deleted_at", "id"], postgresql_where=in_bin, sqlite_where=in_bin
    )
    op.create_table(
        "edition",
        sa.Column("id", BIG, sa.Identity(), nullable=False),
        sa.Column("book_id", BIG, nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("trim", sa.String(length=20), nullable=False),
        sa.Column("paper", sa.String(length=32), nullable=False),
        sa.Column("background", sa.String(length=16), nullable=False),
        sa.Column("color", sa.String(length=7), nullable=False),
        sa.Column("isbn", sa.String(length=13), nullable=False),
        sa.Column("spine", sa.Float(), nullable=True),
        sa.Column("sheet_width", sa.Float(), nullable=True),
        sa.Column("sheet_height", sa.Float(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.id"], name=op.f("fk_edition_book_id_book"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_edition")),
        sa.UniqueConstraint("book_id", "name", name="uq_edition_book_name"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "edition_pack",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", BIG, nullable=False),
        sa.Column("book_id", BIG, nullable=False),
        sa.Column("book_version", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("ordered", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("contents", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("error_code", sa.String(length=64), nullable=True),
        sa.Column("error_message", sa.String(length=500), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.Column("expires_at", MOMENT, nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("run_after", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_edition_pack_user_id_user"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["book_id"], ["book.id"], name=op.f("fk_edition_pack_book_id_book"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_edition_pack")),
    )
    op.create_index("ix_edition_pack_book", "edition_pack", ["book_id", "id"])
    op.create_index("ix_edition_pack_user", "edition_pack", ["user_id", "state"])
    still_open = sa.text("state IN ('queued', 'running')")
    op.create_index("ix_edition_pack_open", "edition_pack", ["state", "run_after"], postgresql_where=still_open)
    op.create_table(
        "edition_pack_file",
        sa.Column("pack_id", sa.Uuid(), nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("object_key", sa.String(length=255), nullable=False),
        sa.Column("media_type", sa.String(length=32), nullable=False),
        sa.Column("size", BIG, nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["pack_id"], ["edition_pack.id"], name=op.f("fk_edition_pack_file_pack_id_edition_pack"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("pack_id", name=op.f("pk_edition_pack_file")),
    )
    op.create_index("ix_edition_pack_file_object", "edition_pack_file", ["instance_id", "object_key"], unique=True)
    op.add_column("plan_limits", sa.Column("free_print_files", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("plan_limits", "free_print_files")
    op.drop_table("edition_pack_file")
    op.drop_table("edition_pack")
    op.drop_table("edition")
    op.drop_table("book")
