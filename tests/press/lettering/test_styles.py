"""The styles a lettering can begin with."""

import json

import pytest

from kernel.core.config import PROJECT_ROOT
from kernel.press.catalogue import PLACES
from kernel.press.lettering.styles import genre_of, genres, style, styles, styles_for


def test_there_are_enough_styles_with_their_own_names() -> None:
    assert len(styles()) >= 40
    assert len({item.id for item in styles()}) == len({item.name for item in styles()}) == len(styles())


def test_every_style_has_a_name_on_screen() -> None:
    shown = json.loads((PROJECT_ROOT / "web/public/locales/en/translation.json").read_text("utf-8"))["letteringStyle"]
    assert shown == {item.id: item.name for item in styles()}


def test_styles_name_only_faces_of_the_catalogue() -> None:
    for item in styles():
        for manner in (item.title, item.author, item.subtitle, item.series, item.tagline):
            assert manner.font in PLACES and (not manner.small or manner.small in PLACES)


def test_every_genre_has_a_choice_of_styles() -> None:
    for genre in genres():
        assert sum(genre in item.genres for item in styles()) >= 2, genre
        assert genre in styles_for(genre)[0].genres


def test_all_styles_are_offered_for_every_genre() -> None:
    assert {item.id for item in styles_for("Sci-Fi")} == {item.id for item in styles()}


def test_styles_are_known_by_id() -> None:
    assert style("headline").name == "Headline"
    with pytest.raises(KeyError):
        style("Headline")


@pytest.mark.parametrize(
    ("written", "genre"),
    [
        ("Fantasy", "fantasy"),
        ("Sci-Fi", "scifi"),
        ("science fiction", "scifi"),
        ("Non-Fiction", "nonfiction"),
        ("Historical romance", "romance"),
        ("Krimi", "mystery"),
        ("Ciencia Ficción", "scifi"),
        ("خيال علمي", "scifi"),
        ("ファンタジー小説", "fantasy"),
        ("भूतिया", "horror"),
        ("Royalty", ""),
        ("", ""),
    ],
)
def test_genres_are_understood_as_people_write_them(written: str, genre: str) -> None:
    assert genre_of(written) == genre
