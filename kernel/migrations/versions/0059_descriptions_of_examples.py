"""carousel_cover: what the cover shows, in words"""

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("carousel_cover", sa.Column("description", sa.String(500), nullable=False, server_default=""))


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("carousel_cover", "description")
