"""The outlines that are not from icon sets, by name: people, the artist's own motifs, and things that no set has."""

from collections.abc import Callable
from functools import partial
from typing import Final

from plugins.atelier.motifs.animals import bear, canine, dragon, owl, whale, whale_tail
from plugins.atelier.motifs.buildings import cabin, lighthouse
from plugins.atelier.motifs.figures import cloaked, person, seated
from plugins.atelier.motifs.plants import round_tree
from plugins.atelier.motifs.vessels import rocket, sloop, tall_ship
from plugins.atelier.outlines import wear
from plugins.atelier.outlines.bodies import oval
from plugins.atelier.outlines.machines import MACHINES
from plugins.atelier.outlines.people import (
    METAL,
    Toned,
    angel,
    astronaut,
    beside,
    boy,
    couple,
    crowd,
    dancer,
    family,
    ghost,
    girl,
    man,
    mermaid,
    one,
    rider,
    small,
    someone,
    thief,
    two_men,
    two_women,
    with_child,
    woman,
)
from plugins.atelier.outlines.things import THINGS

OWN: Final[dict[str, Callable[[], Toned]]] = {
    "man": partial(man, arms=("pocket", "down")),
    "woman": partial(woman, arms=("hip", "down")),
    "child": boy,
    "boy": boy,
    "girl": girl,
    "baby": lambda: small(someone("gown", hair="short"), 0.42),
    "old-man": partial(someone, "coat", hair="bald", hair_tone=0.72, held="cane", arms=("hold", "down")),
    "old-woman": partial(someone, "dress", hair="bun", hair_tone=0.72, held="cane", arms=("hold", "down")),
    "couple": couple,
    "two-women": two_women,
    "two-men": two_men,
    "mother-and-daughter": lambda: with_child(woman(), girl()),
    "mother-and-son": lambda: with_child(woman(), boy()),
    "father-and-daughter": lambda: with_child(man(), girl()),
    "father-and-son": lambda: with_child(man(), boy()),
    "waving": partial(someone, "jacket", arms=("raise", "pocket")),
    "family": family,
    "crowd": crowd,
    "dancer": dancer,
    "soldier": partial(someone, "jacket", hat="steel", held="spear", arms=("hold", "down"), belt=True, boots=0.2),
    "detective": partial(someone, "coat", hat="fedora", held="glass", arms=("raise", "pocket")),
    "knight": partial(
        someone,
        "tunic",
        hair="",
        hat="helmet",
        hat_tone=METAL,
        held="sword",
        arms=("hold", "hip"),
        belt=True,
        boots=0.24,
    ),
    "witch": partial(someone, "gown", hair="long", hat="pointed", held="broom", arms=("hold", "down"), tone=0.3),
    "wizard": partial(
        someone,
        "robe",
        hair="sage",
        hair_tone=0.8,
        hat="wizard",
        hat_tone=0.4,
        held="staff",
        arms=("hold", "down"),
        tone=0.4,
    ),
    "king": partial(
        someone, "cape", hair="beard", hat="crown", hat_tone=0.88, held="staff", arms=("hold", "down"), belt=True
    ),
    "queen": partial(someone, "gown", hair="long", hat="crown", hat_tone=0.88, arms=("folded", "down")),
    "prince": partial(
        someone, "tunic", hat="crown", hat_tone=0.88, held="sword", arms=("hold", "hip"), belt=True, boots=0.2
    ),
    "princess": partial(
        someone, "gown", hair="long", hair_tone=0.7, hat="crown", hat_tone=0.9, tone=0.6, arms=("out", "down")
    ),
    "monk": partial(
        someone, "robe", hair="", hat="hood", hat_tone=0.42, about="book", arms=("folded", "folded"), tone=0.46
    ),
    "nun": partial(someone, "robe", hair="", hat="veil", tone=0.34, arms=("folded", "folded")),
    "priest": partial(someone, "robe", about="book", arms=("folded", "folded"), tone=0.28),
    "bishop": partial(
        someone, "robe", hair="bald", hair_tone=0.75, hat="miter", hat_tone=0.85, held="staff", arms=("hold", "down")
    ),
    "cowboy": partial(someone, "jacket", hat="cowboy", arms=("pocket", "pocket"), belt=True, apart=0.035, boots=0.2),
    "pirate": partial(
        someone, "coat", hair="beard", hat="tricorn", held="cutlass", arms=("raise", "hip"), belt=True, boots=0.24
    ),
    "sailor": partial(someone, "jacket", hat="sailor", hat_tone=0.9, arms=("raise", "pocket"), apart=0.02),
    "captain": partial(someone, "coat", hair="beard", hair_tone=0.75, hat="cap", arms=("pocket", "pocket")),
    "farmer": partial(someone, "apron", hat="straw", hat_tone=0.78, held="pitchfork", arms=("hold", "hip")),
    "gardener": partial(someone, "apron", hair="long", hat="straw", hat_tone=0.78, arms=("hip", "down")),
    "cook": partial(someone, "apron", hat="cook", hat_tone=0.92, arms=("folded", "folded"), tone=0.74),
    "astronaut": astronaut,
    "angel": angel,
    "mermaid": mermaid,
    "fairy": lambda: someone("dress", hair="long", behind=wear.wings(), held="wand", arms=("raise", "down"), tone=0.6),
    "thief": thief,
    "rider": rider,
    "gentleman": partial(someone, "coat", hat="top", held="cane", arms=("hold", "pocket")),
    "bride": partial(someone, "gown", hair="", hat="veil", hat_tone=0.92, tone=0.86, arms=("folded", "folded")),
    "doctor": partial(someone, "coat", tone=0.88, arms=("pocket", "hold"), about="book"),
    "teacher": partial(someone, "coat", hair="bun", about="book", arms=("folded", "folded")),
    "painter": partial(someone, "apron", hat="cap", held="palette", arms=("hold", "raise")),
    "musician": partial(someone, "jacket", about="lute", arms=("folded", "hold")),
    "musketeer": partial(
        someone, "tunic", hair="beard", hat="cowboy", held="sword", arms=("raise", "hip"), belt=True, boots=0.24
    ),
    "hunter": partial(
        someone, "tunic", hat="hood", hat_tone=0.36, hair="", held="spear", arms=("hold", "hip"), belt=True, boots=0.2
    ),
    "sultan": partial(someone, "robe", hair="beard", hat="turban", hat_tone=0.85, arms=("folded", "hip")),
    "umbrella-woman": partial(someone, "coat", hair="long", held="umbrella", arms=("hold", "pocket")),
    "student": partial(someone, "jacket", about="book", arms=("folded", "folded")),
    "sage": partial(someone, "robe", hair="sage", hair_tone=0.82, held="staff", arms=("hold", "down"), tone=0.62),
    "vampire": partial(someone, "cape", arms=("folded", "down"), tone=0.24),
    "spirit": ghost,
    "walker": lambda: one(person()),
    "stranger": lambda: one(person(hat=True)),
    "wanderer": lambda: one(cloaked()),
    "sitting": lambda: one(seated()),
    "wolf": lambda: one(canine(True)),
    "fox-sitting": lambda: one(canine()),
    "owl-perched": lambda: one(owl()),
    "bear-walking": lambda: one(bear()),
    "dragon-flying": lambda: one(dragon()),
    "whale": lambda: one(whale()),
    "whale-tail": lambda: one(whale_tail()),
    "lighthouse": lambda: one(lighthouse()),
    "cabin": lambda: one(cabin()),
    "sloop": lambda: one(sloop()),
    "tall-ship": lambda: one(tall_ship()),
    "rocket-rising": lambda: one(rocket()),
    "round-tree": lambda: one(round_tree()),
    "elf": partial(
        someone, "tunic", hair="long", hair_tone=0.75, held="spear", arms=("hold", "hip"), belt=True, boots=0.2
    ),
    "zombie": partial(someone, "jacket", arms=("out", "out"), tone=0.36),
    "giant": partial(someone, "tunic", hair="beard", held="staff", arms=("hold", "hip"), belt=True, apart=0.05),
    "dwarf": lambda: small(
        someone("tunic", hair="sage", hat="helmet", hat_tone=METAL, arms=("hip", "hip"), belt=True), 0.6
    ),
    "devil": partial(someone, "cape", hair="beard", held="pitchfork", arms=("hold", "hip"), tone=0.3),
    "genie": partial(someone, "robe", hair="beard", hat="turban", hat_tone=0.85, arms=("folded", "folded")),
    "grim-reaper": partial(someone, "robe", hair="", hat="hood", held="scythe", arms=("hold", "down"), tone=0.22),
    "scarecrow": partial(someone, "tunic", hat="straw", hat_tone=0.75, arms=("out", "out")),
    "sailing-ship": lambda: one(tall_ship()),
    "children": lambda: beside((boy(), -0.17, 1.0), (girl(), 0.17, 0.96)),
    "mother-and-child": lambda: beside((woman(), -0.12, 1.0), (girl(), 0.18, 0.85)),
    "father-and-child": lambda: beside((man(), -0.13, 1.0), (boy(), 0.18, 0.9)),
    "friends": lambda: beside(
        (woman(tone=0.62), -0.30, 0.95), (man(), 0.0, 1.0), (someone("jacket", hat="cap"), 0.29, 0.97)
    ),
    "ballerina": dancer,
    "warrior": partial(someone, "tunic", hair="long", held="sword", arms=("raise", "hip"), belt=True, boots=0.2),
    "viking": partial(
        someone,
        "tunic",
        hair="beard",
        hat="steel",
        hat_tone=METAL,
        held="spear",
        arms=("hold", "hip"),
        belt=True,
        boots=0.22,
    ),
    "samurai": partial(someone, "robe", hat="straw", hat_tone=0.3, held="sword", arms=("hold", "folded"), belt=True),
    "ninja": partial(someone, "tunic", hair="", hat="hood", held="sword", arms=("raise", "hip"), tone=0.22, belt=True),
    "archer": partial(someone, "tunic", hat="hood", hat_tone=0.36, hair="", held="bow", arms=("out", "hip"), belt=True),
    "spy": partial(someone, "coat", hat="fedora", arms=("pocket", "pocket"), tone=0.3),
    "police-officer": partial(someone, "jacket", hat="cap", arms=("hip", "hip"), belt=True, tone=0.3),
    "prisoner": partial(someone, "jacket", hat="sailor", arms=("folded", "folded"), tone=0.7),
    "hooded-figure": partial(someone, "robe", hair="", hat="hood", arms=("folded", "folded"), tone=0.26),
    "magician": partial(someone, "cape", hat="top", held="wand", arms=("raise", "hip")),
    "fortune-teller": partial(someone, "gown", hair="long", hat="turban", hat_tone=0.7, arms=("hold", "hold")),
    "pharaoh": partial(
        someone, "robe", hair="", hat="veil", hat_tone=0.8, held="staff", arms=("hold", "folded"), tone=0.7
    ),
    "pilgrim": partial(someone, "coat", hat="straw", hat_tone=0.4, held="staff", arms=("hold", "down")),
    "nurse": partial(someone, "apron", hair="bun", hat="sailor", hat_tone=0.94, arms=("folded", "folded"), tone=0.84),
    "plague-doctor": partial(someone, "robe", hair="", hat="fedora", held="cane", arms=("hold", "down"), tone=0.24),
    "scientist": partial(someone, "coat", held="glass", arms=("raise", "pocket"), tone=0.88),
    "writer": partial(someone, "jacket", hair="beard", about="book", arms=("folded", "folded")),
    "violinist": partial(someone, "coat", about="lute", arms=("folded", "hold"), tone=0.28),
    "singer": partial(someone, "gown", hair="long", arms=("raise", "down"), tone=0.5),
    "conductor": partial(someone, "coat", held="wand", arms=("raise", "out"), tone=0.24),
    "clown": partial(
        someone, "jacket", hair="bun", hat="pointed", hat_tone=0.7, arms=("out", "hip"), tone=0.66, apart=0.03
    ),
    "acrobat": partial(someone, "jacket", arms=("up", "up"), tone=0.6),
    "juggler": partial(someone, "tunic", arms=("raise", "raise"), hat="cap", tone=0.6),
    "fisherman": partial(someone, "coat", hat="straw", hat_tone=0.7, held="rod", arms=("out", "pocket")),
    "shepherd": partial(someone, "robe", hair="beard", hat="straw", hat_tone=0.7, held="staff", arms=("hold", "down")),
    "chef": partial(someone, "apron", hat="cook", hat_tone=0.92, arms=("folded", "folded"), tone=0.74),
    "waiter": partial(someone, "apron", arms=("raise", "folded"), tone=0.3),
    "blacksmith": partial(someone, "apron", hair="beard", held="hammer", arms=("raise", "hip"), tone=0.34),
    "builder": partial(someone, "jacket", hat="steel", hat_tone=0.85, held="hammer", arms=("hold", "hip"), belt=True),
    "miner": partial(someone, "jacket", hat="steel", hat_tone=0.6, held="lantern", arms=("down", "hip"), boots=0.16),
    "firefighter": partial(someone, "coat", hat="steel", hat_tone=0.75, arms=("hip", "hip"), boots=0.16),
    "pilot": partial(someone, "jacket", hat="cap", arms=("pocket", "hip"), belt=True, tone=0.34),
    "explorer": partial(someone, "jacket", hat="cowboy", held="lantern", arms=("out", "hip"), belt=True, boots=0.2),
    "businessman": partial(someone, "jacket", held="case", arms=("down", "pocket"), tone=0.3),
    "businesswoman": partial(someone, "coat", hair="bun", held="case", arms=("down", "hip"), tone=0.36),
    "judge": partial(someone, "robe", hair="bald", hair_tone=0.85, held="hammer", arms=("hold", "folded"), tone=0.24),
    "groom": partial(someone, "jacket", arms=("hold", "pocket"), tone=0.24),
    "superhero": partial(someone, "cape", arms=("up", "hip"), belt=True, apart=0.03, boots=0.2),
    "santa-claus": partial(
        someone,
        "coat",
        hair="sage",
        hair_tone=0.95,
        hat="pointed",
        hat_tone=0.5,
        about="sack",
        arms=("hold", "hip"),
        belt=True,
        boots=0.18,
    ),
    "refugee": partial(someone, "coat", hair="", hat="veil", hat_tone=0.4, about="sack", arms=("hold", "down")),
    "diver": astronaut,
    "pregnant-woman": lambda: [*woman(), (oval(0.045, -0.54, 0.075, 0.095), 0.52)],
    **THINGS,
    **MACHINES,
}
