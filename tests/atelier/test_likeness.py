"""Covers of different books look different, and none looks like a cover of the landing page."""

import msgspec
import pytest

from plugins.atelier.choice import pick_palette
from plugins.atelier.direction import direct, stream
from plugins.atelier.samples import CAROUSEL, SHOWCASE, Sample, shown
from plugins.atelier.semantics.languages import LANGUAGES
from tests.atelier.likeness import WIDTH, among, between, books, covers, drawn, pair, samples


def test_no_two_books_look_like_siblings_and_none_like_a_sample_of_the_landing_page() -> None:
    assert len(covers()) == 48
    pairs = [*among(covers()), *between(covers(), samples())]  # one test: everything is drawn once
    assert [(p.words, p.bits, p.colors) for p in pairs if p.siblings] == []
    assert len({cover.family for cover in covers()}) >= 14


def test_siblings_are_recognized() -> None:
    """A sample of the landing page with a title of the same length by somebody else is its sibling."""
    sample = SHOWCASE[0].spec(WIDTH)
    again = msgspec.structs.replace(sample, author="Enid Oakhollow")
    other = msgspec.structs.replace(sample, family="kids", palette="candy")
    assert pair(drawn(sample), drawn(again)).siblings
    assert not pair(drawn(sample), drawn(other)).siblings


def test_the_forty_eight_books_are_of_twelve_languages() -> None:
    told = books()
    assert {book.language for book in told} == set(LANGUAGES)
    assert all(sum(book.language == code for book in told) == 4 for code in LANGUAGES)


@pytest.mark.parametrize("sample", [sample for sample in (*SHOWCASE, *CAROUSEL) if sample.palette])
def test_a_family_never_gets_the_palette_in_which_the_landing_page_shows_it(sample: Sample) -> None:
    tags, genre = direct(sample.spec(WIDTH)).tags, direct(sample.spec(WIDTH)).genre
    for seed in range(12):
        assert pick_palette(tags, genre, stream(seed, "palette"), shown(sample.family)).name != sample.palette
