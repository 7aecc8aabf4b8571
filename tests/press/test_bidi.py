"""Direction of text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.press.bidi import base_direction, visual_runs
from tests.press.texts import ALPHABETS

mixed = st.text(ALPHABETS["latin"] + ALPHABETS["arabic"] + ALPHABETS["common"], max_size=40)


@pytest.mark.parametrize(
    ("text", "direction"),
    [("Sea", "ltr"), ("البحر", "rtl"), ("12 البحر", "rtl"), ("« البحر »", "rtl"), ("123", "ltr"), ("", "ltr")],
)
def test_the_first_letter_decides_the_direction(text: str, direction: str) -> None:
    assert base_direction(text) == direction


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("Cafe 12", "ltr", ["Cafe 12"]),
        ("العدد 12 هنا", "rtl", [" هنا", "12", "العدد "]),
        ("قصة Cairo جديدة", "rtl", [" جديدة", "Cairo", "قصة "]),
        ("The قصة Book", "ltr", ["The ", "قصة", " Book"]),
        ("(البحر) one", "ltr", ["(", "البحر", ") one"]),
        ("(البحر) واحد", "rtl", ["(البحر) واحد"]),
        ("1,234.5 ريال", "rtl", [" ريال", "1,234.5"]),
    ],
)
def test_runs_come_in_the_order_they_are_seen(text: str, base: str, expected: list[str]) -> None:
    assert [run.text for run in visual_runs(text, base)] == expected  # type: ignore[arg-type]


@settings(deadline=None)
@given(mixed, st.sampled_from(["ltr", "rtl"]))
def test_no_character_gets_lost_or_doubled(text: str, base: str) -> None:
    runs = visual_runs(text, base)  # type: ignore[arg-type]
    assert sorted("".join(run.text for run in runs)) == sorted(text)
