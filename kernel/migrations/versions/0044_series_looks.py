"""themes: the look that their covers share, and what it was applied to"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def _id() -> sa.Column[int]:
    return sa.Column(
        "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=False), nullable=False
    )


def _reference(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=nullable)


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "theme_look",
        _id(),
        _reference("theme_id"),
        _reference("cover_id", nullable=True),
        sa.Column("lettering", sa.JSON(), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["theme_id"], ["theme.id"], name=op.f("fk_theme_look_theme_id_theme"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["cover_id"], ["cover.id"], name=op.f("fk_theme_look_cover_id_cover"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_theme_look")),
        sa.UniqueConstraint("theme_id", name=op.f("uq_theme_look_theme_id")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "look_run",
        _id(),
        _reference("theme_id"),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("lettering", sa.JSON(), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["theme_id"], ["theme.id"], name=op.f("fk_look_run_theme_id_theme"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_look_run")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_look_run_theme", "look_run", ["theme_id", "id"])
    op.create_table(
        "look_change",
        _reference("run_id"),
        sa.Column("position", sa.Integer(), nullable=False),
        _reference("cover_id"),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("before_version", sa.Integer(), nullable=True),
        sa.Column("after_version", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"], ["look_run.id"], name=op.f("fk_look_change_run_id_look_run"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["cover_id"], ["cover.id"], name=op.f("fk_look_change_cover_id_cover"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "position", name=op.f("pk_look_change")),
    )
    op.create_index("ix_look_change_cover", "look_change", ["cover_id"])


def downgrade() -> None:
    """Leave this revision."""
    op.drop_index("ix_look_change_cover", "look_change")
    op.drop_table("look_change")
    op.drop_index("ix_look_run_theme", "look_run")
    op.drop_table("look_run")
    op.drop_table("theme_look")
