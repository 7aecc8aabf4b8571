"""Search without regard to case, in all scripts and on both databases, where no folded text is stored.

SQLite's `lower` knows ASCII only, and what PostgreSQL's knows depends on how the server was set up: one gets a function
of ours, the other is told to go by Unicode, which takes a server with ICU, as all distributions build it.
"""

import unicodedata
from typing import Any, Final

from sqlalchemy import ColumnElement, SQLColumnExpression
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction
from sqlalchemy.types import Boolean

NAME: Final = "holds_folded"


def holds(text: str | None, wanted: str) -> bool:
    """Say whether a text holds another one, whatever the case of either. A missing text holds nothing."""
    return text is not None and fold(wanted) in fold(text)


def fold(text: str) -> str:
    """Return a text as it is compared, whatever its case and whichever of equal signs it is written with."""
    return unicodedata.normalize("NFKC", text).casefold()


class holds_folded(GenericFunction[bool]):
    """`holds` in a statement: of a column, and of a text that is taken literally."""

    type = Boolean()
    inherit_cache = True


@compiles(holds_folded, "postgresql")
def _by_unicode(element: Any, compiler: Any, **options: Any) -> str:
    text, wanted = (compiler.process(part, **options) for part in element.clauses)
    return f"strpos({_folded(text)}, {_folded(wanted)}) > 0"


def _folded(text: str) -> str:
    # there and back, because an upper-case letter may stand for several lower-case ones, as SS does for sharp s
    return f'lower(upper(normalize({text}, NFKC) COLLATE "und-x-icu"))'


def column_holds(column: SQLColumnExpression[Any], wanted: str) -> ColumnElement[bool]:
    """Match rows whose column holds a text, whatever the case."""
    return holds_folded(column, wanted)
