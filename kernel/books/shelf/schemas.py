"""Wire of the shelf."""

from typing import Final, Literal

from kernel.core.schemas import Out
from kernel.covers.schemas import CoverOut


class ShelfSpine(Out, frozen=True, kw_only=True):
    """The spine of a printed edition: the address of its picture, and its size in inches."""

    url: str
    width: float
    height: float


class ShelfVolume(Out, frozen=True, kw_only=True):
    """A volume of a series. `number` is the cover's, else its book's; `spine` is null until one can be printed."""

    cover: CoverOut
    number: str
    book_id: int | None
    spine: ShelfSpine | None


SpineDriftKind = Literal[
    "height",
    "bare",
    "reading",
    "title_face",
    "author_face",
    "author_place",
    "no_mark",
    "extra_mark",
    "mark",
    "background",
]
MOST_COMPARED: Final = 100
"""Spines of a shelf that are compared; each costs the press some milliseconds."""


class SpineDrift(Out, frozen=True, kw_only=True):
    """In what a spine differs from that of the first volume.

    `height`: it is taller by `by`; `bare`: it has no type; `reading`: its type runs another way; `title_face` and
    `author_face`: another face; `author_place`: the author's name begins `by` further from where reading begins;
    `no_mark`, `extra_mark`, `mark`: it lacks the mark, has one, has another one; `background`: what is behind the words
    is made in another way. `by` is in inches, negative for less; null for what has no size.
    """

    kind: SpineDriftKind
    by: float | None


class DriftingSpine(Out, frozen=True, kw_only=True):
    """A book whose spine differs."""

    book_id: int
    drifts: list[SpineDrift]


class ShelfDrift(Out, frozen=True, kw_only=True):
    """How alike the spines of a series are. `leadBookId` is the book that the others are compared with.

    That is the one whose cover gave the series its look, else the first of the shelf; null where no spine can be
    printed yet. `spines` are those that differ, `compared` counts all of them.
    """

    lead_book_id: int | None
    compared: int
    spines: list[DriftingSpine]
