"""Figures: the subjects of a depiction with their outlines, number and color; and what else it tells the painters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kernel.spi import Element
from plugins.atelier.outlines.outline import Outline, outline
from plugins.atelier.subjects.catalog import subjects

DEFAULT_PICTURE: Final = "fluent-emoji-flat:key"
SKY: Final = frozenset({"sky", "weather"})
LOW: Final = frozenset(
    {
        *(
            "umbrella",
            "umbrella-in-rain",
            "closed-umbrella",
            "parasol",
            "windsock",
            "weather-vane",
            "water-drop",
            "ice",
        ),
        *("wave", "breakers", "whirlpool", "tsunami", "tornado", "earth", "globe-americas", "globe-asia"),
        *("sunrise", "mountain-sunrise", "sunset", "sunset-sea"),
    }
)
"""Subjects of these groups that are held, stand or lie."""
FACING: Final = frozenset(
    {"animal", "bird", "fish", "insect", "creature", "dinosaur", "person", "vessel", "vehicle", "aircraft"}
)

# What painters of scenes know a weather, time, season or place by, where it is not called the same.
TAGS: Final[dict[str, tuple[str, ...]]] = {
    "thunderstorm": ("storm", "rain"),
    "thunder": ("storm",),
    "lightning": ("storm",),
    "drizzle": ("rain",),
    "snowfall": ("snow",),
    "blizzard": ("snow", "storm", "wind"),
    "mist": ("fog",),
    "windy": ("wind",),
    "midnight": ("night",),
    "evening": ("dusk",),
    "sunset": ("dusk",),
    "twilight": ("dusk",),
    "sunrise": ("dawn",),
    "morning": ("dawn", "day"),
    "noon": ("day", "sun"),
    "winter": ("winter", "snow"),
    "sea": ("ocean",),
    "woods": ("forest",),
    "town": ("city",),
    "mountains": ("mountain",),
    "beach": ("ocean", "summer"),
    "underwater": ("ocean",),
    "harbor": ("ocean", "ship"),
    "lake": ("river",),
    "street": ("city",),
    "road": ("travel",),
    "village": ("house", "nature"),
    "field": ("nature",),
    "jungle": ("forest", "nature"),
    "park": ("garden", "nature"),
    "arctic": ("snow", "winter"),
    "kitchen": ("food",),
    "library": ("book",),
    "theater": ("art", "music"),
    "church": ("history",),
    "ruins": ("history",),
    "cemetery": ("grief", "dark"),
    "clouds": ("sky",),
    "antiquity": ("history",),
    "medieval": ("history",),
    "renaissance": ("history",),
    "victorian": ("gothic", "history"),
    "twenties": ("deco",),
    "midcentury": ("retro",),
    "eighties": ("retro",),
    "dreamy": ("dream",),
    "mysterious": ("secret",),
    "romantic": ("love",),
    "crime": ("crime", "murder"),
    "loneliness": ("grief",),
    "knowledge": ("book", "mind"),
    "creativity": ("idea",),
    "journey": ("travel", "quest"),
    "technology": ("code",),
    "leadership": ("business", "power"),
}


@dataclass(frozen=True)
class Figure:
    """A subject to draw. `count` is 1 to 12, or 0 for many; `color` a color word, empty where the palette decides."""

    id: str
    outline: Outline
    count: int = 1
    color: str = ""
    group: str = ""

    @property
    def celestial(self) -> bool:
        """Whether it belongs above the others, as a moon or a cloud."""
        return self.group in SKY and self.id not in LOW

    @property
    def faces(self) -> bool:
        """Whether its mirror image is as good: it looks or goes to one side and carries no writing."""
        return self.group in FACING


def figures_of(elements: Sequence[Element]) -> tuple[Figure, ...]:
    """Return the figures of those subjects that have an outline, in their order."""
    figures = []
    for element in elements:
        if element.kind != "subject":
            continue
        known = subjects().get(element.id)
        drawn = outline(known.picture if known else element.id)
        if drawn is not None:
            figures.append(Figure(element.id, drawn, element.count, element.color, known.group if known else ""))
    return tuple(figures)


def tags_of(elements: Sequence[Element]) -> dict[str, float]:
    """Return the concepts of all elements as painters know them."""
    tags: dict[str, float] = {}
    for element in elements:
        for name in TAGS.get(element.id, (element.id,)):
            tags[name] = max(tags.get(name, 0.0), 2.0 if element.kind == "subject" else 1.5)
    return tags


def default_figure() -> Figure:
    """Return what is drawn where nothing is named."""
    drawn = outline(DEFAULT_PICTURE)
    if drawn is None:
        raise LookupError("The icon sets are not installed: run `make run` (or `npm ci`).")
    return Figure("key", drawn, group="household")
