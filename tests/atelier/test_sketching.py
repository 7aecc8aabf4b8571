"""A sketch says how the words of the whole cover will be set."""

from typing import Any

import msgspec
import pytest

from kernel.press.lettering.document import Lettering
from plugins.atelier.compose import compose
from plugins.atelier.sketched import SKETCH_WIDTH, small
from tests.atelier.specs import tale
from tests.atelier.test_document import DRAWN, TITLES_IN_THE_PICTURE, WORDS

ROUNDING = 1e-3
"""Fractions of the page: the height of a sketch is a whole number of pixels."""


def plain(lettering: Lettering) -> list[dict[str, Any]]:
    """Return the blocks without what may differ by a rounding."""
    loose: dict[str, Any] = {"area": None, "max_size": None}
    return [msgspec.to_builtins(msgspec.structs.replace(block, **loose)) for block in lettering.blocks]


@pytest.mark.parametrize(("number", "name"), list(enumerate(DRAWN)))
def test_a_sketch_sets_the_words_as_the_whole_cover_does(number: int, name: str) -> None:
    language = [*WORDS][number % len(WORDS)]
    title, author = WORDS[language]
    height = 2700 + 75 * (number % 3)
    whole = tale(title=title, author=author, language=language, family=name, seed=number, width=1800, height=height)
    sketch = small(whole)
    assert sketch.width == SKETCH_WIDTH
    small_cover, cover = compose(sketch), compose(whole)
    if name in TITLES_IN_THE_PICTURE:
        assert small_cover.lettering is None and cover.lettering is None
        return
    assert small_cover.lettering is not None and cover.lettering is not None
    assert plain(small_cover.lettering) == plain(cover.lettering)
    for one, other in zip(small_cover.lettering.blocks, cover.lettering.blocks, strict=True):
        assert msgspec.structs.astuple(one.area) == pytest.approx(msgspec.structs.astuple(other.area), abs=ROUNDING)
        assert one.max_size == pytest.approx(other.max_size, abs=ROUNDING)
