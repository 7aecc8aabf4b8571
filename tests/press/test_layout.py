"""A text set into a place."""

import itertools
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.press.typesetting import TextBlock, TypeStyle, layout
from tests.press.texts import STYLES, anything, titles

SLACK = 0.02  # pixels; floating point on coordinates of some hundred pixels

places = st.tuples(st.floats(0, 200), st.floats(0, 200), st.floats(20, 700), st.floats(12, 500))
valigns = st.sampled_from(["top", "middle", "bottom"])
Valign = Literal["top", "middle", "bottom"]


def lines_of(block: TextBlock) -> list[str]:
    return [row.line.text for row in block.rows]


@settings(max_examples=150, deadline=None)
@given(titles, places, st.sampled_from(STYLES), valigns)
def test_ink_stays_inside_its_place_in_every_script(
    title: str, place: tuple[float, float, float, float], style: TypeStyle, valign: Valign
) -> None:
    block = layout(title, place, style, valign)
    x, y, width, height = place
    for row in block.rows:
        ink = row.ink
        assert x - SLACK <= ink.left and ink.right <= x + width + SLACK
        assert y - SLACK <= ink.top and ink.bottom <= y + height + SLACK


@settings(max_examples=150, deadline=None)
@given(anything, st.sampled_from(STYLES))
def test_no_text_is_drawn_with_boxes_for_missing_characters(text: str, style: TypeStyle) -> None:
    block = layout(text, (0, 0, 400, 300), style)
    assert all(glyph for row in block.rows for run in row.line.runs for glyph in run.ids)


@settings(max_examples=60, deadline=None)
@given(titles, st.sampled_from(STYLES))
def test_letters_of_neighboring_lines_do_not_touch(title: str, style: TypeStyle) -> None:
    block = layout(title, (0, 0, 500, 400), style)
    for above, below in itertools.pairwise(block.rows):
        for a in above.line.letters:
            for b in below.line.letters:
                left = above.x + (a.left - above.line.ink.left) * above.size
                right = above.x + (a.right - above.line.ink.left) * above.size
                other_left = below.x + (b.left - below.line.ink.left) * below.size
                other_right = below.x + (b.right - below.line.ink.left) * below.size
                if left < other_right and other_left < right:
                    assert above.y + a.bottom * above.size <= below.y + b.top * below.size + SLACK


@settings(max_examples=40, deadline=None)
@given(titles, st.sampled_from(STYLES), st.floats(2, 6))
def test_a_preview_is_the_same_setting_smaller(title: str, style: TypeStyle, scale: float) -> None:
    bounded = TypeStyle(font=style.font, case=style.case, track=style.track, mode=style.mode, voice=style.voice)
    small = layout(title, (10, 10, 200, 150), bounded)
    large = layout(title, (10 * scale, 10 * scale, 200 * scale, 150 * scale), bounded)
    assert lines_of(small) == lines_of(large)
    assert large.size == pytest.approx(small.size * scale, rel=1e-6)


def test_a_size_limit_is_kept() -> None:
    style = TypeStyle(font="inter-b", voice="sans", max_size=24)
    assert layout("Wolf", (0, 0, 900, 900), style).size == pytest.approx(24)


def test_function_words_stand_small_between_rules() -> None:
    style = TypeStyle(font="cinzel", case="upper", mode="small", rules=True, leading=1.42)
    block = layout("The Garden of the Moon", (0, 0, 500, 600), style)
    small = [row.line.text for row in block.rows if row.small]
    assert "OF THE" in small
    assert block.rules


def test_a_stack_fills_the_measure_with_every_line() -> None:
    style = TypeStyle(font="bebas", case="upper", mode="stack", voice="heavy")
    block = layout("Dead Rain Falling", (0, 0, 300, 900), style)
    assert len(block.rows) > 1
    assert {round(row.ink.width) for row in block.rows} == {300}


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [("Große Straße", "de", "GROẞE"), ("istanbul ışıkları", "tr", "İSTANBUL"), ("тёмный лес", "ru", "ТЁМНЫЙ")],
)
def test_capitals_follow_the_language(text: str, language: str, expected: str) -> None:
    style = TypeStyle(font="bebas", case="upper", voice="heavy", language=language, max_lines=1)
    assert expected in layout(text, (0, 0, 900, 200), style).rows[0].line.text


def test_a_word_with_one_foreign_letter_is_set_in_one_face() -> None:
    style = TypeStyle(font="lilita", voice="round", max_lines=1)
    (row,) = layout("Ẩm Thực", (0, 0, 900, 200), style).rows
    assert len({run.face.key for run in row.line.runs}) == 1


def test_what_no_font_has_is_left_out_and_named() -> None:
    block = layout("Thai ไทย", (0, 0, 400, 100), STYLES[0])
    assert block.missing == "ไทย"
    assert "THAI" in lines_of(block)[0]


def test_a_text_nothing_can_be_set_of_gives_an_empty_block() -> None:
    for text in ("", "   ", "\u200b\u202e", "ไทย"):
        block = layout(text, (0, 0, 400, 100), STYLES[0])
        assert block.rows == () and block.size == 0 and block.box.width == 0


def test_prose_is_filled_line_by_line() -> None:
    text = "Every debt comes due at the turning of the year, and the tide keeps its own accounts. " * 12
    style = TypeStyle(font="garamond", max_lines=40, align="left")
    block = layout(text, (0, 0, 600, 700), style)
    widths = [row.ink.width for row in block.rows[:-1]]
    assert " ".join(lines_of(block)) == text.strip()
    assert len(widths) > 8 and min(widths) > 0.8 * max(widths)
