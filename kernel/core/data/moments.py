"""Times in the database: UTC, with their zone."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from advanced_alchemy.types import DateTimeUTC
from sqlalchemy import Dialect

ZONE: Final = "+00:00"
"""Values are stored without; one that was written by hand may have it."""


class _Moment(DateTimeUTC):
    """Reads SQLite's text in a quarter of the time of the stock type, which counts in lists."""

    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None] | None:
        """Return what turns a value of the driver into a time."""
        if dialect.name != "sqlite":
            return super().result_processor(dialect, coltype)

        def moment(value: str | None) -> datetime | None:
            if value is None:
                return None
            return datetime.fromisoformat(value if value.endswith(ZONE) else value + ZONE)

        return moment


Moment: Final = _Moment(timezone=True)
"""The type of every column that holds a time."""
