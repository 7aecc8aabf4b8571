"""the publisher's mark of a book"""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "publisher_mark",
        sa.Column("book_id", big, nullable=False),
        sa.Column("picture_id", big, nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["book.id"], name=op.f("fk_publisher_mark_book_id_book"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["picture_id"], ["picture.id"], name=op.f("fk_publisher_mark_picture_id_picture")),
        sa.PrimaryKeyConstraint("book_id", name=op.f("pk_publisher_mark")),
    )
    op.create_index("ix_publisher_mark_picture", "publisher_mark", ["picture_id"])


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("publisher_mark")
