"""account letters"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    key = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "letter",
        sa.Column("id", key, sa.Identity(always=False), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("user_id", key, nullable=True),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("run_after", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("give_up_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("lease_until", DateTimeUTC(timezone=True), nullable=True),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_letter_user_id"), ["user_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_letter_run_after"), ["run_after"], unique=False)
    op.create_table(
        "account_token",
        sa.Column("id", key, sa.Identity(always=False), nullable=False),
        sa.Column("user_id", key, nullable=False),
        sa.Column("purpose", sa.String(length=8), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user.id"], name=op.f("fk_account_token_user_id_user"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_account_token_token_hash")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("account_token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_account_token_user_id"), ["user_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_account_token_expires_at"), ["expires_at"], unique=False)
    op.add_column("user", sa.Column("email_verified_at", DateTimeUTC(timezone=True), nullable=True))
    op.add_column("user", sa.Column("leaving_at", DateTimeUTC(timezone=True), nullable=True))
    op.create_index(op.f("ix_user_leaving_at"), "user", ["leaving_at"], unique=False)


def downgrade() -> None:
    """Leave this revision."""
    op.drop_index(op.f("ix_user_leaving_at"), table_name="user")
    op.drop_column("user", "leaving_at")
    op.drop_column("user", "email_verified_at")
    op.drop_table("account_token")
    op.drop_table("letter")
