"""the certificate that signs downloaded files"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "signing_certificate",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("is_self_made", sa.Boolean(), nullable=False),
        sa.Column("alg", sa.Text(), nullable=False),
        sa.Column("chain", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("ends_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signing_certificate")),
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("signing_certificate")
