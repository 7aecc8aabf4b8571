"""saved_user_filter: filters of the list of users that administrators have named"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "saved_user_filter",
        sa.Column("id", big, sa.Identity(always=False), nullable=False),
        sa.Column("user_id", big, nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("name_key", sa.String(length=240), nullable=False),
        sa.Column("search", sa.String(length=100), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("since", sa.Date(), nullable=True),
        sa.Column("until", sa.Date(), nullable=True),
        sa.Column("sort", sa.String(length=16), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_saved_user_filter_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_user_filter")),
        sa.UniqueConstraint("user_id", "name_key", name=op.f("uq_saved_user_filter_user_id")),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("saved_user_filter")
