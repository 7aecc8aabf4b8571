"""The faces an author can pick from for a text, each shown in itself."""

import re
from functools import cache
from typing import Final

from kernel.press.catalogue import PLACES
from kernel.press.fonts import face, is_installed
from kernel.press.lettering.document import Area, Block, Lettering
from kernel.press.lettering.orders import FaceSample
from kernel.press.lettering.outlines import lay_out
from kernel.press.lettering.svg import to_svg
from kernel.press.scripts import CASED, clean, script_of, text_script

SAMPLE: Final = 15  # characters; more would be too small to tell one face from another
WIDTH: Final = 240
HEIGHT: Final = 36

# Faces that are made for a script; their Latin is a companion to it, not a face to set a Latin title in.
_HOMES: Final[dict[str, str]] = {
    "arabic": "naskh naskh-m kufi kufi-m kufi-b reem ruqaa",
    "devanagari": "deva deva-m deva-b deva-serif deva-serif-m deva-serif-b baloo baloo-m",
    "japanese": "jp-serif jp-serif-m jp-serif-b jp-sans jp-sans-m dela maru kaisei",
    "chinese": "sc-serif sc-serif-m sc-serif-b sc-sans sc-sans-m kuaile",
    "korean": "kr kr-m kr-b batang jua",
}
_LATIN_TOO: Final = {"baloo", "baloo-m"}
_WRITTEN: Final = {"Im": "IM", "Eb": "EB", "Dm": "DM", "Jp": "JP", "Sc": "SC", "Kr": "KR", "Zcool": "ZCOOL"}


@cache
def _made_for(script: str) -> tuple[str, ...]:
    if script in _HOMES:
        return tuple(_HOMES[script].split())
    elsewhere = {name for home in _HOMES.values() for name in home.split()} - _LATIN_TOO
    return tuple(name for name in PLACES if name not in elsewhere and not name.startswith("emoji"))


def faces_for(text: str, language: str) -> tuple[FaceSample, ...]:
    """Return the installed faces made for the script of a text that have all of its letters, by family and weight."""
    words = clean(text)
    script = text_script(words, language)
    both = words + words.upper() if script in CASED else words  # it may be set in capitals
    letters = {char for char in both if script_of(char) == script}
    fit = [name for name in _made_for(script) if is_installed(name) and all(face(name).covers(c) for c in letters)]
    return tuple(_sample(name, words, language) for name in sorted(fit, key=_named))


def _named(font: str) -> tuple[str, str]:
    """Return the family and the cut of a face, as its maker writes them: ("Playfair Display", "Medium Italic")."""
    package, cut = PLACES[font].split("/")
    family = " ".join(_WRITTEN.get(word, word) for word in package.replace("-", " ").title().split())
    weight = cut.lstrip("0123456789").replace("_", "")
    return family, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", weight)


def _sample(font: str, words: str, language: str) -> FaceSample:
    family, cut = _named(font)
    block = Block(
        role="note",
        text=_beginning(words),
        font=font,
        color="#000000",
        area=Area(left=0.0, top=0.06, width=1.0, height=0.88),
        align="left",
        valign="middle",
        max_lines=1,
        max_size=22 / WIDTH,
    )
    svg = to_svg(lay_out(Lettering(language=language, blocks=(block,)), WIDTH, HEIGHT))
    return FaceSample(font=font, family=family, cut=cut, svg=svg)


def _beginning(words: str) -> str:
    """Return the first words of a text, or a part of the first one."""
    kept = ""
    for word in words.split():
        if kept and len(kept) + 1 + len(word) > SAMPLE:
            break
        kept = f"{kept} {word}".strip()
    return (kept or "Aa")[:SAMPLE]
