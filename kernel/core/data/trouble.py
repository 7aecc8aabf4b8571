"""Telling a database that is away, busy or full, which passes, from a mistake in a statement, which does not."""

import errno
import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

SQLITE_TROUBLE: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)
PRIMARY: Final = 0xFF
"""The part of SQLite's extended result codes that names the kind of error."""

POSTGRESQL_TROUBLE: Final = frozenset({"08", "40", "53", "55", "57"})
"""Classes of SQLSTATE: connection, transaction rollback, resources, object in use, operator intervention.

https://www.postgresql.org/docs/current/errcodes-appendix.html
"""

POSTGRESQL_DISK_FULL: Final = "53100"
NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def is_disk_full(error: BaseException) -> bool:
    """Return whether a disk has no room, the database's or that of files: nothing new can be kept until it has."""
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    if not isinstance(error, DBAPIError):
        return False
    if (code := getattr(error.orig, "sqlite_errorcode", None)) is not None:
        return bool((code & PRIMARY) == sqlite3.SQLITE_FULL)
    return bool(getattr(error.orig, "sqlstate", None) == POSTGRESQL_DISK_FULL)


def is_database_trouble(error: BaseException) -> bool:
    """Return whether the database is to blame, so that the same request may well succeed in a while."""
    if isinstance(error, PoolTimeoutError | InterfaceError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return (code & PRIMARY) in SQLITE_TROUBLE
    sqlstate = getattr(error.orig, "sqlstate", None) or ""
    return error.connection_invalidated or sqlstate[:2] in POSTGRESQL_TROUBLE
