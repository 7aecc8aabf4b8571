"""Noise, specks and streams, which all families use."""

import numpy as np
import pytest

from plugins.atelier.atmosphere import dust, speckle, stars
from plugins.atelier.noise import enlarge, enlarge_rows, fbm, fbm_line, ridged, smoothstep
from plugins.atelier.palettes import PALETTES
from plugins.atelier.scene import Scene, Zone
from tests.atelier.pictures import pixels

TITLE = Zone(0.1, 0.1, 0.8, 0.3)


def empty_page(**given: object) -> Scene:
    scene = Scene(300, 450, PALETTES["noir"], 5, **given)  # type: ignore[arg-type]
    scene.set_type(TITLE, Zone(0.1, 0.9, 0.8, 0.04))
    scene.flood("#000000")
    return scene


def light(scene: Scene) -> tuple[float, float]:
    """Brightest value inside the title zone and outside all zones."""
    grey = pixels(scene).max(2)
    return float(grey[45:180, 30:270].max()), float(grey[220:400].max())


def test_stars_fade_to_dust_under_the_title() -> None:
    scene = empty_page()
    stars(scene, 3000)
    inside, outside = light(scene)
    assert 0 < inside < outside * 0.75


def test_motes_keep_off_the_title() -> None:
    scene = empty_page()
    dust(scene, 3000, "#ffffff")
    inside, outside = light(scene)
    assert inside == 0
    assert outside > 60


def test_ink_specks_keep_off_the_title() -> None:
    scene = empty_page()
    speckle(scene, 4000, "#ffffff")
    inside, outside = light(scene)
    assert inside == 0
    assert outside > 20


@pytest.mark.parametrize("make", [fbm, ridged])
def test_noise_stays_between_nothing_and_one(make: object) -> None:
    field = make(np.random.default_rng(3), 90, 60)  # type: ignore[operator]
    assert field.min() >= 0 and field.max() <= 1
    assert field.std() > 0.05


def test_noise_on_a_grid_a_cell_taller_is_the_same_noise() -> None:
    """Pages of 1600 by 2560 and 1000 by 1600 round to grids whose proportions differ a little."""
    a, b = (fbm(np.random.default_rng(9), rows, 600, 6, 4) for rows in (960, 961))
    assert np.abs(a - enlarge(b, 960, 600)).mean() < 0.01


def test_a_band_of_rows_is_a_part_of_the_whole() -> None:
    field = np.random.default_rng(2).random((40, 30), np.float32)
    whole = enlarge(field, 400, 300)
    assert np.abs(whole[100:160] - enlarge_rows(field, 400, 300, 100, 160)).max() < 1e-4


def test_a_line_of_noise_has_the_samples_asked_for() -> None:
    line = fbm_line(np.random.default_rng(1), 640, 3)
    assert line.shape == (640,)
    assert 0 <= line.min() < line.max() <= 1


def test_smoothstep_rises_from_nothing_to_one() -> None:
    assert smoothstep(0.2, 0.8, [0.1, 0.2, 0.5, 0.8, 0.9]).tolist() == pytest.approx([0, 0, 0.5, 1, 1])


def test_a_stream_depends_on_its_name_and_the_seed_only() -> None:
    first, again = empty_page().fork("trees"), empty_page().fork("trees")
    assert first.random() == again.random()
    assert empty_page().fork("trees").random() != empty_page().fork("birds").random()


def test_a_structural_choice_follows_the_theme() -> None:
    one, other = (Scene(90, 135, PALETTES["noir"], seed, theme_seed=77) for seed in (1, 2))
    assert one.sfork("mood").random() == other.sfork("mood").random()
    assert one.fork("mood").random() != other.fork("mood").random()


def test_a_noise_grid_does_not_depend_on_the_size_of_the_page() -> None:
    grids = {Scene(w, h, PALETTES["noir"], 1).grid(3) for w, h in ((300, 450), (900, 1350), (60, 90))}
    assert grids == {(900, 600)}


def test_grain_changes_texture_and_not_the_picture() -> None:
    scene = empty_page()
    scene.flood("#808080")
    scene.grain(0.2)
    picture = pixels(scene).astype(float)
    assert picture.std() > 2
    assert abs(picture.mean() - 128) < 4
