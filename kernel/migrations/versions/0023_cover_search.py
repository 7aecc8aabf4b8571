"""search covers by their prompts, and how pictures were made"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

BATCH = 1000


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("cover", sa.Column("prompt_key", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("generation", sa.Column("made_style", sa.String(length=300), nullable=True))
    _fill_prompt_keys()


def downgrade() -> None:
    """Leave this revision."""
    op.drop_column("generation", "made_style")
    op.drop_column("cover", "prompt_key")


def _fill_prompt_keys() -> None:
    """Fold the prompts of existing covers: SQLite's own `lower` knows ASCII only."""
    cover = sa.table(
        "cover",
        sa.column("id", sa.BigInteger()),
        sa.column("generation_id", sa.Uuid()),
        sa.column("prompt_key", sa.Text()),
    )
    generation = sa.table("generation", sa.column("id", sa.Uuid()), sa.column("prompt", sa.Text()))
    connection = op.get_bind()
    texts = (
        sa.select(cover.c.id, generation.c.prompt)
        .join_from(cover, generation, generation.c.id == cover.c.generation_id)
        .order_by(cover.c.id)
        .limit(BATCH)
    )
    change = sa.update(cover).where(cover.c.id == sa.bindparam("row_id")).values(prompt_key=sa.bindparam("folded"))
    rows = connection.execute(texts).all()
    while rows:
        folded = [{"row_id": row.id, "folded": unicodedata.normalize("NFKC", row.prompt).casefold()} for row in rows]
        connection.execute(change, folded)
        rows = connection.execute(texts.where(cover.c.id > rows[-1].id)).all()
