"""archives"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = DateTimeUTC(timezone=True)


def upgrade() -> None:
    """Go to this revision."""
    in_bin = sa.text("deleted_at IS NOT NULL")
    op.create_index(
        "ix_cover_bin", "cover", ["user_id", "deleted_at", "id"], postgresql_where=in_bin, sqlite_where=in_bin
    )
    op.create_table(
        "archive",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", BIG, nullable=False),
        sa.Column("idempotency_key", sa.String(length=255), nullable=True),
        sa.Column("request_hash", sa.String(length=64), nullable=False),
        sa.Column("cover_ids", sa.JSON(), nullable=False),
        sa.Column("format", sa.String(length=8), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("run_after", MOMENT, nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("error_code", sa.String(length=64), nullable=True),
        sa.Column("error_message", sa.String(length=500), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.Column("expires_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_archive_user_id_user"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_archive")),
        sa.UniqueConstraint("user_id", "idempotency_key", name="uq_archive_user_key"),
    )
    op.create_index(
        "ix_archive_open",
        "archive",
        ["state", "run_after"],
        postgresql_where=sa.text("state IN ('queued', 'running')"),
    )
    op.create_table(
        "archive_file",
        sa.Column("archive_id", sa.Uuid(), nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("object_key", sa.String(length=255), nullable=False),
        sa.Column("media_type", sa.String(length=32), nullable=False),
        sa.Column("size", BIG, nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["archive_id"], ["archive.id"], name=op.f("fk_archive_file_archive_id_archive"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("archive_id", name=op.f("pk_archive_file")),
    )
    op.create_index("ix_archive_file_object", "archive_file", ["instance_id", "object_key"], unique=True)


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("archive_file")
    op.drop_table("archive")
    op.drop_index("ix_cover_bin", table_name="cover")
