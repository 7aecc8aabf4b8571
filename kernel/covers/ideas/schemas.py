"""Wire of ideas."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from kernel.core.schemas import In, Out

MOST_CHARS: Final = 5000
IDEAS: Final = 4

Composition = Literal["place", "object", "person", "symbol"]
COMPOSITIONS: Final[tuple[Composition, ...]] = ("place", "object", "person", "symbol")
"""How four ideas of one book differ."""


class IdeasIn(In, frozen=True, kw_only=True):
    """A blurb or a synopsis."""

    text: Annotated[str, Meta(max_length=MOST_CHARS)]


class Idea(Out, frozen=True, kw_only=True):
    """A cover that could be made. `palette` are `#RRGGBB`; `description`, `genre` and `titles` are for the form.

    `genre` is blank where the text does not say; `titles` are names that stand in the text.
    """

    composition: Composition
    subject: str
    mood: str
    palette: list[str]
    description: str
    genre: str
    titles: list[str]


class Ideas(Out, frozen=True, kw_only=True):
    """Four ideas. `provider` is whose text model had them, null for our own reading of the words.

    `isStandIn` says that a text model was asked and did not answer.
    """

    ideas: list[Idea]
    provider: str | None
    is_stand_in: bool
