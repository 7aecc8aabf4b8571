"""Outlines of subjects: read from the icon sets and from our own, all to the same measure."""

import time
from pathlib import Path

import pytest

from kernel.spi import Element
from plugins.atelier.outlines import store
from plugins.atelier.outlines.figures import figures_of, tags_of
from plugins.atelier.outlines.outline import area_of, outline
from plugins.atelier.outlines.own import OWN
from plugins.atelier.outlines.svg import read_body

ICONS = [
    "fluent-emoji-flat:hedgehog",
    "mdi:anchor",
    "tabler:bike",
    "temaki:windmill",
    "maki:castle",
    "ph:ghost-duotone",
]


@pytest.mark.parametrize("picture", [*ICONS, *(f"own:{name}" for name in OWN)])
def test_an_outline_is_centered_and_one_long(picture: str) -> None:
    drawn = outline(picture)
    assert drawn is not None and max(drawn.width, drawn.height) == pytest.approx(1)
    bounds = drawn.mask.computeTightBounds()
    assert (bounds.centerX(), bounds.centerY()) == (pytest.approx(0, abs=0.01), pytest.approx(0, abs=0.01))
    assert area_of(drawn.solid) > 0.015
    assert sum(area_of(shape.path) for shape in drawn.seen) <= area_of(drawn.mask) * 1.06


def test_what_no_set_has_is_none() -> None:
    assert outline("mdi:no-such-icon") is None
    assert outline("own:no-such-person") is None
    assert outline("../etc:passwd") is None


@pytest.mark.parametrize(
    ("body", "area"),
    [
        ('<path fill="#ff0000" d="M0 0h10v10H0z"/>', 100),
        ('<g fill="#fff" transform="translate(3 4) scale(2)"><rect width="10" height="5"/></g>', 200),
        ('<circle cx="5" cy="5" r="5" fill="#00f"/>', 78.5),
        ('<path fill="none" stroke="#000" stroke-width="2" d="M0 0h10"/>', 20),
        ('<path fill-rule="evenodd" fill="#000" d="M0 0h10v10H0zM2 2h6v6H2z"/>', 64),
        ('<defs><path id="a" d="M0 0h4v4H0z"/></defs><use href="#a" x="9" fill="#123"/>', 16),
        ('<clipPath id="c"><path d="M0 0h5v9H0z"/></clipPath><rect width="9" height="9" clip-path="url(#c)"/>', 45),
        ('<path fill="#000" d="M0 5a5 5 0 1 0 10 0a5 5 0 1 0-10 0"/>', 78.5),
    ],
)  # fmt: skip
def test_svg_is_read_as_areas(body: str, area: float) -> None:
    (piece,) = read_body(body)
    assert area_of(piece.path) == pytest.approx(area, rel=0.02)


def test_an_icon_in_one_color_has_a_light_inside() -> None:
    ring = outline("tabler:bike")
    assert ring is not None and {shape.tone for shape in ring.shapes} == {0.25, 0.85}


def test_the_file_of_outlines_opens_at_once_and_is_what_the_sets_say(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sets = store.sets_folder()
    small = tmp_path / "@iconify-json" / "maki"
    small.mkdir(parents=True)
    (small / "icons.json").symlink_to(sets / "maki" / "icons.json")
    monkeypatch.setattr(store, "sets_folder", lambda: tmp_path / "@iconify-json")
    monkeypatch.setattr(store, "SETS", ("maki",))
    store.body_of.cache_clear()
    try:
        read = store.body_of("maki:castle")
        assert store.write() > 300
        store.body_of.cache_clear()
        started = time.process_time()
        assert store.body_of("maki:castle") == read is not None
        assert time.process_time() - started < 0.05
        assert store.body_of("maki:no-such-icon") is None
    finally:
        store.body_of.cache_clear()


def test_elements_become_figures_and_concepts() -> None:
    owl, storm = Element(kind="subject", id="owl", count=3, color="white"), Element(kind="weather", id="thunderstorm")
    (figure,) = figures_of([owl, storm])
    assert (figure.id, figure.count, figure.color, figure.group) == ("owl", 3, "white", "bird")
    assert tags_of([owl, storm]).keys() == {"owl", "storm", "rain"}
