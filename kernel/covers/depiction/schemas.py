"""Wire of depictions."""

from typing import Annotated

from msgspec import Meta

from kernel.core.schemas import In, Line, Out
from kernel.covers.elements import ElementOut


class MissingOut(Out, frozen=True, kw_only=True):
    """A word whose thing cannot be drawn, and what comes nearest, if anything does."""

    word: str
    nearest: ElementOut | None


class DepictionIn(In, frozen=True, kw_only=True):
    """The words of a form, and the image service that is chosen there, if one is."""

    prompt: Annotated[str, Meta(max_length=500)] = ""
    title: Annotated[Line, Meta(max_length=100)] = ""
    genre: Annotated[Line, Meta(max_length=50)] = ""
    instance_id: Annotated[str, Meta(max_length=64)] | None = None


class DepictionOut(Out, frozen=True, kw_only=True):
    """What would be drawn. Both lists are empty for a service that does not say."""

    elements: list[ElementOut]
    missing: list[MissingOut]
