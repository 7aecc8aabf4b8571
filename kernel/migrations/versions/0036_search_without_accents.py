"""searches: stored texts are folded without accents, too"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

BATCH = 1000
KEYS = {
    "cover": ("title_key", "author_key", "prompt_key"),
    "generation": ("search_key",),
    "user": ("email_key", "name_key"),
}
LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ё": "е"}
)
LONGEST = 300
"""Characters of the keys of titles and authors."""


def upgrade() -> None:
    """Go to this revision: texts of ASCII are as they were."""
    for table, names in KEYS.items():
        _fold_again(table, names)


def downgrade() -> None:
    """Leave this revision. What was folded is searched with accents again when it is changed."""


def _fold_again(name: str, names: tuple[str, ...]) -> None:
    connection = op.get_bind()
    lite = connection.dialect.name == "sqlite"
    kind = sa.Uuid() if name == "generation" else sa.BigInteger()
    table = sa.table(name, sa.column("id", kind), *(sa.column(key, sa.Text()) for key in names))
    columns = [table.c[key] for key in names]
    foreign = sa.or_(*(_not_ascii(column, lite=lite) for column in columns))
    read = sa.select(table.c.id, *columns).where(foreign).order_by(table.c.id).limit(BATCH)
    new: dict[str, sa.BindParameter[str]] = {key: sa.bindparam(f"new_{key}") for key in names}
    change = sa.update(table).where(table.c.id == sa.bindparam("row_id")).values(new)
    rows = connection.execute(read).all()
    while rows:
        folded = [{"row_id": row.id} | {f"new_{key}": _fold(key, getattr(row, key)) for key in names} for row in rows]
        connection.execute(change, folded)
        rows = connection.execute(read.where(table.c.id > rows[-1].id)).all()


def _not_ascii(column: sa.ColumnElement[str], *, lite: bool) -> sa.ColumnElement[bool]:
    if lite:
        return column.op("GLOB")(sa.literal("*[^\x01-\x7f]*"))
    return column.op("~")(sa.literal("[^\x01-\x7f]"))


def _fold(key: str, folded: str) -> str:
    """Take accents from a text that is case-folded already."""
    kept, base = [], ""
    for character in unicodedata.normalize("NFD", folded):
        if unicodedata.combining(character) == 0:
            base = character
        elif base < "\u0400" or "\u0590" <= base < "\u0700" or "\u1e00" <= base < "\u2000":
            continue
        kept.append(character)
    text = unicodedata.normalize("NFC", "".join(kept)).translate(LETTERS)
    return text[:LONGEST] if key in ("title_key", "author_key") else text
