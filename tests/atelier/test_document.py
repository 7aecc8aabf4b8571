"""The type of a cover as a document: from it our press sets what the artist has drawn."""

import io

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from kernel.press.lettering.composing import compose as set_words
from kernel.press.lettering.outlines import set_blocks
from plugins.atelier.compose import compose
from plugins.atelier.families import FAMILIES
from plugins.atelier.series import SHELVES
from tests.atelier.specs import HEIGHT, WIDTH, tale

WORDS = {
    "en": ("The Salt Road", "Ines Okafor"),
    "de": ("Der weiße Wolf", "Jörg Groß"),
    "ja": ("月の灯台", "山田 花子"),
    "ar": ("بيت البحر", "ليلى حداد"),
    "hi": ("समुद्र का घर", "अनिता राव"),
}
DRAWN = [name for name in sorted(FAMILIES) if not FAMILIES[name].needs_reference]
TITLES_IN_THE_PICTURE = {"knockout"}
ALIKE = 0.9
"""Correlation of what two letterings change in the rectangle of a text; shadows and foil are not quite the same,
0.94 to 1.0 were measured."""


def pixels(png: bytes) -> npt.NDArray[np.int_]:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


@pytest.mark.parametrize(("number", "name"), list(enumerate(DRAWN)))
def test_the_press_sets_what_the_artist_has_drawn(number: int, name: str) -> None:
    language = [*WORDS][number % len(WORDS)]
    title, author = WORDS[language]
    cover = compose(tale(title=title, author=author, language=language, family=name, seed=number))
    _, bare = cover.pngs()
    if name in TITLES_IN_THE_PICTURE:
        assert cover.lettering is None and bare is None
        return
    assert cover.lettering is not None and bare is not None
    assert {block.role: block.text for block in cover.lettering.blocks} == {"title": title, "author": author}
    before = pixels(bare)
    mine, theirs = (
        cover.pixels() - before,
        pixels(set_words(bare, cover.lettering, width=WIDTH, height=HEIGHT)) - before,
    )
    for item in set_blocks(cover.lettering, WIDTH, HEIGHT):
        left, top, right, bottom = (round(edge) for edge in item.box)
        inside = slice(top, bottom), slice(left, right)
        alike = float(np.corrcoef(mine[inside].ravel(), theirs[inside].ravel())[0, 1])
        assert alike > ALIKE, item.block.role


@pytest.mark.parametrize(("name", "roles"), [("deco", {"author"}), ("contour", {"title", "author"})])
def test_a_label_belongs_to_the_words_and_is_no_part_of_the_artwork(name: str, roles: set[str]) -> None:
    cover = compose(tale(title="Midnight at the Calloway", author="Vera Lislet", family=name))
    other = compose(tale(title="Midnight at the Calloway", author="", family=name))
    assert cover.lettering is not None
    assert {block.role for block in cover.lettering.blocks if block.effect.kind == "plate"} == roles
    _, bare = cover.pngs()
    assert bare == other.pngs()[1]
    left, top, right, _ = set_blocks(cover.lettering, WIDTH, HEIGHT)[-1].box
    assert bare is not None
    beside = slice(round(top), round(top) + 4), slice(round(left) - 6, round(right))
    assert np.abs(cover.pixels()[beside] - pixels(bare)[beside]).mean() > 8


@pytest.mark.parametrize("name", sorted(set(SHELVES["stories"]) | set(SHELVES["children"])))
def test_titles_of_a_series_keep_their_size(name: str) -> None:
    cover = compose(tale(title="The Longest Night of the Year", family=name, series="A series about dragons"))
    assert cover.lettering is not None
    title = next(block for block in cover.lettering.blocks if block.role == "title")
    assert title.max_size * WIDTH == pytest.approx(cover.type.parts["title"].block.size)
