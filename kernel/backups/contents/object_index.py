"""Which objects rows name and which of them a place has: in a small database of its own, so that memory stays flat."""

import gzip
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from kernel.backups.contents.manifests import ListedObject

FIELDS: Final = ListedObject.__struct_fields__
COLUMNS: Final = ", ".join(FIELDS)


class ObjectIndex:
    """Rows of objects, and the hashes that are held. Close it."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
            "CREATE TABLE object (holder TEXT, instance TEXT, key TEXT, sha256 TEXT, size INTEGER, media_type TEXT, "
            "PRIMARY KEY (holder, instance, key)) WITHOUT ROWID;"
            "CREATE INDEX object_hash ON object (sha256);"
            "CREATE TABLE held (sha256 TEXT PRIMARY KEY) WITHOUT ROWID;"
        )

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def forget_objects(self) -> None:
        """Forget the rows, but not what is held."""
        self._db.execute("DELETE FROM object")

    def add(self, objects: Sequence[ListedObject]) -> None:
        """Note rows; one that is known is replaced."""
        marks = ", ".join("?" * len(FIELDS))
        self._db.execute("BEGIN")
        self._db.executemany(
            f"INSERT OR REPLACE INTO object ({COLUMNS}) VALUES ({marks})", map(msgspec.structs.astuple, objects)
        )
        self._db.execute("COMMIT")

    def remove(self, entry: ListedObject) -> None:
        """Forget one row."""
        key = (entry.holder, entry.instance, entry.key)
        self._db.execute("DELETE FROM object WHERE holder = ? AND instance = ? AND key = ?", key)

    def hold(self, sha256s: Sequence[str]) -> None:
        """Note that the place has these."""
        self._db.executemany("INSERT OR IGNORE INTO held VALUES (?)", [(sha256,) for sha256 in sha256s])

    def holds(self, sha256: str) -> bool:
        """Say whether it is noted as held."""
        return self._db.execute("SELECT 1 FROM held WHERE sha256 = ?", (sha256,)).fetchone() is not None

    def wanted(self, limit: int) -> list[ListedObject]:
        """Return some rows whose objects the place lacks, one for each object; held ones are noted as `hash:size`."""
        columns = ", ".join(f"object.{name}" for name in FIELDS)
        query = (
            f"SELECT {columns} FROM object LEFT JOIN held ON held.sha256 = object.sha256 || ':' || object.size "
            "WHERE held.sha256 IS NULL "
            "GROUP BY object.sha256 LIMIT ?"
        )
        return [ListedObject(**dict(zip(FIELDS, row, strict=True))) for row in self._db.execute(query, (limit,))]

    def all(self) -> Iterator[ListedObject]:
        """Return all rows in the order of their hashes."""
        for row in self._db.execute(f"SELECT {COLUMNS} FROM object ORDER BY sha256"):
            yield ListedObject(**dict(zip(FIELDS, row, strict=True)))

    def totals(self) -> tuple[int, int]:
        """Return the number of different objects and their bytes."""
        query = "SELECT count(*), coalesce(sum(size), 0) FROM (SELECT DISTINCT sha256, size FROM object)"
        count, total = self._db.execute(query).fetchone()
        return count, total


def write_list(index: ObjectIndex, path: Path) -> None:
    """Write all rows to a compressed file of JSON lines."""
    with gzip.open(path, "wb", compresslevel=5) as file:
        for entry in index.all():
            file.write(msgspec.json.encode(entry) + b"\n")


def read_list(path: Path) -> Iterator[ListedObject]:
    """Yield the rows of such a file. Raises ValueError and OSError when it is damaged."""
    with gzip.open(path, "rb") as file:
        for line in file:
            yield msgspec.json.decode(line, type=ListedObject)
