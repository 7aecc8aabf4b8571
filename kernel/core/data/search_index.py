"""Searching for a part of a text in folded columns: `LIKE` decides what is found, an index of trigrams where to look.

PostgreSQL chooses by itself when to use its index (extension pg_trgm). On SQLite a table of FTS5 beside the searched
one has the trigrams of the columns and of the owner; triggers keep it. A term that many rows have is looked for in the
order of the list, for which there is an index too: a page is full soon.

Where a database has no such index, because an administrator of PostgreSQL has to allow the extension or SQLite was
built without FTS5, each search looks at all rows of the owner.
"""

import re
from typing import Any, Final

import msgspec
from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    String,
    TableClause,
    bindparam,
    column,
    func,
    literal_column,
    or_,
    select,
    table,
    text,
)

from kernel.core.data.database import ReadConnection

TRIGRAM: Final = 3
MAX_TRIGRAMS: Final = 24
"""Looked up of one term: more find hardly fewer rows, and each has a list to be read."""
MAX_FOUND: Final = 2000
"""A term that more rows may have is not looked up: a walk in the order of the list meets it soon."""

OWNER_BASE: Final = 0xE000
OWNER_DIGITS: Final = 6400
"""An owner is a trigram too, of three characters for private use (U+E000 to U+F8FF): the digits of the user's id."""


class SearchIndex(msgspec.Struct, frozen=True, kw_only=True):
    """What is searched: `columns` of one table, in rows of an `owner` where there is such a column.

    `name` is the FTS table on SQLite, the index on PostgreSQL has `ix_` before it. A row of the FTS table has the
    number of the searched row: its `key`, or what the table `name`_row gives to a key which is no integer.
    """

    name: str
    key: Any
    columns: tuple[Any, ...]
    owner: Any = None
    numbered: bool = False

    @property
    def fts(self) -> TableClause:
        """Return the FTS table."""
        names = [searched.key for searched in self.columns] + (["owner"] if self.owner is not None else [])
        return table(self.name, column("rowid", Integer), *(column(name, String) for name in names))

    @property
    def numbers(self) -> TableClause:
        """Return the table with the numbers of keys that are no integers."""
        return table(f"{self.name}_row", column("number", Integer), column("key", self.key.type))

    def keys(self, trigrams: str) -> Select[Any]:
        """Return the select of the keys that may hold a term."""
        found, numbers = self.found(trigrams), self.numbers
        return select(numbers.c.key).where(numbers.c.number.in_(found)) if self.numbered else found

    def found(self, trigrams: str) -> Select[Any]:
        """Return the select of the rows of the FTS table with all the trigrams."""
        matches = literal_column(self.name).bool_op("MATCH")(bindparam(None, trigrams, String))
        return select(self.fts.c.rowid).where(matches)


async def search_condition(
    reader: ReadConnection, index: SearchIndex, folded: str, *, owner: int | None = None
) -> ColumnElement[bool]:
    """Return the condition that one of the columns holds a folded term, for a query of the owner's rows.

    The owner is no part of the condition, it only tells where to look: the caller's query says whose rows it reads.
    """
    lite = reader.dialect.name == "sqlite"
    # PostgreSQL plans by how frequent the term is; of a prepared statement it would not look at the parameters for ever
    pattern = bindparam("pattern", f"%{_escaped(folded)}%", String, unique=True, literal_execute=not lite)
    holds: ColumnElement[bool] = or_(*(searched.like(pattern, escape="\\") for searched in index.columns))
    if not lite or len(folded) < TRIGRAM or not await _exists(reader, index):
        return holds
    trigrams = _trigrams(folded, owner)
    some = index.found(trigrams).limit(MAX_FOUND + 1).subquery()
    if (await reader.execute(select(func.count()).select_from(some))).scalar_one() > MAX_FOUND:
        return holds
    there: ColumnElement[bool] = index.key.in_(index.keys(trigrams))
    return there & holds


async def index_faults(connection: ReadConnection, index: SearchIndex) -> list[str]:
    """Return rows that the index of a database lacks, has with other texts, or has although they are gone."""
    if not await _exists(connection, index):
        return []
    if connection.dialect.name != "sqlite":
        valid = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
        if (await connection.execute(valid, {"name": f"ix_{index.name}"})).scalar_one():
            return []
        return [f"ix_{index.name} is not usable: REINDEX INDEX CONCURRENTLY ix_{index.name}"]
    fts, numbers = index.fts, index.numbers
    differs = [fts.c[searched.key].is_distinct_from(searched) for searched in index.columns]
    if index.owner is not None:
        differs.append(fts.c.owner.is_distinct_from(_owner_digits(index.owner)))
    searched, number = index.key.table, index.key
    if index.numbered:
        searched, number = searched.outerjoin(numbers, numbers.c.key == index.key), numbers.c.number
    joined = searched.outerjoin(fts, fts.c.rowid == number)
    lost = select(index.key).select_from(joined).where(or_(fts.c.rowid.is_(None), *differs))
    there = select(number).select_from(searched).where(number.is_not(None))
    extra = select(fts.c.rowid).where(fts.c.rowid.not_in(there))
    broken = [f"{index.key.table.name} {key} is not indexed as it is" for key in await _scalars(connection, lost)]
    return broken + [f"{index.name} has {row}, which is gone" for row in await _scalars(connection, extra)]


async def missing_index(connection: ReadConnection, index: SearchIndex) -> list[str]:
    """Return a line when a database has no index of trigrams."""
    return [] if await _exists(connection, index) else [f"{index.key.table.name}: each search looks at all rows"]


def is_search_object(name: str | None) -> bool:
    """Tell the tables and indexes of searches, which no model describes, from all others by their name."""
    return re.fullmatch(r"(ix_)?(cover|generation|user)_search(_\w+)?", name or "") is not None


async def _exists(connection: ReadConnection, index: SearchIndex) -> bool:
    if connection.dialect.name == "sqlite":
        query, name = text("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = :name"), index.name
    else:
        query, name = text("SELECT 1 WHERE to_regclass(:name) IS NOT NULL"), f"ix_{index.name}"
    return (await connection.execute(query, {"name": name})).first() is not None


async def _scalars(connection: ReadConnection, query: Select[Any]) -> list[Any]:
    return list((await connection.execute(query)).scalars())


def _trigrams(folded: str, owner: int | None) -> str:
    """Return the FTS5 query for all trigrams of a term and its owner's, or for some spread over a long term."""
    found = list(dict.fromkeys(folded[place : place + TRIGRAM] for place in range(len(folded) - TRIGRAM + 1)))
    chosen = found[:: -(-len(found) // MAX_TRIGRAMS)]
    if owner is not None:
        places = (owner // OWNER_DIGITS**2, owner // OWNER_DIGITS, owner)
        chosen.append("".join(chr(OWNER_BASE + place % OWNER_DIGITS) for place in places))
    return " AND ".join('"' + trigram.replace('"', '""') + '"' for trigram in chosen)


def _owner_digits(owner: Any) -> ColumnElement[str]:
    """Return an owner's trigram as SQLite writes it."""
    places = (owner // OWNER_DIGITS**2, owner // OWNER_DIGITS, owner)
    return func.char(*(OWNER_BASE + place % OWNER_DIGITS for place in places))


def _escaped(folded: str) -> str:
    return re.sub(r"([\\%_])", r"\\\1", folded)
