"""The treatments: any outline, as many as are asked for, in the color that is asked for, clear of the title."""

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from scipy.ndimage import label

from kernel.spi import Element
from plugins.atelier.brief import Spec
from plugins.atelier.color import Bytes, rgb_to_oklab
from plugins.atelier.compose import compose
from plugins.atelier.drawing import fill, skia
from plugins.atelier.families import FAMILIES
from plugins.atelier.outlines.figures import Figure, figures_of
from plugins.atelier.scene import Scene
from plugins.atelier.treatments import TREATMENTS
from tests.atelier.pictures import hued, painted, pixels

PAGE = (240, 360)
EVERY = [treatment.name for treatment in TREATMENTS]
WIDE, TALL, LINES = "hedgehog", "mdi:lighthouse", "tabler:anchor"


def figures(*wanted: tuple[str, int, str]) -> tuple[Figure, ...]:
    """Figures by id, number and color."""
    return figures_of([Element(kind="subject", id=id_, count=count, color=color) for id_, count, color in wanted])  # type: ignore[arg-type]


def shows(name: str, wanted: tuple[Figure, ...]) -> bool:
    """Whether the treatment takes these figures."""
    able = FAMILIES[name].shows
    assert able is not None
    return able(wanted)


def covered(scene: Scene) -> Any:
    """Where figures are drawn, as a field of truth values."""
    surface = skia.Surface(scene.width, scene.height)
    for _, path in scene.traces:
        surface.getCanvas().drawPath(path, fill("#ffffff"))
    return surface.toarray(colorType=skia.kRGBA_8888_ColorType)[..., 3] > 127


@lru_cache(256)
def drawn(name: str, wanted: tuple[Figure, ...], seed: int = 3) -> Scene:
    return painted(name, seed, PAGE, figures=wanted)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 12])
@pytest.mark.parametrize("name", EVERY)
def test_as_many_are_drawn_as_are_asked_for(name: str, count: int) -> None:
    wanted = figures(("key", count, ""))
    if not shows(name, wanted):
        assert count > 1  # every treatment shows one thing
        return
    scene = drawn(name, wanted)
    assert len(scene.traces) == count
    _, separate = label(covered(scene), np.ones((3, 3)))
    assert separate == count


@pytest.mark.parametrize("name", EVERY)
def test_many_are_more_than_anyone_counts(name: str) -> None:
    wanted = figures(("key", 0, ""))
    if shows(name, wanted):
        assert len(drawn(name, wanted).traces) >= 13


@pytest.mark.parametrize("beside", [(), (("rider", 1, ""),), (("house", 1, ""), ("tree", 2, ""))])
@pytest.mark.parametrize("count", [1, 2, 4, 7])
def test_no_land_hides_what_is_in_the_sky(count: int, beside: tuple[tuple[str, int, str], ...]) -> None:
    scene = drawn("silhouette", figures(("moon", count, ""), *beside))
    light = rgb_to_oklab(pixels(scene) / 255.0)[..., 0]
    moons = skia.Surface(*PAGE)
    for figure, path in scene.traces:
        if figure.celestial:
            moons.getCanvas().drawPath(path, fill("#ffffff"))
    each, separate = label(moons.toarray(colorType=skia.kRGBA_8888_ColorType)[..., 3] > 127, np.ones((3, 3)))
    assert separate == count
    for one in range(1, count + 1):
        rows = np.nonzero(each == one)[0]
        low, high = np.quantile(rows, [0.2, 0.8])
        upper, lower = (
            light[(each == one) & part] for part in (np.indices(each.shape)[0] < low, np.indices(each.shape)[0] > high)
        )
        assert abs(float(upper.mean() - lower.mean())) < 0.12


@pytest.mark.parametrize("main", ["cat", "owl", "ship"])
@pytest.mark.parametrize("name", ["riso", "linocut", "woodblock"])
def test_a_moon_does_not_sit_on_what_is_below_it(name: str, main: str) -> None:
    _, separate = label(covered(drawn(name, figures((main, 1, ""), ("moon", 1, "")))), np.ones((3, 3)))
    assert separate == 2


