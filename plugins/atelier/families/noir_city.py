"""Night city: lamplight, haze and one figure, from one of five vantage points."""

from collections.abc import Sequence

from plugins.atelier.atmosphere import rain, vignette
from plugins.atelier.drawing import BLACK
from plugins.atelier.families.city_parts import night_of
from plugins.atelier.families.city_views import VIEWS
from plugins.atelier.family import Family
from plugins.atelier.outlines.figures import Figure
from plugins.atelier.scene import Scene, Zone
from plugins.atelier.treatments.shades import stands

# Story words that select one vantage point; otherwise it is random, evenly.
CALLED_FOR = {"river": "bridge", "ocean": "waterfront", "ship": "waterfront", "spy": "rooftop", "fear": "alley"}


def paint(scene: Scene) -> None:
    """Paint the family on the page."""
    rng = scene.fork("noir city")
    scene.set_type(Zone(0.07, 0.06, 0.86, 0.30), Zone(0.10, 0.925, 0.80, 0.036))
    view = str(scene.sfork("vantage").choice(sorted(VIEWS)))
    if scene.theme_seed is None and (called := scene.first(*CALLED_FOR)) and scene.fork("called for").random() < 0.6:
        view = CALLED_FOR[called]
    VIEWS[view](scene, rng, night_of(scene))
    wet = scene.has("rain", "storm", "noir", "murder")
    rain(scene, 520 if wet else 160, scene.palette.paper, (0.04, 0.17), (0.012, 0.045), 0.12)
    vignette(scene, 0.55, BLACK)


def _shows(figures: Sequence[Figure]) -> bool:
    return stands(figures, {"person", "vehicle", "animal", ""}, 3) and not any(f.celestial for f in figures)


NOIR_CITY = Family("noir_city", paint, mirror=True, shows=_shows)
