"""The words on a cover that name its book: one list of them for tables, jobs, prompts and answers."""

from typing import Any, Final

import msgspec
from sqlalchemy import String, text
from sqlalchemy.orm import Mapped, mapped_column

from kernel.press.lettering.document import CoverWords


class BookWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words. A new one is added here and in `BookWordColumns`.

    `number` is the volume's place in its series, as it is to be read ("Book 2").
    """

    title: str
    author: str
    genre: str
    subtitle: str
    series: str
    number: str
    tagline: str


class BookWordColumns:
    """The same as columns of a table."""

    title: Mapped[str] = mapped_column(String(100))
    author: Mapped[str] = mapped_column(String(100))
    genre: Mapped[str] = mapped_column(String(50))
    subtitle: Mapped[str] = mapped_column(String(200), default="", server_default=text("''"))
    series: Mapped[str] = mapped_column(String(200), default="", server_default=text("''"))
    number: Mapped[str] = mapped_column(String(40), default="", server_default=text("''"))
    tagline: Mapped[str] = mapped_column(String(300), default="", server_default=text("''"))


WORDS: Final = BookWords.__struct_fields__
MORE_WORDS: Final = ("subtitle", "series", "number", "tagline")
"""Those that services which set title and author themselves know nothing of."""


def word_columns(table: type[BookWordColumns]) -> tuple[Any, ...]:
    """Return the table's columns of the words."""
    return tuple(getattr(table, name) for name in WORDS)


def words_of(source: object, *, prefix: str = "") -> dict[str, str]:
    """Return the words of a row or a Struct; `prefix` is that of a row's labels."""
    return {name: getattr(source, prefix + name) for name in WORDS}


def on_cover(source: object) -> CoverWords:
    """Return those of the words that stand on a cover."""
    return CoverWords(**{name: getattr(source, name) for name in CoverWords.__struct_fields__})
