"""second factor

Authenticator apps, passkeys, recovery codes, sign-ins that wait for one of them, and what administrators need.
"""

from typing import Any

import sqlalchemy as sa
from advanced_alchemy.types import DateTimeUTC
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

TIME = DateTimeUTC(timezone=True)


def _big() -> sa.types.TypeEngine[Any]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _owned(name: str, *columns: sa.schema.SchemaItem, anybody: bool = False) -> None:
    """Create a table whose rows are deleted with their user's; with `anybody`, some rows have no user."""
    op.create_table(
        name,
        sa.Column("id", _big(), sa.Identity(always=False), nullable=False),
        sa.Column("user_id", _big(), nullable=anybody),
        *columns,
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f(f"fk_{name}_user_id_user"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
        sqlite_autoincrement=True,
    )


def upgrade() -> None:
    """Go to this revision."""
    _owned(
        "totp",
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("confirmed_at", TIME, nullable=True),
        sa.Column("last_step", _big(), nullable=True),
        sa.Column("last_used_at", TIME, nullable=True),
        sa.UniqueConstraint("user_id", name=op.f("uq_totp_user_id")),
    )
    _owned(
        "passkey",
        sa.Column("credential_id", sa.String(length=1400), nullable=False),
        sa.Column("public_key", sa.Text(), nullable=False),
        sa.Column("sign_count", _big(), nullable=False),
        sa.Column("transports", sa.JSON(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("last_used_at", TIME, nullable=True),
        sa.UniqueConstraint("credential_id", name=op.f("uq_passkey_credential_id")),
    )
    op.create_index(op.f("ix_passkey_user_id"), "passkey", ["user_id"], unique=False)
    _owned(
        "recovery_code",
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("used_at", TIME, nullable=True),
        sa.UniqueConstraint("code_hash", name=op.f("uq_recovery_code_code_hash")),
    )
    op.create_index(op.f("ix_recovery_code_user_id"), "recovery_code", ["user_id"], unique=False)
    _owned(
        "held_sign_in",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("method", sa.String(length=64), nullable=False),
        sa.Column("issuer_session", sa.String(length=255), nullable=True),
        sa.Column("expires_at", TIME, nullable=False),
        sa.UniqueConstraint("token_hash", name=op.f("uq_held_sign_in_token_hash")),
    )
    op.create_index(op.f("ix_held_sign_in_user_id"), "held_sign_in", ["user_id"], unique=False)
    op.create_index(op.f("ix_held_sign_in_expires_at"), "held_sign_in", ["expires_at"], unique=False)
    _owned(
        "passkey_challenge",
        sa.Column("purpose", sa.String(length=100), nullable=False),
        sa.Column("challenge", sa.String(length=128), nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.UniqueConstraint("purpose", name=op.f("uq_passkey_challenge_purpose")),
        anybody=True,
    )
    op.create_index(op.f("ix_passkey_challenge_user_id"), "passkey_challenge", ["user_id"], unique=False)
    op.create_index(op.f("ix_passkey_challenge_expires_at"), "passkey_challenge", ["expires_at"], unique=False)
    op.create_table(
        "sign_in_policy",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("admins_need_second_factor", sa.Boolean(), nullable=False),
        sa.Column("admins_only_issuer", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_policy")),
    )


def downgrade() -> None:
    """Leave this revision."""
    for table in ("sign_in_policy", "passkey_challenge", "held_sign_in", "recovery_code", "passkey", "totp"):
        op.drop_table(table)
