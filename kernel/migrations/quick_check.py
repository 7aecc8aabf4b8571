"""A quick look into an SQLite file without loading SQLAlchemy and Alembic: enough for most starts."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from kernel.core.config import Config

VERSIONS: Final = Path(__file__).parent / "versions"
SCHEME: Final = "sqlite+aiosqlite:///"


def at_newest(config: Config) -> bool:
    """Return True when the schema is certainly the newest."""
    newest = max((file.name.split("_")[0] for file in VERSIONS.glob("[0-9]*.py")), default="")
    return _first(config, "SELECT version_num FROM alembic_version") == newest


def has_administrator(config: Config) -> bool:
    """Return True when there certainly is an administrator."""
    return _first(config, "SELECT 1 FROM user WHERE is_admin LIMIT 1") == 1


def _first(config: Config, query: str) -> object:
    """Return the first value of a query, or None for another database, a missing file or a missing table."""
    path = Path(config.database_url.removeprefix(SCHEME))
    if not config.database_url.startswith(SCHEME) or not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            row: tuple[object, ...] | None = connection.execute(query).fetchone()
    except sqlite3.Error:
        return None
    return row[0] if row else None
