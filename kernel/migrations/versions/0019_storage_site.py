"""storage site"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "storage_site",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=12), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_storage_site")),
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("storage_site")
