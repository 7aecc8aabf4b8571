"""references"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("generation", sa.Column("style_prompt", sa.Text(), nullable=True))
    op.add_column("generation", sa.Column("reference_count", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.add_column("generation", sa.Column("requested_instance", sa.String(length=64), nullable=True))
    op.add_column("generation", sa.Column("requested_model", sa.String(length=120), nullable=True))
    op.create_table(
        "generation_reference",
        sa.Column("generation_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("instance_id", sa.String(length=64), nullable=False),
        sa.Column("object_key", sa.String(length=255), nullable=False),
        sa.Column("media_type", sa.String(length=32), nullable=False),
        sa.Column("size", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["generation_id"],
            ["generation.id"],
            name=op.f("fk_generation_reference_generation_id_generation"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("generation_id", "position", name=op.f("pk_generation_reference")),
    )
    with op.batch_alter_table("generation_reference", schema=None) as batch_op:
        batch_op.create_index("ix_generation_reference_object", ["instance_id", "object_key"], unique=True)


def downgrade() -> None:
    """Leave this revision."""
    op.drop_table("generation_reference")
    for name in ("requested_model", "requested_instance", "reference_count", "style_prompt"):
        op.drop_column("generation", name)
