"""A quick look whether an SQLite file is at the newest revision, without loading SQLAlchemy and Alembic."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from kernel.core.config import Config

VERSIONS: Final = Path(__file__).parent / "versions"
SCHEME: Final = "sqlite+aiosqlite:///"


def at_newest(config: Config) -> bool:
    """Say that nothing has to be done; False when that is not certain."""
    if not config.database_url.startswith(SCHEME):
        return False
    path = Path(config.database_url.removeprefix(SCHEME))
    newest = max((file.name.split("_")[0] for file in VERSIONS.glob("[0-9]*.py")), default="")
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error:
        return False
    return row == (newest,)
