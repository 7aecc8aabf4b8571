"""Passwords that are guessed first: well-known ones, words of this site, and patterns."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

PRODUCT_WORDS: Final = ("coverwright", "bookcover", "covers")

ORNAMENT: Final = 5
"""This many digits and signs around a well-known word do not make it a good one: `dragon2024!` is still weak."""

_EDGES: Final = re.compile(r"^[^a-z]*|[^a-z]*$")
_LEET: Final = str.maketrans("013457@$!", "oieastasi")


@lru_cache(maxsize=1)
def common_passwords() -> frozenset[str]:
    """Return the well-known passwords, in lower case."""
    return frozenset(Path(__file__).with_name("common.txt").read_text().split())


def site_words(public_url: str) -> frozenset[str]:
    """Return the names of the product and of its host."""
    host = urlsplit(public_url).hostname or ""
    return frozenset({*PRODUCT_WORDS, host, *(label for label in host.split(".") if len(label) > 3)})


def is_guessable(password: str, words: Iterable[str] = ()) -> bool:
    """Return whether a password is among the first that an attacker would try."""
    folded = password.casefold()
    return _is_pattern(folded) or not _readings(folded).isdisjoint(common_passwords() | frozenset(words))


def _is_pattern(text: str) -> bool:
    """Recognize repetitions (`aaaaaaaa`, `abcabcabc`) and counting up or down (`23456789`, `hgfedcba`)."""
    steps = {ord(after) - ord(before) for before, after in pairwise(text)}
    if steps in ({1}, {-1}):
        return True
    return any(text == (text[:size] * len(text))[: len(text)] for size in range(1, 5))


def _readings(text: str) -> set[str]:
    """Return the readings of a guesser: as it is, without surrounding signs, and with digits read as letters."""
    readings = {text, text.translate(_LEET)}
    core = _EDGES.sub("", text)
    if len(text) - len(core) <= ORNAMENT:
        readings |= {core}
    leet_core = _EDGES.sub("", text.rstrip("0123456789!?.*#-_ ")).translate(_LEET)
    if len(text) - len(leet_core) <= ORNAMENT:
        readings |= {leet_core}
    return readings - {""}
