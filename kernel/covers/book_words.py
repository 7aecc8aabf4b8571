"""The words on a cover that name its book: one list of them for tables, jobs, prompts and answers."""

from typing import Any, Final

import msgspec
from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column


class BookWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words. A new one is added here and in `BookWordColumns`."""

    title: str
    author: str
    genre: str


class BookWordColumns:
    """The same as columns of a table."""

    title: Mapped[str] = mapped_column(String(100))
    author: Mapped[str] = mapped_column(String(100))
    genre: Mapped[str] = mapped_column(String(50))


WORDS: Final = BookWords.__struct_fields__


def word_columns(table: type[BookWordColumns]) -> tuple[Any, ...]:
    """Return the table's columns of the words."""
    return tuple(getattr(table, name) for name in WORDS)


def words_of(source: object, *, prefix: str = "") -> dict[str, str]:
    """Return the words of a row or a Struct; `prefix` is that of a row's labels."""
    return {name: getattr(source, prefix + name) for name in WORDS}
