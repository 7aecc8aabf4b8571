"""titles without regard to case"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("cover", sa.Column("title_key", sa.String(length=300), nullable=False, server_default=""))
    op.create_index("ix_cover_title", "cover", ["user_id", "deleted_at", "title_key", "id"])
    cover = sa.table("cover", sa.column("id"), sa.column("title"), sa.column("title_key"))
    connection = op.get_bind()
    for row in connection.execute(sa.select(cover.c.id, cover.c.title)).all():
        key = unicodedata.normalize("NFKC", row.title).casefold()[:300]
        connection.execute(cover.update().where(cover.c.id == row.id).values(title_key=key))


def downgrade() -> None:
    """Go back to the one before."""
    op.drop_index("ix_cover_title", "cover")
    op.drop_column("cover", "title_key")
