"""The sample covers of the landing page."""

from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from plugins.atelier import showcase
from plugins.atelier.samples import ABROAD, CAROUSEL, SHOWCASE
from plugins.atelier.showcase import WIDTHS, draw, slug


def test_there_are_twelve_showcase_covers_of_different_kinds() -> None:
    assert len(SHOWCASE) == 12
    assert len({sample.family for sample in SHOWCASE}) == 12


def test_the_eight_stand_ins_of_the_carousel_cover_its_six_genres() -> None:
    genres = Counter(sample.genre for sample in CAROUSEL)
    assert genres.total() == 8
    assert set(genres) == {"Fantasy", "Sci-Fi", "Adventure", "Romance", "Thriller", "Mystery"}


def test_no_two_samples_share_a_file() -> None:
    samples = (*SHOWCASE, *CAROUSEL)
    assert len({slug(sample.title) for sample in samples}) == len(samples)
    assert all(sample.title and sample.author for sample in (*samples, *ABROAD))


def test_a_sample_is_written_in_two_widths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showcase, "DRAWN", 544)
    card = draw(SHOWCASE[0], tmp_path)
    assert set(card.images) == {str(width) for width in WIDTHS}
    for width, name in card.images.items():
        with Image.open(tmp_path / name) as picture:
            assert picture.format == "WEBP" and picture.size == (int(width), int(width) * 3 // 2)
    assert (card.title, card.genre) == (SHOWCASE[0].title, SHOWCASE[0].genre)
