"""What descriptions must show: `readings/<language>.toml`, and the comparison with what is read from them.

`shows` begins with the main subject, the others follow: ids of subjects, `kind:id` of everything else, `*4` a count
(`*many`), `/red` a color, `a|b` where either is right. A kind of a thing is right, too, and a subject that the catalog
does not have must be reported as missing. `never` lists what must not appear, perhaps with a count or color.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from kernel.spi import Element
from plugins.atelier.semantics.story import Story, read_story
from plugins.atelier.subjects.catalog import subjects

FOLDER: Final = Path(__file__).parent / "readings"


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A description, and what is expected of its reading."""

    text: str
    shows: str
    title: str = ""
    genre: str = ""
    never: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reading: list[Description]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`main` is None where nothing concrete is named; `contradictions` say what is wrong, empty for a good reading."""

    text: str
    main: bool | None
    further: tuple[bool, ...]
    contradictions: tuple[str, ...]
    got: str


class _Wanted(msgspec.Struct, frozen=True):
    ids: tuple[str, ...]
    count: int | None
    color: str


def descriptions(language: str) -> list[Description]:
    """Return the descriptions of a language."""
    return msgspec.toml.decode((FOLDER / f"{language}.toml").read_bytes(), type=_File).reading


@lru_cache(maxsize=12)
def verdicts(language: str) -> list[Verdict]:
    """Read all descriptions of a language and compare."""
    return [judge(description, language) for description in descriptions(language)]


def judge(description: Description, language: str) -> Verdict:
    """Read a description and compare."""
    story = read_story(description.text, title=description.title, genre=description.genre, language=language)
    elements = story.depiction.elements
    wanted = [_wanted(token) for token in description.shows.split()]
    return Verdict(
        text=description.text,
        main=_is_main(wanted[0], story) if wanted else None,
        further=tuple(bool(_matching(one, elements)) for one in wanted[1:]),
        contradictions=(*_misread(wanted, elements), *_forbidden(description.never, elements)),
        got=" ".join(_name(element) for element in elements),
    )


def _wanted(token: str) -> _Wanted:
    ids, count, color = [], None, ""
    for part in token.split("|"):
        rest, _, said = part.partition("/")
        name, _, number = rest.partition("*")
        ids.append(name)
        color = said or color
        if number:
            count = 0 if number == "many" else int(number)
    return _Wanted(tuple(ids), count, color)


def _name(element: Element) -> str:
    return element.id if element.kind == "subject" else f"{element.kind}:{element.id}"


def _matching(wanted: _Wanted, elements: Sequence[Element]) -> list[Element]:
    return [
        element
        for element in elements
        if _name(element) in wanted.ids or (element.kind == "subject" and subjects()[element.id].kind_of in wanted.ids)
    ]


def _is_main(wanted: _Wanted, story: Story) -> bool:
    elements = story.depiction.elements
    if not any(":" in name or name in subjects() for name in wanted.ids):
        return bool(story.depiction.missing)
    first = [element for element in elements if element.kind == "subject"][:1]
    others = [element for element in elements if element.kind != "subject"]
    return bool(_matching(wanted, [*first, *others]))


def _misread(wanted: list[_Wanted], elements: Sequence[Element]) -> Iterator[str]:
    for one in wanted:
        for element in _matching(one, elements)[:1]:
            if element.kind == "subject" and one.count not in (None, element.count):
                yield f"{element.count} of {element.id}, not {one.count}"
            if element.kind == "subject" and one.color and one.color != element.color and one.color not in element.id:
                yield f"{element.id} is {element.color or 'of no color'}, not {one.color}"


def _forbidden(never: str, elements: Sequence[Element]) -> Iterator[str]:
    for token in never.split():
        one = _wanted(token)
        for element in elements:
            if _name(element) in one.ids and one.count in (None, element.count) and one.color in ("", element.color):
                yield f"shows {token}"
