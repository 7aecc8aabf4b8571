"""Where titles break."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.press.breaking import NO_END, NO_START, joined, tokens
from kernel.press.scripts import clean
from tests.press.texts import ALPHABETS

japanese = st.text(ALPHABETS["japanese"] + "、。「」！？ーっゃ", min_size=1, max_size=30)


@settings(deadline=None)
@given(japanese)
def test_no_japanese_line_starts_or_ends_with_the_wrong_mark(text: str) -> None:
    found = tokens(clean(text), "japanese")
    for before, after in itertools.pairwise(found):
        assert after.text[0] not in NO_START
        assert before.text[-1] not in NO_END


@settings(deadline=None)
@given(st.lists(st.text(ALPHABETS["latin"] + "-’!?", min_size=1, max_size=10), min_size=1, max_size=8))
def test_breaking_loses_no_letter(words: list[str]) -> None:
    text = clean(" ".join(words))
    assert joined(tokens(text, "latin")) == text


@pytest.mark.parametrize(
    ("text", "script", "together"),
    [
        ("Qui a volé la lune ?", "latin", "lune ?"),
        ("Chapter\u00a012 ends", "latin", "Chapter\u00a012"),
        ("海辺の図書館", "japanese", "図書館"),
        ("ドラゴンの夜", "japanese", "ドラゴン"),
        ("山海之间的孤独", "chinese", "孤独"),
        ("별이 빛나는 밤", "korean", "빛나는"),
    ],
)
def test_what_belongs_together_is_not_broken(text: str, script: str, together: str) -> None:
    assert any(together in token.text for token in tokens(clean(text), script))  # type: ignore[arg-type]


def test_a_long_compound_may_break_after_its_hyphen() -> None:
    assert [token.text for token in tokens("Featherstonehaugh-Cholmondeley", "latin")] == [
        "Featherstonehaugh-",
        "Cholmondeley",
    ]


def test_a_long_title_without_spaces_still_has_places_to_break() -> None:
    assert len(tokens("おやすみなさいちいさなくまさん", "japanese")) > 2
