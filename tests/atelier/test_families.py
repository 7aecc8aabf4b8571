"""The composition families: rules for every one of them."""

import hashlib
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plugins.atelier.families import FAMILIES
from plugins.atelier.palettes import PALETTES
from plugins.atelier.scene import Zone
from tests.atelier.pictures import SMALL, apart, painted, photograph, picture_of, pixels, scene_of, shrunk

ROOT = Path(__file__).parents[2]
EVERY = sorted(FAMILIES)
DRAWN = [name for name in EVERY if not FAMILIES[name].needs_reference]
PICTORIAL = [name for name in EVERY if FAMILIES[name].needs_reference]

# Mean difference of 8-bit channels between a small picture and a large one shrunk to it. Thin lines account for it:
# linescape is nothing but lines. 450 px against 1800 px measured below 1.2 for all others.
SAME_PICTURE = {"linescape": 8.0}
SAME_PICTURE_ELSE = 3.5

DIFFERENT = 0.012  # OKLab distance of thumbnails (see `apart`) between any two of five seeds
VARIED = 0.03  # and their median


@pytest.mark.parametrize("name", EVERY)
def test_a_seed_always_gives_the_same_bytes(name: str) -> None:
    assert np.array_equal(pixels(painted(name, 1)), picture_of(name, 1))


