"""The scenes: what the story names stands in them, seen against its ground, in its color, clear of the type."""

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from scipy.ndimage import binary_dilation, binary_erosion, gaussian_filter, label

from plugins.atelier.color import rgb_to_oklab
from plugins.atelier.families import FAMILIES
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments import TREATMENTS
from tests.atelier.pictures import hued, painted, pixels
from tests.atelier.test_treatments import PAGE, covered, figures, shows

SEEDS = (1, 2)
VISIBLE = 0.04
"""A distance in OKLab that is seen at a glance between two areas; the least that people see is near 0.02."""
SCENES = sorted(name for name, family in FAMILIES.items() if family.shows and name not in {t.name for t in TREATMENTS})
CANDIDATES = ("elephant", "fish", "ship", "mdi:lighthouse", "bus", "key")


@lru_cache(256)
def drawn(name: str, wanted: tuple[Figure, ...], seed: int) -> Scene:
    return painted(name, seed, PAGE, figures=wanted)


def placed(scene: Scene) -> bool:
    """Whether the scene stood the figure on its ground, instead of one that it draws itself."""
    return not any(path.isEmpty() for _, path in scene.traces)


def ours(name: str, id_: str) -> bool:
    wanted = figures((id_, 1, ""))
    return shows(name, wanted) and placed(drawn(name, wanted, 1))


def own(name: str, id_: str) -> Scene:
    """The scene with a figure that it draws itself."""
    scene = painted(name, 1, PAGE, figures=figures((id_, 1, "")), tags={id_: 1.0})
    assert not placed(scene)
    return scene


CASES = [(name, id_) for name in SCENES for id_ in CANDIDATES if ours(name, id_)]


def lab_of(scene: Scene) -> Any:
    return rgb_to_oklab(pixels(scene) / 255.0)


def rim(scene: Scene) -> Any:
    """Distances in OKLab between what is just inside and just outside the figure, along its outline."""
    mask, lab = covered(scene), lab_of(scene)
    edge = binary_dilation(mask) & ~binary_erosion(mask)

    def near(part: Any) -> Any:
        weight = gaussian_filter(part.astype(float), 2.0) + 1e-6
        return np.stack([gaussian_filter(lab[..., i] * part, 2.0) / weight for i in range(3)], -1)

    return np.sqrt(((near(mask) - near(~mask)) ** 2).sum(-1))[edge]


def shapes(scene: Scene) -> int:
    """How many pieces of picture the figures are; a lighthouse is three."""
    return int(label(covered(scene), np.ones((3, 3)))[1])


def inside(zone: Zone, mask: Any) -> float:
    """The share of a zone that the mask covers."""
    height, width = mask.shape
    rows = slice(round(zone.y * height), max(round(zone.y * height) + 1, round((zone.y + zone.h) * height)))
    return float(mask[rows, round(zone.x * width) : round((zone.x + zone.w) * width)].mean())


@pytest.mark.parametrize(("name", "thing"), CASES)
def test_the_figure_is_seen_and_clear_of_the_type(name: str, thing: str) -> None:
    for seed in SEEDS:
        scene = drawn(name, figures((thing, 1, "")), seed)
        assert (rim(scene) > VISIBLE).mean() > 0.7
        assert inside(scene.title_zone, covered(scene)) < 0.01
        assert inside(scene.author_zone, covered(scene)) < 0.01


@pytest.mark.parametrize("count", [2, 5])
@pytest.mark.parametrize(("name", "thing"), CASES)
def test_as_many_stand_there_as_are_asked_for(name: str, thing: str, count: int) -> None:
    wanted = figures((thing, count, ""))
    if not shows(name, wanted):
        assert count > 2  # every scene has room for two
        return
    scene = drawn(name, wanted, 1)
    assert len(scene.traces) == count
    assert shapes(scene) == count * shapes(drawn(name, figures((thing, 1, "")), 1))


@pytest.mark.parametrize("color", ["red", "blue"])
@pytest.mark.parametrize(("name", "thing"), CASES)
def test_a_color_word_colors_the_figure(name: str, thing: str, color: str) -> None:
    scene = drawn(name, figures((thing, 1, color)), 2)
    assert hued(lab_of(scene)[covered(scene)], color).mean() > 0.6


def test_what_a_scene_draws_itself_is_what_the_story_names() -> None:
    """A wolf, a castle or a dragon on the ridge are the scene's own drawings, and so are some that stand in a wood."""
    for name in ("ridges", "papercut"):
        for one, other in (("wolf", "castle"), ("fox", "dragon"), ("castle", "horse")):
            first, second = (pixels(own(name, thing)).astype(int) for thing in (one, other))
            changed = np.abs(first - second).sum(-1) > 60
            assert 0.002 < changed.mean() < 0.2


def test_a_dragon_that_stands_there_is_not_in_the_air_as_well() -> None:
    wanted = figures(("dragon", 1, ""), ("castle", 1, ""))
    told = pixels(painted("ridges", 1, PAGE, figures=wanted, tags={"castle": 1.0})).astype(int)
    named = pixels(painted("ridges", 1, PAGE, figures=wanted, tags={"castle": 1.0, "dragon": 1.0})).astype(int)
    sky = slice(0, round(0.45 * PAGE[1]))
    assert np.abs(told[sky] - named[sky]).max() < 12
