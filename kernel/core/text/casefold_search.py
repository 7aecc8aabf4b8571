"""The form in which texts are searched: without regard to case, in all scripts and on both databases, nor to accents.

Databases store it beside the text, for SQLite's `lower` knows ASCII only, and what PostgreSQL's knows depends on how
the server was set up. This is the one rule for all searches: who changes it writes a migration of the stored keys.
"""

import unicodedata
from typing import Final

LETTERS: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ё": "е"}
)
"""Letters that people without their keyboard write otherwise, and that Unicode does not take apart."""


def fold_case(text: str) -> str:
    """Return a text in the form in which it is compared: case-folded and normalized."""
    return unicodedata.normalize("NFKC", text).casefold()


def fold(text: str) -> str:
    """Return a text in the form in which it is searched: compared as above, and without accents.

    Only marks on Latin and Greek letters, and vowel signs of Arabic and Hebrew, are accents: in Hindi or Japanese they
    make another letter.
    """
    folded = fold_case(text)
    if folded.isascii():
        return folded
    kept, base = [], ""
    for character in unicodedata.normalize("NFD", folded):
        if unicodedata.combining(character) == 0:
            base = character
        elif _is_accented(base):
            continue
        kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept)).translate(LETTERS)


def _is_accented(base: str) -> bool:
    """Return whether marks on a letter are accents, by where its script is in Unicode."""
    return base < "\u0400" or "\u0590" <= base < "\u0700" or "\u1e00" <= base < "\u2000"
