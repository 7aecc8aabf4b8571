"""instances"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "provider_instance",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("provider", sa.String(length=40), nullable=False),
        sa.Column("label", sa.String(length=200), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("draining", sa.Boolean(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("settings_version", sa.Integer(), nullable=False),
        sa.Column("revision", BIG, nullable=False),
        sa.Column("created_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("updated_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("updated_by", BIG, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_provider_instance")),
    )
    op.create_table(
        "provider_secret",
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("field", sa.String(length=64), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("hint", sa.String(length=8), nullable=True),
        sa.Column("updated_at", DateTimeUTC(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["instance_id"],
            ["provider_instance.id"],
            name=op.f("fk_provider_secret_instance_id_provider_instance"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("instance_id", "field", name=op.f("pk_provider_secret")),
    )
    op.create_table(
        "provider_route",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("instances", sa.JSON(), nullable=False),
        sa.Column("user_choice", sa.Boolean(), nullable=False),
        sa.Column("revision", BIG, nullable=False),
        sa.PrimaryKeyConstraint("kind", name=op.f("pk_provider_route")),
    )
    revisions = op.create_table(
        "provider_revision",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("revision", BIG, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_provider_revision")),
    )
    op.bulk_insert(revisions, [{"id": 1, "revision": 0}])
    op.create_table(
        "provider_check",
        sa.Column("instance_id", sa.String(length=40), nullable=False),
        sa.Column("checked_at", DateTimeUTC(timezone=True), nullable=False),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("instance_id", name=op.f("pk_provider_check")),
    )


def downgrade() -> None:
    """Leave this revision."""
    for table in ("provider_check", "provider_revision", "provider_route", "provider_secret", "provider_instance"):
        op.drop_table(table)
