"""Counts what is asked of databases."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from sqlalchemy import Engine, event

COUNTED: Final = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")

_counting = ContextVar("counting", default=False)


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the statements of the block and of the tasks that it starts, without those of tasks beside it."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if _counting.get() and statement.split()[0] in COUNTED:
            found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    token = _counting.set(True)
    try:
        yield found
    finally:
        _counting.reset(token)
        event.remove(Engine, "before_cursor_execute", note)
