"""Which family, palette and lettering suit a story: scores from words, a little chance from the seed."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from plugins.atelier.palettes import PALETTE_TAGS, PALETTES, Palette

Random = np.random.Generator

_FAMILIES: Final = """
ridges     | fantasy:2 adventure:2 ya:1.2 western:.6 literary:.5 historical:.8 | mountain:3 forest:2.4 castle:2.2 wolf:1.5 quest:1.5 dragon:1.6 snow:1.5 winter:1.2 deer:2 river:1 nature:1.5 autumn:1 volcano:2
sea        | adventure:1.4 literary:.5 historical:.8 mystery:.3 ya:.5 | ocean:3 ship:3 lighthouse:4.5 whale:3.5 island:2.5 pirate:3 storm:1.6 summer:1
cosmos     | scifi:2.6 | space:4 star:1.5 alien:2 science:.6
noir_city  | thriller:1.4 mystery:1.6 | city:3 detective:2.6 crime:2 spy:1.5 rain:1.8 cyber:2.5 murder:1.2 night:.5
beam       | thriller:1.8 horror:2 scifi:.8 mystery:.8 | dark:1.5 fear:2 door:3.5 light:1.8 secret:.8 ghost:1.5
dunes      | adventure:1 literary:.3 historical:.5 | desert:5 sun:1 travel:.8
botanical  | romance:2.4 cookbook:1.5 literary:.8 historical:.8 poetry:1 | flower:3.4 garden:3.2 love:1.2 leaf:2 spring:1.5 food:.8 jewel:.2
modernist  | nonfiction:1.6 literary:.8 | business:1.2 idea:1.5 abstract:2.5 math:2 art:1.2 music:1.4 mind:.7
swiss      | nonfiction:2.2 thriller:.4 | business:1.6 money:1.4 power:1.6 idea:1 code:.8
linescape  | literary:.9 scifi:.6 nonfiction:.8 | sound:2.5 music:1.3 mind:1.6 heart:.8 eye:1.5 grief:1 science:1.2
deco       | historical:1 mystery:.9 romance:.3 | deco:4.5 jewel:2 crown:.6 music:.8
retro      | scifi:1 nonfiction:.3 adventure:.4 | retro:4 sun:1.6 travel:1.2 future:1.2 robot:.6
papercut   | children:1.4 fantasy:.9 ya:1.4 adventure:.5 | magic:1 forest:1.4 dream:1.6 moon:1.4 ocean:.5 fox:1.5 rabbit:1.5 deer:1.2
kids       | children:4 | child:2.5 animal:2 bear:1.5 cat:1.2 dog:1 whale:.6 fox:1 owl:1
emblem     | fantasy:1.5 mystery:1.2 historical:1.2 romance:.4 ya:1.2 | secret:1.8 crown:2.2 magic:1.6 snake:2.5 witch:1.6 blood:1.6 war:1.4 eye:1 time:1.4 history:1.2 gothic:2 key:2
marble     | literary:1 poetry:2 nonfiction:.3 | poetry:2 dream:1.2 ocean:.3 abstract:1.5 grief:1.5
archway    | romance:1.3 literary:1 historical:.9 cookbook:.6 | summer:3 travel:1.3 garden:.6 island:2.6 family:1 sun:1.2 house:1.3 food:1.6
vortex     | thriller:1.6 nonfiction:.8 | mind:2 fear:1.2 time:1.3 eye:2 spy:1 secret:.6
cutouts    | literary:1.6 cookbook:2 poetry:.8 nonfiction:.4 | family:1.2 food:2.6 art:2.2 summer:1 leaf:1 island:.5
flow       | literary:1.2 poetry:1.2 scifi:.2 | art:1.8 sky:2 dream:1.5 wind:2 night:.6 memory:1
knockout   | thriller:.5 nonfiction:1 literary:.9 historical:.6 | nature:1.6 mountain:.8 forest:.6 map:.5
contour    | nonfiction:1.1 literary:.9 adventure:.8 | map:4 nature:1.6 mountain:.8 river:1.6 science:.6 travel:.8 island:.8
"""

_GENRE_PALETTES: Final = """
fantasy     gilt nightfall ember emerald aurora oxblood
adventure   tealorange ember sahara tide verdant aurora
scifi       plasma neon aurora tealorange retro
romance     blush duskrose wine coral lilac
thriller    noir tealorange storm oxblood
mystery     noir storm emerald oxblood peacock
horror      oxblood noir storm
literary    clay tide bone sage coral cyanotype
children    storybook candy meadow
nonfiction  swissred cobalt mustard peacock
historical  bone emerald gilt oxblood clay
poetry      lilac sage tide cyanotype
western     sahara bone ember
cookbook    sage coral mustard clay
ya          aurora duskrose nightfall peacock
"""

_TELLING: Final = """
fantasy     dragon:3 magic:2 castle:1.5 wizard:2 witch:1.5 crown:1 quest:.6
scifi       space:2.5 robot:2 alien:2.5 cyber:2.5 future:1.5
romance     love:1.8 couple:2 heart:.5
thriller    spy:2 fear:.6 crime:.8 war:.4 dark:.3
mystery     murder:1.6 detective:2.5 crime:1 secret:.5
horror      fear:1.4 ghost:1.8 blood:.8
children    child:1.6 animal:1.2 bear:.4 rabbit:.3
nonfiction  business:2 idea:1 money:1.6 science:1.2 mind:.8 code:1.5 math:1.5 power:.8
historical  history:1.8 deco:1.5
poetry      poetry:3
western     western:3
cookbook    food:1.2
adventure   pirate:2 quest:.8 travel:.5 desert:.5
"""

GENRE_WEIGHT: Final = 1.25
MANNER_WEIGHT: Final = 10.0  # a manner that is named settles it
CHANCE: Final = 0.35
CLOSE: Final = 0.62  # of the best score: families that may be chosen instead, so that another try looks different
TELLS: Final = 1.4  # a story whose words score less for any genre is literary


def _pairs(text: str) -> dict[str, float]:
    return {name: float(value) for name, value in (pair.split(":") for pair in text.split())}


def _rows(table: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in table.split("\n") if line}


PRIORS: Final = {row[0].strip(): _pairs(row[1]) for line in _FAMILIES.split("\n") if line for row in [line.split("|")]}
AFFINITIES: Final = {
    row[0].strip(): _pairs(row[2]) for line in _FAMILIES.split("\n") if line for row in [line.split("|")]
}
GENRE_PALETTES: Final = _rows(_GENRE_PALETTES)
TELLING: Final = {genre: _pairs(" ".join(words)) for genre, words in _rows(_TELLING).items()}


def genre_from(tags: Mapping[str, float]) -> str:
    """Return the genre the concepts of a story tell; `literary` when they tell none."""
    scores = {genre: _affinity(tags, words) for genre, words in TELLING.items()}
    best = max(scores, key=lambda genre: scores[genre])
    return best if scores[best] >= TELLS else "literary"


def _affinity(tags: Mapping[str, float], words: Mapping[str, float]) -> float:
    return sum(weight * min(2.0, tags.get(name, 0.0)) ** 0.5 for name, weight in words.items())


def family_scores(tags: Mapping[str, float], genre: str, manners: Sequence[str], rng: Random) -> dict[str, float]:
    """Score every family that can be drawn without a picture."""
    scores = {}
    for name in PRIORS:
        score = GENRE_WEIGHT * PRIORS[name].get(genre, 0.0) + _affinity(tags, AFFINITIES[name])
        scores[name] = score + MANNER_WEIGHT * (name in manners) + CHANCE * float(rng.random())
    return scores


def pick_family(scores: Mapping[str, float], rng: Random) -> str:
    """Draw among the families close to the best, the better the likelier."""
    best = max(scores.values())
    names = [name for name in scores if scores[name] >= CLOSE * best]
    weights = np.array([scores[name] ** 4 for name in names])
    return names[int(rng.choice(len(names), p=weights / weights.sum()))]


def pick_palette(tags: Mapping[str, float], genre: str, rng: Random) -> Palette:
    """Choose a palette: the story's nouns outweigh its genre (the Sahara beats `historical`), chance varies."""
    usual = GENRE_PALETTES.get(genre, [])
    scores = {}
    for name, words in PALETTE_TAGS.items():
        score = 2.0 - 0.18 * usual.index(name) if name in usual else 0.0
        score += 2.2 * sum(min(2.0, tags.get(word, 0.0)) for word in words) ** 0.8
        scores[name] = score + 0.9 * float(rng.random())
    return PALETTES[max(scores, key=lambda name: scores[name])]
