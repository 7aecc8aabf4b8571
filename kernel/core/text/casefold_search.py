"""Case-insensitive search in all scripts and on both databases, where no folded text is stored.

SQLite's `lower` knows ASCII only, so a function of ours is registered there. What PostgreSQL's `lower` knows depends on
how the server was set up, so the query names a Unicode collation; that takes a server with ICU, as all distributions
build it.
"""

import unicodedata
from typing import Any, Final

from sqlalchemy import ColumnElement, SQLColumnExpression
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction
from sqlalchemy.types import Boolean

NAME: Final = "holds_folded"


def holds(text: str | None, wanted: str) -> bool:
    """Return whether a text contains another one, ignoring case. A missing text contains nothing."""
    return text is not None and fold(wanted) in fold(text)


def fold(text: str) -> str:
    """Return a text in the form in which it is compared: case-folded and normalized."""
    return unicodedata.normalize("NFKC", text).casefold()


class holds_folded(GenericFunction[bool]):
    """`holds` as an SQL expression: a column contains a text, which is taken literally."""

    type = Boolean()
    inherit_cache = True


@compiles(holds_folded, "postgresql")
def _by_unicode(element: Any, compiler: Any, **options: Any) -> str:
    text, wanted = (compiler.process(part, **options) for part in element.clauses)
    return f"strpos({_folded(text)}, {_folded(wanted)}) > 0"


def _folded(text: str) -> str:
    # upper, then lower, because an upper-case letter may stand for several lower-case ones, as SS does for sharp s
    return f'lower(upper(normalize({text}, NFKC) COLLATE "und-x-icu"))'


def column_holds(column: SQLColumnExpression[Any], wanted: str) -> ColumnElement[bool]:
    """Match rows whose column contains a text, ignoring case."""
    return holds_folded(column, wanted)
