"""mail domains

Domains were compared as IDNA 2003 writes them, which made `straße.example` the domain `strasse.example`, somebody
else's. An account whose address changes by this was confirmed by that somebody: it has to be confirmed again.
"""

import unicodedata

import idna
import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    user = sa.table(
        "user",
        sa.column("id", sa.BigInteger()),
        sa.column("email", sa.String()),
        sa.column("email_norm", sa.String()),
        sa.column("email_verified", sa.Boolean()),
    )
    columns = user.c
    connection = op.get_bind()
    # what differs is not ASCII in the address as typed
    rows = connection.execute(
        sa.select(columns.id, columns.email, columns.email_norm).where(columns.email != columns.email_norm)
    ).all()
    for row in rows:
        wanted = _compared(row.email)
        if wanted in (None, row.email_norm):
            continue
        taken = connection.execute(sa.select(columns.id).where(columns.email_norm == wanted)).first()
        if taken is None:
            values = {"email_norm": wanted, "email_verified": False}
            connection.execute(sa.update(user).where(columns.id == row.id).values(**values))


def downgrade() -> None:
    """Leave this revision. The addresses stay: the older spelling names another domain."""


def _compared(address: str) -> str | None:
    """Return an address as it is compared; None where IDNA 2008 knows no such domain."""
    local, _, domain = unicodedata.normalize("NFC", address.strip()).rpartition("@")
    if domain.isascii():
        return None
    try:
        labels = [
            label if label.isascii() else idna.alabel(label).decode("ascii") for label in domain.lower().split(".")
        ]
    except idna.IDNAError:
        return None
    return f"{local.lower()}@{'.'.join(labels)}"
