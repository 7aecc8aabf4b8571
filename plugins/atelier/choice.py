"""Which family, palette and lettering suit a story: scores from words, a little chance from the seed."""

from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from plugins.atelier.palettes import PALETTE_TAGS, PALETTES, Palette

Random = np.random.Generator

GENRE_WEIGHT: Final = 1.25
MANNER_WEIGHT: Final = 10.0  # a named manner decides
CHANCE: Final = 0.35
FADING: Final = 0.6
CLOSE: Final = 0.5  # of the best score: families that may be chosen instead, so that another attempt looks different
WAY_CHANCE: Final = 1.6
MOST_WORDS: Final = 2.5  # what words may add to a way: the way shows the things anyhow
CLOSE_WAY: Final = 0.35
LEAST_WAYS: Final = 6
MOST_WAYS: Final = 9
MIN_GENRE_SCORE: Final = 1.4  # a story whose words score less for any genre is literary


VERSATILE: Final = ("riso", "linocut", "woodblock", "engraving", "foil", "layers", "silhouette", "blueprint", "neon")
"""Ways that show anything, in any number: for themes, whose books are about all kinds of things."""


class _Suits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    genres: dict[str, float]
    words: dict[str, float]


class _Way(_Suits, frozen=True, forbid_unknown_fields=True):
    manners: list[str] = []


class _Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    families: dict[str, _Suits]
    palettes: dict[str, list[str]]
    ways: dict[str, _Way]
    telling: dict[str, dict[str, float]]


TABLES: Final = msgspec.toml.decode((Path(__file__).parent / "choice.toml").read_bytes(), type=_Tables)


def genre_from(tags: Mapping[str, float]) -> str:
    """Return the genre that a story's concepts indicate; `literary` when they indicate none."""
    scores = {genre: _affinity(tags, words) for genre, words in TABLES.telling.items()}
    best = max(scores, key=lambda genre: scores[genre])
    return best if scores[best] >= MIN_GENRE_SCORE else "literary"


def _affinity(tags: Mapping[str, float], words: Mapping[str, float]) -> float:
    """Add up the scores of the story's words; each further word counts less, or long prompts would all score alike."""
    found = sorted((weight * min(2.0, tags.get(name, 0.0)) ** 0.5 for name, weight in words.items()), reverse=True)
    return float(sum(value * FADING**index for index, value in enumerate(found)))


def family_scores(tags: Mapping[str, float], genre: str, manners: Sequence[str], rng: Random) -> dict[str, float]:
    """Score every family that can be drawn without a picture."""
    scores = {}
    for name, suits in TABLES.families.items():
        score = GENRE_WEIGHT * suits.genres.get(genre, 0.0) + _affinity(tags, suits.words)
        scores[name] = score + MANNER_WEIGHT * (name in manners) + CHANCE * float(rng.random())
    return scores


def way_scores(tags: Mapping[str, float], genre: str, manners: Sequence[str], rng: Random) -> dict[str, float]:
    """Score every way of showing named figures: the treatments, and the families that take figures."""
    scores = {}
    for name, suits in TABLES.ways.items():
        named = name in manners or not set(manners).isdisjoint(suits.manners)
        suited = suits.genres.get(genre, 0.0)
        suited = max(0.0, suited) if named else suited  # who asks for a way gets it, for any genre
        score = GENRE_WEIGHT * suited + min(MOST_WORDS, _affinity(tags, suits.words))
        scores[name] = score + MANNER_WEIGHT * named + WAY_CHANCE * float(rng.random())
    return scores


def pick_way(scores: Mapping[str, float], words: Random, attempt: int) -> str:
    """Choose among the ways that suit best; attempts in a row are as many different ways.

    The order of the ways depends on the words alone (`words` is their stream), so that nobody needs to know what was
    drawn before. A named manner is far ahead of all others and stays.
    """
    ranked = sorted(scores, key=lambda name: -scores[name])
    best = scores[ranked[0]]
    if best >= MANNER_WEIGHT:
        ranked = [name for name in ranked if scores[name] >= MANNER_WEIGHT]
    suited = [name for name in ranked if scores[name] >= CLOSE_WAY * best]
    order = suited[:MOST_WAYS] if len(suited) >= LEAST_WAYS else ranked[:LEAST_WAYS]
    words.shuffle(order)
    return order[attempt % len(order)]


def pick_family(scores: Mapping[str, float], rng: Random) -> str:
    """Choose among the families close to the best; better ones are more likely."""
    best = max(scores.values())
    names = [name for name in scores if scores[name] >= CLOSE * best]
    weights = np.array([scores[name] ** 3 for name in names])
    return names[int(rng.choice(len(names), p=weights / weights.sum()))]


def pick_palette(tags: Mapping[str, float], genre: str, rng: Random, but: Set[str] = frozenset()) -> Palette:
    """Choose a palette: the story's nouns outweigh its genre (the Sahara beats `historical`), with some randomness.

    None of those named in `but` is chosen.
    """
    usual = TABLES.palettes.get(genre, [])
    scores = {}
    for name, words in PALETTE_TAGS.items():
        score = 2.0 - 0.18 * usual.index(name) if name in usual else 0.0
        score += 2.2 * sum(min(2.0, tags.get(word, 0.0)) for word in words) ** 0.8
        scores[name] = score + 0.9 * float(rng.random())
    return PALETTES[max(scores.keys() - but, key=lambda name: scores[name])]
