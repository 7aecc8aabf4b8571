"""The art direction of one cover: everything that is decided before painting."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import msgspec
import numpy as np

from kernel.spi import Element
from plugins.atelier.brief import Spec, seed_of
from plugins.atelier.choice import (
    MANNER_WEIGHT,
    TABLES,
    VERSATILE,
    family_scores,
    genre_from,
    pick_family,
    pick_palette,
    pick_way,
    way_scores,
)
from plugins.atelier.color import Bytes
from plugins.atelier.families import FAMILIES
from plugins.atelier.outlines.figures import Figure, figures_of, tags_of
from plugins.atelier.palettes import PALETTES, Palette, palette_from_theme
from plugins.atelier.reference import MODES, decode, main_picture, palette_of, treatment
from plugins.atelier.samples import shown
from plugins.atelier.semantics.finding import standing_in
from plugins.atelier.semantics.languages import COMMON_WORDS
from plugins.atelier.semantics.pictures import GENRE_PICTURES
from plugins.atelier.semantics.reading import Reading, read
from plugins.atelier.semantics.story import read_story
from plugins.atelier.series import HOUSE_GENRE, MOODS, theme_family
from plugins.atelier.typestyles import STYLES

GENRES: Final = frozenset(STYLES)
DEFAULT_PICTURE: Final = "\N{OLD KEY}"
ONE_PLACE: Final = frozenset({"ridges", "sea", "dunes", "noir_city", "cosmos", "archway"})
"""Ways whose scene is a place that everybody sees."""
PICTURE_FAMILIES: Final = frozenset(name for name, family in FAMILIES.items() if family.needs_reference)


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the random stream of one named choice."""
    return np.random.default_rng(seed_of(seed, name))


class Direction(msgspec.Struct, frozen=True, kw_only=True):
    """The decisions: family, palette, genre, concepts, main noun, and the reference.

    The genre is the story's; in a theme it is the theme's, because type and details of the art follow it.
    """

    family: str
    palette: Palette
    genre: str
    tags: Mapping[str, float]
    emblem: str
    language: str
    mode: int = 0
    reference: Bytes | None = None
    elements: tuple[Element, ...] = ()
    figures: tuple[Figure, ...] = ()


def direct(spec: Spec) -> Direction:
    """Decide. Raises UnreadableReference."""
    told = read_story(spec.description, title=spec.title, genre=spec.genre, language=spec.language)
    elements = told.depiction.elements if spec.elements is None else spec.elements
    if spec.themed and spec.elements is None:
        elements = tuple(element for element in elements if MOODS.isdisjoint(tags_of([element])))
    story = read(told.plain, spec.language)
    style = read(spec.style, spec.language)
    pictures = [decode(data) for data in spec.references]
    genre = _genre(spec, story, style)
    tags = _tags(spec, story, style)
    manners = style.manners or story.manners
    for name in tags_of([element for element in told.depiction.elements if not _holds(elements, element)]):
        tags.pop(name, None)  # the author has taken it away
    figures = figures_of((*elements, *standing_in(elements, spec.words_seed)))
    tags |= {name: max(tags.get(name, 0.0), weight) for name, weight in tags_of(elements).items()}
    family = (
        spec.family
        or _way(spec, figures, elements, tags, genre, style, manners)
        or _family(spec, tags, genre, style, manners)
    )
    reference = main_picture(pictures) if pictures else None
    mode = 0
    if reference is not None and not spec.family:
        own = stream(spec.cover_seed if spec.theme_seed is None else spec.theme_seed, "reference")
        # a picture instead of the art would break the series; usually it is another cover of it
        drawn = spec.series and "photo" not in style.manners
        way = "palette" if drawn else treatment(reference, manners, own)
        mode = int(own.integers(MODES))
        if way != "palette" and way in FAMILIES:
            family = way
    palette = _palette(spec, tags, genre, pictures, family)
    if spec.themed:
        genre = style.genre or HOUSE_GENRE.get(family, genre)
    return Direction(
        family=family,
        palette=palette,
        genre=genre,
        tags=tags,
        emblem=story.emblem or GENRE_PICTURES.get(genre, DEFAULT_PICTURE),
        language=_language(spec, story),
        mode=mode,
        reference=reference,
        elements=elements,
        figures=figures,
    )


def _holds(elements: tuple[Element, ...], wanted: Element) -> bool:
    return any((element.kind, element.id) == (wanted.kind, wanted.id) for element in elements)


def _language(spec: Spec, story: Reading) -> str:
    """Return the language of the type: the text's own, unless it is Latin and the user named the book's language."""
    return spec.language if spec.language and story.language in COMMON_WORDS else story.language


def _genre(spec: Spec, story: Reading, style: Reading) -> str:
    named = read(spec.genre, spec.language).genre or style.genre or story.genre
    return named if named in GENRES else genre_from(story.tags)


def _tags(spec: Spec, story: Reading, style: Reading) -> dict[str, float]:
    tags = {name: count for name, count in story.tags.items() if not (spec.themed and name in MOODS)}
    for name, count in style.tags.items():
        tags[name] = tags.get(name, 0.0) + count
    return tags


def _way(
    spec: Spec,
    figures: tuple[Figure, ...],
    elements: tuple[Element, ...],
    tags: Mapping[str, float],
    genre: str,
    style: Reading,
    manners: tuple[str, ...],
) -> str:
    """Return a way that shows the figures, another one for each seed; empty without any.

    In a theme it is the same for all books: one that its words ask for, else one that shows whatever comes.
    """
    if not figures:
        return ""
    if spec.theme_seed is None:
        rng = stream(spec.words_seed, "way")
        scores = way_scores(tags, genre, manners, rng)
        able = {name: score for name, score in scores.items() if (shows := FAMILIES[name].shows) and shows(figures)}
        able = {name: score for name, score in able.items() if not _elsewhere(name, elements)}
        return pick_way(able, rng, spec.seed)
    rng = stream(spec.theme_seed, "way")
    scores = way_scores({}, style.genre, style.manners, rng)
    asked = {name: score for name, score in scores.items() if score >= MANNER_WEIGHT}
    return pick_way(asked or {name: scores[name] for name in VERSATILE}, rng, 0)


def _elsewhere(family: str, elements: tuple[Element, ...]) -> bool:
    """Whether a family is one place, and the story names others: no bear of the mountains among dunes."""
    settings = [element for element in elements if element.kind == "setting"]
    return bool(settings) and family in ONE_PLACE and TABLES.ways[family].words.keys().isdisjoint(tags_of(settings))


def _family(spec: Spec, tags: Mapping[str, float], genre: str, style: Reading, manners: tuple[str, ...]) -> str:
    drawn = frozenset(FAMILIES) - PICTURE_FAMILIES
    if spec.theme_seed is not None:
        return theme_family(style, drawn, spec.theme_seed)
    rng = stream(spec.cover_seed, "family")
    scores = {name: score for name, score in family_scores(tags, genre, manners, rng).items() if name in drawn}
    return pick_family(scores, rng)


def _palette(spec: Spec, tags: Mapping[str, float], genre: str, pictures: list[Bytes], family: str) -> Palette:
    if spec.palette:
        return PALETTES[spec.palette]
    if spec.colors:
        palette = palette_from_theme(spec.colors)
        return replace(palette, accent2=palette_of(pictures).accent) if spec.series and pictures else palette
    if pictures:
        return palette_of(pictures)
    if spec.theme_seed is not None:
        return pick_palette(read(spec.style, spec.language).tags, "", stream(spec.theme_seed, "palette"))
    return pick_palette(tags, genre, stream(spec.cover_seed, "palette"), shown(family))
