"""search people by texts that are folded once"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

BATCH = 1000
KEYS = ("email_key", "name_key")


def upgrade() -> None:
    """Go to this revision."""
    for name in KEYS:
        op.add_column("user", sa.Column(name, sa.Text(), server_default=sa.text("''"), nullable=False))
    _fill()


def downgrade() -> None:
    """Leave this revision."""
    for name in KEYS:
        op.drop_column("user", name)


def _fill() -> None:
    """Fold addresses and names: SQLite's own `lower` knows ASCII only."""
    texts = ("email", "first_name", "last_name", *KEYS)
    user = sa.table("user", sa.column("id", sa.BigInteger()), *(sa.column(name, sa.Text()) for name in texts))
    connection = op.get_bind()
    read = sa.select(user.c.id, user.c.email, user.c.first_name, user.c.last_name).order_by(user.c.id).limit(BATCH)
    keys: dict[str, sa.BindParameter[str]] = {name: sa.bindparam(f"new_{name}") for name in KEYS}
    change = sa.update(user).where(user.c.id == sa.bindparam("row_id")).values(keys)
    rows = connection.execute(read).all()
    while rows:
        folded = [
            {
                "row_id": row.id,
                "new_email_key": _fold(row.email),
                "new_name_key": _fold(f"{row.first_name or ''} {row.last_name or ''}"),
            }
            for row in rows
        ]
        connection.execute(change, folded)
        rows = connection.execute(read.where(user.c.id > rows[-1].id)).all()


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
