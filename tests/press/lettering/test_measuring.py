"""What a block lacks is measured, and what would mend it really does."""

import msgspec
import pytest

from kernel.press.legibility import contrast
from kernel.press.lettering.document import Area, Block, Lettering, TextEffect
from kernel.press.lettering.measuring import Measured, measure
from tests.press.lettering.pictures import bands, busy_but, flat

TITLE = Block(
    role="title", text="Midnight", font="inter-b", color="#ffffff", area=Area(left=0.1, top=0.1, width=0.8, height=0.3)
)


def only(picture: bytes, **changes: object) -> Measured:
    (found,) = measure(picture, Lettering(blocks=(msgspec.structs.replace(TITLE, **changes),)))
    return found


def test_contrast_on_an_even_ground_is_the_one_of_wcag() -> None:
    assert only(flat("#345678")).contrast == pytest.approx(contrast("#ffffff", "#345678"), abs=0.02)


def test_large_titles_need_less_than_small_lines() -> None:
    assert only(flat()).needed == 3.0
    assert only(flat(), max_size=0.03).needed == 4.5
    assert only(flat(), role="author").needed == 4.5


def test_the_effect_is_measured_too() -> None:
    picture = flat("#ffffff")
    assert only(picture).contrast == 1.0
    for kind in ("plate", "scrim", "gradient"):
        effect = TextEffect(kind=kind, color="#000000", amount=1.0)
        assert only(picture, effect=effect).contrast > 12


def test_one_bad_third_counts_not_the_mean() -> None:
    assert only(bands(("#000000", "#ffffff") * 10)).contrast < 1.5


@pytest.mark.parametrize("picture", [flat("#ffffff"), bands(("#000000", "#ffffff") * 10), busy_but(0.5, 1.0)])
def test_a_remedy_taken_mends_it(picture: bytes) -> None:
    found = only(picture)
    assert found.contrast < found.needed and found.remedies
    for remedy in found.remedies:
        (after,) = measure(picture, Lettering(blocks=(remedy.block,)))
        assert after.contrast >= after.needed and after.contrast == remedy.contrast and after.inside
        assert remedy.block.text == TITLE.text


def test_moving_is_offered_where_there_is_a_calm_place() -> None:
    found = only(busy_but(0.5, 1.0))
    moved = next(remedy for remedy in found.remedies if remedy.kind == "area")
    assert moved.block.area.top >= 0.5


def test_what_can_be_read_needs_no_remedy() -> None:
    assert only(flat("#000000")).remedies == ()


def test_ink_near_the_edge_is_not_inside() -> None:
    picture = flat("#000000")
    assert only(picture).inside
    assert not only(picture, area=Area(left=0.0, top=0.0, width=1.0, height=0.3)).inside
    assert not only(
        picture, area=Area(left=0.045, top=0.1, width=0.91, height=0.5), effect=TextEffect(kind="outline", amount=1.0)
    ).inside


def test_why_a_text_does_not_fit() -> None:
    picture = flat("#000000")
    assert (only(picture).fits, only(picture).unfit) == (True, "")
    assert only(picture, text="ไทย").unfit == "nothing_set"
    missing = only(picture, text="Thai ไทย")
    assert (missing.unfit, missing.missing, missing.fits) == ("missing_characters", "ไทย", False)
    assert only(picture, text="long " * 400, max_lines=3).unfit == "too_small"
