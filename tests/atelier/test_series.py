"""Covers of one theme."""

from collections.abc import Mapping
from typing import Any

import pytest

from plugins.atelier.choice import TABLES
from plugins.atelier.compose import Cover, compose
from plugins.atelier.direction import PICTURE_FAMILIES, direct
from plugins.atelier.families import FAMILIES
from plugins.atelier.series import LADDER, series_words
from tests.atelier.specs import tale

THEMES = [
    {"series": "a", "colors": ("#1b1029", "#6b2d5c", "#f2a65a", "#f7f0e3"), "style": "ornate gold foil, tarot"},
    {"series": "b", "colors": ("#0b1f2a", "#0fa3b1", "#ff6f61", "#f9f7e8"), "style": "bauhaus"},
    {"series": "c", "colors": ("#2b2d42", "#8d99ae", "#ef233c", "#edf2f4"), "style": ""},
    {"series": "d", "colors": (), "style": "noir city thriller"},
]
BOOKS = [
    ("a sword of ice", "Sword of Winter"),
    ("a witch under the moon at night", "The Moon Witch"),
    ("a burning castle", "A Castle of Ash"),
    ("a wolf", "Wolf"),
]


def books(theme: Mapping[str, Any]) -> list[Cover]:
    return [
        compose(tale(description=story, title=title, seed=seed, **theme)) for seed, (story, title) in enumerate(BOOKS)
    ]


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: str(theme["series"]))
def test_siblings_share_family_palette_face_and_size(theme: Mapping[str, Any]) -> None:
    covers = books(theme)
    assert len({cover.direction.family for cover in covers}) == 1
    assert len({cover.direction.palette for cover in covers}) == 1
    titles = [cover.type.painted[0].block for cover in covers]
    assert len({title.rows[-1].line.runs[0].face.key for title in titles}) == 1
    sizes = sorted(title.size for title in titles)
    assert sizes[-1] == pytest.approx(sizes[0], rel=0.01)


def test_a_long_title_steps_down_the_ladder() -> None:
    theme = THEMES[1]
    usual = compose(tale(title="Wolf", **theme)).type.painted[0].block.size
    long = compose(tale(title="Understanding the Silence Between Empires", **theme)).type.painted[0].block.size
    steps = [usual * LADDER**step for step in range(1, 12)]
    assert any(long == pytest.approx(step, rel=0.005) for step in steps)


def test_two_themes_differ() -> None:
    looks = {(cover.direction.family, cover.direction.palette) for theme in THEMES for cover in books(theme)[:1]}
    assert len(looks) == len(THEMES)


def test_the_light_of_a_scene_is_the_themes_not_the_books() -> None:
    by_day = direct(tale(description="a morning in spring", **THEMES[1]))
    by_night = direct(tale(description="a dark winter night", **THEMES[1]))
    assert not {"night", "morning", "spring", "winter"} & ({*by_day.tags} | {*by_night.tags})


def test_the_colors_of_a_theme_are_the_colors_of_the_cover() -> None:
    palette = direct(tale(**THEMES[0])).palette
    assert set(THEMES[0]["colors"]) & set(palette.roles())


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: str(theme["series"]))
def test_books_of_every_kind_are_siblings(theme: Mapping[str, Any]) -> None:
    genres = ("", "mystery", "romance", "children", "nonfiction", "poetry", "scifi")
    looks = [direct(tale(genre=genre, seed=seed, **theme)) for seed, genre in enumerate(genres)]
    assert len({(look.family, look.genre, look.palette) for look in looks}) == 1


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: str(theme["series"]))
def test_a_cover_made_after_pictures_is_a_sibling_too(theme: Mapping[str, Any]) -> None:
    usual = direct(tale(**theme))
    picture = compose(tale(title="Another", **theme)).png()
    after = direct(tale(references=(picture,), **theme))
    assert (after.family, after.genre) == (usual.family, usual.genre)
    if theme["colors"]:
        assert after.palette.roles() == usual.palette.roles()


def test_photographs_are_shown_where_a_theme_asks_for_them() -> None:
    theme: dict[str, Any] = {"series": "p", "colors": ("#101820", "#f2aa4c"), "style": "photograph"}
    picture = compose(tale(width=600, height=900)).png()
    assert direct(tale(references=(picture,), **theme)).family == "overlay"


@pytest.mark.parametrize(
    ("story", "title", "genre"),
    [
        ("a lighthouse keeper finds letters from the future", "The Light", "mystery"),
        ("a detective hunts a killer through a rainy city at night", "Dead Water", "thriller"),
        ("a spaceship lost between stars", "The Far Side of Silence", "scifi"),
        ("how to build better habits at work", "Small Days", "nonfiction"),
    ],
)
def test_a_theme_after_a_cover_goes_on_in_its_family(story: str, title: str, genre: str) -> None:
    first = direct(tale(description=story, title=title, genre=genre))
    style = series_words(first.family, first.genre, first.tags)
    theme: dict[str, Any] = {"series": "s", "colors": ("#123456", "#abcdef"), "style": style}
    after = direct(tale(description="a wolf", title="Wolf", genre="", **theme))
    assert after.genre == first.genre
    assert after.family == first.family or first.family in TABLES.ways[after.family].manners


@pytest.mark.parametrize("family", sorted(TABLES.ways))
@pytest.mark.parametrize("genre", ["fantasy", "children", "nonfiction", "thriller"])
def test_every_way_is_asked_for_by_the_words_it_gives_to_a_theme(family: str, genre: str) -> None:
    words = series_words(family, genre, {"night": 1.0, "lighthouse": 2.0})
    assert "lighthouse" not in words and words.endswith("night")
    for theme in ("a", "b", "c"):
        after = direct(
            tale(description="a wolf", title="Wolf", genre="", series=theme, colors=("#123456",), style=words)
        )
        assert (after.family, after.genre) == (family, genre)


@pytest.mark.parametrize("family", sorted(set(FAMILIES) - PICTURE_FAMILIES - TABLES.ways.keys()))
def test_a_theme_of_a_family_without_things_shows_them_in_a_way_of_its_manner(family: str) -> None:
    words = series_words(family, "fantasy", {})
    theme: dict[str, Any] = {"series": "a", "colors": ("#123456",), "style": words}
    things = ("wolf", "key", "owl")
    covers = [direct(tale(description=f"a {thing}", title=thing, genre="", **theme)) for thing in things]
    assert len({cover.family for cover in covers}) == 1
    assert family in TABLES.ways[covers[0].family].manners
