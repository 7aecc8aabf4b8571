"""The one form in which texts are searched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.core.text.casefold_search import fold, fold_case


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("elise", "Élise"),
        ("ÉLISE", "Elise"),
        ("elise", "E\u0301lise"),
        ("strasse", "Straße"),
        ("soren", "Søren"),
        ("lodz", "Łódź"),
        ("aeroskobing", "Ærøskøbing"),
        ("viet", "Việt"),
        ("αθηνα", "Αθήνα"),
        ("еще", "ещё"),
        ("محمد", "مُحَمَّد"),
        ("istanbul", "İstanbul"),
    ],
)
def test_accents_are_no_part_of_a_search(typed: str, stored: str) -> None:
    assert fold(typed) == fold(stored)


@pytest.mark.parametrize(
    ("one", "other"), [("が", "か"), ("ぱ", "は"), ("мой", "мои"), ("की", "क"), ("각", "가"), ("日", "目")]
)
def test_marks_that_make_another_letter_stay(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text(), st.text())
def test_a_part_of_a_text_is_found_however_it_is_written(before: str, part: str) -> None:
    assert fold(fold(part)) == fold(part)
    assert fold(f"{before} {part.upper()}") == fold(fold_case(f"{before} {part.upper()}"))
