"""variants"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

BATCH = 1000


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("generation", sa.Column("batch_id", sa.Uuid(), nullable=True))
    op.add_column("generation", sa.Column("search_key", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("generation", sa.Column("reference_covers", sa.JSON(), nullable=True))
    op.create_index("ix_generation_batch", "generation", ["batch_id"], unique=False)
    op.create_index("ix_generation_theme", "generation", ["theme_id"], unique=False)
    op.create_index("ix_generation_history", "generation", ["user_id", "id"], unique=False)
    _fill_search_keys()


def downgrade() -> None:
    """Leave this revision."""
    op.drop_index("ix_generation_history", table_name="generation")
    op.drop_index("ix_generation_theme", table_name="generation")
    op.drop_index("ix_generation_batch", table_name="generation")
    for name in ("reference_covers", "search_key", "batch_id"):
        op.drop_column("generation", name)


def _fill_search_keys() -> None:
    """Fold the existing texts: SQLite's own `lower` knows ASCII only."""
    generation = sa.table(
        "generation",
        sa.column("id", sa.Uuid()),
        *(sa.column(name, sa.Text()) for name in ("prompt", "title", "author", "search_key")),
    )
    columns = generation.c
    connection = op.get_bind()
    texts = sa.select(columns.id, columns.prompt, columns.title, columns.author).order_by(columns.id).limit(BATCH)
    change = sa.update(generation).where(columns.id == sa.bindparam("row_id")).values(search_key=sa.bindparam("folded"))
    rows = connection.execute(texts).all()
    while rows:
        folded = [
            {
                "row_id": row.id,
                "folded": unicodedata.normalize("NFKC", f"{row.prompt}\n{row.title}\n{row.author}").casefold(),
            }
            for row in rows
        ]
        connection.execute(change, folded)
        rows = connection.execute(texts.where(columns.id > rows[-1].id)).all()
