"""lettering"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision."""
    with op.batch_alter_table("generation", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("lettering", sa.String(length=8), server_default=sa.text("'model'"), nullable=False)
        )
    with op.batch_alter_table("cover", schema=None) as batch_op:
        batch_op.add_column(sa.Column("artwork_id", ROW_ID, nullable=True))
        batch_op.add_column(sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False))
        batch_op.create_foreign_key("fk_cover_artwork_id_picture", "picture", ["artwork_id"], ["id"])
    op.create_table(
        "cover_version",
        sa.Column("id", ROW_ID, sa.Identity(), nullable=False),
        sa.Column("cover_id", ROW_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("picture_id", ROW_ID, nullable=True),
        sa.Column("lettering", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["cover_id"], ["cover.id"], name=op.f("fk_cover_version_cover_id_cover"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["picture_id"], ["picture.id"], name=op.f("fk_cover_version_picture_id_picture")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cover_version")),
        sa.UniqueConstraint("cover_id", "number", name="uq_cover_version_number"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("cover_version")
    with op.batch_alter_table("cover", schema=None) as batch_op:
        batch_op.drop_constraint("fk_cover_artwork_id_picture", type_="foreignkey")
        batch_op.drop_column("version")
        batch_op.drop_column("artwork_id")
    with op.batch_alter_table("generation", schema=None) as batch_op:
        batch_op.drop_column("lettering")
