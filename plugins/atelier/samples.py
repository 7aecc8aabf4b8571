"""Invented books for the landing page, the carousel and the README."""

from collections.abc import Set
from typing import Final, NamedTuple

from plugins.atelier.brief import Spec


class Sample(NamedTuple):
    """A book and the style of its cover."""

    title: str
    author: str
    genre: str
    description: str
    family: str
    palette: str = ""
    seed: int = 0
    language: str = "en"

    def spec(self, width: int) -> Spec:
        """Return the Spec, `width` pixels wide, in the proportion two to three."""
        return Spec(
            description=self.description,
            title=self.title,
            author=self.author,
            genre=self.genre,
            family=self.family,
            palette=self.palette,
            seed=self.seed,
            language=self.language,
            width=width,
            height=width * 3 // 2,
        )


SHOWCASE: Final = (
    Sample("The Salt Throne", "Maren Oakhollow", "Fantasy", "A queen, a serpent and a stolen crown", "foil", "gilt"),
    Sample("Slow Light Cargo", "Idris Vane", "Sci-Fi", "A starship and a planet", "cosmos", "plasma", 2),
    Sample("A Villa Named Later", "Livia Montcalm", "Romance", "A summer of lemons by the sea", "archway", "coral"),
    Sample("Nine Minutes Dark", "J. R. Castellan", "Thriller", "A red umbrella in the rain", "monument", "noir", 1),
    Sample("The Keeper at Gull Point", "Tamsin Arkwell", "Mystery", "A lighthouse, a storm, a wreck", "sea", "storm"),
    Sample("Bramble Can’t Sleep", "Posy Finch", "Children", "A little bear under the full moon", "kids", "storybook"),
    Sample("Fewer, Better Meetings", "Owen Adeyemi", "Business", "Nine chairs", "pattern", "mustard"),
    Sample("The Fox Who Kept the Moon", "Juno Parkvale", "Young Adult", "A fox in the woods", "papercut", "nightfall"),
    Sample("Midnight at the Calloway", "Vera Lislet", "Mystery", "Jazz age glamour, 1920s", "deco", "emerald"),
    Sample("What Rivers Remember", "Noor Haldane", "Poetry", "A swan at dawn", "woodblock", "lilac", 3),
    Sample("My Grandmother’s Table", "Inês Caldeira", "Cookbook", "Family recipes, three lemons", "linocut", "sage"),
    Sample("Tomorrow Has No Corners", "R. Okafield", "Sci-Fi", "1970s retro future, rocket, planet", "retro", "retro"),
)

CAROUSEL: Final = (
    Sample("Wyrmwinter", "Elin Marsholm", "Fantasy", "A dragon above a mountain", "ridges", "ember"),
    Sample("Orbit of Glass", "Teo Lindqvarn", "Sci-Fi", "Two astronauts", "constellation", "lilac", 6),
    Sample("Road of the Long Sun", "Leila Hadari", "Adventure", "Three camels in the desert", "dunes", "sahara", 1),
    Sample("Peonies for No One", "Clara Whitfold", "Romance", "Love in a walled garden", "botanical", "blush", 2),
    Sample("Everyone Looks Up", "Dan Kesslinger", "Thriller", "An eye", "negative", "noir"),
    Sample("The Locked Orchard", "Agnes Pell", "Mystery", "An old key", "engraving", "oxblood", 2),
    Sample("The Door Under Ashgrove", "Silas Thornby", "Thriller", "A door opens in the dark", "beam", "tealorange"),
    Sample("Under Black Sails", "Anselm Reyl", "Adventure", "A sailing ship on the open sea", "sea", "tide", 4),
)

ABROAD: Final = (
    Sample("ملحمة البحر والقمر", "ليلى حداري", "مغامرة", "سفينة في البحر ليلا تحت القمر", "sea", "nightfall", 0, "ar"),
    Sample("海辺の図書館", "村田 遥香", "恋愛", "海辺の夏", "archway", "coral", 1, "ja"),
    Sample("Тёмный лес и тихая жизнь", "Анна Ковалинская", "фэнтези", "ведьма в лесу", "emblem", "emerald", 0, "ru"),
    Sample("बगीचे की कहानी", "मीरा जोशिला", "रोमांस", "गुलाब का बगीचा", "botanical", "wine", 1, "hi"),
)


def shown(family: str) -> Set[str]:
    """Return the palettes in which the landing page shows a family: covers that people order get others."""
    return {sample.palette for sample in (*SHOWCASE, *CAROUSEL) if sample.family == family}
