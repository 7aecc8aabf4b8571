"""What a cover shows, on the wire and as it is stored with a generation."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from kernel.core.schemas import In, Line, Out
from kernel.core.text.storable import storable
from kernel.spi import MANY, MOST_COUNTED, Element, ElementColor, ElementKind

MOST_ELEMENTS = 16
MAX_ID = 60
MAX_LABEL = 80

ElementId = Annotated[str, Meta(max_length=MAX_ID, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class ElementIn(In, frozen=True, kw_only=True):
    """One thing that is to be seen: a subject with its number, 0 for many, and its color, or a time, a weather …"""

    kind: ElementKind
    id: ElementId
    label: Annotated[Line, Meta(max_length=MAX_LABEL)] = ""
    count: Annotated[int, Meta(ge=MANY, le=MOST_COUNTED)] = 1
    color: ElementColor = ""


class ElementOut(Out, frozen=True, kw_only=True):
    """The same as an answer; `label` is its name in the language of whoever asked, or whoever made the cover."""

    kind: ElementKind
    id: str
    label: str
    count: int
    color: ElementColor


ElementsIn = Annotated[tuple[ElementIn, ...], Meta(max_length=MOST_ELEMENTS)]


def element_out(element: Element) -> ElementOut:
    """Return an element as an answer."""
    return ElementOut(kind=element.kind, id=element.id, label=element.label, count=element.count, color=element.color)


def stored_elements(elements: Iterable[Element | ElementIn] | None) -> list[dict[str, Any]] | None:
    """Return elements as they are stored with a generation; labels that cannot be stored are cut."""
    if elements is None:
        return None
    return [
        {
            "kind": element.kind,
            "id": element.id[:MAX_ID],
            "label": storable(element.label, MAX_LABEL),
            "count": element.count,
            "color": element.color,
        }
        for element in list(elements)[:MOST_ELEMENTS]
    ]


def read_elements(stored: list[dict[str, Any]] | None) -> tuple[Element, ...] | None:
    """Return the elements of a generation for its image service."""
    return None if stored is None else msgspec.convert(stored, tuple[Element, ...])


def elements_in(stored: list[dict[str, Any]] | None) -> tuple[ElementIn, ...] | None:
    """Return the elements of a generation for a request that repeats it."""
    return None if stored is None else msgspec.convert(stored, tuple[ElementIn, ...])


def elements_out(stored: list[dict[str, Any]] | None) -> list[ElementOut] | None:
    """Return the elements of a generation as an answer."""
    return None if stored is None else msgspec.convert(stored, list[ElementOut])
