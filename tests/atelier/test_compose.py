"""A cover from its brief."""

import hashlib
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from plugins.atelier.choice import TABLES
from plugins.atelier.compose import compose
from plugins.atelier.direction import direct
from plugins.atelier.families import FAMILIES
from plugins.atelier.lettering import SMALL_CONTRAST, TITLE_CONTRAST
from tests.atelier.specs import HEIGHT, WIDTH, tale
from tests.press.texts import titles

ROOT = Path(__file__).parents[2]
DRAWN = sorted(name for name, family in FAMILIES.items() if not family.needs_reference)

HASH_IT = """
import hashlib
from plugins.atelier.compose import compose
from tests.atelier.specs import tale
print(hashlib.sha256(compose(tale(seed=5)).pixels().tobytes()).hexdigest())
"""


def test_the_same_brief_gives_the_same_bytes_in_another_process() -> None:
    here = hashlib.sha256(compose(tale(seed=5)).pixels().tobytes()).hexdigest()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77"}
    there = subprocess.run(
        [sys.executable, "-c", HASH_IT], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert there.stdout.strip() == here


def test_another_seed_gives_another_picture() -> None:
    assert not np.array_equal(compose(tale(seed=1)).pixels(), compose(tale(seed=2)).pixels())


def test_more_tries_show_more_than_one_composition() -> None:
    assert len({direct(tale(seed=seed)).family for seed in range(30)}) > 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    family=st.sampled_from(DRAWN),
    title=titles,
    author=titles,
    size=st.sampled_from([(300, 450), (240, 384), (300, 300), (283, 366), (400, 300)]),
    seed=st.integers(0, 99),
)
def test_type_keeps_its_margin_and_can_be_read(
    family: str, title: str, author: str, size: tuple[int, int], seed: int
) -> None:
    width, height = size
    spec = tale(family=family, title=title, author=author, seed=seed, width=width, height=height)
    cover = compose(spec)
    for item in cover.type.painted:
        box = item.block.box
        assert box.left >= spec.margin - 0.05 and box.right <= width - spec.margin + 0.05
        assert box.top >= spec.margin - 0.05 and box.bottom <= height - spec.margin + 0.05
    for part, measured in cover.type.measured.items():
        assert measured.contrast >= (TITLE_CONTRAST if part == "title" else SMALL_CONTRAST) - 0.01


def test_the_series_of_sizes_changes_the_resolution_only() -> None:
    small = Image.fromarray(compose(tale(family="ridges")).pixels())
    large = Image.fromarray(compose(tale(family="ridges", width=600, height=900)).pixels())
    difference = np.abs(
        np.asarray(small.resize((60, 90), Image.Resampling.BOX), np.int16)
        - np.asarray(large.resize((60, 90), Image.Resampling.BOX), np.int16)
    )
    assert difference.mean() < 8


def test_phases_are_told_in_order() -> None:
    heard: list[str] = []
    compose(tale(width=90, height=135), heard.append)
    assert heard == ["sketching", "painting", "lettering", "finishing"]


def test_the_file_is_srgb_and_says_how_large_it_prints() -> None:
    with Image.open(io.BytesIO(compose(tale(width=900, height=1350)).png())) as picture:
        assert picture.format == "PNG" and picture.size == (900, 1350) and picture.mode == "RGB"
        assert picture.info["srgb"] == 0
        assert picture.info["dpi"] == pytest.approx((150, 150), abs=0.5)


def test_a_cover_without_words_has_no_type() -> None:
    cover = compose(tale(title="", author=""))
    assert cover.type.painted == () and not cover.type.has_title


def test_what_no_font_has_is_reported() -> None:
    assert compose(tale(title="Crown ไทย")).type.missing == "ไทย"


def test_words_for_a_manner_choose_it() -> None:
    for style, family in (("bauhaus", "modernist"), ("paper cut", "papercut"), ("art deco", "deco")):
        assert direct(tale(style=style, elements=())).family == family
        way = direct(tale(style=style)).family  # of the same manner, where there is something to show
        assert way == family or family in TABLES.ways[way].manners


def test_a_cover_is_as_large_as_asked() -> None:
    assert compose(tale()).pixels().shape == (HEIGHT, WIDTH, 3)
