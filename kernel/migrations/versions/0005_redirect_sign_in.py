"""redirect_sign_in"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "pending_sign_in",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=False), nullable=False
        ),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("expires_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pending_sign_in")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_pending_sign_in_key_hash")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("pending_sign_in", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pending_sign_in_expires_at"), ["expires_at"], unique=False)
    op.add_column("identity", sa.Column("instance_id", sa.String(length=64), server_default="", nullable=False))
    op.create_index(op.f("ix_identity_instance_id"), "identity", ["instance_id"], unique=False)


def downgrade() -> None:
    """Leave this revision."""
    op.drop_index(op.f("ix_identity_instance_id"), table_name="identity")
    op.drop_column("identity", "instance_id")
    op.drop_table("pending_sign_in")
