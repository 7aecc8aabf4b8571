"""back-channel logout"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("session") as table:
        table.add_column(sa.Column("issuer_session", sa.String(length=255), nullable=True))
        table.create_index(op.f("ix_session_issuer_session"), ["issuer_session"], unique=False)
    op.create_table(
        "used_logout",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_used_logout")),
    )
    op.create_index(op.f("ix_used_logout_expires_at"), "used_logout", ["expires_at"], unique=False)


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("used_logout")
    with op.batch_alter_table("session") as table:
        table.drop_index(op.f("ix_session_issuer_session"))
        table.drop_column("issuer_session")
