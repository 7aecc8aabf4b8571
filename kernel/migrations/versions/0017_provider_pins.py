"""provider pins"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision. The pins themselves are made at the next start, when the plugins are known."""
    op.create_table(
        "provider_pin",
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("provider", sa.String(length=40), nullable=False),
        sa.Column("distribution", sa.String(length=200), nullable=False),
        sa.PrimaryKeyConstraint("instance_id", "kind", "provider", name=op.f("pk_provider_pin")),
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("provider_pin")