@pytest.mark.parametrize("name", EVERY)
def test_the_picture_changes_where_the_figure_is(name: str) -> None:
    """The record of what is drawn is true: another figure changes the page there, and not elsewhere."""
    one, other = drawn(name, figures((WIDE, 1, ""))), drawn(name, figures(("fluent-emoji-flat:pig", 1, "")))
    changed = np.abs(pixels(one).astype(int) - pixels(other)).sum(-1) > 60
    where = covered(one) | covered(other)
    assert changed[where].mean() > 0.12
    assert changed[~where].mean() < 0.10


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("subject", [WIDE, TALL, LINES])
@pytest.mark.parametrize("name", EVERY)
def test_the_figure_is_large_on_the_page_and_clear_of_the_title(name: str, subject: str, seed: int) -> None:
    scene = drawn(name, figures((subject, 1, "")), seed)
    mask = covered(scene)
    rows, columns = np.nonzero(mask)
    large = max((np.ptp(columns) + 1) / scene.width, (np.ptp(rows) + 1) / scene.height)
    assert large > 0.26
    zone = scene.title_zone
    top, bottom = round(zone.y * scene.height), round((zone.y + zone.h) * scene.height)
    left, right = round(zone.x * scene.width), round((zone.x + zone.w) * scene.width)
    assert mask[top:bottom, left:right].mean() < 0.01


@pytest.mark.parametrize("color", ["red", "blue"])
@pytest.mark.parametrize("name", EVERY)
def test_a_color_word_colors_the_thing(name: str, color: str) -> None:
    scene = drawn(name, figures(("umbrella", 1, color)))
    seen = covered(scene)
    lab = rgb_to_oklab(pixels(scene)[seen] / 255.0)
    colored = np.hypot(lab[:, 1], lab[:, 2]) > 0.05
    right = hued(lab, color)
    assert right.mean() > 0.3
    assert right.sum() > 0.6 * colored.sum()


@pytest.mark.parametrize("name", EVERY)
def test_a_second_thing_is_there_and_smaller(name: str) -> None:
    wanted = figures((WIDE, 1, ""), ("key", 1, ""))
    if not shows(name, wanted):
        return
    sizes: dict[str, float] = {}
    for figure, path in drawn(name, wanted).traces:
        bounds = path.getBounds()
        sizes[figure.id] = max(bounds.width(), bounds.height())
    assert set(sizes) == {WIDE, "key"}
    assert sizes["key"] <= sizes[WIDE] * 1.01


def cover(seed: int, *elements: Element, **given: Any) -> Any:
    """A small cover of a book about these things."""
    words = {"description": "The way home", "title": "Home", "author": "A. Moss", "genre": "Literary", **given}
    return compose(Spec(width=160, height=240, seed=seed, elements=elements, **words))


@pytest.mark.parametrize("genre", ["Fantasy", "Children", "Nonfiction", "Thriller", "Cookbook", ""])
def test_four_attempts_are_four_ways_of_showing_the_same_thing(genre: str) -> None:
    hedgehog = Element(kind="subject", id="hedgehog")
    covers = [cover(seed, hedgehog, genre=genre) for seed in range(40, 44)]
    assert len({made.direction.family for made in covers}) == 4
    assert all(made.elements == (hedgehog,) for made in covers)


def test_a_named_thing_is_shown_by_every_attempt() -> None:
    umbrella, rain = Element(kind="subject", id="umbrella", color="red"), Element(kind="weather", id="rain")
    for seed in range(10):
        assert cover(seed, umbrella, rain, genre="Business", title="Ship It").elements == (umbrella, rain)


def test_covers_of_one_theme_show_their_things_in_one_way() -> None:
    things = ["hedgehog", "umbrella", "violin", "key"]
    covers = [cover(i, Element(kind="subject", id=thing), series="moss", title=thing) for i, thing in enumerate(things)]
    assert len({made.direction.family for made in covers}) == 1
    assert [made.elements[0].id for made in covers] == things


def test_a_thing_without_an_outline_is_not_said_to_be_drawn() -> None:
    unknown, key = Element(kind="subject", id="no-such-thing"), Element(kind="subject", id="key")
    assert cover(1, unknown, key).elements == (key,)


def test_weather_and_season_are_seen() -> None:
    thing = Element(kind="subject", id="umbrella")
    dry = cover(5, thing).pixels()
    for weather in ("rain", "snow", "fog", "autumn"):
        wet: Bytes = cover(5, thing, Element(kind="weather", id=weather)).pixels()
        assert (np.abs(wet.astype(int) - dry).sum(-1) > 30).mean() > 0.01
