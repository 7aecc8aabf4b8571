"""All rows of the database as one compressed file of JSON lines, the same from SQLite as from PostgreSQL.

    {"format": 1, "revision": "0032", "tables": [{"name": "user", "key": ["id"], "columns": [["id", "integer"], …]}, …]}
    {"table": "user", "rows": [[…], …]}
    {"rows": {"user": 12, …}, "numbers": {"user": 15, …}}

Tables come in an order in which every row refers to earlier ones only. `numbers` are the last keys that were given.
"""

import asyncio
import gzip
import hashlib
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, cast
from uuid import UUID

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from kernel.backups.models import Backup
from kernel.core.data.database import Base
from kernel.core.data.moments import Moment

FORMAT: Final = 1
BATCH: Final = 200
"""Rows that are in memory at one time."""

TYPES: Final[tuple[tuple[str, type[Any], type[Any]], ...]] = (
    ("boolean", sa.Boolean, bool),
    ("integer", sa.Integer, int),
    ("float", sa.Float, float),
    ("json", sa.JSON, str),
    ("uuid", sa.Uuid, UUID),
    ("bytes", sa.LargeBinary, bytes),
    ("date", sa.Date, date),
    ("moment", type(Moment), datetime),
    ("text", sa.String, str),
)
"""Name in the file, type of the column, type of the value. The text of JSON is kept as it is: null has two forms."""
VALUES: Final = {name: value for name, _, value in TYPES}


class DumpError(Exception):
    """The file is no dump that this version can read, or it is damaged; the message is for the operator."""


class DumpedTable(msgspec.Struct, frozen=True):
    """A table: its columns with the names of their types."""

    name: str
    columns: tuple[tuple[str, str], ...]


class DumpHead(msgspec.Struct, frozen=True):
    """The first line."""

    format: int
    revision: str
    tables: tuple[DumpedTable, ...]


class DumpRows(msgspec.Struct, frozen=True):
    """A line of rows."""

    table: str
    rows: list[list[Any]]


class DumpEnd(msgspec.Struct, frozen=True):
    """The last line: without it the file was cut off."""

    rows: dict[str, int]
    numbers: dict[str, int]


def dumped_tables() -> list[sa.Table]:
    """Return the tables that a backup holds, those that others refer to first."""
    return [table for table in Base.metadata.sorted_tables if table.name != Backup.__tablename__]


def type_name(kind: Any) -> str:
    """Return the name of a column's type in the file. Raises DumpError for one that no backup knows."""
    name = next((name for name, known, _ in TYPES if isinstance(kind, known)), None)
    if name is None:
        raise DumpError(f"columns of the type {kind!r} cannot be saved")
    return name


async def dump(connection: AsyncConnection, path: Path, *, revision: str) -> DumpEnd:
    """Write what the connection sees to a new file; it must see one state of all tables."""
    tables = dumped_tables()
    head = DumpHead(
        format=FORMAT,
        revision=revision,
        tables=tuple(
            DumpedTable(str(table.name), tuple((str(column.name), type_name(column.type)) for column in table.columns))
            for table in tables
        ),
    )
    counts, numbers = dict[str, int](), dict[str, int]()
    with gzip.open(path, "wb", compresslevel=5) as file:
        file.write(msgspec.json.encode(head) + b"\n")
        for table in tables:
            name = str(table.name)  # a plain one: quoted names cannot be encoded
            counts[name] = 0
            async for rows in _batches(connection, table):
                counts[name] += len(rows)
                line = msgspec.json.encode(DumpRows(name, rows)) + b"\n"
                await asyncio.to_thread(file.write, line)
            if any(column.identity for column in table.columns):
                numbers[name] = await _number(connection, name)
        end = DumpEnd(counts, numbers)
        file.write(msgspec.json.encode(end) + b"\n")
    return end


async def _batches(connection: AsyncConnection, table: sa.Table) -> AsyncIterator[list[list[Any]]]:
    """Yield all rows in the order of their keys: short statements, whatever the table's length."""
    keys = tuple(table.primary_key.columns)
    columns = [
        sa.cast(column, sa.Text).label(column.name) if type_name(column.type) == "json" else column
        for column in table.columns
    ]
    places = [list(table.columns).index(key) for key in keys]
    every = sa.select(*columns).order_by(*keys).limit(BATCH)
    query = every
    while True:
        rows = (await connection.execute(query)).all()
        if rows:
            yield [list(row) for row in rows]
        if len(rows) < BATCH:
            return
        query = every.where(sa.tuple_(*keys) > tuple(rows[-1][place] for place in places))


