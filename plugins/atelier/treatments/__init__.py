"""Ways of making any outline a cover, by name."""

from plugins.atelier.treatments.crafted.foil import FOIL
from plugins.atelier.treatments.crafted.glass import GLASS
from plugins.atelier.treatments.crafted.layers import LAYERS
from plugins.atelier.treatments.crafted.mosaic import MOSAIC
from plugins.atelier.treatments.graphic.blueprint import BLUEPRINT
from plugins.atelier.treatments.graphic.constellation import CONSTELLATION
from plugins.atelier.treatments.graphic.monument import MONUMENT
from plugins.atelier.treatments.graphic.negative import NEGATIVE
from plugins.atelier.treatments.graphic.neon import NEON
from plugins.atelier.treatments.graphic.pattern import PATTERN
from plugins.atelier.treatments.graphic.silhouette import SILHOUETTE
from plugins.atelier.treatments.printed.engraving import ENGRAVING
from plugins.atelier.treatments.printed.linocut import LINOCUT
from plugins.atelier.treatments.printed.riso import RISO
from plugins.atelier.treatments.printed.woodblock import WOODBLOCK

PRINTED = (RISO, LINOCUT, WOODBLOCK, ENGRAVING)
CRAFTED = (FOIL, LAYERS, GLASS, MOSAIC)
LINES = (SILHOUETTE, CONSTELLATION, NEGATIVE, PATTERN, MONUMENT, BLUEPRINT, NEON)
TREATMENTS = (*PRINTED, *CRAFTED, *LINES)

__all__ = ["TREATMENTS"]
