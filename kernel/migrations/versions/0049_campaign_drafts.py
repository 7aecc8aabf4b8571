"""campaigns: drafts, versions per language, and what mailboxes reported"""

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

MOMENT = DateTimeUTC(timezone=True)


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "email_draft",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("body_format", sa.String(length=8), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("html_body", sa.Text(), nullable=False),
        sa.Column("versions", sa.JSON(), nullable=False),
        sa.Column("languages", sa.JSON(), nullable=False),
        sa.Column("reply_to", sa.String(length=320), nullable=False),
        sa.Column("segment", sa.JSON(), nullable=False),
        sa.Column("send_at", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_draft")),
    )
    for column in (
        sa.Column("language", sa.String(length=8), nullable=False, server_default="en"),
        sa.Column("source", sa.Text(), nullable=False, server_default=""),
        sa.Column("versions", sa.JSON(), nullable=False, server_default=sa.text("'{}'")),
    ):
        op.add_column("email_campaign", column)
    op.add_column("email_recipient", sa.Column("reported", sa.String(length=16), nullable=True))
    op.add_column("email_recipient", sa.Column("reported_at", MOMENT, nullable=True))


def downgrade() -> None:
    """Leave this revision."""
    for name in ("reported_at", "reported"):
        op.drop_column("email_recipient", name)
    for name in ("versions", "source", "language"):
        op.drop_column("email_campaign", name)
    op.drop_table("email_draft")
