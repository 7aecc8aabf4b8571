"""an index of trigrams for searches: FTS5 on SQLite, pg_trgm on PostgreSQL"""

import sqlalchemy as sa
import structlog
from alembic import op
from sqlalchemy.exc import DBAPIError

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

log = structlog.get_logger("coverwright.migrations")

BATCH = 1000
SEARCHED = {
    "cover": ("title_key", "author_key", "prompt_key"),
    "generation": ("search_key",),
    "user": ("email_key", "name_key"),
}
NUMBERED = "generation"
"""Its key is no integer, and VACUUM changes the rowids of such a table: a table of our own numbers its rows."""
OWNED = ("cover", "generation")
OWNER = "char(57344 + {0} / 40960000 % 6400, 57344 + {0} / 6400 % 6400, 57344 + {0} % 6400)"
"""The user's id as a trigram of characters for private use."""


def upgrade() -> None:
    """Go to this revision. Each statement is a transaction of its own: nobody who writes waits for the end of all."""
    with op.get_context().autocommit_block():
        if op.get_context().dialect.name == "sqlite":
            _upgrade_sqlite()
        else:
            _upgrade_postgresql()


def downgrade() -> None:
    """Leave this revision; the extension stays, for others may use it."""
    for table in SEARCHED:
        if op.get_context().dialect.name == "sqlite":
            _drop_sqlite(table)
        else:
            op.execute(f"DROP INDEX IF EXISTS ix_{table}_search")


def _upgrade_sqlite() -> None:
    try:
        op.execute("CREATE VIRTUAL TABLE cover_search_probe USING fts5(one, tokenize='trigram')")
        op.execute("DROP TABLE cover_search_probe")
    except DBAPIError as error:
        log.warning("searches look at all rows: this SQLite has no FTS5 with trigrams", error=str(error.orig))
        return
    for table in SEARCHED:
        _drop_sqlite(table)  # what an upgrade that was interrupted left
        _create_sqlite(table)
        _fill_sqlite(table)


def _create_sqlite(table: str) -> None:
    names = ", ".join(_columns(table))
    # no positions and no lengths: whether a row holds the term is decided by the row
    options = "detail='none', columnsize=0, tokenize='trigram case_sensitive 1'"
    op.execute(f"CREATE VIRTUAL TABLE {table}_search USING fts5({names}, {options})")
    number, note, forget = "{0}.id", "", ""
    if table == NUMBERED:
        keys = f"{table}_search_row"
        op.execute(f"CREATE TABLE {keys} (number INTEGER PRIMARY KEY, key CHAR(32) NOT NULL UNIQUE)")
        number = f"(SELECT number FROM {keys} WHERE key = {{0}}.id)"
        note = f"INSERT OR IGNORE INTO {keys} (key) VALUES (new.id);"
        forget = f"DELETE FROM {keys} WHERE key = old.id;"
    values = _values(table, "new")
    add = f"INSERT INTO {table}_search (rowid, {names}) VALUES ({number.format('new')}, {values});"
    drop = f"DELETE FROM {table}_search WHERE rowid = {number.format('old')};"
    watched = ", ".join((*SEARCHED[table], *(["user_id"] if table in OWNED else [])))
    for name, when, what in (
        ("added", "INSERT", note + add),
        ("changed", f"UPDATE OF {watched}", drop + note + add),
        ("deleted", "DELETE", drop + forget),
    ):
        op.execute(f'CREATE TRIGGER {table}_search_{name} AFTER {when} ON "{table}" BEGIN {what} END')


def _fill_sqlite(table: str) -> None:
    """Add the rows that are there. A row that is changed meanwhile has been added by its trigger and is replaced."""
    connection = op.get_bind()
    names = ", ".join(_columns(table))
    number, source, part = "one.id", f'"{table}" AS one', "one.rowid > :last AND one.rowid <= :upto"
    statements = []
    if table == NUMBERED:
        keys = f"{table}_search_row"
        statements.append(f"INSERT OR IGNORE INTO {keys} (key) SELECT id FROM {source} WHERE {part} ORDER BY one.rowid")
        number, source = "noted.number", f"{source} JOIN {keys} AS noted ON noted.key = one.id"
    add = f"INSERT OR REPLACE INTO {table}_search (rowid, {names})"
    statements.append(f"{add} SELECT {number}, {_values(table, 'one')} FROM {source} WHERE {part}")
    batch = f'SELECT rowid FROM "{table}" WHERE rowid > :last ORDER BY rowid LIMIT {BATCH}'
    upto, last = sa.text(f"SELECT max(rowid) FROM ({batch})"), 0
    while (end := connection.execute(upto, {"last": last}).scalar_one()) is not None:
        for statement in statements:
            connection.execute(sa.text(statement), {"last": last, "upto": end})
        last = end


def _drop_sqlite(table: str) -> None:
    for name in ("added", "changed", "deleted"):
        op.execute(f"DROP TRIGGER IF EXISTS {table}_search_{name}")
    op.execute(f"DROP TABLE IF EXISTS {table}_search")
    op.execute(f"DROP TABLE IF EXISTS {table}_search_row")


def _columns(table: str) -> tuple[str, ...]:
    return ("owner", *SEARCHED[table]) if table in OWNED else SEARCHED[table]


def _values(table: str, row: str) -> str:
    owner = [OWNER.format(f"{row}.user_id")] if table in OWNED else []
    return ", ".join((*owner, *(f"{row}.{name}" for name in SEARCHED[table])))


def _upgrade_postgresql() -> None:
    connection = op.get_bind()
    find = sa.text(
        "SELECT quote_ident(nspname) FROM pg_opclass JOIN pg_namespace ON pg_namespace.oid = opcnamespace "
        "WHERE opcname = 'gin_trgm_ops'"
    )
    schema, refused = connection.execute(find).scalar(), ""
    if schema is None:
        try:
            op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            schema = connection.execute(find).scalar()
        except DBAPIError as error:
            refused = str(error.orig)
    statements = []
    # without a list of pending rows: each search would read it to its end
    for table, names in SEARCHED.items():
        columns = ", ".join(f"{name} {schema}.gin_trgm_ops" if schema else f"{name} gin_trgm_ops" for name in names)
        statements.append(
            f'CREATE INDEX CONCURRENTLY ix_{table}_search ON "{table}" USING gin ({columns}) WITH (fastupdate = off)'
        )
    if schema is None:
        by_hand = "; ".join(("CREATE EXTENSION pg_trgm", *statements))
        log.warning("searches look at all rows until an administrator runs these", sql=by_hand, error=refused)
        return
    for table, statement in zip(SEARCHED, statements, strict=True):
        op.execute(f"DROP INDEX IF EXISTS ix_{table}_search")  # what an upgrade that was interrupted left
        op.execute(statement)
