"""What a picture shows, said before it is drawn: an optional part of the kind `image`."""

from typing import Literal, Protocol, runtime_checkable

import msgspec

ElementKind = Literal["subject", "setting", "time", "weather", "season", "era", "mood", "idea"]
"""What an element is: a thing or a being (`subject`), or a property of the whole picture."""
ElementColor = Literal[
    "",
    "red",
    "orange",
    "yellow",
    "green",
    "turquoise",
    "blue",
    "purple",
    "pink",
    "brown",
    "black",
    "white",
    "gray",
    "gold",
    "silver",
]
"""What color a subject has; empty when the provider chooses."""

MANY = 0
"""`Element.count` of things too many to be counted."""

MOST_COUNTED = 12
"""Things are drawn exactly up to this number."""


class Element(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a picture shows, such as four moons, a red umbrella, rain or the night.

    `id` is the provider's own name for it, lower-case letters, digits and hyphens, unique within its `kind`. `label`
    is its name in the language that was asked for, without number and color, empty where nobody reads it. `count` and
    `color` are only said of subjects: `MANY`, or 1 to `MOST_COUNTED`; no color means that the provider chooses.
    """

    kind: ElementKind
    id: str
    label: str = ""
    count: int = 1
    color: ElementColor = ""


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """A thing that the words name and that the provider cannot draw: the word as written, and what comes nearest."""

    word: str
    nearest: Element | None = None


class Depiction(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider understood from a book's words. The first subject is the main one."""

    elements: tuple[Element, ...] = ()
    missing: tuple[Missing, ...] = ()


@runtime_checkable
class Depicter(Protocol):
    """An image provider that draws what it is told by name; claimed by `capabilities().depicts`. Optional.

    Both methods are called in a web request while somebody types: 100 ms, no network, nothing stored, and nothing that
    blocks the event loop. A request whose `Brief.elements` is not None is drawn from those and not from its words.
    """

    async def depict(self, description: str, *, title: str, genre: str, language: str) -> Depiction:
        """Return what a picture from these words would show; labels in `language`, a code such as `ar`."""
        ...

    async def find_elements(self, text: str, *, language: str, limit: int) -> tuple[Element, ...]:
        """Return up to `limit` elements whose names begin with or contain `text`, the best first.

        An empty text finds what is asked for most often.
        """
        ...
