"""public texts of administrators, and the addresses in the footer"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "public_text",
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("updated_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_public_text")),
    )
    op.create_table(
        "public_address",
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("address", sa.String(length=300), nullable=False),
        sa.Column("updated_at", DateTimeUTC(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_public_address")),
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("public_address")
    op.drop_table("public_text")