def test_another_process_paints_the_same_bytes() -> None:
    names = ["ridges", "emblem", "cosmos"]
    code = (
        "import hashlib, sys; from tests.atelier.pictures import picture_of; "
        "print(*(hashlib.sha256(picture_of(n).tobytes()).hexdigest() for n in sys.argv[1:]))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    command = [sys.executable, "-c", code, *names]
    told = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert told == [hashlib.sha256(picture_of(n).tobytes()).hexdigest() for n in names]


@pytest.mark.parametrize("name", EVERY)
def test_a_preview_is_the_same_picture_as_the_large_one(name: str) -> None:
    large = pixels(painted(name, 1, (600, 900)))
    difference = np.abs(shrunk(large, SMALL) - picture_of(name, 1))
    assert difference.mean() < SAME_PICTURE.get(name, SAME_PICTURE_ELSE)


@pytest.mark.parametrize("name", DRAWN)
def test_seeds_give_different_pictures(name: str) -> None:
    pictures = [picture_of(name, seed) for seed in range(1, 6)]
    distances = [apart(a, b) for a, b in itertools.combinations(pictures, 2)]
    assert min(distances) > DIFFERENT
    assert np.median(distances) > VARIED


@pytest.mark.parametrize("name", EVERY)
def test_the_palette_colors_the_picture(name: str) -> None:
    cold, warm = picture_of(name, 1), pixels(painted(name, 1, palette=PALETTES["ember"]))
    if name == "overlay":
        assert np.array_equal(cold, warm)  # another user's picture keeps its colors
        return
    assert apart(cold, warm) > 0.03


@pytest.mark.parametrize("size", [(240, 240), (320, 200), (180, 320)])
@pytest.mark.parametrize("name", EVERY)
def test_any_page_shape_is_painted_and_leaves_room_for_type(name: str, size: tuple[int, int]) -> None:
    scene = painted(name, 4, size)
    assert pixels(scene).std() > 5
    title, author = scene.title_zone, scene.author_zone
    for zone in (title, author, *([scene.hints.tag_zone] if scene.hints.tag_zone else [])):
        assert zone.x >= 0.04 and zone.x + zone.w <= 0.96
        assert zone.y >= 0.04 and zone.y + zone.h <= 0.975
    assert title.h >= 0.03 and author.h >= 0.02
    if not scene.hints.flow and scene.hints.title_art is None:
        assert title.y + title.h <= author.y or author.y + author.h <= title.y


@pytest.mark.parametrize("name", EVERY)
def test_the_story_reaches_every_page_without_a_hitch(name: str) -> None:
    stories = (
        {"castle": 1, "dragon": 1, "night": 1, "desert": 1, "ship": 1, "food": 1, "door": 1},
        {"lighthouse": 1, "rain": 1, "detective": 1, "cyber": 1, "whale": 1, "bear": 1, "future": 1},
    )
    for seed, tags in enumerate(stories):
        scene = painted(name, seed, (160, 240), tags=tags, genre="children", prompt="lemons", emblem="\N{OWL}")
        assert pixels(scene).std() > 5


@pytest.mark.parametrize("name", EVERY)
def test_an_empty_title_and_an_unknown_emblem_are_no_trouble(name: str) -> None:
    assert pixels(painted(name, 5, (160, 240), title="", author="", emblem="\N{LATIN SMALL LETTER SHARP S}")).std() > 5


@pytest.mark.parametrize("name", PICTORIAL)
def test_a_family_that_shows_a_picture_asks_for_one(name: str) -> None:
    scene = scene_of(name)
    scene.reference = None
    with pytest.raises(ValueError, match="reference"):
        FAMILIES[name].paint(scene)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_a_reference_is_shown_in_three_ways(mode: int) -> None:
    scene = scene_of("refphoto")
    scene.hints.mode = mode
    FAMILIES["refphoto"].paint(scene)
    other = scene_of("refphoto")
    other.hints.mode = (mode + 1) % 3
    FAMILIES["refphoto"].paint(other)
    assert apart(pixels(scene), pixels(other)) > 0.05


def test_type_on_a_picture_goes_where_it_is_calm() -> None:
    busy_above = photograph()
    busy_above[:130] = np.random.default_rng(0).integers(0, 255, (130, 240, 3), np.uint8)
    assert painted("overlay", reference=busy_above).title_zone.y > 0.5
    assert painted("overlay", reference=busy_above[::-1].copy()).title_zone.y < 0.5


@pytest.mark.parametrize("title", ["War", "Io", "Wild Country", "The Absolutely True Chronicle of Bartholomew Quigley"])
def test_a_knocked_out_title_fills_the_page(title: str) -> None:
    picture = pixels(painted("knockout", 2, title=title)).astype(int)
    ground = picture[4, 4]
    art = (np.abs(picture - ground).max(2) > 40).mean(1)
    rows = art[int(300 * 0.06) : int(300 * 0.86)]
    assert (rows > 0.10).mean() > 0.8


@pytest.mark.parametrize("name", ["noir_city", "beam", "emblem", "deco", "retro", "archway"])
def test_covers_of_a_theme_share_their_composition(name: str) -> None:
    """Two books of one theme differ less than two books without one do on average."""
    themed = [pixels(painted(name, seed, (160, 240), theme_seed=11)) for seed in range(1, 5)]
    alone = [pixels(painted(name, seed, (160, 240))) for seed in range(1, 5)]
    spread = [np.mean([apart(a, b) for a, b in itertools.combinations(group, 2)]) for group in (themed, alone)]
    assert spread[0] < spread[1]


def test_a_label_is_drawn_round_the_type_it_carries() -> None:
    scene = painted("contour")
    panel = scene.hints.panel
    assert panel is not None
    panel([(27.0, 40.0, 133.0, 66.0), (27.0, 73.0, 80.0, 83.0)])
    paper = np.array([0xF2, 0xEC, 0xDC])
    inside = pixels(scene)[41:81, 30:76].astype(int)
    assert np.abs(inside - paper).max() <= 3


def test_zones_are_given_before_anything_is_strewn() -> None:
    scene = scene_of("ridges")
    scene.set_type(Zone(0.1, 0.1, 0.5, 0.2), Zone(0.1, 0.9, 0.3, 0.03))
    assert not scene.type_free(0.3 * 200, 0.2 * 300)  # on the title
    assert not scene.type_free(0.7 * 200, 0.2 * 300)  # its mirror image, for art that is flipped
    assert not scene.type_free(0.2 * 200, 0.91 * 300)  # on the author
    assert not scene.type_free(0.3 * 200, 0.32 * 300)  # where the tagline is
    assert scene.type_free(0.5 * 200, 0.6 * 300)
