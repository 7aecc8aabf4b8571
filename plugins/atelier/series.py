"""Themes: what the covers of one series share, decided by the theme alone, because they are made one at a time."""

from collections.abc import Mapping
from typing import Final

import msgspec
import numpy as np

from kernel.press.style import Valign
from kernel.press.typesetting import TextBlock, TypeStyle, Voicing, layout, shape
from plugins.atelier.choice import family_scores
from plugins.atelier.semantics.reading import Reading

Place = tuple[float, float, float, float]

SHELVES: Final[dict[str, tuple[str, ...]]] = {
    "stories": ("emblem", "ridges", "papercut", "contour", "linescape", "deco"),
    "hearts": ("botanical", "archway", "papercut", "cutouts", "linescape"),
    "facts": ("modernist", "contour", "swiss", "linescape", "cutouts"),
    "children": ("kids", "papercut", "cutouts", "archway"),
}
"""Families that carry any noun in one unchanging frame, by the kind of book."""
SHELF_OF: Final = {
    "children": "children",
    "nonfiction": "facts",
    "cookbook": "hearts",
    "romance": "hearts",
    "poetry": "hearts",
    "literary": "hearts",
}
ASKED: Final = 2.0  # score from which a theme's words count as a request for a family

HOUSE_GENRE: Final[dict[str, str]] = {
    "ridges": "fantasy",
    "sea": "historical",
    "cosmos": "scifi",
    "noir_city": "thriller",
    "beam": "thriller",
    "dunes": "historical",
    "botanical": "romance",
    "modernist": "nonfiction",
    "swiss": "nonfiction",
    "linescape": "literary",
    "deco": "deco",
    "retro": "retro",
    "papercut": "literary",
    "kids": "children",
    "emblem": "fantasy",
    "marble": "poetry",
    "archway": "literary",
    "vortex": "thriller",
    "cutouts": "literary",
    "flow": "literary",
    "knockout": "nonfiction",
    "contour": "nonfiction",
    "riso": "literary",
    "linocut": "literary",
    "woodblock": "literary",
    "engraving": "historical",
    "foil": "fantasy",
    "layers": "literary",
    "glass": "historical",
    "mosaic": "historical",
    "silhouette": "literary",
    "constellation": "fantasy",
    "negative": "thriller",
    "pattern": "nonfiction",
    "monument": "nonfiction",
    "blueprint": "nonfiction",
    "neon": "thriller",
}
"""The lettering of a theme whose style names no genre: the family's own."""

MOODS: Final = frozenset(
    {"night", "dark", "morning", "day", "spring", "summer", "autumn", "winter", "storm", "rain", "fear"}
)
"""Concepts that change the light of a scene; in a series only the theme's own words do."""

TECHNIQUE: Final[dict[str, str]] = {
    "ridges": "atmospheric landscape",
    "sea": "seascape",
    "cosmos": "cosmic",
    "noir_city": "noir",
    "beam": "volumetric light",
    "dunes": "dunescape",
    "botanical": "botanical",
    "modernist": "bauhaus modernist",
    "swiss": "swiss typographic",
    "linescape": "line art",
    "deco": "art deco",
    "retro": "retro vintage",
    "papercut": "layered paper",
    "kids": "storybook",
    "emblem": "engraved medallion",
    "marble": "marble ink",
    "archway": "travel poster",
    "vortex": "op art",
    "cutouts": "collage cutout",
    "flow": "painterly brushstrokes",
    "knockout": "knockout",
    "contour": "topographic",
    "riso": "risograph",
    "linocut": "linocut",
    "woodblock": "japanese print",
    "engraving": "copperplate",
    "foil": "foil stamped",
    "layers": "paper relief",
    "glass": "stained glass",
    "mosaic": "mosaic",
    "silhouette": "silhouette",
    "constellation": "star chart",
    "negative": "negative space",
    "pattern": "repeat pattern",
    "monument": "oversized",
    "blueprint": "blueprint",
    "neon": "neon sign",
    "refphoto": "photograph",
    "overlay": "photograph",
}
"""Words that request each family."""
GENRE_WORDS: Final = {"ya": "young adult", "scifi": "science fiction", "deco": "", "retro": ""}
"""Genres of type styles under the names that the lexicon knows; two are manners, not genres."""

TYPICAL_LINE: Final = "Midnight S"  # a title's line of usual length; its width sets the size of a series
SAME: Final = 0.995  # of a size: no difference
LADDER: Final = 0.84  # each step down for titles too long for the one before; the eye sees a smaller step as a mistake


def theme_family(style: Reading, known: frozenset[str], theme_seed: int) -> str:
    """Return the family of a theme: the one its words request, else one that suits any book of its kind, by its seed.

    A theme may hold books of several kinds. The kind of a single one decides nothing, or it would not match the others.
    """
    rng = np.random.default_rng(theme_seed)
    scores = {
        name: score
        for name, score in family_scores(style.tags, style.genre, style.manners, rng).items()
        if name in known
    }
    best = max(scores, key=lambda name: scores[name])
    if scores[best] >= ASKED:
        return best
    usual = [name for name in SHELVES[SHELF_OF.get(style.genre, "stories")] if name in known]
    return usual[int(rng.integers(len(usual)))] if usual else best


def series_words(family: str, genre: str, tags: Mapping[str, float]) -> str:
    """Return words for a theme that continues a cover: genre, technique and mood, nothing of what the cover shows."""
    moods = sorted(MOODS & tags.keys())
    return ", ".join(filter(None, (GENRE_WORDS.get(genre, genre), TECHNIQUE[family], *moods)))


def without_stack(style: TypeStyle) -> TypeStyle:
    """Return the style for a series: a stack would make every title another size."""
    return msgspec.structs.replace(style, mode="fit") if style.mode == "stack" else style


def series_size(place: Place, style: TypeStyle) -> float:
    """Return the size, in pixels per em, of the titles of a theme: two lines of usual length fill the place with it."""
    _, _, width, height = place
    line = shape(
        TYPICAL_LINE.upper() if style.case == "upper" else TYPICAL_LINE, Voicing(font=style.font, track=style.track)
    )
    lead = style.leading * (line.cap if style.case == "upper" else 1.0)
    return min(style.max_size, width / line.width, height / (line.cap + lead + max(0.0, line.ink.bottom)))


def set_series_title(title: str, place: Place, style: TypeStyle, valign: Valign) -> TextBlock:
    """Set a title in the size of its series, or on the first step down the ladder on which it fits."""
    style = without_stack(style)
    size = series_size(place, style)
    for mode in dict.fromkeys((style.mode, "fit")):  # small words may cost the line that makes the title too high
        block = layout(title, place, msgspec.structs.replace(style, max_size=size, mode=mode), valign)
        if not block.rows or block.size >= size * SAME:
            return block
    while size * SAME > block.size:
        size *= LADDER
    return layout(title, place, msgspec.structs.replace(style, max_size=size), valign)
