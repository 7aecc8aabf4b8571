"""The composition families, by name."""

from plugins.atelier.families.archway import ARCHWAY
from plugins.atelier.families.beam import BEAM
from plugins.atelier.families.botanical import BOTANICAL
from plugins.atelier.families.contour import CONTOUR
from plugins.atelier.families.cosmos import COSMOS
from plugins.atelier.families.cutouts import CUTOUTS
from plugins.atelier.families.deco import DECO
from plugins.atelier.families.dunes import DUNES
from plugins.atelier.families.emblem import EMBLEM
from plugins.atelier.families.flow import FLOW
from plugins.atelier.families.kids import KIDS
from plugins.atelier.families.knockout import KNOCKOUT
from plugins.atelier.families.linescape import LINESCAPE
from plugins.atelier.families.marble import MARBLE
from plugins.atelier.families.modernist import MODERNIST
from plugins.atelier.families.noir_city import NOIR_CITY
from plugins.atelier.families.overlay import OVERLAY
from plugins.atelier.families.papercut import PAPERCUT
from plugins.atelier.families.refphoto import REFPHOTO
from plugins.atelier.families.retro import RETRO
from plugins.atelier.families.ridges import RIDGES
from plugins.atelier.families.sea import SEA
from plugins.atelier.families.swiss import SWISS
from plugins.atelier.families.vortex import VORTEX
from plugins.atelier.family import Family
from plugins.atelier.treatments import TREATMENTS

SCENIC = (RIDGES, SEA, COSMOS, NOIR_CITY, BEAM, DUNES, ARCHWAY, FLOW, PAPERCUT, KIDS)
ORNAMENTAL = (BOTANICAL, EMBLEM, DECO, MARBLE, CUTOUTS, CONTOUR)
GRAPHIC = (RETRO, VORTEX, LINESCAPE, MODERNIST, SWISS, KNOCKOUT)
PICTORIAL = (REFPHOTO, OVERLAY)

FAMILIES: dict[str, Family] = {f.name: f for f in (*SCENIC, *ORNAMENTAL, *GRAPHIC, *TREATMENTS, *PICTORIAL)}

__all__ = ["FAMILIES", "Family"]
