"""more words of a book, and the wished style of the words"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

LENGTHS = {"subtitle": 200, "series": 200, "number": 40, "tagline": 300}


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("generation", sa.Column("lettering_style", sa.String(length=60), nullable=True))
    for table in ("generation", "cover"):
        for name, length in LENGTHS.items():
            blank = sa.Column(name, sa.String(length=length), server_default=sa.text("''"), nullable=False)
            op.add_column(table, blank)


def downgrade() -> None:
    """Leave this revision."""
    for table in ("generation", "cover"):
        for name in LENGTHS:
            op.drop_column(table, name)
    op.drop_column("generation", "lettering_style")
