"""a quote and a picture on the back of a book"""

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("book", sa.Column("quote", sa.Text(), nullable=False, server_default=sa.text("''")))
    op.create_table(
        "back_picture",
        sa.Column("book_id", row_id, nullable=False),
        sa.Column("picture_id", row_id, nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["book.id"], name=op.f("fk_back_picture_book_id_book"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["picture_id"], ["picture.id"], name=op.f("fk_back_picture_picture_id_picture")),
        sa.PrimaryKeyConstraint("book_id", name=op.f("pk_back_picture")),
    )
    op.create_index("ix_back_picture_picture", "back_picture", ["picture_id"])


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("back_picture")
    op.drop_column("book", "quote")