async def _number(connection: AsyncConnection, table: str) -> int:
    """Return the last key that the database gave: keys of deleted rows are not given again."""
    if connection.dialect.name == "sqlite":
        query = sa.text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        return int((await connection.execute(query, {"name": table})).scalar() or 0)
    sequence = await _sequence(connection, table)
    found = (await connection.execute(sa.text(f"SELECT last_value, is_called FROM {sequence}"))).one()
    return int(found.last_value) if found.is_called else 0


async def _sequence(connection: AsyncConnection, table: str) -> str:
    query = sa.text("SELECT pg_get_serial_sequence(:name, 'id')")
    return str((await connection.execute(query, {"name": f'"{table}"'})).scalar_one())


def lines(path: Path) -> Iterator[DumpHead | DumpRows | DumpEnd]:
    """Yield the lines of a file. Raises DumpError when it is damaged, cut off, or of another kind."""
    try:
        with gzip.open(path, "rb") as file:
            head = msgspec.json.decode(file.readline(), type=DumpHead)
            if head.format != FORMAT:
                raise DumpError(f"the backup has the format {head.format}; this version reads {FORMAT}")
            yield head
            counts = {table.name: 0 for table in head.tables}
            end: DumpEnd | None = None
            for line in file:
                if line.startswith(b'{"rows":'):
                    end = msgspec.json.decode(line, type=DumpEnd)
                    break
                rows = msgspec.json.decode(line, type=DumpRows)
                counts[rows.table] += len(rows.rows)
                yield rows
            if end is None or end.rows != counts:
                raise DumpError("the file of the database is cut off")
            yield end
    except (OSError, EOFError, KeyError, msgspec.MsgspecError) as error:
        raise DumpError(f"the file of the database is damaged: {error}") from error


async def load(connection: AsyncConnection, path: Path) -> DumpEnd:
    """Replace all rows by those of the file in the caller's transaction. The schema must be of the file's revision."""
    steps = lines(path)
    head = cast(DumpHead, next(steps))
    lite = connection.dialect.name == "sqlite"
    tables = {table.name: table for table in head.tables}
    for name in reversed(tables):
        await connection.execute(sa.delete(sa.table(name)))
    inserts = {name: _insert(table, lite=lite) for name, table in tables.items()}
    for step in steps:
        if isinstance(step, DumpRows):
            columns = tables[step.table].columns
            values = [_values(columns, row) for row in step.rows]
            await connection.execute(inserts[step.table], values)
        elif isinstance(step, DumpEnd):
            await _set_numbers(connection, step.numbers)
            return step
    raise DumpError("the file of the database is cut off")


def _insert(table: DumpedTable, *, lite: bool) -> sa.Insert:
    kinds: Mapping[str, Any] = {
        "boolean": sa.Boolean(),
        "integer": sa.BigInteger(),
        "float": sa.Float(),
        "json": sa.Text(),
        "uuid": sa.Uuid(),
        "bytes": sa.LargeBinary(),
        "date": sa.Date(),
        "moment": Moment,
        "text": sa.Text(),
    }
    target = sa.table(table.name, *(sa.column(name, kinds[kind]) for name, kind in table.columns))
    given: dict[str, Any] = {}
    for position, (name, kind) in enumerate(table.columns):
        value: Any = sa.bindparam(f"v{position}", type_=kinds[kind])
        given[name] = sa.cast(value, sa.JSON) if kind == "json" and not lite else value
    return sa.insert(target).values(given)


def _values(columns: tuple[tuple[str, str], ...], row: list[Any]) -> dict[str, Any]:
    return {
        f"v{position}": None if value is None else msgspec.convert(value, VALUES[kind])
        for position, ((_, kind), value) in enumerate(zip(columns, row, strict=True))
    }


async def _set_numbers(connection: AsyncConnection, numbers: Mapping[str, int]) -> None:
    for name, number in numbers.items():
        if connection.dialect.name == "sqlite":
            await connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": name})
            await connection.execute(
                sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)"), {"name": name, "seq": number}
            )
        else:
            sequence = await _sequence(connection, name)
            set_to = sa.text("SELECT setval(CAST(:sequence AS regclass), :number, :given)")
            values = {"sequence": sequence, "number": max(number, 1), "given": number > 0}
            await connection.execute(set_to, values)


def digest(path: Path) -> str:
    """Return the hex SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
